"""What a command works on: a table, divided into attributes, classes and weights, and the parameters of a method."""

from __future__ import annotations

import contextlib
import re
import warnings
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import typer

from cutwise.cli.cleaning import clean_columns, formats_of, without_flagged
from cutwise.cli.options import method_class
from cutwise.cli.output import in_options, is_meant_for_people
from cutwise.cli.progress import shown_reading
from cutwise.errors import CutwiseError
from cutwise.table.cleaning.dates import DATE_FORMATS
from cutwise.table.cleaning.numbers import number_format
from cutwise.table.columns import is_missing
from cutwise.table.frames import check_column, items_of, n_rows_of, names_of, select_columns
from cutwise.table.reading import read_table
from cutwise.table.reading.text import read_any_number

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
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
    formats : mapping of str to str
        How the columns are written in the file.
    left_out : mapping of str to str
        Why columns are not among those of X.
    """

    X: Any
    y: list[Any] | None
    weights: list[Any] | None
    formats: Mapping[str, str] = field(default_factory=dict)
    left_out: Mapping[str, str] = field(default_factory=dict)


def read_inputs(
    path: Path,
    settings: ReadSettings,
    *,
    target: str | None,
    weight: str | None = None,
    columns: Sequence[str] = (),
    exclude: Sequence[str] = (),
    keep: Sequence[str] | None = None,
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
    keep : sequence of str or None
        Columns that are used although they look as if nothing could be learned from them; None for all.
    """
    frame = _read_with_target(path, settings, target)
    for name in (target, weight, *columns, *exclude):
        if name is not None:
            check_column(frame, name)
    taken = {target, weight, *exclude}
    chosen = [name for name in dict.fromkeys(columns or names_of(frame)) if name not in taken]
    if not chosen:
        raise CutwiseError("No column is left to work on. Name some with --columns, or exclude fewer.")
    if not n_rows_of(frame):
        raise CutwiseError(f"The table {str(path)!r} has columns but no rows. Give it at least one.")
    y = None if target is None else read_labels(frame, target)
    found = clean_columns(select_columns(frame, [*chosen, *([] if weight is None else [weight])]), settings)
    X = select_columns(found.table, chosen)
    if weight is not None and found.formats.get(weight) in DATE_FORMATS:
        raise CutwiseError(f"Column {weight!r} holds dates, which cannot be weights. Name a column of numbers.")
    inputs = LearningInputs(X, y, None if weight is None else items_of(found.table, weight), found.formats)
    return inputs if keep is None else without_flagged(inputs, keep, columns)


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
    from cutwise.scheme import NominalAttribute

    texts = {
        attribute.name
        for attribute in scheme.attributes
        if isinstance(attribute, NominalAttribute) and all(isinstance(text, str) for text in attribute.categories)
    }
    written = {name for name, form in scheme.formats.items() if settings.clean and number_format(form) is not None}
    known = replace(settings, texts=settings.texts | texts, written=settings.written | written)
    frame = _read_with_target(path, known, target)
    if may_lack:
        target, weight = (name if name in names_of(frame) else None for name in (target, weight))
    names = _names_for(frame, scheme, taken={target, weight})
    y = None if target is None else read_labels(frame, target, scheme.classes)
    weights = None if weight is None else items_of(frame, weight)
    return frame, LearningInputs(_read_alike(select_columns(frame, names), settings, scheme), y, weights)


def _read_alike(frame: Any, settings: ReadSettings, scheme: Scheme) -> Any:
    """Return columns as those that a scheme was learned from; they are in its order."""
    by_name = formats_of(scheme)
    pairs = zip(names_of(frame), scheme.names, strict=True)
    formats = {name: by_name[known] for name, known in pairs if known in by_name}
    other = [name for name in names_of(frame) if name not in formats]
    return clean_columns(frame, replace(settings, texts=settings.texts | set(other)), formats).table


def _read_with_target(path: Path, settings: ReadSettings, target: str | None) -> Any:
    texts = settings.texts if target is None else settings.texts | {target}
    with shown_reading(path):
        return read_table(path, replace(settings, texts=texts, clean=False))


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
    """Return the classes of the rows: whole numbers if all are, else strings.

    Parameters
    ----------
    frame : table
    target : str
        The column.
    classes : sequence
        Labels of a scheme; if they are strings, these are too.
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


def event_label(event: str, labels: Sequence[Any]) -> Any:
    """Return the class label that a word of the command line stands for, or the word if it is none.

    Examples
    --------
    >>> event_label("1", [0, 1, None]), event_label("late", ["late", "on time"])
    (1, 'late')
    """
    return next((label for label in dict.fromkeys(labels) if str(label) == event), event)


def _check_kinds(known: Sequence[Any], target: str) -> None:
    """Raise CutwiseError if a column holds something else than strings and numbers, such as days or lists."""
    wrong = next((item for item in known if not isinstance(item, (str, int, float, Decimal))), None)
    if wrong is not None:
        raise CutwiseError(
            f"The target {target!r} holds a {type(wrong).__name__}, {str(wrong)[:80]!r}, and not classes. "
            "Name another column, or turn the values into strings first."
        )


def _check_classes(known: Sequence[Any], target: str) -> None:
    """Raise CutwiseError if a column looks like a measurement."""
    distinct = list(dict.fromkeys(known))
    numbers = [read_any_number(str(item)) for item in distinct]
    broken = [number for number in numbers if number is not None and not number.is_integer()]
    if broken and None not in numbers:
        raise CutwiseError(
            f"The target {target!r} holds numbers such as {broken[0]} and not classes. "
            "Name another column, or turn the numbers into a few classes first."
        )
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


_WORDS = {"none": None, "null": None, "true": True, "false": False}
_LISTS = ("array-like", tuple, list)
_FOR_PROGRAMMERS = (DeprecationWarning, PendingDeprecationWarning, FutureWarning)


# Without a word on it, cuts are not made that chance would make with a higher probability.
CONFIRM = 0.01


def make_method(name: str, texts: Sequence[str], options: dict[str, Any], seed: int) -> Any:
    """Return a discretizer that is not fitted.

    Parameters
    ----------
    name : str
        A key of METHODS.
    texts : sequence of str
        Parameters as ``key=value``.
    options : dict
        Parameters that have an option of their own; None where it was not given.
    seed : int
        The random_state of methods that have one. Those that can test their cuts do so, unless told otherwise.
    """
    cls = method_class(name)
    given = {key: value for key, value in options.items() if value is not None}
    if given.get("n_jobs") == 0:
        raise CutwiseError("The number of jobs is 0. Use 1 or more, or -1 for all processors.")
    for text in texts:
        key, sign, value = text.partition("=")
        if not sign or not key.strip():
            raise CutwiseError(f"The parameter {text!r} has no value. Write it as key=value, such as max_bins=5.")
        if key.strip() in given:
            raise CutwiseError(f"The parameter {key.strip()!r} is given twice. Give it once.")
        given[key.strip()] = value.strip()
    known = [key for key in cls._get_param_names() if key != "encode"]
    for key in given:
        _check_known(key, known, name)
    for parameter, default in (("random_state", seed), ("confirm", CONFIRM)):
        if parameter in known:
            given.setdefault(parameter, default)
    parameters = {
        key: _typed(value, cls._parameter_constraints.get(key, [])) if isinstance(value, str) else value
        for key, value in given.items()
    }
    method = cls(**parameters)
    with plain_errors():
        method._validate_params()
    return method


@contextlib.contextmanager
def plain_errors() -> Iterator[None]:
    """Turn what estimators raise about bad input into the library's own error, and warnings into notes.

    Of both only the text is shown. An error that no check raised is a fault of the program and stays as it is.
    """
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("default")
        try:
            yield
        except CutwiseError:
            raise
        except (ValueError, TypeError) as error:
            if not is_meant_for_people(error):
                raise
            raise CutwiseError(_in_one_line(error)) from error
    notes = [_in_one_line(item.message) for item in caught if not issubclass(item.category, _FOR_PROGRAMMERS)]
    for note in dict.fromkeys(notes):
        typer.echo(f"Note: {in_options(note)}", err=True)


def _in_one_line(message: object) -> str:
    return " ".join(str(message).split())


def special_values(texts: Iterable[str]) -> list[float] | dict[str, list[float]] | None:
    """Return special values: numbers for all columns, or by column where they are written ``column=number``.

    Examples
    --------
    >>> special_values(["-999", "-998"]), special_values(["age=-1"]), special_values([])
    ([-999.0, -998.0], {'age': [-1.0]}, None)
    """
    from cutwise.table.reading.text import read_number

    everywhere: list[float] = []
    by_column: dict[str, list[float]] = {}
    for text in texts:
        column, sign, end = text.rpartition("=")
        number = read_number(end.strip())
        if number is None:
            raise CutwiseError(f"The special value {text!r} is no number. Write -999, or income=-999 for one column.")
        (by_column.setdefault(column, []) if sign else everywhere).append(number)
    if everywhere and by_column:
        message = "Special values are either for all columns or named by column. Name the column of all of them."
        raise CutwiseError(message)
    return by_column or everywhere or None


def _check_known(key: str, known: Sequence[str], name: str) -> None:
    from cutwise.table.frames import suggestion

    if key not in known:
        raise CutwiseError(f"The method {name!r} has no parameter {key!r}{suggestion(key, known)}")


def _typed(text: str, constraints: Sequence[Any]) -> Any:
    """Return the value that a string stands for: a number, a word such as none or true, a list, or the string."""
    takes_list = any(constraint in _LISTS for constraint in constraints)
    if takes_list and "," in text:
        return [_scalar(part) for part in text.split(",") if part.strip()]
    value = _scalar(text)
    takes_one = str in constraints or any(hasattr(constraint, "closed") for constraint in constraints)
    return [value] if takes_list and value is not None and not takes_one else value


def _scalar(text: str) -> Any:
    plain = text.strip()
    if plain.lower() in _WORDS:
        return _WORDS[plain.lower()]
    for kind in (int, float):
        with contextlib.suppress(ValueError):
            if "_" not in plain:
                return kind(plain)
    return plain
