"""A seed and a macro for dbt give the codes of the library; `make test-sql` runs these in dbt with DuckDB."""

from __future__ import annotations

import csv
import os
import shutil
import subprocess
from dataclasses import replace

import duckdb
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from cutwise import ExportError, MRmDDiscretizer
from cutwise.scheme.codes import numbers_of_columns
from tests.export.engines import ARROW, ROW, quoted, typed
from tests.export.schemes import (
    EXTREMES,
    HOSTILE,
    MAY_BE_UNSEEN,
    WITH_BLANKS,
    around,
    codes_of,
    nominal,
    numeric,
    scheme_of,
)

CUTS = [-1e300, -0.1, 0.0, 5e-324, 0.1, 1 / 3, 2.0**53, 1e22, 1.7976931348623157e308]
TEXTS = [one for one in HOSTILE if one.lower() not in ("", "null") and "\0" not in one]
SCHEME = scheme_of(
    numeric("x", CUTS, special=[-999.0, 0.3]),
    numeric("no cut", []),
    nominal("y", TEXTS[::2]),
    nominal('z "quoted"', [False, True]),
    nominal("w", [-0.5, 0.0, 7.0]),
)
NUMBERS = [*EXTREMES, *around(CUTS), 7.0, -0.5]
WORDS = [None, *WITH_BLANKS, *TEXTS, "NA", "NULL", "unseen"]


def columns():
    n_rows = max(len(NUMBERS), len(WORDS))
    sets = [NUMBERS, NUMBERS, WORDS, [True, None, False], NUMBERS]
    return [(values * n_rows)[:n_rows] for values in sets]


@pytest.fixture(scope="session")
def dbt():
    """The program; CUTWISE_DBT says where it is, if it is not on the path."""
    program = os.environ.get("CUTWISE_DBT") or shutil.which("dbt")
    if program is None:
        pytest.skip("no dbt: install dbt-duckdb, or set CUTWISE_DBT to the program")
    return program


def run_dbt(program, folder, scheme, table, model):
    """The rows of a model of a project with a table called people."""
    written = scheme.to_dbt(folder)
    assert [str(path.relative_to(folder)) for path in written] == [
        "seeds/cutwise_bins.csv",
        "seeds/cutwise_bins.yml",
        "macros/cutwise_codes.sql",
    ]
    (folder / "models").mkdir()
    (folder / "models" / "coded.sql").write_text(model)
    (folder / "dbt_project.yml").write_text("name: project\nversion: 1.0.0\nprofile: here\n")
    target = "{type: duckdb, path: base.duckdb, threads: 1}"
    (folder / "profiles.yml").write_text(f"here: {{target: dev, outputs: {{dev: {target}}}}}\n")
    with duckdb.connect(folder / "base.duckdb") as connection:
        connection.register("given", table)
        connection.execute("CREATE TABLE people AS FROM given")
    flags = ["--project-dir", ".", "--profiles-dir", ".", "--no-use-colors"]
    settings = os.environ | {"DBT_SEND_ANONYMOUS_USAGE_STATS": "false", "PYTHONPATH": ""}
    done = subprocess.run([program, "build", *flags], cwd=folder, env=settings, capture_output=True, check=False)
    assert done.returncode == 0, done.stdout.decode()[-3000:]
    with duckdb.connect(folder / "base.duckdb") as connection:
        return connection.execute(f"FROM coded ORDER BY {quoted(ROW)}").fetchall()


MODEL = "{{ cutwise_codes(api.Relation.create(schema='main', identifier='people'), keep=['row number']) }}"


@MAY_BE_UNSEEN
@pytest.mark.parametrize("missing", ["code", "bin"])
def test_codes(dbt, tmp_path, missing):
    scheme = replace(SCHEME, missing=missing)
    values = columns()
    named = typed(scheme, values)
    table = pa.table({name: pa.array(own, type=ARROW[kind], from_pandas=False) for name, kind, own in named})
    found = run_dbt(dbt, tmp_path, scheme, table, MODEL)
    assert [list(row[1:]) for row in found] == codes_of(scheme, values)


def test_weights_of_evidence(dbt, tmp_path):
    rng = np.random.default_rng(0)
    x = rng.normal(size=300)
    X = pd.DataFrame({"x": np.where(rng.random(300) < 0.1, np.nan, x), "y": rng.choice(["a", "b", None], 300)})
    scheme = MRmDDiscretizer(event=1).fit(X, (x > rng.normal(size=300)).astype(int)).scheme_
    table = pa.Table.from_pandas(X).append_column(ROW, pa.array(range(300)))
    found = run_dbt(dbt, tmp_path, scheme, table, MODEL.replace(") }}", ", number='woe') }}"))
    assert [list(row[1:]) for row in found] == numbers_of_columns(scheme, X, "woe").tolist()


def test_the_seed_to_read(tmp_path):
    SCHEME.to_dbt(str(tmp_path), name="risk")
    with (tmp_path / "seeds" / "risk_bins.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["upper"] for row in rows if row["attribute"] == "x" and row["kind"] == "interval"] == [
        *map(repr, CUTS),
        "",
    ]
    assert {row["kind"] for row in rows if row["attribute"] == "x"} == {"interval", "special", "missing"}
    assert "lower: DOUBLE PRECISION" in _types(tmp_path, "postgresql")
    assert "macro risk_codes(relation, keep=[], number='code')" in (tmp_path / "macros" / "risk_codes.sql").read_text()


def _types(folder, dialect):
    SCHEME.to_dbt(folder, dialect=dialect)
    return (folder / "seeds" / "cutwise_bins.yml").read_text()


@pytest.mark.parametrize(
    ("scheme", "options", "message"),
    [
        (SCHEME, {"dialect": "oracle"}, r"Put the query of to_sql\('oracle'\) into a dbt model"),
        (SCHEME, {"dialect": "mysql"}, "MySQL may not read the numbers and texts of a seed"),
        (SCHEME, {"name": "my bins"}, "'name' must be made of small letters"),
        (scheme_of(numeric("a {{ b }}", [1.0])), {}, "take its braces for an instruction"),
        (scheme_of(nominal("a", ["Null", "x"])), {}, "reads the category 'Null' of a seed as no value"),
        (scheme_of(nominal("a", [2**53, 1])), {}, "is beyond 2\\*\\*53"),
        (scheme_of(), {}, "no attribute"),
    ],
)
def test_what_a_seed_cannot_hold(tmp_path, scheme, options, message):
    with pytest.raises(ExportError, match=message):
        scheme.to_dbt(tmp_path, **options)
    assert not list(tmp_path.iterdir())
