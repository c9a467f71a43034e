"""The catalogue: complete, consistent, and true to the facts that came with the data."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import FrozenInstanceError

import pytest

from cutwise.errors import DatasetError
from cutwise.paper import datasets
from cutwise.paper.datasets.catalogue import CLASS, read_catalogue

ALL = [datasets.describe(name) for name in datasets.names()]
DIGEST = re.compile("[0-9a-f]{64}")


def test_there_are_45():
    assert len(ALL) == len(set(datasets.names())) == 45
    assert list(datasets.names()) == sorted(datasets.names())


@pytest.mark.parametrize("about", ALL, ids=datasets.names())
def test_every_set_is_consistent(about):
    assert sum(about.class_counts.values()) == about.n_rows
    assert min(about.class_counts.values()) >= 1
    assert len(set(about.columns)) == len(about.columns)
    assert CLASS not in about.columns
    assert set(about.nominal) <= set(about.columns)
    assert about.n_numeric + len(about.nominal) == len(about.columns)
    assert 0 <= about.n_missing < about.n_rows * len(about.columns)
    assert all(DIGEST.fullmatch(text) for text in (about.sha256, about.values_sha256, about.rows_sha256))
    assert all(DIGEST.fullmatch(text) for text in about.rules.without_rows)
    assert about.uci is not None or about.openml is not None
    assert about.origin in {"UCI", "KEEL", "IDA"}
    assert about.licence
    assert all(text.endswith((".", "...")) for text in (about.description, *about.notes))
    assert set(about.rules.rename) <= set(about.columns)
    assert set(about.rules.numbered) <= {*about.columns, CLASS}
    assert set(about.rules.labels.values()) <= set(about.class_counts)
    assert set(about.rules.class_from[2:]) <= set(about.class_counts)


def test_no_two_sets_are_the_same():
    assert max(Counter(about.sha256 for about in ALL).values()) == 1
    spellings = [spelling for about in ALL for spelling in (about.name, *about.aliases)]
    assert len(spellings) == len(set(spellings))


@pytest.mark.parametrize(
    ("spelling", "name"), [("clevland", "cleveland"), ("flare-solar", "flare"), ("spectfheart", "specfheart")]
)
def test_other_spellings_work(spelling, name):
    assert datasets.describe(spelling).name == name


def test_an_unknown_name_gets_a_hint():
    with pytest.raises(DatasetError, match=r"There is no data set 'irris'\. Did you mean 'iris'"):
        datasets.describe("irris")
    with pytest.raises(
        DatasetError, match=r"There is no data set '\?'\. cutwise\.paper\.datasets\.names\(\) lists all\."
    ):
        datasets.describe("?")


def test_a_description_is_frozen():
    with pytest.raises(FrozenInstanceError):
        ALL[0].n_rows = 0


def test_unknown_keys_are_refused():
    with pytest.raises(TypeError, match="speling"):
        read_catalogue("[a]\nspeling = 1\nclasses = []\nclass_counts = []\n")


def test_the_catalogue_agrees_with_the_manifest(paper_data):
    manifest = json.loads((paper_data / "manifest.json").read_text())["datasets"]
    assert list(manifest) == list(datasets.names())
    for about in ALL:
        facts = manifest[about.name]
        assert [*about.columns, CLASS] == facts["columns"]
        assert list(about.nominal) == facts["nominal_columns"]
        assert about.class_counts == facts["class_counts"]
        assert (about.n_rows, about.n_missing) == (facts["n_rows"], facts["n_missing_cells"])
        assert (about.sha256, about.n_bytes) == (facts["sha256"], facts["bytes"])
        assert (about.uci, about.openml) == (facts["uci_id"], facts["openml_id"])
        assert bool(about.paper_differs) != facts["matches_paper"]
