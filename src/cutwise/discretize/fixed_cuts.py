"""Cuts that are given, not learned."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, Any, ClassVar

from cutwise.criteria import Relevance
from cutwise.discretize.plan import Plan
from cutwise.discretize.unsupervised import UnsupervisedDiscretizer
from cutwise.estimator import Choices, estimator
from cutwise.scheme import NominalAttribute, NumericAttribute
from cutwise.scheme.attribute import checked_cuts
from cutwise.search import FixedCutsSearch

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cutwise.discretize.seen import SeenTable
    from cutwise.scheme import Attribute


@estimator
class FixedCutsDiscretizer(UnsupervisedDiscretizer):
    """Cut numeric columns where you say.

    ``fit`` learns the categories of the nominal columns and counts the rows of each bin; it never
    moves a cut. The cuts are where they are given, whatever ``place`` says, and bins may be empty.

    Parameters
    ----------
    cuts : list or dict, default=()
        Finite and strictly ascending numbers. A list holds for all numeric columns; a dict
        gives lists by column.
    others : {"error", "one_bin"}, default="error"
        What to do with numeric columns that a dict does not name: refuse them, or put all their
        values into one bin. To leave columns as they are, cut the others in a
        ``ColumnTransformer`` with ``remainder="passthrough"``.
    {common}

    {attributes}

    See Also
    --------
    Scheme.with_cuts : Change some cuts of a scheme that was learned.
    FixedSchemeDiscretizer : Apply a whole scheme as it is.

    Examples
    --------
    >>> import pandas as pd
    >>> from cutwise import FixedCutsDiscretizer
    >>> table = pd.DataFrame({"age": [19, 25, 37, 70], "city": ["Bonn", "Rome", "Bonn", "Oslo"]})
    >>> FixedCutsDiscretizer({"age": [25, 65]}).fit_transform(table)
    array([[0, 0],
           [0, 2],
           [1, 0],
           [2, 1]], dtype=int32)
    """

    method_name: ClassVar[str] = "FixedCuts"
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "cuts": ["array-like", dict],
        "others": [Choices("error", "one_bin")],
    }

    cuts: Any = field(default=(), kw_only=False)
    others: str = "error"

    def _plan(self, seen: SeenTable) -> list[Plan]:
        if not isinstance(self.cuts, dict):
            search = FixedCutsSearch(checked_cuts(self.cuts, "all columns"))
            return [Plan(Relevance(), search)] * len(seen.names)
        unknown = [name for name in self.cuts if name not in set(seen.names)]
        if unknown:
            listed = ", ".join(map(repr, seen.names))
            message = f"'cuts' names the column {unknown[0]!r}, but the table has {listed}."
            raise ValueError(message)
        cuts = [checked_cuts(self.cuts.get(name, ()), f"column {name!r}") for name in seen.names]
        return [Plan(Relevance(), FixedCutsSearch(own), check=self._check_kinds) for own in cuts]

    def _check_kinds(self, attributes: Sequence[Attribute]) -> None:
        """Raise ValueError if the cuts of a numeric column are not given, or those of a nominal one are."""
        numeric = [attribute.name for attribute in attributes if isinstance(attribute, NumericAttribute)]
        without = [name for name in numeric if name not in self.cuts]
        if without and self.others == "error":
            more = f" and {len(without) - 1} more" if len(without) > 1 else ""
            message = (
                f"'cuts' does not name the numeric column {without[0]!r}{more}. Give its cuts; set others='one_bin' to "
                "put all its values into one bin; or, to leave it as it is, cut the other columns in a "
                "ColumnTransformer with remainder='passthrough'."
            )
            raise ValueError(message)
        for attribute in attributes:
            if isinstance(attribute, NominalAttribute) and len(self.cuts.get(attribute.name, ())):
                message = (
                    f"Column {attribute.name!r} holds categories, such as {attribute.labels[:2]}, and cannot be "
                    "cut. Take it out of 'cuts', or turn the column into numbers."
                )
                raise ValueError(message)
