"""A scheme: the bins of every attribute of a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, overload

from cutwise.errors import SchemeError
from cutwise.persist.strict import MAX_CHARACTERS, parse_json, readable_json, refused_as
from cutwise.scheme.by_hand import EditableBins
from cutwise.scheme.event import default_event
from cutwise.scheme.exports import ExportableBins
from cutwise.scheme.frozen import FrozenMapping
from cutwise.scheme.rules import check_scheme, scheme_from_dict, scheme_to_dict
from cutwise.scheme.text import scheme_text
from cutwise.table.engines.source import require

if TYPE_CHECKING:
    import os

    from numpy.typing import NDArray

    from cutwise.scheme.attribute import Attribute, Category
    from cutwise.scheme.evaluation import Evaluation
    from cutwise.scheme.monitoring import Monitoring

Parameter = str | bool | int | float | None | Sequence[int]


@dataclass(frozen=True, kw_only=True)
class Scheme(EditableBins, ExportableBins):
    """The bins of every attribute, and how they were found.

    A scheme is data only: it can be printed, compared, written to JSON and read back,
    without the table and without the discretizer that made it.

    Parameters
    ----------
    method : str
        The name of the discretizer.
    classes : tuple
        The class labels, in the order of the class counts.
    attributes : tuple of Attribute
        One for each column, in the order of the columns.
    parameters : mapping
        The settings that decided the result. They cannot be changed.
    missing : {"code", "bin"}
        Missing values get the code -1, or a bin of their own after the last one; unseen categories always the code -1.
    criterion : str
        What the scores of the attributes measure.
    event : label or None
        The class that rates, weights and trends are about; by default the rarer of two, of equal ones the second.
    formats : mapping of str to str
        How files write columns that are text there, such as "1.234,5"; for their readers: `cutwise.clean_table`.

    Examples
    --------
    >>> from cutwise import MRmDDiscretizer
    >>> X, y = [[1.0], [2.0], [3.0], [4.0]] * 5, ["no", "no", "yes", "yes"] * 5
    >>> scheme = MRmDDiscretizer().fit(X, y).scheme_
    >>> scheme["x0"].cuts
    (2.5,)
    >>> Scheme.from_json(scheme.to_json()) == scheme
    True
    """

    method: str
    classes: tuple[Category, ...]
    attributes: tuple[Attribute, ...]
    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    missing: Literal["code", "bin"] = "code"
    criterion: str = "Psi"
    event: Category | None = None
    formats: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in ("parameters", "formats"):
            object.__setattr__(self, name, FrozenMapping(getattr(self, name)))
        check_scheme(self)
        event = default_event(self.classes, self.attributes)
        if self.event is not None:
            event = self.classes[self.classes.index(self.event)]
        object.__setattr__(self, "event", event)

    @property
    def event_place(self) -> int | None:
        """The place of the event among the classes; None if there is no event."""
        return None if self.event is None else self.classes.index(self.event)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the attributes."""
        return tuple(attribute.name for attribute in self.attributes)

    def __getitem__(self, name: str) -> Attribute:
        """Return the attribute of that name."""
        if name not in self._by_name:
            raise KeyError(f"There is no attribute {name!r} in the scheme; it has {', '.join(map(repr, self.names))}.")
        return self._by_name[name]

    @cached_property
    def _by_name(self) -> dict[str, Attribute]:
        return {attribute.name: attribute for attribute in self.attributes}

    def __str__(self) -> str:
        """Return the scheme as a readable table."""
        return scheme_text(self)

    def _repr_html_(self) -> str:
        from cutwise.scheme.notebook import scheme_html  # noqa: PLC0415  # loads scipy, which a scheme does without

        return scheme_html(self)

    def transform(self, X: Any, encode: str = "ordinal") -> NDArray[Any]:
        """Return the code of each value of a table; those of a fitted discretizer's ``transform`` are the same.

        Parameters
        ----------
        X : table or array-like of shape (n_samples, n_features)
            The columns of a table are found by name, and it may have others; an array has those of the scheme in order.
        encode : {"ordinal", "woe", "rate"}, default="ordinal"
            Codes; weights of evidence (a positive one speaks against the event); or rates of the event. What training
            never saw has the weight 0 and the rate of all rows; missing values have their own, if training had any.

        Returns
        -------
        ndarray of int32 or of float, of shape (n_samples, n_attributes)
            Codes from 0 on; -1 for unseen categories, and for missing values unless they have a bin.

        Examples
        --------
        >>> from cutwise import EqualWidthDiscretizer
        >>> scheme = EqualWidthDiscretizer(4).fit([[1], [2], [3], [9]]).scheme_
        >>> scheme.transform([[0.0], [4.0], [None]]).tolist()
        [[0], [1], [-1]]
        """
        from cutwise.scheme.new_rows import encoded_rows  # noqa: PLC0415

        return encoded_rows(self, X, encode)

    @overload
    def evaluate(self, X: Any, y: Any = None, sample_weight: Any = None, *, by: None = None) -> Evaluation: ...

    @overload
    def evaluate(self, X: Any, y: Any = None, sample_weight: Any = None, *, by: Any) -> Monitoring: ...

    def evaluate(self, X: Any, y: Any = None, sample_weight: Any = None, *, by: Any = None) -> Evaluation | Monitoring:
        """Compare the bins in training with those of a new sample; see `cutwise.scheme.evaluate`.

        Parameters
        ----------
        X : table or array-like of shape (n_samples, n_features)
            The new rows. The columns of a table are found by name, and it may have others.
        y : array-like of shape (n_samples,), optional
            Their classes. Without them only the rows by bin are compared.
        sample_weight : array-like of shape (n_samples,), optional
            How often each row counts, or relative weights if those of training were.
        by : str, array-like of shape (n_samples,), or pair of one of these and a unit, optional
            The period of each row: a column of the table or the periods themselves. Dates are taken by "month", or by
            the unit of a pair such as ``("opened", "quarter")``; a unit alone means the only column of dates.

        Returns
        -------
        Evaluation or, with `by`, Monitoring
            The bins side by side, how far they differ, and a verdict for each attribute; or its figures in each period.
        """
        if by is not None:
            from cutwise.scheme.monitoring import monitor  # noqa: PLC0415

            return monitor(self, X, y, sample_weight, by)
        from cutwise.scheme.new_rows import evaluate  # noqa: PLC0415

        return evaluate(self, X, y, sample_weight)

    def plot(self, name: str | None = None, ax: Any = None) -> Any:
        """Draw the bins of an attribute with matplotlib, stacked by the shares of the classes.

        Parameters
        ----------
        name : str, optional
            The attribute. Without it, a bar for each attribute shows the mutual information of
            its bins and the class.
        ax : matplotlib axes, optional
            Where to draw; new ones by default.

        Returns
        -------
        matplotlib axes
        """
        from cutwise.report.plots import plot_bins, plot_relevance  # noqa: PLC0415

        return plot_relevance(self, ax) if name is None else plot_bins(self, name, ax)

    def to_frame(
        self, library: str | None = None, *, smoothing: float = 0.5, positive: Literal["others", "event"] = "others"
    ) -> Any:
        """Return a table with one row for each bin.

        Parameters
        ----------
        library : {"pandas", "polars", "pyarrow"}, optional
            The table library; by default the first of these that is installed.
        smoothing : {0.5, 0}, default=0.5
            What is added to counts in weights of evidence; see `cutwise.criteria.weight_of_evidence`.
        positive : {"others", "event"}, default="others"
            What a positive weight of evidence speaks for.

        Returns
        -------
        table
            Attribute, kind, code and name of the bin, ends of an interval, rows and their share; the event, its rows,
            rate, weight of evidence, part of the information value, cumulative shares of events and others; how likely
            chance makes class rates differ so much from the next bin's (``p_value_next``); how sure a tested cut at the
            lower end is; the rows of each class. Without an event, each of several classes is weighed against the rest.

        Examples
        --------
        >>> from cutwise import MRmDDiscretizer
        >>> X, y = [[1.0], [2.0], [3.0], [4.0]] * 5, ["no", "no", "yes", "yes"] * 5
        >>> frame = MRmDDiscretizer(confirm=0.05).fit(X, y).scheme_.to_frame("pandas")
        >>> frame[["bin", "rows", "event", "rate", "woe", "p_value"]].round(3)
                   bin  rows event  rate    woe  p_value
        0  (-inf, 2.5]  10.0   yes   0.0  3.045      NaN
        1   (2.5, inf)  10.0   yes   1.0 -3.045      0.0
        """
        from cutwise.scheme.bin_table import bins_frame  # noqa: PLC0415

        return bins_frame(self, library, smoothing, positive)

    def summary(self, library: str | None = None, *, smoothing: float = 0.5) -> Any:
        """Return a table with one row for each attribute.

        Parameters
        ----------
        library : {"pandas", "polars", "pyarrow"}, optional
            The table library; by default the first of these that is installed.
        smoothing : {0.5, 0}, default=0.5
            See `to_frame`.

        Returns
        -------
        table
            The attribute and its kind, the event, the number of bins, the rows without a value, the information value,
            Gini and KS of the bins ranked by the rate of the event, the relevance in bits, the trend of that rate over
            the intervals, and "yes" or "no" where the fit tested its cuts (``confirm``): whether all of them passed.

        Examples
        --------
        >>> from cutwise import MRmDDiscretizer
        >>> X, y = [[1.0], [2.0], [3.0], [4.0]] * 5, ["no", "no", "yes", "yes"] * 5
        >>> MRmDDiscretizer(confirm=0.05).fit(X, y).scheme_.summary("polars").select("iv", "gini", "trend").rows()
        [(5.53..., 1.0, 'increasing')]
        """
        from cutwise.scheme.bin_table import summary_frame  # noqa: PLC0415

        return summary_frame(self, library, smoothing)

    def to_excel(
        self, path: str | os.PathLike[str], *, smoothing: float = 0.5, positive: Literal["others", "event"] = "others"
    ) -> Path:
        """Write a workbook: a summary, the bins of all attributes, and for each a sheet with its bins and a chart.

        Parameters
        ----------
        path : str or path
            An .xlsx file; an older one of that name is replaced.
        smoothing, positive
            As in `to_frame`.

        Returns
        -------
        Path
        """
        require("openpyxl", "excel")
        from cutwise.report.workbook import write_workbook  # noqa: PLC0415

        return write_workbook(self, path, smoothing, positive)

    def to_dict(self) -> dict[str, Any]:
        """Return the scheme as dicts, lists, strings and numbers."""
        return scheme_to_dict(self)

    def to_json(self) -> str:
        """Return the scheme as JSON; equal schemes give equal bytes."""
        with refused_as(SchemeError):
            return readable_json(self.to_dict(), "the scheme", "With fewer bins ('max_bins') it is smaller.")

    @classmethod
    def from_dict(cls, data: object) -> Scheme:
        """Read what `to_dict` wrote; raise SchemeError if anything is off.

        Parameters
        ----------
        data : object
            Dicts, lists, strings and numbers.

        Returns
        -------
        Scheme
        """
        with refused_as(SchemeError):
            return cls(**scheme_from_dict(data))

    @classmethod
    def from_json(cls, text: str | bytes) -> Scheme:
        """Read what `to_json` wrote; raise SchemeError if anything is off.

        Parameters
        ----------
        text : str or bytes
            JSON.

        Returns
        -------
        Scheme
        """
        with refused_as(SchemeError):
            return cls.from_dict(parse_json(text))

    def write(self, path: str | os.PathLike[str]) -> Path:
        """Write the scheme to a file as JSON, as a whole or not at all.

        Parameters
        ----------
        path : str or path
            An older file of that name is replaced.

        Returns
        -------
        Path
        """
        from cutwise.files import write_whole  # noqa: PLC0415

        return write_whole(Path(path), self.to_json().encode())

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Scheme:
        """Read a scheme from a file that `write` has written.

        Parameters
        ----------
        path : str or path
            The file.

        Returns
        -------
        Scheme

        Raises
        ------
        SchemeError
            If the file holds no scheme, or anything in it is off.
        """
        with Path(path).open("rb") as file:
            content = file.read(MAX_CHARACTERS + 1)
        try:
            return cls.from_json(content)
        except SchemeError as error:
            raise SchemeError(f"The file {str(path)!r}: {error}") from None
