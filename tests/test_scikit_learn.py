"""What must hold with every version of scikit-learn: the names of columns, and a fit without callbacks."""

from __future__ import annotations

import warnings

import narwhals.stable.v2 as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import sklearn

from cutwise import AODEClassifier, C45Classifier, MRmDDiscretizer, MRmDRNBClassifier, NaiveBayesClassifier
from cutwise.scikit_learn import HAS_CALLBACKS

# The last one is a table in which scikit-learn before 1.9 finds no names, as in those of polars 2.
LIBRARIES = {
    "pandas": pd.DataFrame,
    "polars": pl.DataFrame,
    "pyarrow": pa.table,
    "narwhals": lambda columns: nw.from_native(pl.DataFrame(columns)),
}
ESTIMATORS = [MRmDDiscretizer(), MRmDRNBClassifier(), C45Classifier(), NaiveBayesClassifier(), AODEClassifier()]
COLUMNS = {"age": [20, 31, 2, 43, 54, 25] * 5, "size": [6, 1, 5, 2, 4, 3] * 5}
Y = np.array([0, 1, 0, 1, 1, 0] * 5)

every_library = pytest.mark.parametrize("make", LIBRARIES.values(), ids=LIBRARIES)
every_estimator = pytest.mark.parametrize("estimator", ESTIMATORS, ids=lambda estimator: type(estimator).__name__)


def use(estimator, table):
    return estimator.transform(table) if hasattr(estimator, "transform") else estimator.predict(table)


@every_library
@every_estimator
def test_names_of_columns_are_kept(estimator, make):
    fitted = sklearn.clone(estimator).fit(make(COLUMNS), Y)
    assert fitted.feature_names_in_.tolist() == ["age", "size"]
    assert fitted.n_features_in_ == 2
    with warnings.catch_warnings(action="error"):
        found = use(fitted, make(COLUMNS))
    assert len(found) == Y.size


@every_library
def test_names_of_the_columns_that_come_out(make):
    fitted = MRmDDiscretizer(encode="onehot-dense").fit(make(COLUMNS), Y)
    assert {name.split("_")[0] for name in fitted.get_feature_names_out()} == {"age", "size"}


@every_library
@every_estimator
def test_columns_in_another_order_are_refused(estimator, make):
    fitted = sklearn.clone(estimator).fit(make(COLUMNS), Y)
    with pytest.raises(ValueError, match="same order as they were in fit"):
        use(fitted, make({"size": COLUMNS["size"], "age": COLUMNS["age"]}))


@every_library
@every_estimator
def test_other_columns_are_refused(estimator, make):
    fitted = sklearn.clone(estimator).fit(make(COLUMNS), Y)
    with pytest.raises(ValueError, match=r"unseen at fit time:\n- width\n.*now missing:\n- size"):
        use(fitted, make({"age": COLUMNS["age"], "width": COLUMNS["size"]}))


@every_library
@every_estimator
def test_names_that_one_side_lacks_are_told(estimator, make):
    array = np.column_stack(list(COLUMNS.values()))
    with pytest.warns(UserWarning, match="does not have valid feature names"):
        use(sklearn.clone(estimator).fit(make(COLUMNS), Y), array)
    with pytest.warns(UserWarning, match="was fitted without feature names"):
        use(sklearn.clone(estimator).fit(array, Y), make(COLUMNS))


@every_library
def test_rows_of_weight_zero_are_left_out_of_every_table(make):
    kept = np.arange(Y.size) % 4 > 0
    some = {name: np.array(column)[kept] for name, column in COLUMNS.items()}
    weighted = MRmDDiscretizer().fit(make(COLUMNS), Y, sample_weight=kept.astype(float))
    assert weighted.scheme_ == MRmDDiscretizer().fit(make(some), Y[kept]).scheme_


@pytest.mark.skipif(HAS_CALLBACKS, reason="scikit-learn has callbacks from 1.9 on")
def test_what_callbacks_need_is_said():
    with pytest.raises(NotImplementedError, match=r"need scikit-learn 1\.9 or newer, and this is 1\."):
        MRmDDiscretizer().set_callbacks(print)
