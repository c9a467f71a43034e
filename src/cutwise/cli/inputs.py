"""The table of a command: read, and divided into attributes, classes and weights."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from cutwise.cli.progress import shown_reading
from cutwise.errors import CutwiseError
from cutwise.table.choosing import check_column, items_of, n_rows_of, names_of, select_columns
from cutwise.table.columns import is_missing
from cutwise.table.reading import read_table
from cutwise.table.reading.number import read_any_number

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from cutwise.scheme import Scheme
    from cutwise.table.reading import ReadSettings

MOST_LABELS = 1000
# Without a sign for plus and without zeros in front, which a label may have on purpose.
_WHOLE = re.compile(r"(-?(?:0|[1-9][0-9]{0,14}))(?:\.0*)?", re.ASCII)


@dataclass(frozen=True, eq=False)
class LearningInputs:
    """What a method learns from.

    Parameters
    ----------
    X : table
    y : list or None
        The class of each row.
    weights : list or None
        How often each row counts.
    """

    X: Any
    y: list[Any] | None
    weights: list[Any] | None


def read_inputs(
    path: Path,
    settings: ReadSettings,
    *,
    target: str | None,
    weight: str | None = None,
    columns: Sequence[str] = (),
    exclude: Sequence[str] = (),
) -> LearningInputs:
    """Read a file and divide its columns.

    Parameters
    ----------
    path : Path
    settings : ReadSettings
    target, weight : str or None
        The columns of the classes and of the weights.
    columns : sequence of str
        The attributes; all other columns by default.
    exclude : sequence of str
        Columns that are no attributes.
    """
    frame = _read_with_target(path, settings, target)
    for name in (target, weight, *columns, *exclude):
        if name is not None:
            check_column(frame, name)
    taken = {target, weight, *exclude}
    chosen = [name for name in dict.fromkeys(columns or names_of(frame)) if name not in taken]
    if not chosen:
        message = "No column is left to work on. Name some with --columns, or exclude fewer."
        raise CutwiseError(message)
    if not n_rows_of(frame):
        message = f"The table {str(path)!r} has columns but no rows. Give it at least one."
        raise CutwiseError(message)
    y = None if target is None else read_labels(frame, target)
    return LearningInputs(select_columns(frame, chosen), y, None if weight is None else items_of(frame, weight))


def read_for_scheme(
    path: Path,
    settings: ReadSettings,
    scheme: Scheme,
    target: str | None = None,
    weight: str | None = None,
    *,
    may_lack: bool = False,
) -> tuple[Any, LearningInputs]:
    """Read a file of which a scheme knows the columns; return all of it, and what the scheme needs.

    With `may_lack` a file without the column of the classes, or of the weights, is read without them.
    """
    from cutwise.scheme import NominalAttribute  # noqa: PLC0415  # beside the type

    texts = {
        attribute.name
        for attribute in scheme.attributes
        if isinstance(attribute, NominalAttribute) and all(isinstance(text, str) for text in attribute.categories)
    }
    frame = _read_with_target(path, replace(settings, texts=settings.texts | texts), target)
    if may_lack:
        target, weight = (name if name in names_of(frame) else None for name in (target, weight))
    names = _names_for(frame, scheme, taken={target, weight})
    y = None if target is None else read_labels(frame, target, scheme.classes)
    weights = None if weight is None else items_of(frame, weight)
    return frame, LearningInputs(select_columns(frame, names), y, weights)


def _read_with_target(path: Path, settings: ReadSettings, target: str | None) -> Any:
    texts = settings.texts if target is None else settings.texts | {target}
    with shown_reading(path):
        return read_table(path, replace(settings, texts=texts))


def _names_for(frame: Any, scheme: Scheme, taken: set[str | None]) -> list[str]:
    """Return the columns of a table that a scheme describes: those of its names, or all in order if it has none."""
    names = names_of(frame)
    nameless = scheme.names == tuple(f"x{j}" for j in range(len(scheme.names)))
    if nameless and not set(scheme.names) <= set(names):
        free = [name for name in names if name not in taken]
        if len(free) == len(scheme.names):
            return free
    return list(scheme.names)


def read_labels(frame: Any, target: str, classes: Sequence[Any] = ()) -> list[Any]:
    """Return the classes of the rows: whole numbers if all are, else texts.

    Parameters
    ----------
    frame : table
    target : str
        The column.
    classes : sequence
        Labels of a scheme; if they are texts, these are too.
    """
    items = items_of(frame, target)
    known = [item for item in items if not is_missing(item)]
    _check_kinds(known, target)
    if any(isinstance(label, str) for label in classes):
        return [None if is_missing(item) else _text(item) for item in items]
    whole = {item: _whole(item) for item in dict.fromkeys(known)}
    if any(number is None for number in whole.values()):
        _check_classes(known, target)
        return [None if is_missing(item) else item for item in items]
    return [None if is_missing(item) else whole[item] for item in items]


def _check_kinds(known: Sequence[Any], target: str) -> None:
    """Raise CutwiseError if a column holds something else than texts and numbers, such as days or lists."""
    wrong = next((item for item in known if not isinstance(item, (str, int, float, Decimal))), None)
    if wrong is not None:
        message = (
            f"The target {target!r} holds a {type(wrong).__name__}, {str(wrong)[:80]!r}, and not classes. "
            "Name another column, or turn the values into texts first."
        )
        raise CutwiseError(message)


def _check_classes(known: Sequence[Any], target: str) -> None:
    """Raise CutwiseError if a column looks like a measurement."""
    distinct = list(dict.fromkeys(known))
    numbers = [read_any_number(str(item)) for item in distinct]
    broken = [number for number in numbers if number is not None and not number.is_integer()]
    if broken and None not in numbers:
        message = (
            f"The target {target!r} holds numbers such as {broken[0]} and not classes. "
            "Name another column, or turn the numbers into a few classes first."
        )
        raise CutwiseError(message)
    if len(distinct) > MOST_LABELS:
        message = f"The target {target!r} has {len(distinct):,} different values. Name the column of the classes."
        raise CutwiseError(message)


def _whole(item: Any) -> int | None:
    """Return the whole number that a label is, or None."""
    if isinstance(item, bool):
        return None
    if isinstance(item, int):
        return item
    if isinstance(item, float):
        return int(item) if item.is_integer() else None
    found = _WHOLE.fullmatch(str(item))
    return int(found.group(1)) if found else None


def _text(item: Any) -> str:
    return str(int(item)) if isinstance(item, float) and item.is_integer() else str(item)
