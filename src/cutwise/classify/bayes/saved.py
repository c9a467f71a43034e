"""What is written about a naive Bayes classifier."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from cutwise.classify.bayes.sample import first_cells
from cutwise.classify.bayes.tables import CellCounts, ProbabilityTables
from cutwise.persist import CodeModel, LearnedField

if TYPE_CHECKING:
    from collections.abc import Mapping

# A class that was announced but never seen has the prior probability 0, written as null.
TABLES = {
    "class_counts": LearnedField(("classes",), low=0.0),
    "cell_counts": LearnedField(("cells", "classes"), low=0.0),
    "log_prior": LearnedField(("classes",), high=0.0, null=-math.inf),
    "log_likelihood": LearnedField(("cells", "classes")),
}


class BayesModel(CodeModel):
    """The base of the naive Bayes classifiers that are written to JSON.

    A subclass lists in ``_learned`` what it learns beyond the tables.
    """

    tables_: ProbabilityTables

    _learned: ClassVar[Mapping[str, LearnedField] | None] = None

    @classmethod
    def _fields(cls) -> Mapping[str, LearnedField]:
        return {**TABLES, **super()._fields()}

    def _get_learned(self) -> dict[str, Any]:
        tables = self.tables_
        values = (tables.counts.of_class, tables.counts.of_cell, tables.log_prior, tables.log_likelihood)
        return {**dict(zip(TABLES, values, strict=True)), **super()._get_learned()}

    def _set_learned(self, learned: dict[str, Any]) -> None:
        counts = CellCounts(learned["class_counts"], learned["cell_counts"], first_cells(self.n_bins_))
        log_likelihood = np.where(counts.has_rows[:, None], learned["log_likelihood"], 0.0)
        self.tables_ = ProbabilityTables(counts, learned["log_prior"], log_likelihood)
        super()._set_learned({name: value for name, value in learned.items() if name not in TABLES})
