"""Parameters of a method, from what people type."""

from __future__ import annotations

import contextlib
import warnings
from typing import TYPE_CHECKING, Any

import typer

from cutwise.cli.options import method_class
from cutwise.cli.output import is_meant_for_people
from cutwise.errors import CutwiseError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_WORDS = {"none": None, "null": None, "true": True, "false": False}
_LISTS = ("array-like", tuple, list)
_FOR_PROGRAMMERS = (DeprecationWarning, PendingDeprecationWarning, FutureWarning)


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
        The random_state of methods that have one.
    """
    cls = method_class(name)
    given = {key: value for key, value in options.items() if value is not None}
    if given.get("n_jobs") == 0:
        message = "The number of jobs is 0. Use 1 or more, or -1 for all processors."
        raise CutwiseError(message)
    for text in texts:
        key, sign, value = text.partition("=")
        if not sign or not key.strip():
            message = f"The parameter {text!r} has no value. Write it as key=value, such as max_bins=5."
            raise CutwiseError(message)
        if key.strip() in given:
            message = f"The parameter {key.strip()!r} is given twice. Give it once."
            raise CutwiseError(message)
        given[key.strip()] = value.strip()
    known = [key for key in cls._get_param_names() if key != "encode"]
    for key in given:
        _check_known(key, known, name)
    if "random_state" in known:
        given.setdefault("random_state", seed)
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
        typer.echo(f"Note: {note}", err=True)


def _in_one_line(message: object) -> str:
    return " ".join(str(message).split())


def special_values(texts: Iterable[str]) -> list[float] | dict[str, list[float]] | None:
    """Return special values: numbers for all columns, or by column where they are written ``column=number``.

    Examples
    --------
    >>> special_values(["-999", "-998"]), special_values(["age=-1"]), special_values([])
    ([-999.0, -998.0], {'age': [-1.0]}, None)
    """
    from cutwise.table.reading.number import read_number  # noqa: PLC0415  # the command line starts without it

    everywhere: list[float] = []
    by_column: dict[str, list[float]] = {}
    for text in texts:
        column, sign, end = text.rpartition("=")
        number = read_number(end.strip())
        if number is None:
            message = f"The special value {text!r} is no number. Write -999, or income=-999 for one column."
            raise CutwiseError(message)
        (by_column.setdefault(column, []) if sign else everywhere).append(number)
    if everywhere and by_column:
        message = "Special values are either for all columns or named by column. Name the column of all of them."
        raise CutwiseError(message)
    return by_column or everywhere or None


def _check_known(key: str, known: Sequence[str], name: str) -> None:
    from cutwise.table.choosing import suggestion  # noqa: PLC0415  # the command line starts without it

    if key not in known:
        message = f"The method {name!r} has no parameter {key!r}{suggestion(key, known)}"
        raise CutwiseError(message)


def _typed(text: str, constraints: Sequence[Any]) -> Any:
    """Return the value that a text stands for: a number, a word such as none or true, a list, or the text."""
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
