"""Many classes: no table by class beyond a bound (promises 13 and 25)."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from cutwise import C45Classifier, EMDDiscretizer, TableError
from cutwise.kernels import c45

# scikit-learn takes so many labels for numbers to be estimated.
pytestmark = pytest.mark.filterwarnings("ignore:The number of unique classes:UserWarning")

# A table of all nodes by class would take 80 GB.
MANY_CLASSES = """
import resource, warnings
import numpy as np
from cutwise import C45Classifier, TableError
warnings.simplefilter("ignore")
small = np.repeat([[0.0, 1.0], [2.0, 3.0]], 5, axis=0)
C45Classifier(nominal=[1]).fit(small, np.repeat([0, 1], 5))
resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))
x = np.random.default_rng(0).permutation(100_000)
for nominal, what in (("auto", "more than 1,342 nodes"), ("all", "100,000 categories of a column")):
    try:
        C45Classifier(nominal=nominal).fit(x[:, None].astype(float), np.arange(100_000).astype(str))
    except TableError as error:
        assert what in str(error), error
        print("refused")
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the bound on the memory of a process is not kept elsewhere")
def test_a_hundred_thousand_classes():
    done = subprocess.run([sys.executable, "-c", MANY_CLASSES], check=False, capture_output=True, text=True)
    assert (done.stdout.split(), done.stderr) == (["refused"] * 2, "")


def test_the_error_says_what_to_do(monkeypatch):
    monkeypatch.setattr(c45, "MAX_BY_CLASS", 200)
    x = np.arange(100)
    message = r"more than 2 nodes with 100 classes are too many\. Join classes, .* a larger 'min_leaf'"
    with pytest.raises(TableError, match=message):
        C45Classifier().fit(x[:, None].astype(float), x)
    with pytest.raises(TableError, match="100 categories of a column with 3 classes are too many"):
        C45Classifier(nominal="all").fit(np.tile(x, 3)[:, None], np.repeat([0, 1, 2], 100))
    # One leaf is within the bound.
    assert C45Classifier(min_leaf=51).fit(x[:, None].astype(float), x).n_leaves_ == 1


def test_the_bound_itself_is_allowed(monkeypatch):
    X, y = np.repeat([[0.0], [1.0], [2.0]], 6, axis=0), np.repeat([0, 1, 2], 6)
    options = {"prune": False, "mdl_correction": False}
    expected = C45Classifier(**options).fit(X, y)
    assert expected.tree_.n_nodes == 5
    monkeypatch.setattr(c45, "MAX_BY_CLASS", 15)
    assert C45Classifier(**options).fit(X, y).export_text() == expected.export_text()
    monkeypatch.setattr(c45, "MAX_BY_CLASS", 14)
    with pytest.raises(TableError, match="more than 4 nodes with 3 classes"):
        C45Classifier(**options).fit(X, y)


def test_a_failed_fit_leaves_the_old_tree(monkeypatch):
    x = np.arange(40)
    fitted = C45Classifier().fit(x[:, None].astype(float), x % 2)
    before = dict(vars(fitted))
    monkeypatch.setattr(c45, "MAX_BY_CLASS", 40)
    with pytest.raises(TableError, match="Join classes"):
        fitted.fit(x[:, None].astype(float), x)
    assert vars(fitted) == before


def test_emd_passes_the_error_on(monkeypatch):
    monkeypatch.setattr(c45, "MAX_BY_CLASS", 12)
    x = np.arange(60.0)
    with pytest.raises(TableError, match="Join classes"):
        EMDDiscretizer(random_state=0, max_evaluations=50, n_jobs=2).fit(x[:, None], x // 10)


def test_predictions_of_many_classes_need_no_table_by_row():
    """20,000 rows by 2,000 classes would take 320 MB; only a row for each node does."""
    x = np.random.default_rng(0).permutation(20_000)
    y = (x // 10).astype(str)
    fitted = C45Classifier().fit(x[:, None].astype(float), y)
    assert (fitted.predict(x[:, None].astype(float)) == y).all()
