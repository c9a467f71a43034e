"""What all discretizers share: the ways to learn, which all end in one, and the fitted attributes."""

from __future__ import annotations

from contextlib import closing, contextmanager, nullcontext
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from sklearn.utils.metaestimators import available_if

from cutwise.counts import PLACES, count_table
from cutwise.counts.scanning import MAX_CATEGORIES, MAX_CELLS, MAX_GROUPED, MAX_VALUES
from cutwise.discretize.attributes import (
    JointPlan,
    Plan,
    Task,
    check_grouping,
    check_nominal,
    check_special_values,
    without_last_class,
)
from cutwise.discretize.batches import learn_attributes
from cutwise.discretize.encoder import DECODINGS, ENCODINGS, SchemeEncoder, from_scheme
from cutwise.discretize.limits import (
    CONFIRM_CONSTRAINTS,
    LIMIT_CONSTRAINTS,
    LIMITS,
    SIZE_CONSTRAINTS,
    TREND_CONSTRAINTS,
    limits_of,
    named_columns,
    warn_of_unmet,
)
from cutwise.discretize.passing import refuse_columns
from cutwise.discretize.seen import (
    check_counts,
    check_has_classes,
    check_part_column,
    check_unordered,
    plain_labels,
    see_counts,
    see_rows,
)
from cutwise.discretize.stream import LEARNED, CountedStream, LearnedFromStream, bounded_stream, count_chunk, read_chunk
from cutwise.discretize.texts import TEXTS
from cutwise.errors import CountsError
from cutwise.estimator import Choices, estimator
from cutwise.scheme import Scheme
from cutwise.scheme.figures import NUMBERS, as_shares, code_numbers
from cutwise.scikit_learn import CallbackSupportMixin, Interval, fit_context, has_callbacks, with_callbacks
from cutwise.search import NO_LIMITS
from cutwise.validation import WEIGHTS, set_fitted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager

    from numpy.typing import NDArray
    from sklearn.utils import Tags

    from cutwise.counts import TableCounts
    from cutwise.discretize.limits import Trials
    from cutwise.discretize.seen import SeenTable
    from cutwise.scheme import Attribute

# The scheme holds them in another form, or they do not decide where the cuts are.
_NOT_RECORDED = (
    *("cuts", "others", "special_values", "event", "place", "missing"),
    *("columns", "encode", "decode", "n_jobs", "random_state"),
)
_LIMITS = (*LIMITS, "max_categories")


def _learns_from_counts(discretizer: BaseDiscretizer) -> bool:
    """Raise AttributeError for the ways to learn that a method does not have."""
    if discretizer.needs_rows:
        message = (
            f"{type(discretizer).__name__} looks at all columns of a row at once, so counts of each column do not "
            "suffice. Read the rows and pass them to fit."
        )
        raise AttributeError(message)
    return True


@estimator
class BaseDiscretizer(CallbackSupportMixin, SchemeEncoder):
    """The base of the discretizers.

    Rows in memory (``fit``), tables that stay where they are (``fit_table``), counts (``fit_counts``) and streams
    (``partial_fit``) all become the counts of each column, and these are learned in one way. A method is a subclass
    with the decorator `estimator`: its fields are its parameters. It sets ``method_name``, adds the checks of its
    parameters to ``_parameter_constraints``, and gives one hook, ``_plan``.
    """

    method_name: ClassVar[str]
    needs_classes: ClassVar[bool] = True
    # Whether rows without a label are of use beside others.
    takes_unlabelled: ClassVar[bool] = False
    # Whether parts of the rows are compared; then there are parameters validation, n_splits and random_state.
    uses_parts: ClassVar[bool] = False
    # Whether the counts of each column do not suffice.
    needs_rows: ClassVar[bool] = False
    # Whether its search also finds groups of categories.
    groups_categories: ClassVar[bool] = False

    _texts: ClassVar[Mapping[str, str]] = TEXTS
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "columns": [None, "array-like"],
        "special_values": [None, "array-like", dict],
        "event": [None, str, Real, "boolean"],
        "encode": [Choices(*ENCODINGS)],
        "decode": [Choices(*DECODINGS)],
        "place": [Choices(*PLACES)],
        "missing": [Choices("code", "bin")],
        "nominal": [Choices("bin", "group"), dict],
        "n_jobs": [None, Integral],
        "weights": [Choices(*WEIGHTS)],
    }

    columns: Any = None
    special_values: Any = None
    event: Any = None
    encode: str = "ordinal"
    decode: str = "label"
    place: Any = "midpoint"
    missing: Any = "code"
    nominal: Any = "bin"
    n_jobs: int | None = None
    weights: str = "count"

    scheme_ = LearnedFromStream()
    classes_ = LearnedFromStream()
    cuts_ = LearnedFromStream()
    n_bins_ = LearnedFromStream()
    bin_edges_ = LearnedFromStream()
    rank_errors_ = LearnedFromStream()

    def _plan(self, seen: SeenTable) -> Plan | Sequence[Plan] | JointPlan:
        """Return how the columns are searched: one plan for all of them, or one for each, or one for all at once."""
        raise NotImplementedError

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None, parts: Any = None) -> Self:
        """Find the cuts.

        Parameters
        ----------
        X : table or array-like of shape (n_samples, n_features)
            A numpy array or a pandas, polars or pyarrow table. Numeric columns are cut;
            strings, categories and booleans become one bin for each category.
        y : array-like of shape (n_samples,)
            The class of each row. Methods that do not look at the class need none: they count at
            most 100 labels for the scheme and pass over anything else.
        sample_weight : array-like of shape (n_samples,), optional
            How often each row counts. A weight of 2 is the same as the row twice, a weight
            of 0 the same as no row.
        parts : array-like of int of shape (n_samples,), optional
            The part of each row, instead of a random one. With "holdout" 1 marks the
            validation rows and 0 the others; with "crossfit" each number is a part. Only methods
            with the parameter ``validation`` take it.

        Returns
        -------
        Self
            The discretizer itself.
        """
        self._learn(see_rows(self, X, y, sample_weight, parts))
        return self

    @available_if(_learns_from_counts)
    @fit_context(prefer_skip_nested_validation=True)
    def fit_table(
        self,
        table: Any,
        target: str | None = None,
        *,
        columns: Sequence[str] | None = None,
        parts: str | None = None,
        weight: str | None = None,
        max_values: int = MAX_VALUES,
        max_cells: int = MAX_CELLS,
        max_categories: int | None = None,
    ) -> Self:
        """Find the cuts of a table that stays where it is.

        The table is counted by the engine that holds it, in one or two scans; only the counts
        come here. Up to `max_values` distinct values in a column, the scheme is the same as that
        of ``fit``. A column with more is cut between the cells of a grid; ``rank_errors_`` says how
        fine that is.

        Parameters
        ----------
        table : path or table
            The path of Parquet or CSV files, a pattern such as ``"sales/*.parquet"`` or a list of
            paths; or a table of Arrow, DuckDB, polars, pandas, Spark, Dask or Ibis, lazy or not.
        target : str, optional
            The column of the classes; it may be left out for discretizers that do not look at it.
        columns : sequence of str, optional
            The columns to learn; by default all but the target, the parts and the weight.
        parts : str, optional
            A column of whole numbers with the part of each row, instead of a random one.
        weight : str, optional
            A column of whole numbers that tells how often each row counts; with
            ``weights="relative"`` only their ratios matter.
        max_values : int, default=8192
            The largest number of distinct values that are counted one by one.
        max_cells : int, default=4096
            About the number of cells of a grid.
        max_categories : int, optional
            The largest number of categories of a nominal column that are counted: by default 1,000, or 1,000,000 where
            they are grouped (``nominal="group"``).

        Returns
        -------
        Self
            The discretizer itself.
        """
        refuse_columns(self.columns)
        check_has_classes(self, target)
        check_part_column(self, parts)
        check_unordered(self, table)
        chosen = self.nominal.values() if isinstance(self.nominal, dict) else [self.nominal]
        usual = MAX_GROUPED if "group" in chosen else MAX_CATEGORIES
        counts = count_table(
            table,
            target,
            columns=columns,
            parts=parts,
            weight=weight,
            special_values=self.special_values,
            edges=getattr(self, "cuts", None),
            max_values=max_values,
            max_cells=max_cells,
            max_categories=usual if max_categories is None else max_categories,
        )
        self._learn(self._see_counts(counts, np.array(counts.names, dtype=object)))
        return self

    @available_if(_learns_from_counts)
    @fit_context(prefer_skip_nested_validation=True)
    def fit_counts(self, counts: TableCounts) -> Self:
        """Find the cuts from counts.

        Parameters
        ----------
        counts : TableCounts
            What `count_table` returned, or the sum of several of them.

        Returns
        -------
        Self
            The discretizer itself.
        """
        refuse_columns(self.columns)
        counts = check_counts(counts)
        self._learn(self._see_counts(counts, np.array(counts.names, dtype=object)))
        return self

    @available_if(_learns_from_counts)
    @fit_context(prefer_skip_nested_validation=True)
    def partial_fit(self, X: Any, y: Any = None, sample_weight: Any = None, parts: Any = None) -> Self:
        """Count the rows of a chunk of a stream; the cuts are found when they are first needed.

        Numeric columns are counted by distinct value, so that the order of the chunks does not
        matter. When a column has more than 65,536 values, about 4,096 cells are made from what was
        seen so far, and it is counted by these from then on. If a chunk cannot be used, what was
        counted before stays. After ``fit``, ``fit_table`` or ``fit_counts`` a stream begins anew.

        Parameters
        ----------
        X : table or array-like of shape (n_samples, n_features)
            The same columns each time.
        y : array-like of shape (n_samples,)
            The class of each row; chunks may bring new classes.
        sample_weight : array-like of shape (n_samples,), optional
            How often each row counts: whole numbers, so that chunks add up. With
            ``weights="relative"`` they are rescaled when all chunks are known.
        parts : array-like of int of shape (n_samples,), optional
            The part of each row. Only methods with the parameter ``validation`` take it.

        Returns
        -------
        Self
            The discretizer itself.
        """
        refuse_columns(self.columns)
        stream: CountedStream | None = vars(self).get("_stream")
        rows = read_chunk(self, X, y, sample_weight, reset=stream is None)
        total = count_chunk(self, rows, has_target=y is not None, parts=parts)
        if stream is not None:
            total = stream.counts + total
        total = bounded_stream(total, check_special_values(self.special_values, total.names))
        learned = {"_stream": CountedStream(total)}
        set_fitted(self, rows.table.n_features, rows.table.feature_names, learned, LEARNED)
        return self

    @available_if(_learns_from_counts)
    @fit_context(prefer_skip_nested_validation=True)
    def finalize(self) -> Self:
        """Find the cuts from the chunks of ``partial_fit`` now, not when they are first needed; more may follow.

        Returns
        -------
        Self
            The discretizer itself.
        """
        stream: CountedStream | None = vars(self).get("_stream")
        if stream is None:
            message = f"There is nothing to learn from yet. Call {type(self).__name__}.partial_fit(X, y) first."
            raise CountsError(message)
        seen = self._see_counts(stream.counts, vars(self).get("feature_names_in_"))
        self._learn(seen, _stream=stream)
        return self

    def _see_counts(self, counts: TableCounts, feature_names: NDArray[np.object_] | None) -> SeenTable:
        return see_counts(self, counts, check_special_values(self.special_values, counts.names), feature_names)

    @with_callbacks
    def _learn(self, seen: SeenTable, **kept: Any) -> None:
        """Learn what was seen and set the fitted attributes, all of them at once, with those to keep."""
        check_grouping(self, seen.names)
        plan = self._plan(seen)
        first = plan if isinstance(plan, Plan | JointPlan) else plan[0]
        attributes, learned = self._attributes(seen, plan)
        if seen.has_unlabelled:
            attributes = [without_last_class(attribute) for attribute in attributes]
        check_nominal(self, attributes)
        if first.check is not None:
            first.check(attributes)
        settings = self._settings() if first.settings is None else first.settings
        scheme = Scheme(
            method=self.method_name,
            criterion=first.criterion.name,
            parameters={**_with_names(settings, seen.names), "place": self.place},
            classes=plain_labels(seen.classes),
            attributes=tuple(attributes),
            missing=self.missing,
            event=None if seen.event is None else plain_labels(seen.classes)[seen.event],
        )
        if self.encode in NUMBERS:
            code_numbers(scheme, self.encode)  # or tell what they lack
        learned |= {**kept, "classes_": seen.classes, **from_scheme(scheme)}
        if seen.rank_errors is not None:
            learned["rank_errors_"] = seen.rank_errors
        set_fitted(self, seen.n_features, seen.feature_names, learned, ("rank_errors_", "_stream"))

    def _attributes(self, seen: SeenTable, plan: Any) -> tuple[list[Attribute], dict[str, Any]]:
        """Return the attributes of the scheme, and what is learned beyond, by the names of the fitted attributes."""
        plans = [plan] * len(seen.names) if isinstance(plan, Plan) else plan
        special = check_special_values(self.special_values, seen.names)
        grouping = check_grouping(self, seen.names)
        trials = [own.limits[j] if own.limits else (NO_LIMITS,) for j, own in enumerate(plans)]
        tasks = [
            Task(count, own, limits, self.place, values, groups)
            for count, own, limits, values, groups in zip(seen.columns, plans, trials, special, grouping, strict=True)
        ]
        is_slow = getattr(self, "search", None) == "exact" or getattr(self, "monotonic", None) is not None
        at_once = 1 if is_slow else seen.columns_at_once
        attributes = []
        with (
            self._steps("column", len(tasks)) as step,
            closing(learn_attributes(tasks, self.n_jobs, at_once)) as found,
        ):
            for _ in tasks:
                with step():
                    attributes.append(next(found))
        warn_of_unmet(attributes, trials)
        return attributes, {}

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """The relevance of each column's bins, as shares of 1; there is none without classes, or if columns pass."""
        scheme = self.scheme_
        if len(scheme.classes) < 2 or self.n_features_in_ != len(scheme.attributes):
            message = "There are importances only after a fit with classes that cuts all columns."
            raise AttributeError(message)
        return as_shares(np.array([attribute.relevance for attribute in scheme.attributes]))

    @contextmanager
    def _steps(self, name: str = "", n_steps: int = 0) -> Iterator[Callable[[], AbstractContextManager[None]]]:
        """Tell the callbacks of a fit, and within it of its steps."""
        context = self._init_callback_context(max_subtasks=n_steps)
        context.call_on_fit_task_begin(estimator=self)

        @contextmanager
        def step() -> Iterator[None]:
            task = context.subcontext(task_name=name).call_on_fit_task_begin(estimator=self)
            yield
            task.call_on_fit_task_end(estimator=self)

        yield step if has_callbacks(self) else nullcontext
        context.call_on_fit_task_end(estimator=self)

    def _set_scheme(self, scheme: Scheme) -> None:
        """Set the scheme and what is derived from it."""
        self.__dict__.update(from_scheme(scheme))

    def _settings(self, *without: str) -> dict[str, Any]:
        """Return the parameters that decide the result, for the scheme; limits and weights only if they are set."""
        settings = self.get_params(deep=False)
        for name in (*_NOT_RECORDED, *without):
            settings.pop(name, None)
        for name, usual in (("weights", "count"), ("nominal", "bin")):
            if settings[name] == usual:
                del settings[name]
        kept = {name: value for name, value in settings.items() if name not in _LIMITS or value is not None}
        return {name: _plain(value) for name, value in kept.items()}

    def __sklearn_tags__(self) -> Tags:
        tags: Tags = super().__sklearn_tags__()
        tags.target_tags.required = self.needs_classes
        return tags

    def __sklearn_is_fitted__(self) -> bool:
        return "scheme_" in vars(self) or "_stream" in vars(self)


def _with_names(settings: Mapping[str, Any], names: Sequence[str]) -> dict[str, Any]:
    """Return settings, those by column with the names of the columns."""
    found = dict(settings)
    for key, value in settings.items():
        if isinstance(value, dict):
            named = named_columns(key, value, names)
            found[key] = {name: _plain(named[name]) for name in names if name in named}
    return found


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value


@estimator
class SupervisedDiscretizer(BaseDiscretizer):
    """The base of the discretizers that learn one column at a time from the class.

    A subclass adds its parameters as fields and says in ``_plan`` how columns are searched.
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **SIZE_CONSTRAINTS,
        **LIMIT_CONSTRAINTS,
        **TREND_CONSTRAINTS,
    }

    min_bin_size: Any = None
    max_bins: Any = None
    min_bins: Any = None
    max_bin_size: Any = None
    min_events: Any = None
    max_pvalue: Any = None
    monotonic: Any = None

    def _limits(self, seen: SeenTable) -> tuple[Trials, ...]:
        """Return the limits of each column, one for each trend to try."""
        return limits_of(self, seen)


@estimator
class ConfirmingDiscretizer(SupervisedDiscretizer):
    """The base of the discretizers that can test their cuts: they work from the top down, or are exact."""

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **CONFIRM_CONSTRAINTS,
        "max_categories": [None, Interval(Integral, 1, None, closed="left")],
    }
    groups_categories: ClassVar[bool] = True

    confirm: Any = None
    max_categories: int | None = None
