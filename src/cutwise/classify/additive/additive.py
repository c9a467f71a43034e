"""The additive classifier of tables: one shape for each column, all learned together."""

from __future__ import annotations

import sys
import tempfile
from dataclasses import field
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from cutwise.classify.additive.constrained import check_order, directions_of, turned
from cutwise.classify.additive.learning import CodedColumns
from cutwise.classify.additive.on_codes import AdditiveOnCodes
from cutwise.classify.additive.on_disk import open_counted, write_codes
from cutwise.classify.additive.shapes import pair_rows, shape_rows
from cutwise.classify.base import (
    BaseSystem,
    FittedSteps,
    FoundBySearch,
    cloned_discretizer,
    code_counts,
    place_among,
)
from cutwise.classify.bayes.sample import CodedRows
from cutwise.classify.discretized import read_discretizer, write_step
from cutwise.classify.explain import class_place
from cutwise.counts import PLACES
from cutwise.counts.scanning import MAX_CATEGORIES
from cutwise.discretize.fixed import FixedSchemeDiscretizer
from cutwise.discretize.unsupervised import FrequencyGrid
from cutwise.errors import TableError
from cutwise.estimator import Choices, estimator
from cutwise.persist.saved_model import read_estimator, write_parameters
from cutwise.persist.strict import as_object, require
from cutwise.scheme import NumericAttribute, Scheme, encode_columns
from cutwise.scheme.figures import as_shares
from cutwise.scikit_learn import HasMethods, Interval, fit_context
from cutwise.table import as_frame, is_frame
from cutwise.table.frames import order_of
from cutwise.validation import check_table, check_target, check_weights

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from cutwise.classify.additive.learning import BegunFit
    from cutwise.classify.additive.on_disk import RowsOnDisk
    from cutwise.counts import TableCounts
    from cutwise.persist import ClassifierModel
    from cutwise.validation import CheckedTable

# The own grid: a bin more for so many rows, between these numbers. With few rows, either of them.
FEWEST_BINS, MOST_BINS, ROWS_PER_BIN = 20, 64, 200
# The finer of the two is tried if its bins, for each column and class, are no more than these.
MOST_CHOSEN = 2**13
# What is written for bins that are a scheme: it is the scheme of the model.
GIVEN = "scheme"


@estimator
class AdditiveClassifier(FoundBySearch, BaseSystem):
    """Learn one shape for each column, all of them together: an additive model on bins.

    Each column is cut finely, and each bin has a score for each class; the sum over the columns decides:

        P(c | row) = softmax_c(start_c + sum over j of score_c(bin of column j))

    The scores have the largest likelihood less a penalty on the squares of the jumps between neighbouring bins, so
    that neighbours share what they learn from their rows; a straight trend over the bins costs little. Categories,
    missing and special values have no neighbours: their scores are pulled to 0. The strength of the pull is chosen
    inside the training rows. The loss is convex and is brought down to its bottom: the order of rows, the start and
    the machine do not matter.

    Parameters
    ----------
    bins : int, discretizer, Scheme or None, default=None
        The bins of the columns. None makes a grid of equal frequency: with up to 4,000 rows of 20 or of 64 bins,
        whichever has the lower log loss on rows that were left out; with more, one bin for 200 rows, at most 64. If
        `alpha` is given, or there are more than 128 columns (with more than two classes, columns times classes), 20
        bins are taken without a choice. A number is that of the grid's bins. A discretizer is fitted on the same rows,
        and a scheme is taken as it is.
    alpha : float or None, default=None
        The strength of the pull; None for the one with the least log loss on rows that were left out.
    pairs : int or list of pairs of names, default=0
        Pairs of columns that have scores together, beside those of their own: the largest number of them, from which
        as many as the held-out rows confirm are taken; or those that are wanted. A column with one value in all rows
        is in no pair. Of the pairs of more than 100 columns a quick look picks 5,000 that are ranked, and it looks at
        no more than 1,000 columns, fewer if there are many rows: those that move the scores most by themselves.
    monotonic : {"increasing", "decreasing", "auto"}, dict of these or None, default=None
        Columns whose scores for the event may only rise, or only fall, over their ordered bins; "auto" takes the
        direction of the free shape. A dict names columns, one word is for all of them that have an order.
    event : label or None, default=None
        The class that `monotonic` is about. By default that of the given bins, else the rarer of two classes.
    special_values : list, dict or None, default=None
        Numbers such as -999 that are codes, not measurements; each keeps a bin of its own. For the own grid.
    missing : {"bin", "code"}, default="bin"
        A missing value is a bin like any other, or is left out of the row ("code"). For the own grid. What no training
        row has is no evidence.
    place : {"midpoint", "readable", "value"}, default="midpoint"
        Where in the gap between two values a cut of the own grid is put.
    {workers}

    Attributes
    ----------
    scheme_ : Scheme
        The bins of every column.
    classifier_ : AdditiveOnCodes
        What was learned of the codes.
    alpha_ : float
        The strength of the pull.
    start_ : ndarray of shape (n_classes,)
        The score of each class before any column is known.
    pairs_ : list of pairs of names
        The pairs of columns that have scores together.
    feature_importances_ : ndarray of shape (n_features,)
        How much each column moves the scores of the training rows, as shares of 1; a pair counts half for each of its
        columns.
    loss_ : float
        The penalised log loss of the training rows.
    n_iter_ : int
        The steps of the last search.
    converged_ : bool
        Whether every slope of the loss, divided by the weight of all rows, is at most 1e-8.
    discretizer_ : discretizer
        The fitted discretizer.
    {attributes}

    References
    ----------
    Gertheiss and Tutz, "Penalized regression with ordinal predictors", International Statistical Review 77, 2009.

    Rad and Maleki, "A scalable estimate of the out-of-sample prediction error via approximate leave-one-out
    cross-validation", Journal of the Royal Statistical Society B 82, 2020.

    Examples
    --------
    >>> from cutwise import AdditiveClassifier
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> model = AdditiveClassifier().fit(X, y)
    >>> model.predict(X.iloc[[0, 60, 120]])
    array([0, 1, 2])
    >>> model.feature_importances_.argmax()
    np.int64(2)
    """

    _classifier_kind: ClassVar[type[ClassifierModel]] = AdditiveOnCodes

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "bins": [None, Interval(Integral, 2, None, closed="left"), Scheme, HasMethods(["fit", "transform"])],
        "alpha": [None, Interval(Real, 0, sys.float_info.max, closed="right")],
        "pairs": [Interval(Integral, 0, None, closed="left"), list, tuple],
        "monotonic": [None, Choices("increasing", "decreasing", "auto"), dict],
        "event": [None, str, Real, "boolean"],
        "special_values": [None, "array-like", dict],
        "missing": [Choices("bin", "code")],
        "place": [Choices(*PLACES)],
        "n_jobs": [None, Integral],
    }

    bins: Any = field(default=None, kw_only=False)
    alpha: float | None = None
    pairs: Any = 0
    monotonic: Any = None
    event: Any = None
    special_values: Any = None
    missing: Any = "bin"
    place: Any = "midpoint"
    n_jobs: int | None = None

    @fit_context(prefer_skip_nested_validation=False)
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Cut the columns finely, then learn all shapes together.

        Parameters
        ----------
        X : table or array-like of shape (n_samples, n_features)
            A numpy array or a pandas, polars or pyarrow table with numbers, strings,
            categories and booleans; values may be missing. Bins of columns of an ordered type are neighbours.
        y : array-like of shape (n_samples,)
            The class of each row.
        sample_weight : array-like of shape (n_samples,), optional
            How often each row counts.

        Returns
        -------
        self
        """
        table, discretizer, begun = self._begin(X, y, sample_weight)
        self._finish(FittedSteps(discretizer, self._classifier().finish(begun)), table.feature_names)
        return self

    def _begin(self, X: Any, y: Any, sample_weight: Any) -> tuple[CheckedTable, Any, BegunFit]:
        """Check the rows, and choose the bins and the strength of the pull."""
        table = check_table(self, X, reset=True)
        labels, places = check_target(self, table.data, y)
        directions = directions_of(self.monotonic, table.names, labels.size)
        weights = check_weights(sample_weight, places.size)
        pairs = _pairs(self.pairs, table.names)
        options = {} if weights is None else {"sample_weight": weights}
        n_rows = _number_of_rows(places.size, weights, self.weights)

        def candidates() -> Iterator[tuple[Any, CodedRows, CodedColumns]]:
            for discretizer in self._discretizers(n_rows, len(table.names), labels.size):
                is_given = isinstance(discretizer, FixedSchemeDiscretizer)
                scheme = discretizer.fit(X, labels[places], **({} if is_given else options)).scheme_
                of_first = place_among(self.event, scheme, labels, places, weights) == 0
                own = turned(directions) if of_first else directions
                n_bins = code_counts(scheme)
                n_ordered = ordered_bins(scheme, table.data)
                check_order(self.monotonic, table.names, n_ordered)
                codes = encode_columns(scheme, table.data, table.names)
                rows = CodedRows(codes, places, weights, labels, np.array(n_bins, dtype=np.int64))
                yield discretizer, rows, CodedColumns(n_bins, n_ordered, own, pairs)

        return table, *self._classifier().begin_best(candidates())

    @fit_context(prefer_skip_nested_validation=False)
    def fit_table(
        self,
        table: Any,
        target: str,
        *,
        columns: Sequence[str] | None = None,
        weight: str | None = None,
        max_categories: int = MAX_CATEGORIES,
    ) -> Self:
        """Learn from a table that stays where it is, however many rows it has.

        The table is counted by the engine that holds it, which gives the bins; then it is read once more, and the codes
        of its rows are kept in a temporary folder: two bytes for each value. Up to a million rows the shapes are those
        of ``fit`` with these bins. With more, the strength of the pull and the pairs are chosen on a sample of 200,000
        rows, of which the standard errors are, too; the shapes are learned from all rows.

        Parameters
        ----------
        table : path or table
            The path of Parquet or CSV files, a pattern such as ``"sales/*.parquet"`` or a list of
            paths; or a table of Arrow, DuckDB, polars, pandas, Spark, Dask or Ibis, lazy or not. The workers of an
            engine must write to disks that can be read from here.
        target : str
            The column of the classes.
        columns : sequence of str, optional
            The columns to learn; by default all but the target and the weight.
        weight : str, optional
            A column of whole numbers that tells how often each row counts; with
            ``weights="relative"`` only their ratios matter.
        max_categories : int, default=1000
            The largest number of categories of a nominal column.

        Returns
        -------
        self
        """
        if self.monotonic is not None:
            message = "'monotonic' shapes are learned from rows in memory only. Pass a sample of the rows to fit."
            raise ValueError(message)
        options = {"special_values": self.special_values, "weight": weight, "max_categories": max_categories}
        source, counts = open_counted(table, target, columns=columns, **options)
        n_rows, classifier = counted_rows(counts, self.weights), self._classifier()
        discretizers = self._discretizers(n_rows, len(counts.names), len(counts.classes))
        with tempfile.TemporaryDirectory(prefix="cutwise-") as folder:

            def written(discretizer: Any) -> tuple[RowsOnDisk, CodedColumns]:
                if not isinstance(discretizer, FixedSchemeDiscretizer):
                    discretizer.fit_counts(counts)
                scheme = discretizer.scheme_
                pairs = _pairs(self.pairs, scheme.names)
                learned = CodedColumns(code_counts(scheme), ordered_bins(scheme, None), [0] * len(scheme.names), pairs)
                return write_codes(source, scheme, counts, folder, weight=weight), learned

            if len(discretizers) == 1:
                (discretizer,) = discretizers
                classifier.fit_rows(*written(discretizer))
            else:
                on_disk = ((each, *written(each)) for each in discretizers)
                in_memory = ((each, rows.sample(rows.n_rows), learned) for each, rows, learned in on_disk)
                discretizer, begun = classifier.begin_best(in_memory)
                classifier.finish(begun)
        self._finish(FittedSteps(discretizer, classifier), np.array(discretizer.scheme_.names, dtype=object))
        return self

    def _steps(self) -> FittedSteps:
        return FittedSteps(self._discretizers(0.0, 0, 0)[0], self._classifier())

    def _classifier(self) -> AdditiveOnCodes:
        return AdditiveOnCodes(alpha=self.alpha, weights=self.weights)

    def _discretizers(self, n_rows: float, n_columns: int, n_classes: int) -> list[Any]:
        """Return those between which the rows that are left out choose, not fitted; often there is one."""
        if self.bins is None or isinstance(self.bins, Integral):
            settings = {
                name: getattr(self, name)
                for name in ("special_values", "event", "missing", "place", "n_jobs", "weights")
            }
            numbers = self._grids(n_rows, n_columns * (n_classes if n_classes > 2 else 1))
            return [FrequencyGrid(n_bins, **settings) for n_bins in numbers]
        return [self._given_discretizer()]

    def _grids(self, n_rows: float, n_shapes: int) -> list[int]:
        """Return the numbers of bins of the grids to choose from."""
        if self.bins is not None:
            return [int(self.bins)]
        fewest = int(min(max(n_rows // ROWS_PER_BIN, FEWEST_BINS), MOST_BINS))
        is_small = fewest == FEWEST_BINS and n_shapes * MOST_BINS <= MOST_CHOSEN
        return [fewest, MOST_BINS] if is_small and self.alpha is None else [fewest]

    def _given_discretizer(self) -> Any:
        if self.special_values is not None:
            message = "'special_values' are for the own grid. Give them to the discretizer, or leave 'bins' out."
            raise ValueError(message)
        if isinstance(self.bins, Scheme):
            return FixedSchemeDiscretizer(self.bins)
        discretizer = cloned_discretizer(self.bins, "bins", " or a scheme")
        return discretizer if self.weights == "count" else discretizer.set_params(weights=self.weights)

    def _write_parameters(self) -> dict[str, Any]:
        bins = self.bins
        if isinstance(bins, Scheme):
            plain: Any = GIVEN
        else:
            plain = write_step(bins) if hasattr(bins, "get_params") else bins
        pairs = self.pairs if isinstance(self.pairs, Integral) else [name for pair in self.pairs for name in pair]
        return {**write_parameters(self, bins=None, pairs=pairs), "bins": plain}

    @classmethod
    def _read_parameters(cls, data: object, scheme: Scheme) -> Self:
        body = as_object(data, data if isinstance(data, dict) else (), f"{cls.__name__}: 'parameters'")
        bins = body.get("bins")
        is_plain = bins is None or isinstance(bins, int)
        system: Self = read_estimator(cls, {**body, "bins": bins if is_plain else None})
        if not is_plain:
            system.bins = scheme if bins == GIVEN else read_discretizer(bins, "bins")
        if isinstance(system.pairs, list):
            names = system.pairs
            require(len(names) % 2 == 0, f"{cls.__name__}: 'pairs' must have two names for each pair.")
            system.pairs = list(zip(names[::2], names[1::2], strict=True))
        return system

    @property
    def alpha_(self) -> float:
        """The strength of the pull."""
        return float(self._fitted().alpha_)

    @property
    def start_(self) -> NDArray[np.float64]:
        """The score of each class before any column is known."""
        return np.asarray(self._fitted().tables_.log_prior)

    @property
    def pairs_(self) -> list[tuple[str, str]]:
        """The pairs of columns that have scores together."""
        pairs = self._fitted().grids_.learned.pairs
        names = self.scheme_.names
        return [(names[one], names[two]) for one, two in pairs]

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """How much each column moves the scores of the training rows, as shares of 1."""
        return as_shares(self._fitted().column_importances())

    def shape(self, name: str | tuple[str, str]) -> dict[str, list[Any]]:
        """Return the scores of a column's bins, or of a pair's cells, as the columns of a table.

        Parameters
        ----------
        name : str or pair of str
            The column, or two columns that have scores together.

        Returns
        -------
        dict of lists
            "bin" (of a pair "bin of …" for each column), "rows" (in training), "score of …" for each class, and
            "standard error", from the curvature of the loss; ``pandas.DataFrame`` and ``polars.DataFrame`` take it as
            it is.
        """
        self._fitted()
        return shape_rows(self, name) if isinstance(name, str) else pair_rows(self, name)

    def plot_shape(self, name: str | tuple[str, str], ax: Any = None, *, target: Any = None) -> Any:
        """Draw the scores of a column's bins with bands of 1.96 standard errors to either side, or those of a pair.

        Bins that are neighbours have a line, categories, missing and special values a point each; a pair has a heat
        map.

        Parameters
        ----------
        name : str or pair of str
            The column, or two columns that have scores together.
        ax : matplotlib axes, optional
            Where to draw; new ones by default.
        target : label, optional
            The class whose scores are drawn. By default the event of two classes; of more all of them, and for a pair
            that whose scores differ most.

        Returns
        -------
        matplotlib axes
        """
        from cutwise.report.shapes import plot_pair, plot_shape  # noqa: PLC0415

        self.shape(name)  # refuses what is not there
        labels = self.classes_.tolist()
        if target is not None:
            labels = [labels[class_place(self.classes_, target, "target")]]
        elif len(labels) == 2:
            event = self.scheme_.event if self.event is None else self.event
            labels = [event if event in labels else labels[1]]
        return plot_shape(self, name, labels, ax) if isinstance(name, str) else plot_pair(self, name, labels, ax)


def _number_of_rows(n_rows: int, weights: NDArray[np.float64] | None, meaning: str) -> float:
    """Return how many rows there are, each as often as it counts."""
    if weights is None:
        return n_rows
    return float(weights.sum()) if meaning == "count" else int(np.count_nonzero(weights))


def counted_rows(counts: TableCounts, meaning: str) -> int:
    """Return how many rows were counted, each as often as it counts."""
    return counts.n_rows if counts.n_records is None or meaning == "count" else counts.n_records


def ordered_bins(scheme: Scheme, data: Any) -> list[int]:
    """Return how many of each attribute's first bins are neighbours."""
    frame = as_frame(data) if is_frame(data) else None
    found = []
    for j, attribute in enumerate(scheme.attributes):
        if isinstance(attribute, NumericAttribute):
            found.append(len(attribute.cuts) + 1)
        else:
            ordered = frame is not None and order_of(frame[:, j]) is not None
            found.append(attribute.n_bins if ordered else 0)
    return found


def _pairs(pairs: Any, names: Sequence[str]) -> int | list[tuple[int, int]]:
    """Return the largest number of pairs, or the places of the columns of those that are wanted."""
    if isinstance(pairs, Integral):
        return int(pairs)
    found = []
    for pair in pairs:
        if isinstance(pair, str) or len(pair) != 2 or pair[0] == pair[1]:
            message = f"'pairs' has {pair!r}, but a pair is two names of different columns."
            raise ValueError(message)
        unknown = [name for name in pair if name not in names]
        if unknown:
            message = f"'pairs' names the column {unknown[0]!r}, but the columns are {', '.join(map(repr, names))}."
            raise TableError(message)
        first, second = sorted((names.index(pair[0]), names.index(pair[1])))
        if (first, second) not in found:
            found.append((first, second))
    return found
