"""pandas, polars and Arrow tables, through narwhals; the only file that knows of them."""

from __future__ import annotations

from datetime import date
from difflib import get_close_matches
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Literal

import narwhals.stable.v2 as nw
import numpy as np
from narwhals.exceptions import DuplicateError

from cutwise.errors import TableError

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from numpy.typing import NDArray

Kind = Literal["numeric", "nominal", "unknown"]


def is_frame(data: object) -> bool:
    """Tell whether the data is a table that narwhals can read."""
    return isinstance(_opened(data), nw.DataFrame | nw.LazyFrame)


def as_frame(data: object) -> nw.DataFrame[Any]:
    """Return the table behind narwhals' common interface."""
    frame = _opened(data)
    if isinstance(frame, nw.LazyFrame):
        raise TableError(f"A lazy table ({type(data).__name__}) has no rows yet. Collect it first: table.collect().")
    if not isinstance(frame, nw.DataFrame):
        raise TableError(f"Expected a table, got {type(data).__name__}.")
    return frame


def _opened(data: Any) -> Any:
    """Return the data behind narwhals' interface, or as it is if it is no table."""
    if isinstance(data, np.ndarray):
        return data
    try:
        return nw.from_native(data, pass_through=True)
    except DuplicateError:
        names = list(data.columns if hasattr(data, "iloc") else data.column_names)
    repeated = sorted({str(name) for name in names if names.count(name) > 1})
    raise TableError(f"Column names must differ; {', '.join(map(repr, repeated))} appears more than once. Rename it.")


def series_list(data: object) -> list[nw.Series[Any]]:
    """Return the columns of a table in order."""
    columns: Any = as_frame(data).iter_columns()
    return list(columns)


def kind_of(series: nw.Series[Any], name: str) -> Kind:
    """Tell from its type whether a column holds numbers or categories.

    "unknown" means that the values themselves must tell.
    """
    dtype = series.dtype
    if dtype.is_numeric():
        return "numeric"
    if isinstance(dtype, nw.Boolean | nw.String | nw.Categorical | nw.Enum):
        return "nominal"
    if isinstance(dtype, nw.Object | nw.Unknown):
        return "unknown"
    raise TableError(
        f"Column {name!r} has the type {dtype}, which is neither number nor category. "
        "Turn it into a number (for a date: days since a day of your choice) or into text."
    )


def order_of(series: nw.Series[Any]) -> tuple[Any, ...] | None:
    """Return the categories of a column whose type puts them in an order; None for other columns."""
    if isinstance(series.dtype, nw.Enum):
        return tuple(series.dtype.categories)
    if isinstance(series.dtype, nw.Categorical) and getattr(
        getattr(series.to_native(), "type", None), "ordered", False
    ):
        return tuple(series.cat.get_categories().to_list())
    return None


def ordered_columns(data: object) -> list[str]:
    """Return the names of the columns whose types put their categories in an order; none of what is no table."""
    frame = _opened(data)
    if isinstance(frame, nw.LazyFrame):
        return [name for name, dtype in frame.collect_schema().items() if isinstance(dtype, nw.Enum)]
    if isinstance(frame, nw.DataFrame):
        return [series.name for series in series_list(data) if order_of(series) is not None]
    return []


def series_numbers(series: nw.Series[Any]) -> NDArray[np.float64]:
    """Return a numeric column as doubles, NaN where a value is missing."""
    if series.dtype in (nw.Float64, nw.Float32) or not series.is_null().any():
        numbers = series.to_numpy()
        if numbers.dtype != object:
            return np.asarray(numbers, dtype=np.float64)
    if series.dtype.is_integer():
        # Arrow refuses to turn whole numbers into doubles where that would round them.
        doubles = np.array(series.fill_null(0).to_numpy(), dtype=np.float64)
        doubles[series.is_null().to_numpy()] = np.nan
        return doubles
    return np.asarray(series.cast(nw.Float64).to_numpy(), dtype=np.float64)


def whole_numbers(series: nw.Series[Any]) -> NDArray[np.integer]:
    """Return the whole numbers of 64 bits that a column holds; none of a column of another type."""
    if series.dtype not in (nw.Int64, nw.UInt64):
        return np.empty(0, dtype=np.int64)
    known = series.drop_nulls() if series.is_null().any() else series
    return np.asarray(known.to_numpy(), dtype=np.uint64 if series.dtype == nw.UInt64 else np.int64)


def series_items(series: nw.Series[Any]) -> list[Any]:
    """Return a column's values as Python objects."""
    items: list[Any] = series.to_list()
    return items


def holds_strings(series: nw.Series[Any]) -> bool:
    """Tell whether a column may hold strings; those of categorical types are what their owner made them."""
    return isinstance(series.dtype, nw.String | nw.Object | nw.Unknown)


def dates_of(series: nw.Series[Any]) -> list[Any] | None:
    """Return the dates of a column, None where one is missing; None if it holds something else."""
    if isinstance(series.dtype, nw.Date | nw.Datetime):
        return [None if item != item else item for item in series.to_list()]  # noqa: PLR0124
    if not isinstance(series.dtype, nw.Object | nw.Unknown):
        return None
    items = [None if item is None or item != item else item for item in series.to_list()]  # noqa: PLR0124
    known = [item for item in items if item is not None]
    return items if known and all(isinstance(item, date) for item in known) else None


def with_columns(data: object, columns: Mapping[str, Sequence[Any]], texts: Collection[str]) -> Any:
    """Return a table with some columns replaced, by strings where they are among `texts`, else by doubles."""
    frame = as_frame(data)
    library = frame.implementation
    new = [
        nw.new_series(name, values, nw.String() if name in texts else nw.Float64(), backend=library)
        for name, values in columns.items()
    ]
    return frame.with_columns(*new).to_native() if new else data


def plain_vector(data: object) -> object:
    """Return a series (pandas, polars, Arrow) as a numpy array; leave the rest alone."""
    if isinstance(data, np.ndarray):
        return data
    series: Any = nw.from_native(data, series_only=True, pass_through=True)
    if not isinstance(series, nw.Series):
        return data
    kind = kind_of(series, series.name or "y")
    if kind == "numeric" and not series.is_null().any():
        return series.to_numpy()
    items = series.to_list()
    if items and all(isinstance(item, bool) for item in items):
        return np.asarray(items, dtype=bool)
    vector = np.empty(len(items), dtype=object)
    vector[:] = items
    return vector


def with_filled(data: object, values: dict[str, Any]) -> Any:
    """Return a table with the missing values of some columns replaced.

    Examples
    --------
    >>> import pandas as pd
    >>> with_filled(pd.DataFrame({"a": [1.0, None], "b": [None, "x"]}), {"a": 2.5, "b": "x"})
         a  b
    0  1.0  x
    1  2.5  x
    """
    frame = as_frame(data)
    filled = []
    for name, value in values.items():
        series = frame[name]
        if isinstance(value, float) and isinstance(series.dtype, nw.Float32 | nw.Float64):
            if np.isnan(series_numbers(series)).any():
                filled.append(series.fill_nan(value).fill_null(value))
        elif series.is_null().any():
            filled.append(series.fill_null(value))
    return frame.with_columns(*filled).to_native() if filled else data


Library = Literal["pandas", "polars", "pyarrow"]
LIBRARIES: tuple[Library, ...] = ("pandas", "polars", "pyarrow")


def choose_library(asked: str | None) -> Library:
    """Return the table library to use: the one asked for, else the first that is installed."""
    if asked is not None and asked not in LIBRARIES:
        raise TableError(f"There is no table library {asked!r} here; choose one of {', '.join(map(repr, LIBRARIES))}.")
    for library in LIBRARIES:
        if asked in {None, library} and find_spec(library) is not None:
            return library
    missing = "No table library is installed" if asked is None else f"The table library {asked!r} is not installed"
    raise TableError(f"{missing}. Install one: pip install 'cutwise[tables]'.")


def make_frame(
    columns: Mapping[str, Sequence[Any]], texts: Collection[str], library: Library, whole: Collection[str] = ()
) -> Any:
    """Return a table of the library.

    Parameters
    ----------
    columns : mapping of str to sequence
        The values of each column; None where one is missing.
    texts : collection of str
        The columns of strings; the others hold doubles.
    library : {"pandas", "polars", "pyarrow"}
    whole : collection of str
        The columns of whole numbers.
    """
    kinds: dict[str, Any] = {name: nw.Int64() if name in whole else nw.Float64() for name in columns}
    kinds |= {name: nw.String() for name in columns if name in texts}
    # One by one: a schema for all of them makes strings of what is missing with pandas 2.
    series = {name: nw.new_series(name, values, kinds[name], backend=library) for name, values in columns.items()}
    return nw.from_dict(series, backend=library).to_native()


MOST_NAMES = 10
# Other words for the same thing.
_SYNONYMS = {
    "ascending": "increasing",
    "descending": "decreasing",
    "falling": "decreasing",
    "one-hot": "onehot",
    "pg": "postgresql",
    "postgres": "postgresql",
    "rising": "increasing",
    "up": "increasing",
    "down": "decreasing",
}


def names_of(data: object) -> list[str]:
    """Return the names of the columns of a frame."""
    return list(as_frame(data).columns)


def n_rows_of(data: object) -> int:
    """Return the number of rows of a frame."""
    return len(as_frame(data))


def take_rows(data: Any, places: NDArray[np.integer]) -> Any:
    """Return the rows of a frame or an array at some places, in this order.

    Examples
    --------
    >>> take_rows(np.array([[1], [2], [3]]), np.array([2, 0])).tolist()
    [[3], [1]]
    """
    return as_frame(data)[places].to_native() if is_frame(data) else data[places]


def items_of(data: object, name: str) -> list[Any]:
    """Return the values of a column as Python objects."""
    check_column(data, name)
    items: list[Any] = as_frame(data)[name].to_list()
    return items


def select_columns(data: object, names: Sequence[str]) -> Any:
    """Return a frame with some columns, in this order."""
    for name in names:
        check_column(data, name)
    return as_frame(data).select(list(names)).to_native()


def select_places(data: Any, places: Sequence[int]) -> Any:
    """Return a frame or a 2-d array with the columns at some places."""
    return as_frame(data)[:, list(places)].to_native() if is_frame(data) else data[:, list(places)]


def column_arrays(data: Any, places: Sequence[int]) -> list[NDArray[Any]]:
    """Return the columns of a frame or a 2-d array at some places, as arrays."""
    if not is_frame(data):
        return [data[:, j] for j in places]
    series = series_list(data)
    arrays = {j: np.asarray(series[j].to_numpy()) for j in places}
    return [
        series_numbers(series[j]) if array.dtype == object and series[j].dtype.is_numeric() else array
        for j, array in arrays.items()
    ]


def joined_frame(
    data: object, kept: Sequence[str], new: Mapping[str, NDArray[Any]], order: Sequence[str], library: str
) -> Any:
    """Return a frame of pandas or polars with some columns of a frame as they are, and new ones.

    Examples
    --------
    >>> import pandas as pd
    >>> table = pd.DataFrame({"a": [1.5, 7.0], "b": ["y", "x"]}, index=[3, 4])
    >>> joined_frame(table, ["b"], {"a": np.array([0, 1])}, ["a", "b"], "pandas")
       a  b
    3  0  y
    4  1  x
    """
    frame = as_frame(data).select(list(kept))
    if frame.implementation is not nw.Implementation.from_string(library):
        frame = nw.from_native(frame.to_pandas() if library == "pandas" else frame.to_polars(), eager_only=True)
    made = [
        nw.new_series(name, values.tolist(), nw.String(), backend=frame.implementation)
        if values.dtype == object
        else nw.new_series(name, np.ascontiguousarray(values), backend=frame.implementation)
        for name, values in new.items()
    ]
    return frame.with_columns(*made).select(list(order)).to_native()


def check_column(data: object, name: str) -> None:
    """Raise TableError unless a frame has a column of this name."""
    names = names_of(data)
    if name not in names:
        raise TableError(f"The table has no column {name!r}{suggestion(name, names)}")


def suggestion(name: str, names: Sequence[str]) -> str:
    """Return the end of a message about an unknown name.

    Examples
    --------
    >>> suggestion("agee", ["age", "city"])
    ". Did you mean 'age'?"
    >>> suggestion("x", ["age", "city"])
    "; there are 'age', 'city'."
    """
    hint = did_you_mean(name, names)
    if hint:
        return f".{hint}"
    listed = ", ".join(map(repr, names[:MOST_NAMES])) + (", …" if len(names) > MOST_NAMES else "")
    return f"; there are {listed}."


def did_you_mean(name: object, names: Sequence[str]) -> str:
    """Return a question that hints at the right name; nothing if none is near.

    Examples
    --------
    >>> did_you_mean("postgres", ["duckdb", "postgresql"])
    " Did you mean 'postgresql'?"
    >>> did_you_mean("DuckDB", ["duckdb", "postgresql"])
    " Did you mean 'duckdb'?"
    >>> did_you_mean("oracle", ["duckdb", "postgresql"])
    ''
    """
    if not isinstance(name, str):
        return ""
    synonym = _SYNONYMS.get(name.lower(), "")
    close = [synonym] if synonym in names else get_close_matches(name, names, n=1)
    if not close:
        lower = {other.lower(): other for other in names}
        close = [lower[near] for near in get_close_matches(name.lower(), lower, n=1)]
    return f" Did you mean {close[0]!r}?" if close else ""
