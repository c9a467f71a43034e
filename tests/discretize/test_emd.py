"""EMD as a scikit-learn transformer."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.model_selection import cross_val_score
from sklearn.naive_bayes import CategoricalNB
from sklearn.pipeline import make_pipeline

from cutwise import C45Classifier, CheckpointError, EMDDiscretizer, NaiveBayesClassifier, Scheme, TableError
from cutwise.discretize.emd import N_STEPS
from cutwise.search.fitness import NaiveBayesErrors, TreeErrors
from tests.strategies import tables
from tests.versions import needs_callbacks

QUICK = {"population": 10, "max_evaluations": 300, "random_state": 0}


@pytest.fixture(scope="module")
def iris():
    return load_iris(return_X_y=True)


def quick(**options):
    return EMDDiscretizer(**{**QUICK, **options})


def test_defaults_are_the_published_parameters(iris):
    estimator = EMDDiscretizer()
    assert (estimator.cut_weight, estimator.population, estimator.max_evaluations) == (0.7, 50, 10_000)
    rules = estimator._search().rules
    assert (rules.redraw_rate, rules.add_rate, rules.redraw_ones) == (0.35, 0.25, 0.05)
    assert (rules.max_restarts, rules.reduction, rules.n_reductions, rules.min_bits) == (5, 0.5, 10, 1000)


def test_iris_needs_few_cuts(iris):
    """Two cuts of the petal width leave six errors and cost 0.7 * 2 + 0.3 * 2 * 6; there are better sets."""
    X, y = iris
    fitted = EMDDiscretizer(random_state=0).fit(X, y)
    n_candidates = sum(attribute.n_candidates for attribute in fitted.scheme_.attributes)
    scores = {attribute.score for attribute in fitted.scheme_.attributes}
    assert len(scores) == 1
    assert -scores.pop() * n_candidates < 0.7 * 2 + 0.3 * 2 * 6
    assert fitted.n_bins_.sum() - 4 <= 4
    assert {attribute.stop for attribute in fitted.scheme_.attributes} == {"restarts"}


def test_the_scheme_tells_how_it_was_found(iris):
    fitted = quick(cut_weight=0.5, max_bins=4, checkpoint=None, max_seconds=60.0).fit(*iris)
    scheme = fitted.scheme_
    assert scheme.method == "EMD"
    assert scheme.criterion == "negative fitness"
    assert scheme.parameters == {
        "cut_weight": 0.5,
        "population": 10,
        "max_evaluations": 300,
        "max_seconds": 60.0,
        "max_bins": 4,
        "random_state": 0,
        "classifiers": ("naive_bayes", "c45"),
        "place": "midpoint",
    }
    read = Scheme.from_json(scheme.to_json())
    assert read == scheme
    assert "fitness" in str(scheme)


@pytest.mark.parametrize(
    ("classifiers", "expected"),
    [
        (("naive_bayes", "c45"), [(NaiveBayesErrors, 1), (TreeErrors, 1)]),
        (["c45", "naive_bayes"], [(NaiveBayesErrors, 1), (TreeErrors, 1)]),
        (("naive_bayes",), [(NaiveBayesErrors, 1)]),
        (("c45",), [(TreeErrors, 1)]),
        (("naive_bayes", "naive_bayes"), [(NaiveBayesErrors, 2)]),
    ],
)
def test_whose_errors_count(iris, classifiers, expected):
    """The fitness in the scheme is that of the named classifiers on the codes."""
    X, y = iris
    fitted = quick(classifiers=classifiers).fit(X, y)
    assert fitted._search().classifiers == tuple(expected)
    scheme = fitted.scheme_
    assert scheme.parameters["classifiers"] == tuple(classifiers)
    codes = fitted.transform(X)
    errors = {
        NaiveBayesErrors: (NaiveBayesClassifier().fit(codes, y).predict(codes) != y).sum(),
        TreeErrors: (C45Classifier(nominal="all").fit(codes, y).predict(codes) != y).sum(),
    }
    wrong = sum(times * errors[kind] for kind, times in expected)
    n_candidates = sum(attribute.n_candidates for attribute in scheme.attributes)
    cost = 0.7 * (fitted.n_bins_.sum() - 4) + 0.3 * wrong
    assert -scheme.attributes[0].score * n_candidates == pytest.approx(cost, abs=1e-9)


def test_the_order_of_classifiers_does_not_matter_and_their_choice_does():
    """One column tells which way the other one points: a tree can use that, naive Bayes cannot."""
    X = np.random.default_rng(0).normal(size=(80, 2))
    y = (X[:, 0] > 0.3) ^ (X[:, 1] > -0.2)
    cuts = {
        names: [own.tolist() for own in quick(classifiers=names).fit(X, y).cuts_]
        for names in (("naive_bayes", "c45"), ("c45", "naive_bayes"), ("naive_bayes",), ("c45",))
    }
    assert cuts["naive_bayes", "c45"] == cuts["c45", "naive_bayes"]
    assert cuts["naive_bayes",] != cuts["c45",]


@pytest.mark.parametrize(
    ("classifiers", "message"),
    [
        ((), "'classifiers' must name one or more of 'naive_bayes', 'c45', but it is empty"),
        (("naive_bayes", "svm"), "but it has 'svm'"),
        ([["c45"]], r"but it has \['c45'\]"),
        ("c45", "'classifiers' parameter of EMDDiscretizer must be an instance of"),
    ],
)
def test_wrong_classifiers(iris, classifiers, message):
    with pytest.raises(ValueError, match=message):
        quick(classifiers=classifiers).fit(*iris)


def test_threads_and_repetition_give_the_same_bytes(iris):
    texts = {quick(n_jobs=n_jobs).fit(*iris).scheme_.to_json() for n_jobs in (None, 1, 2, 8, 2)}
    assert len(texts) == 1
    others = {quick(random_state=seed).fit(*iris).scheme_.to_json() for seed in range(4)}
    assert len(others) > 1


def test_any_kind_of_seed(iris):
    for random_state in (None, 3, np.int64(3), np.random.RandomState(3)):
        assert quick(random_state=random_state).fit(*iris).n_bins_.size == 4


@settings(max_examples=15)
@given(tables(max_rows=25, missing=True, values=st.integers(-3, 6).map(float)), st.data())
def test_a_weight_is_a_repeated_row(table, data):
    X, y = table
    weights = np.array(data.draw(st.lists(st.integers(0, 3), min_size=len(y), max_size=len(y)).filter(any)))
    weighted = quick(max_evaluations=60).fit(X, y, sample_weight=weights)
    repeated = quick(max_evaluations=60).fit(np.repeat(X, weights, axis=0), np.repeat(y, weights))
    assert weighted.scheme_.to_json() == repeated.scheme_.to_json()


@settings(max_examples=15)
@given(tables(max_rows=30, missing=True, values=st.integers(-3, 6).map(float)), st.randoms(use_true_random=False))
def test_neither_the_order_of_rows_nor_the_names_of_classes_matter(table, random):
    X, y = table
    rows, names = list(range(len(y))), list("abcd")
    random.shuffle(rows)
    random.shuffle(names)
    first = quick(max_evaluations=60).fit(X, y)
    second = quick(max_evaluations=60).fit(X[rows], np.array(names)[y[rows]])
    assert [cuts.tolist() for cuts in first.cuts_] == [cuts.tolist() for cuts in second.cuts_]


def test_categories_missing_and_special_values_take_part():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 200)
    X = pd.DataFrame(
        {
            "colour": pd.Categorical(np.where(y == 1, "red", "blue")),
            "size": rng.normal(size=200).round(1),
            "code": np.where(rng.random(200) < 0.5, -999.0, np.where(rng.random(200) < 0.3, np.nan, y)),
        }
    )
    fitted = quick(special_values=[-999]).fit(X, y)
    # The category tells the class, so no cut can save an error.
    assert [cuts.size for cuts in fitted.cuts_] == [0, 0, 0]
    assert fitted.scheme_["colour"].score == fitted.scheme_["size"].score == 0.0
    without = quick(special_values=[-999]).fit(X[["size", "code"]], y)
    assert without.cuts_[1].tolist() == [0.5]
    assert without.scheme_["code"].special_values == (-999.0,)


def test_only_categories():
    fitted = quick().fit(pd.DataFrame({"a": list("xyxy")}), [0, 1, 0, 1])
    assert fitted.scheme_["a"].stop == "nominal"


def test_the_deadline_is_told(iris):
    fitted = EMDDiscretizer(max_seconds=0.0, random_state=0).fit(*iris)
    assert {attribute.stop for attribute in fitted.scheme_.attributes} == {"deadline"}
    assert "time was over" in str(fitted.scheme_)


class Recorder:
    """A callback that counts what it sees and may break a fit off."""

    def __init__(self, limit=None, error=KeyboardInterrupt):
        self.ended = []
        self.limit = limit
        self.error = error

    def setup(self, estimator, context): ...

    def on_fit_task_begin(self, estimator, context): ...

    def on_fit_task_end(self, estimator, context):
        self.ended.append(context.task_name)
        if len(self.ended) == self.limit:
            raise self.error

    def teardown(self, estimator, context):
        self.ended.append("teardown")


@needs_callbacks
def test_callbacks_see_the_share_of_evaluations(iris):
    recorder = Recorder()
    quick().set_callbacks(recorder).fit(*iris)
    assert recorder.ended == ["evaluations"] * N_STEPS + ["fit", "teardown"]


@needs_callbacks
def test_callbacks_when_all_sets_are_tried():
    recorder = Recorder()
    EMDDiscretizer().set_callbacks(recorder).fit([[1.0], [2.0], [3.0]], [0, 1, 0])
    assert recorder.ended == ["evaluations"] * N_STEPS + ["fit", "teardown"]


@needs_callbacks
def test_progress_bar(iris):
    from sklearn.callback import ProgressBar

    quick().set_callbacks(ProgressBar()).fit(*iris)


@needs_callbacks
def test_a_fit_goes_on_where_it_was_broken_off(iris, tmp_path):
    path = tmp_path / "emd.json"
    whole = quick().fit(*iris).scheme_
    fitted = quick(checkpoint=path)
    recorder = Recorder(limit=40)
    with pytest.raises(KeyboardInterrupt):
        fitted.set_callbacks(recorder).fit(*iris)
    assert recorder.ended[-1] == "teardown"
    assert not hasattr(fitted, "scheme_")
    done = json.loads(path.read_text())["state"]["evaluations"]
    assert 0 < done < 300
    assert quick(checkpoint=str(path)).fit(*iris).scheme_.to_json() == whole.to_json()
    # Once more: the search is over, and its result is read from the file.
    assert quick(checkpoint=path).fit(*iris).scheme_.to_json() == whole.to_json()


def test_a_checkpoint_belongs_to_one_table(iris, tmp_path):
    X, y = iris
    estimator = quick(checkpoint=tmp_path / "emd.json").fit(X, y)
    before = estimator.scheme_
    for table, labels in ((X[:-1], y[:-1]), (X + 1, y), (X[:, ::-1], y)):
        with pytest.raises(CheckpointError, match=r"another search.*a file of its own"):
            estimator.fit(table, labels)
    assert estimator.scheme_ is before
    with pytest.raises(CheckpointError, match="another search"):
        clone(estimator).set_params(cut_weight=0.6).fit(X, y)


@pytest.mark.parametrize("other", [("naive_bayes",), ("c45",), ("naive_bayes", "c45", "c45")])
def test_a_checkpoint_belongs_to_its_classifiers(iris, tmp_path, other):
    path = tmp_path / "emd.json"
    quick(checkpoint=path).fit(*iris)
    before = path.read_bytes()
    with pytest.raises(CheckpointError, match="the parameters differ"):
        quick(checkpoint=path, classifiers=other).fit(*iris)
    assert path.read_bytes() == before
    quick(checkpoint=path, classifiers=["c45", "naive_bayes"]).fit(*iris)
    assert path.read_bytes() == before


def test_numpy_numbers_are_numbers(iris, tmp_path):
    path = tmp_path / "emd.json"
    first = quick(checkpoint=path, max_bins=4, min_bin_size=3).fit(*iris).scheme_
    numbers = {
        "max_bins": np.int64(4),
        "min_bin_size": np.int64(3),
        "population": np.int32(10),
        "cut_weight": np.float64(0.7),
    }
    assert quick(checkpoint=path, **numbers).fit(*iris).scheme_.to_json() == first.to_json()


def test_in_a_pipeline(iris):
    X, y = iris
    model = make_pipeline(quick(), CategoricalNB(min_categories=60))
    assert cross_val_score(model, X, y, cv=3).mean() > 0.85


@pytest.mark.parametrize(
    "wrong", [{"cut_weight": 1.5}, {"population": 1}, {"max_evaluations": 0}, {"max_seconds": -1.0}, {"checkpoint": 3}]
)
def test_wrong_parameters(iris, wrong):
    with pytest.raises(ValueError, match=next(iter(wrong))):
        EMDDiscretizer(**wrong).fit(*iris)


def test_too_many_classes_are_an_error_that_says_what_to_do():
    rows = np.arange(30_000)
    with pytest.raises(TableError, match="Join classes"):
        EMDDiscretizer().fit(rows[:, None], (rows % 10_000).astype(str))
