"""The paper's data sets, read like anybody's CSV files, are the same tables as by their names."""

from __future__ import annotations

import pytest

from cutwise.paper import datasets
from cutwise.table.columns import is_missing
from cutwise.table.frames import items_of, names_of
from cutwise.table.reading import ReadSettings, read_table


def plain(items):
    return [None if is_missing(item) else item for item in items]


@pytest.mark.parametrize("name", datasets.names())
def test_files_and_names_agree(paper_data, name):
    about = datasets.describe(name)
    *columns, label = (paper_data / about.file).read_text().splitlines()[0].split(",")
    settings = ReadSettings(missing=("",), texts=frozenset({*about.nominal, label}))
    frame = read_table(paper_data / about.file, settings)
    expected = datasets.load(name, folder=paper_data)
    assert names_of(frame)[:-1] == names_of(expected.X) == columns
    for column in columns:
        assert plain(items_of(frame, column)) == plain(items_of(expected.X, column))
    assert items_of(frame, label) == expected.y.tolist()
