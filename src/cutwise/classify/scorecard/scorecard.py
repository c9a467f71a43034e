"""The scorecard: bins, weights of evidence, a regression on them, and points that add up to a score."""

from __future__ import annotations

from dataclasses import field, replace
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, ClassVar, Self

from cutwise.classify.additive.additive import GIVEN, ordered_bins
from cutwise.classify.additive.constrained import check_order, directions_of, turned
from cutwise.classify.base import FittedSteps, cloned_discretizer, code_counts, place_among
from cutwise.classify.discretized import read_discretizer, write_step
from cutwise.classify.scorecard.on_codes import ADDITIVE, CardColumns, ScorecardOnCodes
from cutwise.classify.scorecard.using import UsesCard, check_two
from cutwise.discretize.fixed import FixedSchemeDiscretizer
from cutwise.discretize.mrmd import MRmDDiscretizer
from cutwise.estimator import Choices, estimator
from cutwise.persist.saved_model import read_estimator, write_parameters
from cutwise.persist.strict import as_object
from cutwise.scheme import Scheme, encode_columns
from cutwise.scikit_learn import HasMethods, Interval, fit_context
from cutwise.validation import check_table, check_target, check_weights

if TYPE_CHECKING:
    from sklearn.utils import Tags

    from cutwise.persist import ClassifierModel

# The chance that a cut of the default discretizer may be one of noise; the command line has the same.
CONFIRM = 0.01
OF_CODES = ("model", "alpha", "min_iv", "max_correlation", "selection", "signs", "weights")


@estimator
class ScorecardClassifier(UsesCard):
    """Learn a scorecard: each bin has points, and their sum is the score of a row.

    Columns are cut into bins, and each bin has a weight of evidence, WoE = ln(share of the others / share of the
    events), smoothed by one half a row: higher is safer. A logistic regression on these weights, or an additive model
    of the bins, gives the log-odds of the other class, and these become points:

        score = offset + factor * ln(odds of the others),  factor = pdo / ln 2,
        offset = base_score - factor * ln(base_odds)

    The points of a bin are ``factor * coefficient * WoE`` and an equal part of what does not depend on the row. Missing
    values are a bin. A bin without training rows, an unseen category, missing values that training had none of: their
    weight of evidence is 0, their points are neutral, and they are never a reason.

    Parameters
    ----------
    discretizer : discretizer, Scheme or None, default=None
        The bins: any discretizer of the library, fitted on the same rows, or a scheme, taken as it is; weights of
        evidence are those of the rows passed to ``fit``. None for
        ``MRmDDiscretizer(confirm=0.01, place="readable", nominal="group")``.
        Missing values are a bin whatever it says.
    event : label or None, default=None
        The class that is to be foreseen, such as "bad"; a high score speaks against it. By default that of the
        discretizer or the scheme, else the rarer class.
    model : {"logistic", "additive"}, default="logistic"
        A coefficient for each column, or a score for each bin, as ``AdditiveClassifier`` learns them.
    alpha : float or None, default=None
        The pull of the coefficients to 0: half of it times the sum of their squares is added to the log loss. None
        for 1, as in scikit-learn; for the additive model the strength that it chooses itself.
    monotonic : {"increasing", "decreasing", "auto"}, dict of these or None, default=None
        For the additive model: columns whose scores for the event may only rise, or only fall, over their bins. To
        shape the bins themselves, give ``monotonic`` to the discretizer.
    min_iv : float, default=0.02
        Columns with a smaller information value are not used.
    max_correlation : float, default=0.9
        Of two columns whose weights of evidence are correlated more than this, the one with the smaller information
        value is not used.
    selection : {"forward"} or None, default=None
        "forward" takes columns one after the other, as long as the log loss of rows that are left out falls; a row
        that is left out is no part of the weights of evidence either.
    signs : bool, default=True
        Do not use columns whose coefficient would be negative, so that a bin with more events would have more points.
    pdo : float, default=20.0
        The points that double the odds.
    base_score : float, default=600.0
        The score of a row with the base odds.
    base_odds : float, default=50.0
        Other rows for each event.
    rounding : int or None, default=0
        The decimals of points, 0 for whole numbers; None leaves them as they are. ``pdo``, ``base_score``,
        ``base_odds`` and ``rounding`` can be changed after the fit, with ``set_params``. Probabilities are those of
        the regression, not of rounded points.
    weights : {"count", "relative"}, default="count"
        What sample weights mean: how often each row counts, or only their ratios.

    Attributes
    ----------
    points_table_ : table
        The bins of the columns that are used: rows, share of all rows, events, rate, weight of evidence, coefficient,
        points. `to_frame` gives it in a library of your choice.
    rounding_error_ : float
        The largest difference that rounding makes in a score, over all combinations of bins.
    columns_ : tuple of str
        The columns that are used.
    dropped_ : dict of str to str
        Why each of the others is not.
    event_ : label
        The class that is foreseen.
    intercept_ : float
        The log-odds of the other class before any column is known.
    coefficients_ : ndarray of shape (n_features,) or None
        What the weights of evidence of each column are multiplied with, 0 for a column that is not used; None for the
        additive model.
    information_values_ : ndarray of shape (n_features,)
        The information value of each column.
    feature_importances_ : ndarray of shape (n_features,)
        How much each column moves the score of the training rows, as shares of 1.
    loss_ : float
        The penalised log loss of the training rows.
    n_iter_ : int
        The steps of the last search.
    converged_ : bool
        Whether every slope of the loss, divided by the weight of all rows, is at most 1e-8.
    scheme_ : Scheme
        The bins of every column.
    discretizer_, classifier_ : estimators
        The fitted copies.
    {attributes}

    See Also
    --------
    AdditiveClassifier : Shapes of many bins, and pairs of columns.
    Scheme.to_frame : The bins with all their figures.

    References
    ----------
    Siddiqi, "Credit Risk Scorecards", Wiley, 2006.

    Rad and Maleki, "A scalable estimate of the out-of-sample prediction error via approximate leave-one-out
    cross-validation", Journal of the Royal Statistical Society B 82, 2020.

    Examples
    --------
    >>> from cutwise import ScorecardClassifier
    >>> from sklearn.datasets import load_breast_cancer
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> card = ScorecardClassifier(event=0, selection="forward").fit(X, y)
    >>> card.points(X.head(3)).tolist(), round(card.rounding_error_, 2)
    ([42.0, 174.0, -36.0], 4.63)
    >>> card.reasons(X.head(1), k=2).tolist()
    [['worst area', 'area error']]
    """

    _classifier_kind: ClassVar[type[ClassifierModel]] = ScorecardOnCodes

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "discretizer": [None, Scheme, HasMethods(["fit", "transform"])],
        "event": [None, str, Real, "boolean"],
        **ScorecardOnCodes._parameter_constraints,  # noqa: SLF001
        "monotonic": [None, Choices("increasing", "decreasing", "auto"), dict],
        "pdo": [Interval(Real, 0, 1e300, closed="right")],
        "base_score": [Interval(Real, -1e9, 1e9, closed="both")],
        "base_odds": [Interval(Real, 0, 1e300, closed="right")],
        "rounding": [None, Interval(Integral, 0, 12, closed="both")],
    }

    discretizer: Any = field(default=None, kw_only=False)
    event: Any = None
    model: str = "logistic"
    alpha: float | None = None
    monotonic: Any = None
    min_iv: float = 0.02
    max_correlation: float = 0.9
    selection: str | None = None
    signs: bool = True
    pdo: float = 20.0
    base_score: float = 600.0
    base_odds: float = 50.0
    rounding: int | None = 0

    @fit_context(prefer_skip_nested_validation=False)
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Cut the columns, choose among them, and learn their points.

        Parameters
        ----------
        X : table or array-like of shape (n_samples, n_features)
            A numpy array or a pandas, polars or pyarrow table of numeric and nominal columns; values may be missing.
        y : array-like of shape (n_samples,)
            The class of each row, one of two.
        sample_weight : array-like of shape (n_samples,), optional
            How often each row counts. A weight of 2 is the same as the row twice, a weight of 0 the same as no row.

        Returns
        -------
        self
        """
        table = check_table(self, X, reset=True)
        labels, places = check_target(self, table.data, y)
        weights = check_weights(sample_weight, places.size)
        check_two(labels, places, weights)
        if self.monotonic is not None and self.model != ADDITIVE:
            message = "'monotonic' is for model='additive'. To shape the bins, give it to the discretizer."
            raise ValueError(message)
        directions = directions_of(self.monotonic, table.names, labels.size)
        discretizer, classifier = self._steps()
        options = {} if weights is None else {"sample_weight": weights}
        is_given = isinstance(discretizer, FixedSchemeDiscretizer)
        discretizer.fit(X, labels[places], **({} if is_given else options))
        scheme = discretizer.scheme_
        event = place_among(self.event, scheme, labels, places, weights)
        n_ordered = ordered_bins(scheme, table.data)
        check_order(self.monotonic, table.names, n_ordered)
        own = directions if event else turned(directions)
        columns = CardColumns(code_counts(scheme), int(event or 0), n_ordered, own)
        codes = encode_columns(scheme, table.data, table.names)
        classifier.fit(codes, labels[places], **options, columns=columns)
        self._finish(FittedSteps(discretizer, classifier), table.feature_names)
        return self

    def _steps(self) -> FittedSteps:
        settings = {name: getattr(self, name) for name in OF_CODES}
        return FittedSteps(self._discretizer(), ScorecardOnCodes(**settings))

    def _discretizer(self) -> Any:
        if isinstance(self.discretizer, Scheme):
            known = self.event is not None and self.event in self.discretizer.classes
            event = self.event if known else self.discretizer.event
            return FixedSchemeDiscretizer(replace(self.discretizer, missing="bin", event=event))
        usual = MRmDDiscretizer(confirm=CONFIRM, place="readable", nominal="group")
        given = usual if self.discretizer is None else self.discretizer
        found: Any = cloned_discretizer(given, "discretizer", " or a scheme")
        found.set_params(missing="bin")
        if self.event is not None:
            found.set_params(event=self.event)
        return found if self.weights == "count" else found.set_params(weights=self.weights)

    def _write_parameters(self) -> dict[str, Any]:
        bins = self.discretizer
        plain = None if bins is None else GIVEN if isinstance(bins, Scheme) else write_step(bins)
        return {**write_parameters(self, discretizer=None), "discretizer": plain}

    @classmethod
    def _read_parameters(cls, data: object, scheme: Scheme) -> Self:
        body = as_object(data, data if isinstance(data, dict) else (), f"{cls.__name__}: 'parameters'")
        bins = body.get("discretizer")
        system: Self = read_estimator(cls, {**body, "discretizer": None})
        system.discretizer = scheme if bins == GIVEN else read_discretizer(bins, "discretizer")
        return system

    def __sklearn_tags__(self) -> Tags:
        """Return what the estimator takes."""
        tags: Tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags
