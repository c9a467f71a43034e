"""Whether probabilities are right: the expected calibration error on rows that were left out, beside a forest.

Rows are put into ten groups by the probability of the predicted class, 0 to 0.1 and so on; the error is the mean over
the rows of the distance between that probability and the share of right predictions, both of the group.
"""

from __future__ import annotations

import sys

import numpy as np
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.ensemble import RandomForestClassifier
from sklearn.impute import SimpleImputer
from sklearn.metrics import log_loss
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OrdinalEncoder

from cutwise import AdditiveClassifier, CutwiseClassifier
from cutwise.paper.datasets import load

SETS = ("australian", "heart", "pima", "saheart", "vehicle", "wisconsin")
N_GROUPS = 10


def forest():
    codes = OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1)
    columns = make_column_transformer(
        (SimpleImputer(), make_column_selector(dtype_include="number")),
        remainder=codes,
        verbose_feature_names_out=False,
    )
    return make_pipeline(columns, RandomForestClassifier(100, random_state=0))


MODELS = {"CutwiseClassifier": CutwiseClassifier, "AdditiveClassifier": AdditiveClassifier, "forest, 100 trees": forest}


def calibration_error(proba, places):
    """Return the expected calibration error of the predicted classes."""
    sure, right = proba.max(axis=1), proba.argmax(axis=1) == places
    groups = np.minimum((sure * N_GROUPS).astype(int), N_GROUPS - 1)
    rows = np.bincount(groups, minlength=N_GROUPS)
    apart = np.bincount(groups, sure, N_GROUPS) - np.bincount(groups, right, N_GROUPS)
    return np.abs(apart).sum() / rows.sum()


def error_by_chance(n_rows, n_times=300):
    """Return the mean error of right probabilities: two classes, log-odds of a standard deviation of 1.5."""
    rng = np.random.default_rng(0)
    errors = []
    for _ in range(n_times):
        second = 1.0 / (1.0 + np.exp(-rng.normal(0.0, 1.5, n_rows)))
        errors.append(calibration_error(np.column_stack([1.0 - second, second]), rng.random(n_rows) < second))
    return np.mean(errors)


def main(folder):
    """Print the errors and the log losses of five folds, as lines of a table."""
    print("| data set |", " | ".join(MODELS), "|")
    found = []
    for name in SETS:
        data = load(name, "pandas", folder=folder)
        places = np.unique(data.y, return_inverse=True)[1]
        folds = StratifiedKFold(5, shuffle=True, random_state=0)
        line = []
        for make in MODELS.values():
            proba = cross_val_predict(make(), data.X, places, cv=folds, method="predict_proba")
            line.append((calibration_error(proba, places), log_loss(places, np.clip(proba, 1e-6, 1.0))))
        found.append(line)
        print(f"| {name} |", " | ".join(f"{error:.3f}, {loss:.3f}" for error, loss in line), "|", flush=True)
    means = np.mean(found, axis=0)
    print("| mean |", " | ".join(f"{error:.3f}, {loss:.3f}" for error, loss in means), "|")
    print("Right probabilities:", ", ".join(f"{error_by_chance(n):.3f} with {n} rows" for n in (270, 462, 768)))


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else None)
