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
    from collections.abc import Iterator, Sequence

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


def joined_scheme(schemes: Sequence[Scheme]) -> Scheme:
    """Return a scheme that has the cuts of all schemes of the same columns."""
    joined = schemes[0]
    for name in joined.names:
        if isinstance(joined[name], NumericAttribute):
            cuts = sorted({cut for scheme in schemes for cut in cast("NumericAttribute", scheme[name]).cuts})
            joined = joined.with_cuts(name, cuts)
    return joined


def as_one_mixture(members: tuple[Member, ...]) -> Mixture:
    """Return the average as one mixture: every column has the cuts of all members."""
    scheme = joined_scheme([member.scheme for member in members])
    parts = tuple(_spread(member, scheme) for member in members)
    pairs = tuple(pair for k, member in enumerate(members) for pair in _spread_pairs(member, scheme, k))
    return Mixture(scheme, members[0].classifier.classes_, parts, pairs)


def _spread(member: Member, scheme: Scheme) -> AdditivePart:
    """Return a member's terms for the cells of a finer scheme; a cell without its rows adds nothing."""
    classifier = member.classifier
    (part,) = classifier._parts()  # noqa: SLF001
    known = np.where(classifier.tables_.counts.has_rows[:, None], part.terms, 0.0)
    offsets = classifier.tables_.offsets
    terms = [known[offsets[j] + codes] for j, codes in enumerate(coarse_codes(scheme, member.scheme))]
    return AdditivePart(part.prior, np.concatenate(terms), share=member.share)


def _spread_pairs(member: Member, scheme: Scheme, part: int) -> Iterator[PairTerms]:
    """Yield the pairs of a member with the groups of the codes of a finer scheme."""
    codes = coarse_codes(scheme, member.scheme)
    for pair in member.classifier._pairs() if hasattr(member.classifier, "_pairs") else ():  # noqa: SLF001
        first, second = (of_code[codes[j]] for j, of_code in zip(pair.attributes, pair.groups, strict=True))
        yield PairTerms(pair.attributes, (first, second), pair.terms, part)


def coarse_codes(scheme: Scheme, coarse: Scheme) -> list[NDArray[np.int64]]:
    """Return the code that each code of an attribute has in a scheme with some of the cuts, for each attribute."""
    both = zip(scheme.attributes, coarse.attributes, strict=True)
    return [_coarse_codes(fine, other, scheme.missing) for fine, other in both]


def _coarse_codes(fine: Attribute, coarse: Attribute, missing: str) -> NDArray[np.int64]:
    n_fine = max(n_codes(fine, missing), 1)
    if not isinstance(fine, NumericAttribute):
        return np.arange(n_fine)
    ends = np.append(np.asarray(fine.cuts, dtype=np.float64), np.inf)
    cuts = np.asarray(cast("NumericAttribute", coarse).cuts, dtype=np.float64)
    return np.concatenate([np.searchsorted(cuts, ends), cuts.size + 1 + np.arange(n_fine - ends.size)])
