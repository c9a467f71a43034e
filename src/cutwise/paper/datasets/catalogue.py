"""What the project knows of the paper's data sets; the facts are in ``catalogue.toml``."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from cutwise.errors import DatasetError

if TYPE_CHECKING:
    from collections.abc import Mapping

CLASS = "class"
"""The name of the last column of every file."""


@dataclass(frozen=True)
class DerivationRules:
    """How to get from the table of a service to the one of the paper.

    Parameters
    ----------
    target : tuple of str
        Names that the class may have in the download; else the service tells.
    unused : tuple of str
        Columns of the download to leave out.
    rename : mapping of str to tuple of str
        For a column of ours, the names that it may have in the download.
    labels : mapping of str to str
        For a class of the download (in lower case), its label here.
    numbered : tuple of str
        Columns of ours whose strings are numbered from 0 in the order of first appearance.
    class_from : tuple of str
        A column of the download, a value of it, the class of the rows that have it, and the
        class of the others.
    without_row_numbers : tuple of int
        Rows of the download to leave out, counted from 1.
    without_rows : tuple of str
        Rows to leave out, each once, by their SHA-256 (see `canonical.row_line`), if the
        download has more rows than the set.
    decimals, significant : int or None
        Round numbers to so many decimals or significant digits, halves to the even digit.
    """

    target: tuple[str, ...] = ()
    unused: tuple[str, ...] = ()
    rename: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    labels: Mapping[str, str] = field(default_factory=dict)
    numbered: tuple[str, ...] = ()
    class_from: tuple[str, ...] = ()
    without_row_numbers: tuple[int, ...] = ()
    without_rows: tuple[str, ...] = ()
    decimals: int | None = None
    significant: int | None = None


@dataclass(frozen=True)
class DatasetDescription:
    """What is known of a data set.

    Parameters
    ----------
    name : str
        The paper's name.
    description : str
        What it is about, in one sentence.
    n_rows, n_missing : int
        Rows, and cells without a value.
    columns : tuple of str
        The attributes in order, without the class.
    nominal : tuple of str
        Those that hold categories; the others are numeric.
    class_counts : mapping of str to int
        Rows of each class.
    n_bytes : int
        Size of the file.
    sha256 : str
        SHA-256 of the file's bytes.
    values_sha256 : str
        SHA-256 of the rows as numbers and strings, however the file writes them.
    rows_sha256 : str
        The same of the rows in any order.
    origin : str
        Whose copy the file is: UCI, KEEL or IDA.
    uci, openml : int or None
        The numbers there. They were not checked against the live services.
    licence : str
    paper_differs : str
        What the paper's table says otherwise; empty if nothing.
    notes : tuple of str
        What else to know, such as differences from the copies of UCI and OpenML.
    aliases : tuple of str
        Other spellings of the name.
    rules : DerivationRules
        How to get from the copy of a service to this one.
    """

    name: str
    description: str
    n_rows: int
    n_missing: int
    columns: tuple[str, ...]
    class_counts: Mapping[str, int]
    n_bytes: int
    sha256: str
    values_sha256: str
    rows_sha256: str
    origin: str
    licence: str
    nominal: tuple[str, ...] = ()
    uci: int | None = None
    openml: int | None = None
    paper_differs: str = ""
    notes: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    rules: DerivationRules = field(default_factory=DerivationRules)

    @property
    def n_numeric(self) -> int:
        """Number of numeric columns."""
        return len(self.columns) - len(self.nominal)

    @property
    def n_classes(self) -> int:
        """Number of classes that have rows."""
        return len(self.class_counts)

    @property
    def file(self) -> str:
        """The name of the file."""
        return f"{self.name}.csv"


class Catalogue:
    """The data sets that can be asked for."""

    def __init__(self, descriptions: tuple[DatasetDescription, ...]) -> None:
        self._by_name = {item.name: item for item in descriptions}
        self._spellings = {alias: item.name for item in descriptions for alias in item.aliases}

    def names(self) -> tuple[str, ...]:
        """Return the names of the sets."""
        return tuple(self._by_name)

    def describe(self, name: str) -> DatasetDescription:
        """Return what is known of a set, by its name or another spelling of it."""
        known = self._by_name.get(self._spellings.get(name, name))
        if known is None:
            near = get_close_matches(str(name), [*self._by_name, *self._spellings], n=3)
            hint = (
                f"Did you mean {' or '.join(map(repr, near))}?" if near else "cutwise.paper.datasets.names() lists all."
            )
            raise DatasetError(f"There is no data set {name!r}. {hint}")
        return known


def read_catalogue(text: str) -> Catalogue:
    """Return the catalogue that a TOML text holds."""
    return Catalogue(tuple(_description(name, facts) for name, facts in tomllib.loads(text).items()))


def _description(name: str, facts: dict[str, Any]) -> DatasetDescription:
    plain = {key: _frozen(value) for key, value in facts.items() if key not in {"classes", "class_counts", "rules"}}
    rules = {key: _frozen(value) for key, value in facts.get("rules", {}).items()}
    counts = dict(zip(facts["classes"], facts["class_counts"], strict=True))
    return DatasetDescription(name=name, class_counts=counts, rules=DerivationRules(**rules), **plain)


def _frozen(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _frozen(item) for key, item in value.items()}
    return tuple(value) if isinstance(value, list) else value


@cache
def paper_catalogue() -> Catalogue:
    """Return the catalogue of the paper's 45 sets."""
    return read_catalogue((files("cutwise.paper.datasets") / "catalogue.toml").read_text(encoding="utf-8"))


def names() -> tuple[str, ...]:
    """Return the names of the paper's 45 data sets.

    Examples
    --------
    >>> from cutwise.paper.datasets import names
    >>> len(names()), names()[:3]
    (45, ('abalone', 'appendicitis', 'australian'))
    """
    return paper_catalogue().names()


def describe(name: str) -> DatasetDescription:
    """Return what is known of a data set of the paper.

    Parameters
    ----------
    name : str
        The paper's name; other spellings such as "clevland" and "flare-solar" work too.

    Returns
    -------
    DatasetDescription

    Examples
    --------
    >>> from cutwise.paper.datasets import describe
    >>> iris = describe("iris")
    >>> iris.n_rows, iris.n_numeric, dict(iris.class_counts)
    (150, 4, {'Iris-setosa': 50, 'Iris-versicolor': 50, 'Iris-virginica': 50})
    >>> describe("abalone").notes
    ("Three of UCI's 4177 rows are not in KEEL's copy.",)
    """
    return paper_catalogue().describe(name)
