"""The average of members keeps what is promised of it."""

from __future__ import annotations

import json

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError

from cutwise import CutwiseClassifier, ExportError, ModelError
from cutwise.classify.average.reasons import mean_slopes
from cutwise.persist import model_from_json
from tests.classify.tables import FRAMES, GROUP, YES

FRAME = FRAMES["pandas"]()
FITTED = {
    (name, exportable): CutwiseClassifier(exportable=exportable).fit(FRAME, target)
    for name, target in {"two": YES, "three": GROUP}.items()
    for exportable in (False, True)
}
MODELS = pytest.mark.parametrize("model", FITTED.values(), ids=[f"{a} {b}" for a, b in FITTED])


@MODELS
def test_the_shares_add_up_and_members_of_a_group_have_the_same(model):
    assert sum(member.share for member in model.members_) == pytest.approx(1.0)
    for group in {member.group for member in model.members_}:
        own = [member.share for member in model.members_ if member.group == group]
        assert len(set(own)) == 1
        assert sum(own) == pytest.approx(round(sum(own), 2), abs=1e-12)


@MODELS
def test_probabilities_are_the_sharpened_mean_of_the_members(model):
    rows = FRAME.head(7)
    mean = sum(
        member.share * member.classifier.predict_proba(member.scheme.transform(rows)) for member in model.members_
    )
    assert model.exportable <= (model.sharpness_ == 1.0)
    sharp = mean**model.sharpness_
    assert model.predict_proba(rows) == pytest.approx(sharp / sharp.sum(axis=1, keepdims=True), abs=1e-12)


@pytest.mark.parametrize("target", [YES, GROUP], ids=["two", "three"])
def test_the_order_of_rows_does_not_matter(target):
    order = np.random.default_rng(0).permutation(len(FRAME))
    one = CutwiseClassifier().fit(FRAME, target)
    assert CutwiseClassifier().fit(FRAME.iloc[order], target[order]).to_json() == one.to_json()


def test_a_weight_is_a_number_of_rows():
    weights = np.random.default_rng(1).integers(0, 4, len(FRAME))
    rows = np.repeat(np.arange(len(FRAME)), weights)
    weighted = CutwiseClassifier().fit(FRAME, YES, sample_weight=weights)
    repeated = CutwiseClassifier().fit(FRAME.iloc[rows], YES[rows])
    assert weighted.predict_proba(FRAME) == pytest.approx(repeated.predict_proba(FRAME), abs=1e-9)


@MODELS
def test_the_explanation_adds_up(model):
    for place in range(5):
        found = model.explain(FRAME.iloc[place])
        total = found.prior + sum(item.log_odds for item in found.attributes) + sum(found.members.values())
        assert total == pytest.approx(found.score, abs=1e-9)
        proba = model.predict_proba(FRAME.iloc[[place]])[0]
        first, second = np.sort(proba)[::-1][:2]
        assert found.score == pytest.approx(np.log(first / second), abs=1e-9)
        assert (found.unsplit_share == 0.0) == model.exportable


def test_slopes_times_scores_are_the_log_odds():
    rng = np.random.default_rng(3)
    scores, shares = rng.normal(0.0, 3.0, (4, 3)), rng.dirichlet(np.ones(4))
    scores -= scores.mean(axis=1, keepdims=True)
    powers = np.exp(scores)
    mean = shares @ (powers / powers.sum(axis=1, keepdims=True))
    slopes = mean_slopes(scores, shares, 0, 2)
    assert (slopes * scores).sum() == pytest.approx(np.log(mean[0] / mean[2]), abs=1e-9)


@MODELS
def test_json_gives_the_same_probabilities(model):
    text = model.to_json()
    again = model_from_json(text)
    assert np.array_equal(again.predict_proba(FRAME), model.predict_proba(FRAME))
    assert again.to_json() == text


def test_damaged_members_are_refused():
    data = FITTED["two", False].to_dict()
    for damage, words in {
        "share": lambda body: body["members"][0].update(share=0.5),
        "scheme": lambda body: body["members"][0].update(scheme=99),
        "'sharpness' must be above 0": lambda body: body.update(sharpness=0.0),
        "cannot be": lambda body: body["members"][0]["classifier"].update(model="RVFLClassifier"),
        "nodes": lambda body: body["members"][-1]["classifier"]["learned"]["firsts"].__setitem__(0, 0),
    }.items():
        body = json.loads(json.dumps(data))
        words(body)
        with pytest.raises(ModelError, match=damage):
            CutwiseClassifier.from_dict(body)
    sums = FITTED["two", True].to_dict()
    with pytest.raises(ModelError, match="of members that are sums must be 1"):
        CutwiseClassifier.from_dict({**sums, "sharpness": 1.5})


def test_only_sums_are_exported():
    for export in ("to_sql", "to_polars", "to_onnx"):
        with pytest.raises(ExportError, match="exportable=True"):
            getattr(FITTED["two", False], export)()


@pytest.mark.parametrize("name", ["two", "three"])
def test_frames_of_polars_have_the_same_probabilities(name):
    model = FITTED[name, True]
    found = FRAMES["polars"]().lazy().pipe(model.to_polars()).collect()
    expected = model.predict_proba(FRAME)
    assert found.drop("prediction").to_numpy() == pytest.approx(expected, abs=1e-12)
    assert found["prediction"].to_list() == model.predict(FRAME).tolist()


@MODELS
def test_importances_are_those_of_the_additive_members(model):
    """The mean over the members of the absolute contributions to the training rows, a pair half for each column."""
    moved = np.zeros(FRAME.shape[1])
    covered = 0.0
    for member in model.members_:
        if not member.name.startswith("additive"):
            continue
        covered += member.share
        terms = np.abs(member.classifier.contributions(member.scheme.transform(FRAME))).mean(axis=(0, 1))
        moved += member.share * terms[: moved.size]
        for (one, two), term in zip(member.classifier.grids_.learned.pairs, terms[moved.size :], strict=True):
            moved[[one, two]] += member.share * term / 2
    assert 0.3 < covered < 0.9
    assert model.feature_importances_ == pytest.approx(moved / moved.sum(), abs=1e-12)
    assert model.feature_importances_.tobytes() == model_from_json(model.to_json()).feature_importances_.tobytes()


def test_importances_need_a_fit_and_members_to_have_them():
    with pytest.raises(NotFittedError):
        CutwiseClassifier().feature_importances_  # noqa: B018
    model = CutwiseClassifier().fit(FRAME[["weight"]] * np.nan, YES)
    assert model.feature_importances_.tolist() == [0.0]
