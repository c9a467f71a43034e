"""Folds: stratified, seeded, the same for every method, or from a file."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutwise import TableError
from cutwise.paper.evaluate import FoldProtocol


@given(st.lists(st.sampled_from("abc"), min_size=1, max_size=60), st.integers(2, 10), st.integers(0, 5))
def test_every_fold_gets_its_share_of_each_class(labels, n_folds, repeat):
    y = np.array(labels)
    folds = FoldProtocol(n_folds=n_folds).folds("toy", y, repeat)
    for label in set(labels):
        sizes = np.bincount(folds[y == label], minlength=n_folds)
        assert sizes.max() - sizes.min() <= 1
    sizes = np.bincount(folds, minlength=n_folds)
    assert sizes.max() - sizes.min() <= 1


def test_repeats_and_seeds_deal_differently():
    y = np.array(["a", "b"] * 50)
    dealt = {tuple(FoldProtocol(seed=seed).folds("toy", y, repeat)) for seed, repeat in ((0, 0), (0, 1), (7, 0))}
    assert len(dealt) == 3
    assert FoldProtocol(seed=1).folds("toy", y, 0).tolist() == FoldProtocol(seed=0).folds("toy", y, 1).tolist()


def test_method_seeds_differ_between_folds_and_repeats():
    protocol = FoldProtocol(n_folds=10)
    seeds = [protocol.method_seed(repeat, fold) for repeat in range(3) for fold in range(10)]
    assert len(set(seeds)) == 30


def test_folds_of_a_file(tmp_path):
    (tmp_path / "toy.csv").write_text("0,1\n1,0\n1,1\n0,0\n")
    protocol = FoldProtocol(n_folds=2, folder=str(tmp_path))
    y = np.array(["a", "b", "a", "b"])
    assert protocol.folds("toy", y, 0).tolist() == [0, 1, 1, 0]
    assert protocol.folds("toy", y, 1).tolist() == [1, 0, 1, 0]
    assert protocol.folds("other", y, 0).tolist() == FoldProtocol(n_folds=2).folds("other", y, 0).tolist()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("0\n1\n", "2 lines for 4 rows"),
        ("0\n1\n2\n0\n", "line 3, has the fold '2'"),
        ("0\n1\n-1\n0\n", "line 3, has the fold '-1'"),
        ("0\n1\nx\n0\n", "line 3, has the fold 'x'"),
        ("0\n0\n0\n0\n", "no row in fold 1"),
    ],
)
def test_wrong_files(tmp_path, text, message):
    (tmp_path / "toy.csv").write_text(text)
    protocol = FoldProtocol(n_folds=2, folder=str(tmp_path))
    with pytest.raises(TableError, match=message):
        protocol.folds("toy", np.array(["a", "b", "a", "b"]), 0)
    (tmp_path / "toy.csv").write_text("0\n1\n0\n1\n")
    with pytest.raises(TableError, match="1 columns; repeat 1"):
        protocol.folds("toy", np.array(["a", "b", "a", "b"]), 1)
