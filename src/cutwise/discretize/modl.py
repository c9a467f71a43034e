"""MODL: the bins that describe the classes most briefly."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from numbers import Integral
from typing import TYPE_CHECKING, Any, ClassVar, Self

from sklearn.utils._param_validation import Interval

from cutwise.criteria import ModlCriterion
from cutwise.discretize.attributes import Method
from cutwise.discretize.partly_labelled import read_partly_labelled_rows
from cutwise.discretize.supervised import SupervisedDiscretizer
from cutwise.search import ModlSearch

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cutwise.discretize.limits import Seen
    from cutwise.scheme import Attribute


@dataclass(eq=False, repr=False, kw_only=True)
class MODLDiscretizer(SupervisedDiscretizer):
    """Cut each numeric column into the bins that are most probable given the classes.

    MODL of Boullé weighs every partition: how probable are its number of bins, their ends
    and the shares of the classes in them, and how probable are the classes of the rows
    then. The partition with the highest product, that is with the lowest cost in nats, is
    taken. A column that tells little about the class gets no cut.

    If labels are missing in y (None or NaN), the rows without one count, too: they tell
    where values lie close together, and so where bins may end. Such rows are no class of
    the scheme.

    Parameters
    ----------
    max_candidates : int, default=1000
        Up to this many values, runs of values of one class counted as one, the best of all
        partitions is found. In columns with more, neighbouring values are merged step by
        step, and the result is improved by small changes. With ``monotonic`` or missing
        labels, a column with more values is searched on a grid of as many groups (at most
        500 with ``monotonic``).
    {constraints}
    {common}

    {attributes}

    References
    ----------
    Boullé, "MODL: a Bayes optimal discretization method for continuous attributes", Machine
    Learning 65, 2006. Bondu, Boullé and Lemaire, "A non-parametric semi-supervised
    discretization method", Knowledge and Information Systems 24, 2010.

    Examples
    --------
    >>> from cutwise import MODLDiscretizer
    >>> X = [[1], [2], [3], [4], [5], [6], [7], [8], [9], [10], [11], [12]]
    >>> y = [0, 0, 0, 1, 0, 1, 1, 1, 2, 2, 1, 2]
    >>> MODLDiscretizer().fit(X, y).cuts_
    [array([5.5])]
    """

    method_name: ClassVar[str] = "MODL"

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "max_candidates": [Interval(Integral, 2, None, closed="left")],
    }

    max_candidates: int = field(default=1000, kw_only=False)

    def _fit(self, X: Any, y: Any, sample_weight: Any) -> Self:
        rows, groups, unlabelled = read_partly_labelled_rows(self, X, y, sample_weight)
        methods = [self._method(rows, unlabelled=unlabelled)] * rows.table.n_features
        attributes = self._learn_columns(rows, groups, methods)
        if unlabelled:
            attributes = [_without_last_class(attribute) for attribute in attributes]
        return self._finish(rows, attributes, ModlCriterion.name, self._settings())

    def _methods(self, seen: Seen, names: Sequence[str]) -> list[Method]:
        return [self._method(seen, unlabelled=False)] * len(names)

    def _method(self, seen: Seen, *, unlabelled: bool) -> Method:
        return Method(ModlCriterion(unlabelled), ModlSearch(int(self.max_candidates)), self._limits(seen))


def _without_last_class(attribute: Attribute) -> Attribute:
    """Return the attribute without the counts of the rows that have no label."""
    return replace(
        attribute,
        class_counts=tuple(counts[:-1] for counts in attribute.class_counts),
        missing_by_class=attribute.missing_by_class[:-1],
    )
