"""Fetching: OpenML first, then UCI; a set comes as a whole or leaves nothing behind."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
from dataclasses import replace
from pathlib import Path

import pytest
import sklearn.datasets

from cutwise.errors import DatasetError, DatasetWarning
from cutwise.paper import datasets
from cutwise.paper.datasets import Catalogue, fetch, load
from cutwise.paper.datasets.files import DatasetRows, write_table
from cutwise.paper.datasets.loading import read_record
from cutwise.paper.datasets.services import DataServices, DownloadLimits, openml_table
from tests.paper.datasets.server import fail, send
from tests.paper.datasets.tiny import CATALOGUE, COLUMNS, CONTENT, ROWS, TABLE, TINY, arff_of

REVERSED = DatasetRows(COLUMNS, ROWS[::-1])
SHORT = DatasetRows(COLUMNS, ROWS[:3])


def get(services, folder, **options):
    return fetch("teeny", folder, services=services, catalogue=CATALOGUE, **options)


def test_a_set_comes_from_openml(service, services, tmp_path):
    service.offer_openml(arff_of(TABLE))
    folder = tmp_path / "made" / "on the way"
    seen = []
    fetched = get(services, folder, progress=lambda so_far, total: seen.append(so_far))
    assert (fetched.name, fetched.path, fetched.match, fetched.difference) == ("tiny", folder / "tiny.csv", "exact", "")
    assert fetched.source == f"{service.url}/api/v1/json/data/8"
    assert fetched.path.read_bytes() == CONTENT
    assert sorted(path.name for path in folder.iterdir()) == ["tiny.csv", "tiny.fetched.json"]
    assert seen
    assert load("tiny", folder=folder, catalogue=CATALOGUE).y.tolist() == TABLE.classes()


def test_a_set_that_is_here_is_not_fetched(service, services, tiny_folder):
    assert get(services, tiny_folder).source == ""
    assert service.asked == []


def test_a_wrong_file_is_not_overwritten(service, services, tmp_path):
    (tmp_path / "tiny.csv").write_bytes(b"mine")
    with pytest.raises(DatasetError, match="not the one that is known"):
        get(services, tmp_path)
    assert (tmp_path / "tiny.csv").read_bytes() == b"mine"
    assert service.asked == []


def test_uci_is_asked_second(service, services, tmp_path):
    service.offer_uci(CONTENT)
    assert get(services, tmp_path).source == f"{service.url}/api/dataset?id=7"
    assert service.asked == ["/api/v1/json/data/8", "/api/dataset?id=7", "/static/public/7/data.csv"]


def test_uci_is_preferred_if_only_it_has_the_papers_rows(service, services, tmp_path):
    service.offer_openml(arff_of(SHORT))
    service.offer_uci(write_table(REVERSED))
    fetched = get(services, tmp_path)
    assert (fetched.match, "UCI" if "id=7" in fetched.source else "") == ("same rows", "UCI")
    with pytest.warns(DatasetWarning, match="rows are in another order"):
        assert load("tiny", folder=tmp_path, catalogue=CATALOGUE).match == "same rows"


def test_other_rows_are_taken_and_told(service, services, tmp_path):
    service.offer_openml(arff_of(SHORT))
    fetched = get(services, tmp_path)
    assert (fetched.match, fetched.difference) == ("other rows", "3 rows, not 4; 2 rows of class 'yes', not 3")
    assert read_record(fetched.path).source == fetched.source
    with pytest.warns(DatasetWarning, match="not quite the paper's: 3 rows, not 4"):
        load("tiny", folder=tmp_path, catalogue=CATALOGUE)
    again = get(services, tmp_path)
    assert (again.match, again.difference, again.source) == ("other rows", fetched.difference, "")


def test_a_service_can_be_left_out(service, services, tmp_path):
    with pytest.raises(DatasetError, match=r"'tiny' cannot be fetched\. No service offers it\."):
        get(DataServices("", "", services.limits), tmp_path)
    with pytest.raises(DatasetError, match="No service offers it"):
        fetch("tiny", tmp_path, services=services, catalogue=Catalogue((replace(TINY, uci=None, openml=None),)))


def test_the_addresses_are_those_of_the_services():
    asked = [url for url, _ in DataServices().offers(datasets.describe("iris"))]
    assert asked == ["https://www.openml.org/api/v1/json/data/61", "https://archive.ics.uci.edu/api/dataset?id=53"]
    assert len(list(DataServices().offers(datasets.describe("seismic")))) == 1
    assert len(list(DataServices().offers(datasets.describe("pima")))) == 1


@pytest.mark.parametrize(("changes", "message"), [
    ({"url": None}, "names no file with a checksum"),
    ({"md5_checksum": None}, "names no file with a checksum"),
    ({"md5_checksum": ""}, "names no file with a checksum"),
    ({"format": "Sparse_ARFF"}, "offers the format 'Sparse_ARFF'; only ARFF is read"),
    ({"url": "file:///etc/passwd"}, "only http and https"),
    ({"md5_checksum": "0" * 32}, "does not have the MD5"),
])  # fmt: skip
def test_an_odd_description_of_openml_is_refused(service, services, tmp_path, changes, message):
    service.offer_openml(arff_of(TABLE), **changes)
    with pytest.raises(DatasetError, match=message):
        get(services, tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("answer", [
    b"", b"<html>", b"[]", b"{}", b"[" * 10**4, b'{"data_set_description": 3, "data": []}',
    b'{"data": {"variables": [1]}}', fail(404), fail(500),
])  # fmt: skip
def test_an_odd_answer_is_refused(service, services, tmp_path, answer):
    service.answers["/api/v1/json/data/8"] = answer
    service.answers["/api/dataset?id=7"] = answer
    with pytest.raises(DatasetError, match=r"'tiny' cannot be fetched\. http://.*/8 .*\. http://.*id=7 "):
        get(services, tmp_path)
    assert list(tmp_path.iterdir()) == []


ARFF = arff_of(TABLE)


@pytest.mark.parametrize("answer", [
    lambda handler: send(handler, ARFF[:-30], length=len(ARFF)),
    lambda handler: send(handler, ARFF[:-30]),
    ARFF.replace(b"20.0", b"21.0"),
    b"x" * 200_000,
    fail(404),
    fail(503),
])  # fmt: skip
def test_a_bad_table_leaves_nothing(service, services, tmp_path, answer):
    service.offer_openml(ARFF)
    service.answers["/data/v1/download/8/set.arff"] = answer
    with pytest.raises(DatasetError, match="'tiny' cannot be fetched"):
        get(services, tmp_path / "new")
    assert list(tmp_path.iterdir()) == []


def test_a_table_that_cannot_be_written_is_refused(service, services, tmp_path):
    service.offer_openml(ARFF.replace(b"'red'", b"'re\rd'"))
    with pytest.raises(DatasetError, match="holds a carriage return"):
        get(services, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_bad_start_does_not_hurt(service, services, tmp_path):
    service.offer_openml(ARFF)
    service.answers["/data/v1/download/8/set.arff"] = [fail(500), lambda handler: send(handler, b"", length=9), ARFF]
    assert get(services, tmp_path).match == "exact"


def test_identifiers_named_by_the_services_are_left_out(service, services, tmp_path):
    named = b"@attribute key numeric\n@attribute V1 numeric\n@attribute V2 string\n@attribute V3 numeric\n"
    rows = b"".join(b"9," + line + b"\n" for line in ARFF.split(b"@DATA\n")[1].splitlines())
    arff = named + b"@attribute outcome {yes,no}\n@data\n" + rows
    for key in ("row_id_attribute", "ignore_attribute"):
        service.offer_openml(arff, default_target_attribute="outcome", **{key: ["key"] if key[0] == "i" else "key"})
        assert get(services, tmp_path / key).match == "exact"
    lines = CONTENT.replace(b"size,colour,Price,class", b"a,b,c,outcome").splitlines(keepends=True)
    table = b"key," + lines[0] + b"".join(b"9," + line for line in lines[1:])
    service.offer_uci(table, target="outcome", ids=("key",))
    assert get(replace(services, openml=""), tmp_path / "uci").match == "exact"


class Broken:
    """Counts calls and fails the k-th of them."""

    def __init__(self, k):
        self.left = k

    def wrap(self, function):
        def call(*args, **kwargs):
            self.left -= 1
            if self.left == 0:
                raise OSError(28, "No space left on device")
            return function(*args, **kwargs)

        return call


class BrokenFile:
    """A file whose calls may fail; closing it works."""

    def __init__(self, file, broken):
        self.file = file
        self.write = broken.wrap(file.write)
        self.flush = broken.wrap(file.flush)
        self.fileno = file.fileno

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.file.close()


def test_any_failing_call_leaves_nothing(service, services, tmp_path, monkeypatch):
    """Fail the first call that touches the disk, then the second, and so on until none fails."""
    service.offer_openml(ARFF)
    n_failures = 0
    opened = Path.open
    while True:
        broken = Broken(n_failures + 1)
        folder = tmp_path / str(n_failures)
        with monkeypatch.context() as patch:
            patch.setattr(Path, "mkdir", broken.wrap(Path.mkdir))
            patch.setattr(Path, "open", broken.wrap(lambda *args, broken=broken: BrokenFile(opened(*args), broken)))
            patch.setattr(os, "fsync", broken.wrap(os.fsync))
            patch.setattr(Path, "replace", broken.wrap(Path.replace))
            try:
                get(services, folder)
                break
            except DatasetError as error:
                assert str(error).endswith("No space left on device.")  # noqa: PT017
        assert not folder.exists() or list(folder.iterdir()) == []
        n_failures += 1
    assert n_failures == 1 + 2 * 5
    assert sorted(path.name for path in folder.iterdir()) == ["tiny.csv", "tiny.fetched.json"]


def test_breaking_off_leaves_nothing(service, services, tmp_path, monkeypatch):
    service.offer_openml(ARFF)

    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        get(services, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_made_is_an_error(service, services, tmp_path):
    service.offer_openml(ARFF)
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(DatasetError, match=r"'tiny' cannot be written to .*file'"):
        get(services, tmp_path / "file")


def test_the_default_folder_is_the_users(service, services, tmp_path, monkeypatch):
    monkeypatch.setenv("CUTWISE_DATA", str(tmp_path / "mine"))
    service.offer_openml(ARFF)
    assert get(services, None).path == tmp_path / "mine" / "tiny.csv"


def test_iris_as_openml_answered_it_has_the_papers_rows(service, services, tmp_path):
    """scikit-learn ships a recorded answer of OpenML for iris, MD5 and all."""
    folder = Path(sklearn.datasets.__file__).parent / "tests" / "data" / "openml" / "id_61"
    if not folder.is_dir():
        pytest.skip("this scikit-learn comes without its recorded answers of OpenML")
    arff = gzip.decompress((folder / "data-v1-dl-61.arff.gz").read_bytes())
    facts = gzip.decompress((folder / "api-v1-jd-61.json.gz").read_bytes())
    assert hashlib.md5(arff).hexdigest().encode() in facts  # noqa: S324
    service.answers["/api/v1/json/data/61"] = facts.replace(rb"https:\/\/www.openml.org", service.url.encode())
    service.answers["/data/v1/download/61/iris.arff"] = arff
    fetched = fetch("iris", tmp_path, services=services)
    assert fetched.match == "same rows"
    with pytest.warns(DatasetWarning, match="another order"):
        iris = load("iris", "polars", folder=tmp_path)
    assert iris.X.shape == (150, 4)


def test_a_safe_service_is_not_left_for_an_open_address(monkeypatch):
    """OpenML once gave http addresses of its files; they are asked for by https."""
    asked = []
    facts = {"url": "http://a/set.arff", "md5_checksum": "0" * 32, "format": "ARFF"}
    answers = {"https://a/8": json.dumps({"data_set_description": facts}).encode(), "https://a/set.arff": ARFF}

    def answer(url, *_, **__):
        asked.append(url)
        return answers[url]

    monkeypatch.setattr("cutwise.paper.datasets.services.download", answer)
    assert openml_table("https://a/8", DownloadLimits()).columns == (*COLUMNS, "class")
    assert asked == ["https://a/8", "https://a/set.arff"]


def test_uci_has_a_usual_place_for_tables(service, services, tmp_path):
    service.offer_uci(CONTENT)
    facts = json.loads(service.answers["/api/dataset?id=7"])
    facts["data"]["data_url"] = None
    service.answers["/api/dataset?id=7"] = json.dumps(facts).encode()
    assert get(services, tmp_path).match == "exact"
