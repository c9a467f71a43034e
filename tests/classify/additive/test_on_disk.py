"""Learning from tables that stay where they are, against the same rows in memory."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from cutwise import AdditiveClassifier, EqualWidthDiscretizer
from cutwise.classify.additive import additive, on_disk
from cutwise.errors import CountsError, TableError
from tests.classify.additive.made import drawn_waves

N_ROWS = 6_000


def drawn(n_classes, seed=0):
    random = np.random.default_rng(seed)
    numbers = random.normal(size=(N_ROWS, 3)).round(1)
    town = random.choice(["Bern", "Oslo", "Rome"], N_ROWS)
    tastes = [np.sin(c + numbers[:, 0]) + c * numbers[:, 1] + c * (town == "Oslo") for c in range(n_classes)]
    paid = (np.stack(tastes, axis=1) + random.gumbel(size=(N_ROWS, n_classes))).argmax(axis=1)
    columns = {f"x{j}": pa.array(numbers[:, j]) for j in range(3)}
    columns["x2"] = pa.array(np.where(random.random(N_ROWS) < 0.1, np.nan, numbers[:, 2]), from_pandas=True)
    return pa.table({**columns, "town": town.tolist(), "paid": paid})


@pytest.fixture
def few_in_memory(monkeypatch):
    """Let a few thousand rows be more than memory holds."""
    monkeypatch.setattr(on_disk, "MOST_IN_MEMORY", 1_000)
    monkeypatch.setattr(on_disk, "N_SAMPLED", 2_000)
    monkeypatch.setattr(on_disk, "CHUNK", 700)


def folder_of(table, folder):
    for part in range(3):
        pq.write_table(table.slice(part * N_ROWS // 3, N_ROWS // 3), folder / f"part-{part}.parquet")
    return str(folder / "*.parquet")


@pytest.mark.parametrize("n_classes", [2, 3])
def test_few_rows_give_the_model_of_fit(n_classes, tmp_path):
    table = drawn(n_classes)
    rows = table.drop(["paid"])
    found = AdditiveClassifier(pairs=1).fit_table(folder_of(table, tmp_path), "paid")
    expected = AdditiveClassifier(pairs=1).fit(rows, table["paid"].to_numpy())
    assert found.scheme_ == expected.scheme_
    assert found.pairs_ == expected.pairs_
    np.testing.assert_array_equal(found.predict_proba(rows), expected.predict_proba(rows))


@pytest.mark.parametrize(("waves", "n_rows", "n_bins"), [(16, 1500, 64), (1, 150, 20)])
def test_the_grid_is_the_one_that_fit_takes(waves, n_rows, n_bins):
    X, y = drawn_waves(waves, 2, n_rows)
    found = AdditiveClassifier(pairs=1).fit_table(X.assign(y=y), "y")
    expected = AdditiveClassifier(pairs=1).fit(X, y)
    assert found.discretizer_.n_bins == n_bins
    assert found.scheme_ == expected.scheme_
    np.testing.assert_array_equal(found.predict_proba(X), expected.predict_proba(X))


@pytest.mark.usefixtures("few_in_memory")
@pytest.mark.parametrize("n_classes", [2, 3])
def test_shapes_are_those_of_all_rows(n_classes, tmp_path):
    table = drawn(n_classes)
    rows, classes = table.drop(["paid"]), table["paid"].to_numpy()
    found = AdditiveClassifier(alpha=8.0).fit_table(folder_of(table, tmp_path), "paid")
    expected = AdditiveClassifier(alpha=8.0).fit(rows, classes)
    np.testing.assert_allclose(found.predict_proba(rows), expected.predict_proba(rows), rtol=0, atol=1e-7)
    assert found.loss_ == pytest.approx(expected.loss_, rel=1e-12)
    assert found.converged_
    for name in rows.column_names:
        assert found.shape(name)["rows"] == expected.shape(name)["rows"]
        np.testing.assert_allclose(
            found.shape(name)["standard error"], expected.shape(name)["standard error"], rtol=0.3
        )


def weighted():
    """Return a table with a column of weights, some of them 0."""
    table = drawn(2)
    return table.append_column("n", pa.array(np.random.default_rng(4).integers(0, 4, N_ROWS)))


@pytest.mark.parametrize("meaning", ["count", "relative"])
def test_few_rows_with_weights_give_the_model_of_fit(meaning, tmp_path):
    table = weighted()
    rows, classes = table.drop(["paid", "n"]), table["paid"].to_numpy()
    model = AdditiveClassifier(pairs=1, weights=meaning)
    found = model.fit_table(folder_of(table, tmp_path), "paid", weight="n").predict_proba(rows)
    expected = model.fit(rows, classes, table["n"].to_numpy()).predict_proba(rows)
    np.testing.assert_array_equal(found, expected)


@pytest.mark.usefixtures("few_in_memory")
@pytest.mark.parametrize("meaning", ["count", "relative"])
def test_shapes_are_those_of_all_weighted_rows(meaning, tmp_path):
    table = weighted()
    rows, classes = table.drop(["paid", "n"]), table["paid"].to_numpy()
    found = AdditiveClassifier(alpha=8.0, weights=meaning).fit_table(folder_of(table, tmp_path), "paid", weight="n")
    expected = AdditiveClassifier(alpha=8.0, weights=meaning).fit(rows, classes, table["n"].to_numpy())
    assert [found.scheme_[f"x{j}"].cuts for j in range(3)] == [expected.scheme_[f"x{j}"].cuts for j in range(3)]
    np.testing.assert_allclose(found.predict_proba(rows), expected.predict_proba(rows), rtol=0, atol=1e-7)
    # In memory relative weights are rounded to multiples of a power of two.
    assert found.loss_ == pytest.approx(expected.loss_, rel=1e-10)
    assert found.shape("x0")["rows"] == pytest.approx(expected.shape("x0")["rows"], rel=1e-10)


@pytest.mark.usefixtures("few_in_memory")
def test_strength_and_pairs_are_chosen_on_a_sample(tmp_path):
    random = np.random.default_rng(1)
    numbers = random.normal(size=(N_ROWS, 3))
    paid = numbers[:, 0] * numbers[:, 1] + 0.3 * random.normal(size=N_ROWS) > 0
    table = pa.table({**{f"x{j}": numbers[:, j] for j in range(3)}, "paid": paid})
    path = tmp_path / "table.parquet"
    pq.write_table(table, path)
    model = AdditiveClassifier(pairs=1).fit_table(path, "paid")
    assert model.pairs_ == [("x0", "x1")]
    assert model.classes_.tolist() == [False, True]
    assert (model.predict(table.drop(["paid"])) == paid).mean() > 0.8
    # The grid of a pair has all rows, and what either column says alone is not in it.
    grids = model.classifier_.grids_
    counts = model.classifier_.pair_rows_.reshape(grids.shape(0))
    assert counts.sum() == N_ROWS
    np.testing.assert_allclose((grids.grid(0)[..., 1] * counts).sum(axis=0), 0.0, atol=1e-6)


@pytest.mark.usefixtures("few_in_memory")
def test_bins_of_an_analyst(tmp_path):
    table = drawn(2)
    path = folder_of(table, tmp_path)
    scheme = EqualWidthDiscretizer(5).fit(table.drop(["paid"]), table["paid"].to_numpy()).scheme_
    for bins in (scheme, EqualWidthDiscretizer(5)):
        model = AdditiveClassifier(bins, alpha=1.0).fit_table(path, "paid")
        assert [len(attribute.cuts) for attribute in model.scheme_.attributes[:3]] == [4, 4, 4]
    again = AdditiveClassifier.from_json(model.to_json())
    rows = table.drop(["paid"])
    np.testing.assert_array_equal(again.predict_proba(rows), model.predict_proba(rows))


@pytest.mark.usefixtures("few_in_memory")
def test_rows_keep_their_order_whichever_thread_reads_them(tmp_path, monkeypatch):
    """The sample, and with it the strength and the pairs, would else depend on how fast threads are."""
    table = drawn(2)
    pq.write_table(table, tmp_path / "table.parquet", row_group_size=90)
    monkeypatch.setattr("cutwise.table.engines.arrow.cpu_count", lambda: 4)
    source, counts = on_disk.open_counted(tmp_path / "table.parquet", "paid", columns=None)
    scheme = EqualWidthDiscretizer(5).fit_counts(counts).scheme_
    rows = on_disk.write_codes(source, scheme, counts, str(tmp_path))
    chunks = list(rows.chunks())
    assert [chunk.labels.size for chunk in chunks] == [700] * 8 + [400]
    expected = scheme.transform(table.drop(["paid"]))
    np.testing.assert_array_equal(np.concatenate([chunk.codes for chunk in chunks]), expected)
    np.testing.assert_array_equal(np.concatenate([chunk.labels for chunk in chunks]), table["paid"].to_numpy())


def test_a_file_that_became_shorter_is_told(tmp_path, monkeypatch):
    def shortened(*arguments, **options):
        rows = write_codes(*arguments, **options)
        path = Path(rows.files[0].path)
        path.write_bytes(path.read_bytes()[:-1])
        return rows

    write_codes = additive.write_codes
    monkeypatch.setattr(additive, "write_codes", shortened)
    with pytest.raises(TableError, match="became shorter while it was read"):
        AdditiveClassifier().fit_table(folder_of(drawn(2), tmp_path), "paid")


def test_nothing_stays_behind(tmp_path, monkeypatch):
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(on_disk.tempfile, "tempdir", str(folder))
    AdditiveClassifier(alpha=1.0).fit_table(drawn(2), "paid")
    assert not list(folder.iterdir())


def test_what_cannot_be_learned():
    table = drawn(2)
    with pytest.raises(ValueError, match="from rows in memory only"):
        AdditiveClassifier(monotonic="increasing").fit_table(table, "paid")
    with pytest.raises(TableError, match="no column 'price'"):
        AdditiveClassifier().fit_table(table, "price")
    ordered = table.to_pandas().astype({"town": "category"})
    ordered["town"] = ordered["town"].cat.as_ordered()
    with pytest.raises(CountsError, match="'town' has ordered categories"):
        AdditiveClassifier().fit_table(ordered, "paid")
