"""A data set from a service into the local folder: as a whole, or not at all, by the rules of the catalogue."""

from __future__ import annotations

import contextlib
import hashlib
import re
from collections import Counter
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Context, Decimal
from pathlib import Path
from typing import TYPE_CHECKING

from cutwise.errors import DatasetError
from cutwise.files import write_whole
from cutwise.paper.datasets.catalogue import CLASS, paper_catalogue
from cutwise.paper.datasets.files import Cell, DatasetRows, differences, row_line, sha256_of_text, write_table
from cutwise.paper.datasets.loading import FetchRecord, data_folder, read_checked, record_path
from cutwise.paper.datasets.services import DataServices
from cutwise.table.reading.text import read_number

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Sequence

    from cutwise.paper.datasets.catalogue import Catalogue, DatasetDescription, DerivationRules
    from cutwise.paper.datasets.files import RawTable
    from cutwise.paper.datasets.loading import Match

__all__ = ["DataServices", "FetchResult", "fetch"]


@dataclass(frozen=True)
class FetchResult:
    """What came of fetching a set.

    Parameters
    ----------
    name : str
        The data set.
    path : Path
        Its file.
    match : {"exact", "same rows", "other rows"}
        Whether the file has the values of the paper's, its rows in another order, or other
        rows.
    difference : str
        How it differs; empty if it does not.
    source : str
        Where it came from; empty if it was there already.
    """

    name: str
    path: Path
    match: Match
    difference: str
    source: str


def fetch(
    name: str,
    into: str | os.PathLike[str] | None = None,
    *,
    services: DataServices | None = None,
    catalogue: Catalogue | None = None,
    progress: Callable[[int, int | None], None] | None = None,
) -> FetchResult:
    """Fetch a data set from OpenML or UCI into the local folder.

    The table of the service is brought into the form of the paper's file by the rules of the
    catalogue. OpenML is asked first; UCI if that fails or gives other rows than the paper's.
    A note beside the file tells where it came from and how it differs. A set that is there
    and right is left alone. If anything fails, nothing is left behind.

    Parameters
    ----------
    name : str
        The paper's name, or another spelling of it.
    into : path, optional
        The folder; by default `cutwise.paper.datasets.folder()`. It is made if need be.
    services : DataServices, optional
        The addresses of the services, timeouts and limits.
    catalogue : Catalogue, optional
        What is known of the sets; by default the paper's 45.
    progress : callable, optional
        Called with the bytes so far and in all (None if unknown).

    Returns
    -------
    FetchResult

    Raises
    ------
    DatasetError
        If no service gives a table that fits, or the folder cannot be written.
    """
    about = (catalogue or paper_catalogue()).describe(name)
    folder = data_folder() if into is None else Path(into)
    path = folder / about.file
    if path.exists():
        there = read_checked(about, folder)
        return FetchResult(about.name, path, there.match, there.difference, source="")
    content, record = _best_copy(about, services or DataServices(), progress)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _write_both(path, content, record)
    except OSError as error:
        message = f"The data set {about.name!r} cannot be written to {str(folder)!r}: {error.strerror or error}."
        raise DatasetError(message) from None
    return FetchResult(about.name, path, record.match, record.difference, record.source)


def _best_copy(
    about: DatasetDescription, services: DataServices, progress: Callable[[int, int | None], None] | None
) -> tuple[bytes, FetchRecord]:
    """Return the first copy that has the paper's rows, else the first that fits at all."""
    usable: list[tuple[bytes, FetchRecord]] = []
    problems = []
    for source, get in services.offers(about, progress):
        try:
            table, remarks = derive(get(), about)
            content = write_table(table)
        except DatasetError as error:
            problems.append(str(error))
            continue
        match, difference = judge(table, about, remarks)
        copy = (content, FetchRecord(about.name, hashlib.sha256(content).hexdigest(), match, difference, source))
        if match != "other rows":
            return copy
        usable.append(copy)
    if usable:
        return usable[0]
    message = f"The data set {about.name!r} cannot be fetched. {' '.join(problems) or 'No service offers it.'}"
    raise DatasetError(message)


def _write_both(path: Path, content: bytes, record: FetchRecord) -> None:
    """Write the note and then the file; a set without its file is not there."""
    note = record_path(path)
    try:
        write_whole(note, record.to_bytes())
        write_whole(path, content)
    except BaseException:
        with contextlib.suppress(OSError):
            note.unlink(missing_ok=True)
        raise


BY_PLACE = "its columns were told apart by their places"
BY_COUNTS = "its classes were told apart by their counts"


def derive(raw: RawTable, about: DatasetDescription) -> tuple[DatasetRows, list[str]]:
    """Return the table that the rules make of a download, and remarks on guesses.

    A column is found by its name, or by its place if the names are others; a class by its
    label, or by its count if the labels are others.
    """
    remarks: list[str] = []
    leave_out = set(about.rules.without_row_numbers)
    rows = [row for number, row in enumerate(raw.rows, start=1) if number not in leave_out]
    target = None if about.rules.class_from else _target(raw, about)
    places = _places(raw, about, target, remarks)
    columns = [
        _cells([row[place] for row in rows], name, about) for name, place in zip(about.columns, places, strict=True)
    ]
    labels = _class_texts(raw, rows, about) if target is None else [row[target] for row in rows]
    classes = _labels(labels, about, remarks)
    made: list[list[Cell]] = [list(row) for row in zip(*columns, classes, strict=True)]
    return DatasetRows(about.columns, _without(made, about)), remarks


def judge(table: DatasetRows, about: DatasetDescription, remarks: Sequence[str]) -> tuple[Match, str]:
    """Return how a derived table compares with the paper's: in a word, and in a clause."""
    if table.values_sha256() == about.values_sha256:
        return "exact", ""
    if table.rows_sha256() == about.rows_sha256:
        return "same rows", "its rows are in another order, so that folds of a cross-validation differ"
    found = differences(table, about) or ["the counts agree but some values differ"]
    return "other rows", "; ".join([*found, *remarks])


def _plain(name: str) -> str:
    """Return a name without what different spellings differ in."""
    return re.sub(r"[^0-9a-z]", "", name.lower())


def _find(raw: RawTable, names: Sequence[str]) -> int | None:
    """Return the place of the one column that has one of the names."""
    wanted = {_plain(name) for name in names}
    found = [place for place, column in enumerate(raw.columns) if _plain(column) in wanted]
    return found[0] if len(found) == 1 else None


def _target(raw: RawTable, about: DatasetDescription) -> int:
    for names in (about.rules.target, (raw.target,) if raw.target else (), (CLASS,)):
        place = _find(raw, names)
        if place is not None:
            return place
    raise DatasetError(f"No column of the download is the class; it has {', '.join(raw.columns)[:200]}.")


def _places(raw: RawTable, about: DatasetDescription, target: int | None, remarks: list[str]) -> list[int]:
    """Return where in the download the columns are."""
    unused = {_plain(name) for name in (*raw.unused, *about.rules.unused)}
    free = [j for j, column in enumerate(raw.columns) if j != target and _plain(column) not in unused]
    named = [_find(raw, (name, *about.rules.rename.get(name, ()))) for name in about.columns]
    found = [place for place in named if place is not None and place != target]
    if len(found) == len(set(found)) == len(about.columns):
        return found
    agrees = all(place in {None, target, own} for place, own in zip(named, free, strict=False))
    if len(free) != len(about.columns) or not agrees or target is None:
        lacking = [name for name, place in zip(about.columns, named, strict=True) if place in {None, target}]
        raise DatasetError(
            f"The columns {', '.join(map(repr, lacking[:5]))} cannot be found in the download, "
            f"which has {', '.join(raw.columns)[:200]}."
        )
    remarks.append(BY_PLACE)
    return free


def _cells(texts: list[str | None], name: str, about: DatasetDescription) -> list[Cell]:
    """Return the values of a column."""
    if name in about.nominal:
        return list(texts)
    if name in about.rules.numbered:
        texts = _numbered(texts)
    return [None if text is None else _number(text, name, about.rules) for text in texts]


def _number(text: str, name: str, rules: DerivationRules) -> float:
    number = read_number(text)
    if number is None:
        raise DatasetError(f"Column {name!r} of the download: {text[:80]!r} is no number.")
    if rules.significant is not None:
        return float(Context(prec=rules.significant, rounding=ROUND_HALF_EVEN).create_decimal(text))
    if rules.decimals is not None:
        return float(Decimal(text).quantize(Decimal(1).scaleb(-rules.decimals), ROUND_HALF_EVEN, Context(prec=400)))
    return number


def _numbered(texts: Sequence[str | None]) -> list[str | None]:
    """Return strings as numbers in the order of first appearance, unless they are numbers."""
    if all(text is None or read_number(text) is not None for text in texts):
        return list(texts)
    order = {text: str(number) for number, text in enumerate(dict.fromkeys(text for text in texts if text is not None))}
    return [None if text is None else order[text] for text in texts]


def _class_texts(raw: RawTable, rows: list[list[str | None]], about: DatasetDescription) -> list[str | None]:
    """Return the classes that a column of the download decides."""
    name, value, then, otherwise = about.rules.class_from
    place = _find(raw, (name,))
    if place is None:
        raise DatasetError(f"The column {name!r}, which decides the class, is not in the download.")
    return [then if row[place] == value else otherwise for row in rows]


def _labels(texts: list[str | None], about: DatasetDescription, remarks: list[str]) -> list[str]:
    """Return the classes by the labels of the catalogue."""
    if None in texts:
        raise DatasetError(f"Row {texts.index(None) + 1} of the download has no class.")
    found = [str(text) for text in (_numbered(texts) if CLASS in about.rules.numbered else texts)]
    counts = Counter(found)
    ours = {_spelling(label): label for label in about.class_counts}
    ours |= {_spelling(text): label for text, label in about.rules.labels.items()}
    label_of = {text: ours[_spelling(text)] for text in counts if _spelling(text) in ours}
    if len(label_of) < len(counts) or len(set(label_of.values())) < len(counts):
        label_of = _by_counts(counts, about)
        remarks.append(BY_COUNTS)
    return [label_of[text] for text in found]


def _spelling(label: str) -> str:
    number = read_number(label)
    return label.lower() if number is None else repr(number + 0.0)


def _by_counts(counts: Counter[str], about: DatasetDescription) -> dict[str, str]:
    label_with = {count: label for label, count in about.class_counts.items()}
    is_clear = len(label_with) == about.n_classes and sorted(counts.values()) == sorted(label_with)
    if not is_clear:
        raise DatasetError(
            f"The classes of the download, {', '.join(map(repr, sorted(counts)))[:200]}, "
            f"are not those of the set, {', '.join(map(repr, about.class_counts))[:200]}."
        )
    return {text: label_with[count] for text, count in counts.items()}


def _without(rows: list[list[Cell]], about: DatasetDescription) -> list[list[Cell]]:
    """Return the rows but for those that the rules name, as long as there are too many."""
    named = Counter(about.rules.without_rows)
    n_spare = len(rows) - about.n_rows
    kept = []
    for row in rows:
        digest = sha256_of_text(row_line(row)) if n_spare > 0 and named else ""
        if named[digest]:
            named[digest] -= 1
            n_spare -= 1
        else:
            kept.append(row)
    return kept
