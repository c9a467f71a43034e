"""The average from tables that stay where they are, against the same rows in memory."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from cutwise import AdditiveClassifier, CutwiseClassifier
from cutwise.errors import CountsError, ExportError, TableError
from tests.classify.additive.made import drawn_waves
from tests.classify.additive.test_on_disk import drawn, few_in_memory, folder_of, weighted
from tests.export.test_predict_table import check

__all__ = ["few_in_memory"]


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("exportable", [False, True])
def test_few_rows_give_the_model_of_fit(n_classes, exportable, tmp_path):
    table = drawn(n_classes)
    rows = table.drop(["paid"])
    settings = {"exportable": exportable, "special_values": {"x1": [0.0]}}
    found = CutwiseClassifier(**settings).fit_table(folder_of(table, tmp_path), "paid")
    expected = CutwiseClassifier(**settings).fit(rows, table["paid"].to_numpy())
    assert [member.name for member in found.members_] == [member.name for member in expected.members_]
    for one, other in zip(found.members_, expected.members_, strict=True):
        assert (one.scheme, one.share) == (other.scheme, other.share)
    np.testing.assert_array_equal(found.predict_proba(rows), expected.predict_proba(rows))
    assert found.n_sampled_ == expected.n_sampled_ == len(table)


@pytest.mark.parametrize(("waves", "n_rows"), [(16, 1500), (1, 150)])
def test_the_grid_is_the_one_that_fit_takes(waves, n_rows):
    X, y = drawn_waves(waves, 2, n_rows)
    found = CutwiseClassifier(exportable=True).fit_table(X.assign(y=y), "y")
    expected = CutwiseClassifier(exportable=True).fit(X, y)
    alone = AdditiveClassifier().fit(X, y)
    assert found.members_[0].scheme == found.members_[1].scheme == expected.members_[0].scheme == alone.scheme_
    np.testing.assert_array_equal(found.predict_proba(X), expected.predict_proba(X))
    np.testing.assert_array_equal(
        expected.members_[0].classifier.tables_.log_likelihood, alone.classifier_.tables_.log_likelihood
    )


def test_few_rows_with_weights_give_the_model_of_fit(tmp_path):
    table = weighted()
    rows, classes, weights = table.drop(["paid", "n"]), table["paid"].to_numpy(), table["n"].to_numpy()
    found = CutwiseClassifier(exportable=True).fit_table(folder_of(table, tmp_path), "paid", weight="n")
    expected = CutwiseClassifier(exportable=True).fit(rows, classes, weights)
    np.testing.assert_array_equal(found.predict_proba(rows), expected.predict_proba(rows))
    assert found.n_sampled_ == weights.sum()


@pytest.mark.usefixtures("few_in_memory")
@pytest.mark.parametrize("missing", ["bin", "code"])
def test_more_rows_than_memory_holds(missing, tmp_path):
    table = drawn(2)
    rows, classes = table.drop(["paid"]), table["paid"].to_numpy()
    path = folder_of(table, tmp_path)
    found = CutwiseClassifier(exportable=True, missing=missing).fit_table(path, "paid")
    expected = CutwiseClassifier(exportable=True, missing=missing).fit(rows, classes)
    assert found.n_sampled_ == 1_000
    for one, other in zip(found.members_, expected.members_, strict=True):
        assert (one.name, one.scheme) == (other.name, other.scheme)
        assert one.share == pytest.approx(other.share, abs=0.1)
    assert found.members_[0].classifier.tables_.counts.of_class.sum() == len(table)
    shares = [model.predict_proba(rows)[np.arange(len(table)), classes] for model in (found, expected)]
    assert abs(np.log(shares[0]).mean() - np.log(shares[1]).mean()) < 0.01
    again = CutwiseClassifier.from_json(found.to_json())
    np.testing.assert_array_equal(again.predict_proba(rows), found.predict_proba(rows))
    with_id = pq.read_table(tmp_path).slice(0, 200)
    with_id = with_id.append_column("id", [np.arange(200)])
    check(found, with_id, with_id.select(rows.column_names), exact=1e-9)


@pytest.mark.usefixtures("few_in_memory")
@pytest.mark.parametrize("has_pair", [False, True])
def test_the_additive_member_is_the_one_alone(has_pair, tmp_path):
    table = drawn(2).drop(["paid"])
    one, two = (table[name].to_numpy() > 0 for name in ("x0", "x1"))
    path = folder_of(table.append_column("paid", pa.array((one ^ (two & has_pair)).astype(int))), tmp_path)
    found = CutwiseClassifier(exportable=True).fit_table(path, "paid")
    alone = AdditiveClassifier().fit_table(path, "paid")
    plain, paired = (member.classifier for member in found.members_[:2])
    assert (plain.grids_.n_pairs, paired.grids_.n_pairs > 0) == (0, has_pair)
    np.testing.assert_array_equal(plain.tables_.log_likelihood, alone.classifier_.tables_.log_likelihood)


@pytest.mark.usefixtures("few_in_memory")
def test_a_class_that_the_sample_misses(tmp_path):
    table = drawn(2)
    paid = table["paid"].to_numpy().astype(str)
    paid[17] = "other"
    path = folder_of(table.set_column(table.column_names.index("paid"), "paid", pa.array(paid)), tmp_path)
    model = CutwiseClassifier(exportable=True).fit_table(path, "paid")
    assert model.classes_.tolist() == ["0", "1", "other"]
    assert all(member.classifier.classes_.tolist() == ["0", "1", "other"] for member in model.members_)
    shares = model.predict_proba(table.drop(["paid"]))
    assert shares[:, 2].mean() < 0.02
    assert (shares[:, 2] > 0.0).all()


def test_what_cannot_be_learned():
    table = drawn(2)
    with pytest.raises(TableError, match="no column 'price'"):
        CutwiseClassifier().fit_table(table, "price")
    ordered = table.to_pandas().astype({"town": "category"})
    ordered["town"] = ordered["town"].cat.as_ordered()
    with pytest.raises(CountsError, match="'town' has ordered categories"):
        CutwiseClassifier().fit_table(ordered, "paid")
    with pytest.raises(ExportError, match="exportable=True"):
        CutwiseClassifier().fit_table(table.slice(0, 300), "paid").predict_table(table)
