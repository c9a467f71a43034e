"""Compressed files can neither exhaust the memory nor write anywhere (promise 22)."""

from __future__ import annotations

import gzip
import io
import subprocess
import sys
import zipfile

import pytest

from cutwise.errors import TableError
from cutwise.table.reading import read_table
from tests.table.files import NAMES, ROWS, excel
from tests.table.test_hostile_files import in_256_mib

linux = pytest.mark.skipif(sys.platform != "linux", reason="the limit of memory is set in the way of Linux")


@linux
def test_ten_gigabytes_of_gzip_fail_in_256_mib(tmp_path):
    """Many gzip files in a row are one gzip file: 10 MB that expand to 10 GB."""
    member = gzip.compress(b"1,2\n" * (100 << 18), mtime=0)
    path = tmp_path / "bomb.csv.gz"
    with path.open("wb") as file:
        for _ in range(100):
            file.write(member)
    assert path.stat().st_size < 60 << 20
    assert "has more than 512 MiB" in in_256_mib(path)


def renamed(content, names):
    """Return an archive with more members, of these names."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(out, "w") as new:
        for item in old.infolist():
            new.writestr(item, old.read(item))
        for name in names:
            new.writestr(name, b"owned")
        link = zipfile.ZipInfo("xl/link")
        link.external_attr = 0o120777 << 16
        new.writestr(link, b"../../../outside")
    return out.getvalue()


WATCHED = """
import sys
from cutwise.table.reading import read_table
read_table(sys.argv[1])
def watch(event, arguments):
    if event in {"os.mkdir", "os.rename", "os.link", "os.symlink", "os.remove", "shutil.unpack_archive"}:
        raise SystemExit(event)
    if event == "open" and arguments[2] is not None and arguments[2] & 3:
        raise SystemExit(f"open to write: {arguments[0]!r}")
sys.addaudithook(watch)
print(read_table(sys.argv[1]).shape)
"""


def test_members_of_an_archive_never_become_files(tmp_path):
    inside = tmp_path / "a" / "b"
    inside.mkdir(parents=True)
    names = ["../outside.txt", "../../outside.txt", str(tmp_path / "outside.txt"), "..\\outside.txt", "/outside.txt"]
    path = inside / "table.xlsx"
    path.write_bytes(renamed(excel([NAMES, *ROWS]), names))
    done = subprocess.run(
        [sys.executable, "-c", WATCHED, str(path)], capture_output=True, text=True, check=False, cwd=inside
    )
    assert done.stdout.strip() == "(3, 3)", done.stderr[-500:]
    assert [found for found in tmp_path.rglob("*") if found.is_file()] == [path]


def test_an_archive_that_names_outer_parts_reads_none_of_them(tmp_path):
    """A workbook whose sheet is said to lie outside of it is damaged, whatever lies there."""
    (tmp_path / "secret.xml").write_text("<worksheet/>")
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(excel([NAMES, *ROWS]))) as old, zipfile.ZipFile(out, "w") as new:
        for item in old.infolist():
            content = old.read(item)
            if item.filename == "xl/_rels/workbook.xml.rels":
                content = content.replace(b"/xl/worksheets/sheet1.xml", f"{tmp_path}/secret.xml".encode())
            new.writestr(item, content)
    path = tmp_path / "table.xlsx"
    path.write_bytes(out.getvalue())
    with pytest.raises(TableError, match=r"table\.xlsx"):
        read_table(path)
