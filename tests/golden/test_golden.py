"""A file that any version wrote is read by this one and gives what it gave then (promise 16)."""

from __future__ import annotations

import shutil
from dataclasses import astuple

import numpy as np
import pytest

import cutwise
from cutwise import EMDDiscretizer, MDLPDiscretizer, Scheme, TableCounts
from cutwise.counts.file_format import to_bytes
from cutwise.paper.evaluate import Journal
from cutwise.persist import model_from_json
from cutwise.registry import CLASSIFIERS, DISCRETIZERS, entries
from cutwise.scheme import encode_columns
from tests.golden.stored import VERSIONS, content_of, files, load_tool, name_of

TOOL = load_tool()
every_version = pytest.mark.parametrize("folder", VERSIONS, ids=lambda folder: folder.name)


def each(kind):
    return pytest.mark.parametrize("path", files(kind), ids=name_of)


def version_of(path):
    return path.parent.parent


def rows_for(path):
    return content_of(version_of(path), "rows")


def expected_of(path, kind):
    return content_of(version_of(path), "expected")[kind]


def test_this_version_is_stored():
    assert TOOL.folder_name(cutwise.__version__) in {folder.name for folder in VERSIONS}


@every_version
def test_no_stored_file_has_changed(folder):
    assert TOOL.sums_of(folder) == (folder / TOOL.SUMS).read_text(), (
        "Files of a version are never edited. Restore them; tools/golden.py adds the folder of a new version."
    )


@each("schemes")
def test_schemes_give_the_same_codes(path):
    scheme = Scheme.from_json(path.read_bytes())
    codes = encode_columns(scheme, TOOL.frame_of(rows_for(path)))
    assert codes.tolist() == expected_of(path, "schemes")[path.stem]


@each("schemes")
def test_schemes_are_written_as_they_were(path):
    assert Scheme.from_json(path.read_bytes()).to_json().encode() == path.read_bytes()


@each("models")
def test_models_predict_the_same(path):
    model, rows, expected = model_from_json(path.read_bytes()), rows_for(path), expected_of(path, "models")[path.stem]
    table = TOOL.codes_of(rows) if expected["of"] == "codes" else TOOL.frame_of(rows)
    assert model.predict(table).tolist() == expected["classes"]
    # Exponentials may differ in the last bit between processors.
    np.testing.assert_allclose(model.predict_proba(table), expected["probabilities"], rtol=1e-9, atol=1e-12)


@each("models")
def test_models_are_written_as_they_were(path):
    assert model_from_json(path.read_bytes()).to_json().encode() == path.read_bytes()


@each("counts")
def test_counts_give_the_same_cuts(path):
    counts = TableCounts.load(path)
    cuts = [cuts.tolist() for cuts in MDLPDiscretizer().fit_counts(counts).cuts_]
    assert cuts == expected_of(path, "counts")[path.stem]
    assert to_bytes(counts) == path.read_bytes()


@each("checkpoints")
def test_a_search_goes_on_from_its_checkpoint(path, tmp_path):
    rows, copy = rows_for(path), tmp_path / path.name
    shutil.copyfile(path, copy)
    X, y = TOOL.frame_of(rows)[TOOL.NUMBERS], np.array(rows["kind"])
    fitted = EMDDiscretizer(**TOOL.SEARCH, checkpoint=copy).fit(X, y)
    assert [cuts.tolist() for cuts in fitted.cuts_] == expected_of(path, "checkpoint")
    assert copy.read_bytes() != path.read_bytes()


@each("journals")
def test_journals_hold_the_same_results(path):
    found = [list(astuple(result)) for result in Journal.read(path)]
    assert [[list(cell), *rest] for cell, *rest in found] == [
        [list(cell), *rest] for cell, *rest in expected_of(path, "journal")
    ]


def test_every_discretizer_and_every_classifier_is_stored():
    folder = VERSIONS[-1]
    makers = {type(maker).__name__ for maker in TOOL.DISCRETIZERS.values()}
    public = {entry.name for entry in entries(DISCRETIZERS)} - {"FixedSchemeDiscretizer"}
    assert makers == public
    methods = {Scheme.from_json(path.read_bytes()).method for path in (folder / "schemes").iterdir()}
    assert methods == {getattr(cutwise, name).method_name for name in public}
    models = {type(model_from_json(path.read_bytes())).__name__ for path in (folder / "models").iterdir()}
    assert models == {entry.name for entry in entries(CLASSIFIERS)}


@every_version
def test_the_files_are_small(folder):
    assert sum(path.stat().st_size for path in folder.rglob("*")) < 600_000


def write_little(folder):
    TOOL.write(folder / "a.txt", b"new")


CHANGELOGS = {"not released": "## 0.1.0 (not released)\n", "released": "## 0.1.0 (2026-12-01)\n", "gone": ""}


def test_the_tool_adds_a_version(tmp_path, monkeypatch):
    monkeypatch.setattr(TOOL, "make", write_little)
    assert TOOL.add(tmp_path, "0.1.0", CHANGELOGS["released"], again=False) == tmp_path / "v0.1"
    assert TOOL.add(tmp_path, "0.2.1", CHANGELOGS["released"], again=False) == tmp_path / "v0.2"
    assert (tmp_path / "v0.2" / "a.txt").read_bytes() == b"new"


@pytest.mark.parametrize(
    ("state", "again", "is_made"),
    [
        ("not released", True, True),
        ("not released", False, False),
        ("released", True, False),
        ("released", False, False),
        ("gone", True, False),
    ],
)
def test_the_tool_never_edits_what_is_released(tmp_path, monkeypatch, state, again, is_made):
    monkeypatch.setattr(TOOL, "make", write_little)
    TOOL.write(tmp_path / "v0.1" / "a.txt", b"old")
    if is_made:
        TOOL.add(tmp_path, "0.1.0", CHANGELOGS[state], again=again)
    else:
        with pytest.raises(FileExistsError, match="never edited"):
            TOOL.add(tmp_path, "0.1.0", CHANGELOGS[state], again=again)
    assert (tmp_path / "v0.1" / "a.txt").read_bytes() == (b"new" if is_made else b"old")
