"""Numbers as people write them: separators of thousands, decimal commas, currencies, percents, negative in brackets."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

PERCENT = "%"
_SIGNS = "$€£¥₹₽₩₺₴₫₪฿₦₱"
_CODES = tuple(
    "AUD BRL CAD CHF CNY CZK DKK EUR GBP HKD HUF INR JPY KRW MXN NOK NZD PLN RUB SEK SGD TRY USD ZAR".split()  # noqa: SIM905
)
# Countries that write the currency so group thousands by commas.
_WITH_COMMAS = frozenset("$£")
_CURRENCY = rf"[{_SIGNS}]|{'|'.join(_CODES)}"
_NUMBER = re.compile(
    rf"(?P<open>\()?\s*(?P<sign>[+-])?\s*(?P<before>{_CURRENCY})?\s*(?P<inner>[+-])?"
    r"(?P<body>[0-9][0-9.,' ]*|[.,][0-9]+)(?P<power>[eE][+-]?[0-9]{1,3})?"
    rf"\s*(?P<after>{_CURRENCY}|%)?(?P<end>-)?\s*(?P<close>\))?",
    re.ASCII,
)
_SPELLINGS = str.maketrans(
    {"\N{MINUS SIGN}": "-", "\N{RIGHT SINGLE QUOTATION MARK}": "'"}
    | dict.fromkeys("\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}\N{THIN SPACE}", " ")
)
_LONGEST = 64
# Each way to write the digits, and the decimal sign that it shows; "?" where one separator may be either.
_WAYS = tuple(
    (re.compile(pattern, re.ASCII), mark)
    for pattern, mark in (
        (r"0|[1-9][0-9]*", ""),
        (r"[1-9][0-9]{0,2}(?:[' ][0-9]{3})+", ""),
        (r"[1-9][0-9]{0,2}(?:[' ][0-9]{3})+\.[0-9]*", "."),
        (r"[1-9][0-9]{0,2}(?:[' ][0-9]{3})+,[0-9]*", ","),
        (r"[1-9][0-9]{0,2}(?:,[0-9]{3})+\.[0-9]*|[1-9][0-9]{0,2}(?:,[0-9]{3}){2,}", "."),
        (r"[1-9][0-9]{0,2}(?:\.[0-9]{3})+,[0-9]*|[1-9][0-9]{0,2}(?:\.[0-9]{3}){2,}", ","),
        (r"[1-9][0-9]{0,2}\.[0-9]{3}", "?."),
        (r"[1-9][0-9]{0,2},[0-9]{3}", "?,"),
        (r"[0-9]+\.[0-9]*|\.[0-9]+", "."),
        (r"[0-9]+,[0-9]+|,[0-9]+", ","),
    )
)
# With so many numbers of which one separator may be either, and small whole ones beside them, it is of thousands:
# among decimals some would end in zeros, which are not written.
_ENOUGH = 3


class WrittenNumber(NamedTuple):
    """A number before it is known which of its signs is the decimal one.

    Parameters
    ----------
    body : str
        Digits and separators.
    mark : str
        The decimal sign that the separators show: ".", ",", "" if none does, "?." or "?," if one may be either.
    unit : str
        A currency, "%" or nothing.
    negative : bool
    power : str
        Such as "e5".
    """

    body: str
    mark: str
    unit: str
    negative: bool
    power: str


def written_number(text: str) -> WrittenNumber | None:
    """Return the number that a string is, None if it is none; digits with a zero in front are a name.

    Examples
    --------
    >>> written_number("$1,200.50")
    WrittenNumber(body='1,200.50', mark='.', unit='$', negative=False, power='')
    >>> written_number("1.234").mark, written_number("01067"), written_number("1,2,3")
    ('?.', None, None)
    """
    if len(text) > _LONGEST:
        return None
    found = _NUMBER.fullmatch(text.translate(_SPELLINGS).strip())
    if found is None:
        return None
    body, units = found["body"].strip(), [unit for unit in (found["before"], found["after"]) if unit]
    signs = [sign for sign in (found["sign"], found["inner"], found["end"], found["open"]) if sign]
    if len(units) > 1 or len(signs) > 1 or (found["open"] is None) != (found["close"] is None):
        return None
    mark = next((mark for way, mark in _WAYS if way.fullmatch(body)), None)
    if mark is None:
        return None
    power = found["power"] or ""
    if power:
        if mark not in {"", ".", "?."} or " " in body or "'" in body:
            return None
        mark = ""  # its point is a decimal one, whatever those of other numbers are
    return WrittenNumber(body, mark, units[0] if units else "", bool(signs) and signs[0] != "+", power)


@dataclass(frozen=True)
class NumberFormat:
    """How the numbers of a column are written: the decimal sign and the unit."""

    decimal: str = "."
    unit: str = ""

    def __str__(self) -> str:
        """Return 1234.5 as the column would write it."""
        number = "1,234.5" if self.decimal == "." else "1.234,5"
        if self.unit == PERCENT:
            return number + PERCENT
        return f"{self.unit} {number}" if self.unit in _CODES else f"{self.unit}{number}"

    def value(self, number: WrittenNumber) -> float | None:
        """Return the number, None if it is written otherwise; where a unit is expected it may be left out."""
        is_other = number.mark in {".", ","} and number.mark != self.decimal
        if is_other or number.unit not in {"", self.unit}:
            return None
        thousands = "," if self.decimal == "." or number.power else "."
        digits = number.body.translate({ord(sign): None for sign in (thousands, " ", "'")}).replace(",", ".")
        size = float(digits + number.power)
        return -size if number.negative else size


def number_format(text: str) -> NumberFormat | None:
    """Return the format of which 1234.5 is written so.

    Examples
    --------
    >>> number_format("1.234,5%"), number_format("abc")
    (NumberFormat(decimal=',', unit='%'), None)
    """
    found = written_number(text)
    if found is None:
        return None
    read = NumberFormat(found.mark, found.unit)
    return read if str(read) == text else None


def find_decimal(numbers: Iterable[WrittenNumber], expected: str = "") -> str | None:
    """Return the decimal sign of a column: ".", ",", "" if it does not tell, None if it contradicts itself.

    Parameters
    ----------
    numbers : iterable of WrittenNumber
    expected : {".", ",", ""}
        The sign to take if no number shows it beyond doubt.
    """
    found = list(numbers)
    marks = {number.mark for number in found}
    clear = marks & {".", ","}
    if clear:
        return None if len(clear) > 1 else clear.pop()
    doubtful = marks - {""}
    if expected or not doubtful:
        return expected or "."
    if len(doubtful) > 1:
        return None
    sign = doubtful.pop()[1]
    is_of_thousands = _looks_grouped(found) or (sign == "," and any(number.unit in _WITH_COMMAS for number in found))
    return {".": ",", ",": "."}[sign] if is_of_thousands else ""


def _looks_grouped(numbers: Sequence[WrittenNumber]) -> bool:
    """Tell whether a sign that may be either is one of thousands, as numbers below a thousand go without it."""
    plain = [len(number.body) for number in numbers if number.body.isdecimal() and number.body != "0"]
    n_doubtful = sum(bool(number.mark) for number in numbers)
    return n_doubtful >= _ENOUGH and bool(plain) and max(plain) <= len("999")
