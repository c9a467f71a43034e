"""A table in any pieces and batches, as an engine might hand it out."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
from hypothesis import strategies as st

from cutwise.table.engines import open_source


class Pieces:
    """A source whose rows come in the given order, cut into pieces and batches at random."""

    def __init__(self, table, seed, n_pieces=3):
        random = np.random.default_rng(seed)
        order = random.permutation(table.num_rows)
        self.table = table.take(pa.array(order))
        self.names, self.kinds = tuple(table.column_names), open_source(table).kinds
        self.bounds = np.sort(random.integers(0, table.num_rows + 1, n_pieces - 1)).tolist()
        self.batch_rows = int(random.integers(1, 20))
        self.turns = random.permutation(n_pieces).tolist()
        self.n_scans = 0

    def fold(self, columns, summarise):
        self.n_scans += 1
        starts, stops = [0, *self.bounds], [*self.bounds, self.table.num_rows]
        chosen = self.table.select(list(columns))
        for turn in self.turns:
            piece = chosen.slice(starts[turn], stops[turn] - starts[turn]).combine_chunks()
            yield summarise(iter(piece.to_batches(max_chunksize=self.batch_rows)))


NUMBERS = st.one_of(
    st.integers(-3, 3).map(float),
    st.sampled_from([np.inf, -np.inf, -0.0, 0.0, np.nan, 5e-324, 1.7976931348623157e308, -999.0]),
    st.floats(-10, 10),
)


@st.composite
def arrow_tables(draw, max_rows=40):
    """Columns of doubles, whole numbers, texts and booleans, all with gaps, a target "y" and parts "part"."""
    n_rows = draw(st.integers(1, max_rows))

    def column(values, kind):
        return pa.array(draw(st.lists(values, min_size=n_rows, max_size=n_rows)), type=kind)

    labels = draw(st.sampled_from([(st.sampled_from(["b", "a", "ä"]), pa.string()), (st.integers(0, 2), pa.int8())]))
    return pa.table(
        {
            "number": column(st.none() | NUMBERS, pa.float64()),
            "whole": column(st.none() | st.integers(-5, 5), pa.int16()),
            "town": column(st.none() | st.sampled_from(["Rome", "Bern", "Oslo", ""]), pa.string()),
            "is_new": column(st.none() | st.booleans(), pa.bool_()),
            "part": column(st.integers(0, 1), pa.int32()),
            "y": column(*labels),
        }
    )
