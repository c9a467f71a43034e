"""Members with different bins as one mixture on the bins of all of them."""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from cutwise.classify.base import code_counts
from cutwise.classify.bayes.contributions import AdditivePart
from cutwise.classify.bayes.sample import first_cells
from cutwise.export.contents import PairTerms
from cutwise.scheme import NumericAttribute, n_codes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from cutwise.classify.average.members import Member
    from cutwise.scheme import Attribute, Scheme


@dataclass(frozen=True, eq=False)
class Mixture:
    """What exports want of a classifier of codes: its parts and where the cells of each attribute begin."""

    scheme: Scheme
    classes_: NDArray[Any]
    parts: tuple[AdditivePart, ...]
    pairs: tuple[PairTerms, ...]

    @property
    def tables_(self) -> Any:
        """The first cell of each attribute."""
        return SimpleNamespace(offsets=first_cells(np.array(code_counts(self.scheme), dtype=np.int64)))

    def _parts(self) -> tuple[AdditivePart, ...]:
        return self.parts

    def _pairs(self) -> tuple[PairTerms, ...]:
        return self.pairs


def as_one_mixture(members: tuple[Member, ...]) -> Mixture:
    """Return the average as one mixture: every column has the cuts of all members."""
    scheme = members[0].scheme
    for name in scheme.names:
        if isinstance(scheme[name], NumericAttribute):
            cuts = sorted({cut for member in members for cut in cast("NumericAttribute", member.scheme[name]).cuts})
            scheme = scheme.with_cuts(name, cuts)
    parts = tuple(_spread(member, scheme) for member in members)
    pairs = tuple(pair for k, member in enumerate(members) for pair in _spread_pairs(member, scheme, k))
    return Mixture(scheme, members[0].classifier.classes_, parts, pairs)


def _spread(member: Member, scheme: Scheme) -> AdditivePart:
    """Return a member's terms for the cells of a finer scheme; a cell without its rows adds nothing."""
    classifier = member.classifier
    (part,) = classifier._parts()  # noqa: SLF001
    known = np.where(classifier.tables_.counts.has_rows[:, None], part.terms, 0.0)
    offsets = classifier.tables_.offsets
    terms = [
        known[offsets[j] + _coarse_codes(fine, coarse, scheme.missing)]
        for j, (fine, coarse) in enumerate(zip(scheme.attributes, member.scheme.attributes, strict=True))
    ]
    return AdditivePart(part.prior, np.concatenate(terms), share=member.share)


def _spread_pairs(member: Member, scheme: Scheme, part: int) -> Iterator[PairTerms]:
    """Yield the pairs of a member with the groups of the codes of a finer scheme."""
    for pair in member.classifier._pairs() if hasattr(member.classifier, "_pairs") else ():  # noqa: SLF001
        groups = [
            of_code[_coarse_codes(scheme.attributes[j], member.scheme.attributes[j], scheme.missing)]
            for j, of_code in zip(pair.attributes, pair.groups, strict=True)
        ]
        yield PairTerms(pair.attributes, (groups[0], groups[1]), pair.terms, part)


def _coarse_codes(fine: Attribute, coarse: Attribute, missing: str) -> NDArray[np.int64]:
    """Return the member's code for each code of the finer bins."""
    n_fine = max(n_codes(fine, missing), 1)
    if not isinstance(fine, NumericAttribute):
        return np.arange(n_fine)
    ends = np.append(np.asarray(fine.cuts, dtype=np.float64), np.inf)
    cuts = np.asarray(cast("NumericAttribute", coarse).cuts, dtype=np.float64)
    return np.concatenate([np.searchsorted(cuts, ends), cuts.size + 1 + np.arange(n_fine - ends.size)])
