"""The demo: it works offline and without pandas, and says plainly what is wrong."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import tempfile

import pytest
from sklearn.datasets import load_breast_cancer

from cutwise import Scheme
from cutwise.demo import main
from cutwise.files import write_whole


def test_writes_report_and_scheme(tmp_path, capsys):
    folder = tmp_path / "new" / "folder"
    assert main([str(folder)]) == 0
    assert sorted(path.name for path in folder.iterdir()) == ["report.html", "scheme.json"]
    scheme = Scheme.from_json((folder / "scheme.json").read_bytes())
    assert scheme.names == tuple(load_breast_cancer().feature_names)
    assert scheme.classes == ("benign", "malignant")
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert all(f"<bdi>{name}</bdi>" in page for name in scheme.names)
    captured = capsys.readouterr()
    assert captured.err == ""
    assert str(folder / "report.html") in captured.out
    assert "worst perimeter (numeric)" in captured.out
    assert captured.out.count("(numeric)") == 3
    assert len(captured.out.splitlines()) < 50


def test_runs_twice_into_the_same_folder(tmp_path):
    assert main([str(tmp_path)]) == 0
    first = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert main([str(tmp_path)]) == 0
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == first


def test_default_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main([]) == 0
    assert (tmp_path / "demo-report" / "report.html").is_file()


def fails(folder, capsys, reason):
    assert main([str(folder)]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert captured.err.startswith("Cannot write to ")
    assert reason in captured.err


@pytest.mark.parametrize("below", [".", "deeper"])
def test_a_file_is_in_the_way(tmp_path, capsys, below):
    (tmp_path / "taken").write_text("mine", encoding="utf-8")
    fails(tmp_path / "taken" / below, capsys, "a file is in the way")
    assert (tmp_path / "taken").read_text(encoding="utf-8") == "mine"


def test_folder_is_not_writable(tmp_path, capsys, monkeypatch):
    def refuse(**_kwargs):
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(tempfile, "TemporaryFile", refuse)
    fails(tmp_path, capsys, "Permission denied")


def test_impossible_name(capsys):
    fails("nul\0byte", capsys, "null")


def test_a_folder_has_the_name_of_the_report(tmp_path, capsys):
    (tmp_path / "report.html").mkdir()
    fails(tmp_path, capsys, "report.html")
    assert [path.name for path in tmp_path.iterdir()] == ["report.html"]


def test_full_disk_keeps_the_old_file(tmp_path, capsys, monkeypatch):
    (tmp_path / "report.html").write_text("old", encoding="utf-8")

    def full(_descriptor):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    fails(tmp_path, capsys, "No space left on device")
    assert [path.name for path in tmp_path.iterdir()] == ["report.html"]
    assert (tmp_path / "report.html").read_text(encoding="utf-8") == "old"


def test_files_are_replaced_as_a_whole(tmp_path):
    path = tmp_path / "file.txt"
    write_whole(path, b"long old text\n")
    write_whole(path, b"new\n")
    assert path.read_bytes() == b"new\n"
    assert list(tmp_path.iterdir()) == [path]


def test_help_and_wrong_arguments(capsys):
    with pytest.raises(SystemExit) as stop:
        main(["--help"])
    assert stop.value.code == 0
    assert "demo-report" in capsys.readouterr().out
    with pytest.raises(SystemExit) as stop:
        main(["one", "two"])
    assert stop.value.code == 2


def test_needs_no_table_library(tmp_path):
    code = (
        "import sys\n"
        "class Absent:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name.split('.')[0] in ('pandas', 'polars', 'pyarrow'): raise ModuleNotFoundError(name)\n"
        "sys.meta_path.insert(0, Absent())\n"
        "from cutwise.demo import main\n"
        "sys.exit(main(sys.argv[1:]))"
    )
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
