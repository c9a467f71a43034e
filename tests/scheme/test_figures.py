"""The figures of bins: by hand, against scikit-learn and scipy, and what bins without rows say."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy import stats
from sklearn.metrics import roc_auc_score

from cutwise import EqualFrequencyDiscretizer, FixedCutsDiscretizer, MDLPDiscretizer
from cutwise.criteria import weight_of_evidence
from cutwise.errors import SchemeError
from cutwise.scheme.figures import bin_figures, gini, kolmogorov_smirnov

PAIRS = st.lists(st.tuples(st.integers(0, 50), st.integers(0, 50)), min_size=1, max_size=8)


def rows_of(pairs):
    """Return the bin and the event of every row."""
    bins = np.repeat(np.arange(len(pairs)), [sum(pair) for pair in pairs])
    events = np.concatenate([[1] * e + [0] * o for e, o in pairs]) if pairs else np.empty(0)
    return bins, events


def test_figures_by_hand():
    first, second = bin_figures([(1, 9), (4, 6)], smoothing=0)
    assert (first.events, first.rate, first.share) == (1, 0.1, 0.5)
    assert first.woe == pytest.approx(np.log((9 / 15) / (1 / 5)))
    assert second.woe == pytest.approx(np.log((6 / 15) / (4 / 5)))
    assert first.iv == pytest.approx((9 / 15 - 1 / 5) * first.woe)
    assert (first.cumulative_events, first.cumulative_others) == pytest.approx((0.2, 0.6))
    smoothed = bin_figures([(1, 9), (4, 6)])
    assert smoothed[0].woe == pytest.approx(np.log((9.5 / 16) / (1.5 / 6)))
    assert [one.woe for one in bin_figures([(1, 9), (4, 6)], positive="event")] == [-one.woe for one in smoothed]


@given(PAIRS)
@example([(1, 1)])
def test_gini_and_ks_are_those_of_the_rates_as_a_score(pairs):
    bins, events = rows_of(pairs)
    if len(set(events.tolist())) < 2:
        assert gini(pairs) is None
        assert kolmogorov_smirnov(pairs) is None
        return
    score = np.array([e / (e + o) if e + o else 0.0 for e, o in pairs])[bins]
    assert gini(pairs) == pytest.approx(2 * roc_auc_score(events, score) - 1)
    # Its p-value, which nobody asks for, divides by zero if there is one row of each.
    with np.errstate(divide="ignore"):
        found = stats.ks_2samp(score[events == 1], score[events == 0], method="asymp").statistic
    assert kolmogorov_smirnov(pairs) == pytest.approx(found)


@given(PAIRS, st.sampled_from([0, 0.5]))
def test_bins_without_rows_weigh_nothing(pairs, smoothing):
    found = bin_figures([*pairs, (0, 0)], smoothing)
    assert (found[-1].woe, found[-1].iv, found[-1].rate) == (0.0, 0.0, None)
    assert [one.woe for one in found[:-1]] == [one.woe for one in bin_figures(pairs, smoothing)]
    assert all(np.isfinite(one.woe) and one.iv >= 0 for one in found)


@given(PAIRS)
def test_without_smoothing_a_full_bin_has_the_plain_weight(pairs):
    events, others = (sum(pair[k] for pair in pairs) for k in (0, 1))
    for (e, o), weight in zip(pairs, weight_of_evidence(pairs, 0).weights, strict=True):
        if e and o:
            assert weight == pytest.approx(np.log((o / others) / (e / events)))


def table(n=800):
    random = np.random.default_rng(3)
    X = pd.DataFrame({"x": random.normal(size=n), "city": random.choice(["Bonn", "Oslo", "Rome"], n)})
    y = np.where(random.random(n) < 1 / (1 + np.exp(2 - X["x"])), "bad", "good")
    X.loc[::7, "x"], X.loc[::11, "x"] = np.nan, -9
    return X, y


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_one_row_for_each_bin_with_all_figures(library):
    X, y = table()
    scheme = MDLPDiscretizer(special_values={"x": [-9]}).fit(X, y).scheme_
    frame = scheme.to_frame(library)
    frame = frame if library == "pandas" else frame.to_pandas()
    assert len(frame) == scheme["x"].n_bins + 1 + 3
    assert frame.groupby("attribute")[["share"]].sum()["share"].tolist() == pytest.approx([1.0, 1.0])
    assert frame.groupby("attribute")["events"].sum().tolist() == [(y == "bad").sum()] * 2
    assert (frame["rate"] == frame["events"] / frame["rows"]).all()
    assert set(frame["event"]) == {"bad"}
    assert set(frame["woe_sign"]) == {"ln(others / events)"}
    turned = scheme.to_frame("pandas", positive="event")
    assert (turned["woe"] == -frame["woe"]).all()
    assert set(turned["woe_sign"]) == {"ln(events / others)"}
    x = frame[frame["attribute"] == "x"]
    assert x["bin"].tolist()[-2:] == ["-9", "missing"]
    assert x["p_value_next"].isna().tolist() == [False] * (len(x) - 3) + [True] * 3
    tested = np.array(scheme["x"].class_counts[:2])
    assert x["p_value_next"].iloc[0] == pytest.approx(stats.chi2_contingency(tested, correction=False).pvalue)
    assert x[["cumulative_events", "cumulative_others"]].iloc[-1].tolist() == [1.0, 1.0]


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_one_row_for_each_attribute(library):
    X, y = table()
    scheme = MDLPDiscretizer(special_values={"x": [-9]}, confirm=0.05).fit(X, y).scheme_
    summary = scheme.summary(library)
    summary = summary if library == "pandas" else summary.to_pandas()
    bins = scheme.to_frame("pandas")
    assert summary["attribute"].tolist() == ["x", "city"]
    assert summary["bins"].tolist() == [scheme["x"].n_bins, 3]
    assert summary["missing"].tolist() == [X["x"].isna().sum(), 0]
    assert summary["iv"].tolist() == pytest.approx(bins.groupby("attribute", sort=False)["iv"].sum().tolist())
    codes = MDLPDiscretizer(special_values={"x": [-9]}, confirm=0.05, missing="bin").fit(X, y).transform(X)
    for j, (_, line) in enumerate(summary.iterrows()):
        rates = pd.Series(y == "bad").groupby(codes[:, j]).mean()
        assert line["gini"] == pytest.approx(2 * roc_auc_score(y == "bad", rates[codes[:, j]]) - 1)
    assert summary["trend"].iloc[0] == "increasing"
    assert summary["trend"].isna().tolist() == [False, True]
    assert summary["confirmed"].iloc[0] == "yes"
    assert summary["confirmed"].isna().tolist() == [False, True]


@pytest.mark.parametrize(
    ("rates", "trend"),
    [
        ([1, 2, 3], "increasing"),
        ([3, 3, 1], "decreasing"),
        ([1, 3, 2], "peak"),
        ([3, 1, 1, 2], "valley"),
        ([1, 3, 2, 4], "mixed"),
        ([2, 2], "flat"),
        ([2], None),
    ],
)
def test_trends(rates, trend):
    X = [[b] for b, rate in enumerate(rates) for _ in range(10)]
    y = [int(i < rate) for rate in rates for i in range(10)]
    scheme = FixedCutsDiscretizer([b + 0.5 for b in range(len(rates) - 1)], event=1).fit(X, y).scheme_
    assert scheme.summary("polars")["trend"].to_list() == [trend]


def test_several_classes_are_weighed_one_against_the_rest():
    X, y = table()
    y = np.where(X["city"] == "Bonn", "none", y)
    scheme = MDLPDiscretizer().fit(X, y).scheme_
    frame = scheme.to_frame("pandas")
    assert frame[["event", "events", "rate", "woe"]].isna().all(axis=None)
    total = 0.0
    for label in scheme.classes:
        own = MDLPDiscretizer(event=label).fit(X, y).scheme_.to_frame("pandas")
        assert frame[f"woe of {label}"].tolist() == own["woe"].tolist()
        assert own["iv"].notna().all()
        total = total + own["iv"]
    assert frame["iv"].tolist() == pytest.approx(total.tolist())
    assert scheme.summary("pandas")["gini"].isna().all()


def test_what_is_not_known_is_not_told():
    X, y = table()
    edited = MDLPDiscretizer().fit(X, y).scheme_.with_cuts("x", [0.123])
    frame, summary = edited.to_frame("pandas"), edited.summary("pandas")
    assert frame[frame["attribute"] == "x"][["share", "events", "rate", "woe", "iv"]].isna().all(axis=None)
    assert summary[["iv", "gini", "ks", "relevance", "trend"]].iloc[0].isna().all()
    without = EqualFrequencyDiscretizer(3).fit(X).scheme_
    assert without.to_frame("pandas")[["event", "woe", "iv", "p_value_next"]].isna().all(axis=None)
    assert without.summary("pandas")[["iv", "gini", "ks", "trend"]].isna().all(axis=None)


def test_notebooks_show_class_rates_and_figures():
    X, y = table()
    scheme = MDLPDiscretizer().fit(X, y).scheme_
    page = scheme._repr_html_()
    line = scheme.summary("polars").row(0, named=True)
    for text in ("IV", "Gini", "KS", f"{line['iv']:.3f}", f"{line['gini']:.3f}", f"{line['ks']:.3f}", "increasing"):
        assert f"<bdi>{text}</bdi>" in page
    for frame_line in scheme.to_frame("polars").iter_rows(named=True):
        assert f"<bdi>{frame_line['rate']:.1%}</bdi>" in page
        assert f"<bdi>{frame_line['woe']:+.3f}</bdi>" in page
    assert page.count("<details>") == 2
    assert "<script>" not in MDLPDiscretizer().fit(X.rename(columns={"x": "<script>"}), y).scheme_._repr_html_()


def test_settings_that_there_are_not():
    X, y = table()
    scheme = MDLPDiscretizer().fit(X, y).scheme_
    with pytest.raises(SchemeError, match=r"'smoothing' must be 0.5 or 0, not 0.3"):
        scheme.to_frame(smoothing=0.3)
    with pytest.raises(SchemeError, match="'positive' must be 'others' or 'event', not 'up'"):
        scheme.to_frame(positive="up")
