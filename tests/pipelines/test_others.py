"""Discretizers and classifiers as parts of what other people's estimators do."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.calibration import CalibratedClassifierCV
from sklearn.ensemble import AdaBoostClassifier
from sklearn.feature_selection import SelectFromModel
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

from cutwise import (
    AdditiveClassifier,
    AODEClassifier,
    C45Classifier,
    DiscretizedClassifier,
    EqualFrequencyDiscretizer,
    EqualWidthDiscretizer,
    MDLPDiscretizer,
    MRmDDiscretizer,
    MRmDRNBClassifier,
    NaiveBayesClassifier,
    RNBClassifier,
    WANBIAClassifier,
)
from cutwise.errors import TableError

RNG = np.random.default_rng(0)
TABLE = pd.DataFrame(
    {
        "noise": RNG.normal(size=400),
        "age": RNG.integers(18, 80, 400).astype(float),
        "debt": RNG.gamma(2.0, 10.0, 400),
        "more noise": RNG.normal(size=400),
    }
)
Y = np.where(RNG.random(400) < 0.1 + 0.5 * (TABLE["age"] < 40) + 0.3 * (TABLE["debt"] > 25), "late", "in time")


class TestImportances:
    @pytest.mark.parametrize(
        "model",
        [
            MRmDDiscretizer(),
            EqualFrequencyDiscretizer(4),
            DiscretizedClassifier(MDLPDiscretizer(), NaiveBayesClassifier()),
            DiscretizedClassifier(EqualWidthDiscretizer(4), WANBIAClassifier()),
            MRmDRNBClassifier(),
        ],
        ids=repr,
    )
    def test_columns_are_selected_by_them(self, model):
        selected = SelectFromModel(model, max_features=2, threshold=-np.inf).set_output(transform="pandas")
        assert list(selected.fit(TABLE, Y).transform(TABLE)) == ["age", "debt"]
        shares = selected.estimator_.feature_importances_
        assert shares.shape == (4,)
        assert shares.sum() == pytest.approx(1.0)
        assert shares.min() >= 0.0

    def test_the_relevance_of_the_bins(self):
        fitted = MDLPDiscretizer().fit(TABLE, Y)
        relevance = np.array([attribute.relevance for attribute in fitted.scheme_.attributes])
        np.testing.assert_allclose(fitted.feature_importances_, relevance / relevance.sum())
        assert (
            MDLPDiscretizer().partial_fit(TABLE, Y).feature_importances_.tolist()
            == fitted.feature_importances_.tolist()
        )

    def test_what_naive_bayes_adds(self):
        X = np.array([[0, 0], [0, 1], [1, 0], [1, 1]] * 5)
        y = X[:, 0]
        model = NaiveBayesClassifier().fit(X, y)
        added = model.contributions(X)
        moved = np.abs(added - added.mean(axis=1, keepdims=True)).mean(axis=(0, 1))
        np.testing.assert_allclose(model.feature_importances_, moved / moved.sum(), atol=1e-15)
        assert model.feature_importances_[0] == pytest.approx(1.0)
        assert RNBClassifier().fit(X, y).feature_importances_[0] == pytest.approx(1.0)
        assert not NaiveBayesClassifier().fit(X[:, 1:], y).feature_importances_.any()

    def test_where_there_are_none(self):
        for model in (
            EqualWidthDiscretizer(4).fit(TABLE),
            MRmDDiscretizer(columns=["age"]).fit(TABLE, Y),
            AODEClassifier().fit([[0, 1], [1, 0]], [0, 1]),
            DiscretizedClassifier(None, C45Classifier()).fit(TABLE, Y),
            MRmDDiscretizer(),
            MRmDRNBClassifier(),
        ):
            assert not hasattr(model, "feature_importances_")


def test_probabilities_are_calibrated():
    for model in (MRmDRNBClassifier(), DiscretizedClassifier(MDLPDiscretizer(), NaiveBayesClassifier())):
        for ensemble in (True, False):
            calibrated = CalibratedClassifierCV(model, cv=3, ensemble=ensemble).fit(TABLE, Y)
            chances = calibrated.predict_proba(TABLE)
            np.testing.assert_allclose(chances.sum(axis=1), 1.0)
            late = chances[:, calibrated.classes_.tolist().index("late")]
            assert abs(late.mean() - (Y == "late").mean()) < 0.05


def test_boosting_by_weights():
    model = DiscretizedClassifier(MDLPDiscretizer(max_bins=2), NaiveBayesClassifier(), weights="relative")
    boosted = AdaBoostClassifier(model, n_estimators=5, random_state=0).fit(TABLE, Y)
    assert boosted.score(TABLE, Y) > 0.7
    assert boosted.feature_importances_.argmax() in (1, 2)
    assert not boosted.feature_importances_[[0, 3]].any()
    on_codes = make_pipeline(
        MDLPDiscretizer(), AdaBoostClassifier(NaiveBayesClassifier(weights="relative"), n_estimators=5)
    )
    assert on_codes.fit(TABLE, Y).score(TABLE, Y) > 0.7


def test_sparse_tables_are_refused_in_one_sentence():
    table = sparse.csr_array(TABLE.to_numpy())
    for model in (MRmDDiscretizer(), MRmDRNBClassifier(), AdditiveClassifier()):
        with pytest.raises(TypeError, match=r"Sparse data was passed.*'\.toarray\(\)'"):
            model.fit(table, Y)
    with pytest.raises(TypeError, match=r"Sparse data was passed.*'\.toarray\(\)'"):
        MRmDDiscretizer().fit(TABLE.to_numpy(), Y).transform(table)


def test_dates_are_refused_with_a_way_out():
    when = pd.date_range("2024-01-01", periods=400)
    words = "Column 'when' .*days since a day of your choice"
    with pytest.raises(TableError, match=words):
        MRmDDiscretizer().fit(TABLE.assign(when=when), Y)
    with pytest.raises(TableError, match=r"Column 'x0' holds dates or durations .*days since a day of your choice"):
        MRmDDiscretizer().fit(when.to_numpy()[:, None], Y)
    passed = MRmDDiscretizer(columns=["age"]).set_output(transform="pandas").fit(TABLE.assign(when=when), Y)
    assert passed.transform(TABLE.assign(when=when))["when"].tolist() == when.tolist()


def test_skrub_prepares_the_table():
    skrub = pytest.importorskip("skrub", reason="skrub is not installed")
    table = TABLE.assign(when=pd.date_range("2024-01-01", periods=400), city=RNG.choice(["Rome", "Oslo"], 400))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        vectorizer = skrub.TableVectorizer(numeric=EqualFrequencyDiscretizer(4, encode="onehot-dense"), datetime="drop")
        chained = make_pipeline(vectorizer, LogisticRegression(max_iter=1000)).fit(table, Y)
        assert chained.score(table, Y) > 0.7
        assert [name for name in chained[0].get_feature_names_out() if name.startswith("age_(")]
        first = make_pipeline(skrub.TableVectorizer(), MRmDRNBClassifier()).fit(table, Y)
        assert first.score(table, Y) > 0.7


def test_shap_explains_the_probabilities():
    shap = pytest.importorskip("shap", reason="shap is not installed")
    model = MRmDRNBClassifier().fit(TABLE, Y)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        explainer = shap.Explainer(model.predict_proba, TABLE.head(50), seed=0)
        found = explainer(TABLE.head(5))
    assert found.values.shape == (5, 4, 2)
    np.testing.assert_allclose(
        found.base_values + found.values.sum(axis=1), model.predict_proba(TABLE.head(5)), atol=1e-6
    )
