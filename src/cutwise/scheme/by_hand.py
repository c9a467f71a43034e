"""Bins set by hand: what a scheme with other cuts or groups is."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from cutwise.scheme.attribute import attribute_with_cuts, attribute_with_groups

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cutwise.scheme.attribute import Attribute, Category
    from cutwise.scheme.scheme import Scheme


class EditableBins:
    """The methods of a scheme that return it with other bins, or with other counts of them."""

    attributes: tuple[Attribute, ...]
    criterion: str

    def __getitem__(self, name: str) -> Attribute:
        """Return the attribute of that name."""
        raise NotImplementedError

    def with_cuts(self, name: str, cuts: Iterable[float]) -> Scheme:
        """Return a scheme in which a numeric attribute has other cuts; it is marked as edited.

        Cuts that were there before join bins, whose counts add up. A new cut divides a bin whose
        rows the scheme does not hold: the counts of both halves are not known (NaN), until
        `recount` counts rows. The relevance is that of the counts, 0 if some are not known; the
        other scores are dropped (0).

        Parameters
        ----------
        name : str
            The attribute.
        cuts : iterable of float
            Finite and strictly ascending; empty for a single bin.

        Examples
        --------
        >>> from cutwise import EqualWidthDiscretizer
        >>> scheme = EqualWidthDiscretizer(4).fit([[1], [2], [3], [9]]).scheme_
        >>> scheme["x0"].cuts, scheme["x0"].rows
        ((3.0, 5.0, 7.0), (3, 0, 0, 1))
        >>> joined = scheme.with_cuts("x0", [5])
        >>> joined["x0"].cuts, joined["x0"].rows, joined["x0"].edited
        ((5.0,), (3, 1), True)
        """
        edited = attribute_with_cuts(self[name], cuts, self.criterion)
        if edited.cuts == getattr(self[name], "cuts", None):
            return cast("Scheme", self)
        return self._with_attribute(edited)

    def with_groups(self, name: str, groups: Iterable[Iterable[Category]]) -> Scheme:
        """Return a scheme in which the categories of a nominal attribute share bins otherwise; it is marked as edited.

        Groups that are joined have the sum of their counts. Where a group is divided, the counts of its
        parts are not known (NaN), until `recount` counts rows; scores are dropped as by `with_cuts`.

        Parameters
        ----------
        name : str
            The attribute.
        groups : iterable of iterables
            The categories of each bin, in the order of the codes; each category once.

        Examples
        --------
        >>> from cutwise import MDLPDiscretizer
        >>> scheme = MDLPDiscretizer().fit([["a"], ["b"], ["c"]] * 2, [0, 1, 1] * 2).scheme_
        >>> joined = scheme.with_groups("x0", [["a"], ["b", "c"]])
        >>> joined["x0"].labels, joined["x0"].class_counts
        (('a', '{b, c}'), ((2, 0), (0, 4)))
        """
        edited = attribute_with_groups(self[name], groups, self.criterion)
        if edited.groups == getattr(self[name], "groups", None):
            return cast("Scheme", self)
        return self._with_attribute(edited)

    def _with_attribute(self, edited: Attribute) -> Scheme:
        return replace(
            cast("Scheme", self),
            attributes=tuple(edited if old.name == edited.name else old for old in self.attributes),
        )

    def recount(self, X: Any, y: Any = None, sample_weight: Any = None) -> Scheme:
        """Return the same bins with the counts of these rows.

        The relevance is that of the new counts; an attribute whose counts change loses its other
        scores (0), which tell of the rows that the search saw.

        Parameters
        ----------
        X : table or array-like of shape (n_samples, n_features)
            The columns of a table are found by name, and it may have others.
        y : array-like of shape (n_samples,), optional
            The classes of the rows; only a scheme that was learned without classes needs none.
        sample_weight : array-like of shape (n_samples,), optional
            How often each row counts, or relative weights if those of training were.

        Examples
        --------
        >>> from cutwise import EqualWidthDiscretizer
        >>> X = [[1], [2], [3], [9]]
        >>> edited = EqualWidthDiscretizer(4).fit(X).scheme_.with_cuts("x0", [2, 5])
        >>> edited["x0"].rows, edited.recount(X)["x0"].rows
        ((nan, nan, 1), (2, 1, 1))
        """
        from cutwise.scheme.new_rows import recounted  # noqa: PLC0415

        return recounted(cast("Scheme", self), X, y, sample_weight)
