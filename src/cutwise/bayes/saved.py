"""What is written about a naive Bayes classifier."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from cutwise.bayes.sample import first_cells
from cutwise.bayes.tables import Counts, Tables
from cutwise.models import CodeModel, Field

if TYPE_CHECKING:
    from collections.abc import Mapping

# A class that was announced but never seen has the prior probability 0, written as null.
TABLES = {
    "class_counts": Field(("classes",), low=0.0),
    "cell_counts": Field(("cells", "classes"), low=0.0),
    "log_prior": Field(("classes",), high=0.0, null=-math.inf),
    "log_likelihood": Field(("cells", "classes")),
}


class BayesModel(CodeModel):
    """The base of the naive Bayes classifiers that are written to JSON.

    A subclass lists in ``_learned`` what it learns beyond the tables.
    """

    tables_: Tables

    _learned: ClassVar[Mapping[str, Field] | None] = None

    @classmethod
    def _fields(cls) -> Mapping[str, Field]:
        return {**TABLES, **super()._fields()}

    def _get_learned(self) -> dict[str, Any]:
        tables = self.tables_
        values = (tables.counts.of_class, tables.counts.of_cell, tables.log_prior, tables.log_likelihood)
        return {**dict(zip(TABLES, values, strict=True)), **super()._get_learned()}

    def _set_learned(self, learned: dict[str, Any]) -> None:
        counts = Counts(learned["class_counts"], learned["cell_counts"], first_cells(self.n_bins_))
        log_likelihood = np.where(counts.has_rows[:, None], learned["log_likelihood"], 0.0)
        self.tables_ = Tables(counts, learned["log_prior"], log_likelihood)
        super()._set_learned({name: value for name, value in learned.items() if name not in TABLES})
