"""Files by path, pattern, folder or list."""

from __future__ import annotations

import glob
import os
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any

from cutwise.errors import TableError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cutwise.table.engines.source import Source

PARQUET, CSV = "Parquet", "CSV"
_ENDS = {".parquet": PARQUET, ".pq": PARQUET, ".csv": CSV, ".tsv": CSV, ".txt": CSV}


def is_path(table: Any) -> bool:
    """Tell whether files are named instead of a table."""
    return isinstance(table, str | os.PathLike | list | tuple)


def open_files(paths: Any) -> Source:
    """Open files of one format, together one table."""
    files = find_files(paths)
    if format_of_files(files) == PARQUET:
        from cutwise.table.engines.parquet_files import open_parquet  # noqa: PLC0415

        return open_parquet(files)
    from cutwise.table.engines.csv_files import open_csv  # noqa: PLC0415

    return open_csv(files)


def find_files(paths: Any) -> list[str]:
    """Return the files that a path, a pattern, a folder or a list of them stands for."""
    items = [paths] if isinstance(paths, str | os.PathLike) else list(paths)
    if not items:
        message = "The list of files is empty. Name at least one."
        raise TableError(message)
    files = [file for item in items for file in _files_of(item)]
    seen: set[str] = set()
    for file in files:
        if file in seen:
            message = f"The file {file!r} is named twice; its rows would count double. Name it once."
            raise TableError(message)
        seen.add(file)
    return files


def _files_of(item: Any) -> list[str]:
    if not isinstance(item, str | os.PathLike):
        message = f"Expected paths, found {item!r} of type {type(item).__name__} in the list."
        raise TableError(message)
    path = os.fsdecode(item)
    if Path(path).is_file():
        return [path]
    if Path(path).is_dir():
        return _files_below(path)
    if "://" in path:
        message = f"{path!r} is no file of this machine. Open it with DuckDB or as an Arrow dataset, and pass that."
        raise TableError(message)
    found = sorted(file for file in glob.iglob(path, recursive=True) if Path(file).is_file())  # noqa: PTH207
    if not found:
        what = "No file matches the pattern" if glob.has_magic(path) else "There is no file"
        message = f"{what} {path!r}."
        raise TableError(message)
    return found


def _files_below(folder: str) -> list[str]:
    """Return the files of a folder and its folders, without those that engines hide."""
    found = sorted(path for path in Path(folder).rglob("*") if path.is_file())
    shown = [path for path in found if not any(part[0] in "._" for part in path.relative_to(folder).parts)]
    if not shown:
        message = f"The folder {folder!r} holds no files."
        raise TableError(message)
    for path in shown:
        if any("=" in part for part in path.relative_to(folder).parts[:-1]):
            message = (
                f"The folder {folder!r} has columns in the names of its folders, such as {path.parent.name!r}. Pass "
                "pyarrow.dataset.dataset(folder, partitioning='hive') instead."
            )
            raise TableError(message)
    return list(map(str, shown))


def format_of_files(files: Sequence[str]) -> str:
    """Return the format that all files have, told from the ends of their names."""
    formats = {_format_of(file): file for file in reversed(files)}
    if len(formats) > 1:
        shown = " and ".join(f"{file!r} ({form})" for form, file in sorted(formats.items()))
        message = f"Files of one table must have one format, but there are {shown}. Pass one kind of them."
        raise TableError(message)
    return next(iter(formats))


def _format_of(file: str) -> str:
    ends = [end.lower() for end in PurePath(file).suffixes]
    if ends and ends[-1] == ".gz":
        ends.pop()
    form = _ENDS.get(ends[-1]) if ends else None
    if form is None:
        message = f"The format of the file {file!r} cannot be told from its name; it must end in {', '.join(_ENDS)}."
        raise TableError(message)
    return form
