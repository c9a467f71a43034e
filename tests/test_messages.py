"""What people are told when they pass the wrong thing."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import cutwise
from cutwise import (
    C45Classifier,
    MaxRelevanceDiscretizer,
    MDLPDiscretizer,
    MDmDDiscretizer,
    MODLDiscretizer,
    MRmDDiscretizer,
    MRmDRNBClassifier,
    NaiveBayesClassifier,
    RVFLClassifier,
    Scheme,
    TableError,
)
from cutwise.errors import ExportError

OPTION = re.compile(r"(?:^|[\s`(])--(?!cutwise)[a-z]|\bcutwise (fit|apply|explain|check|compare|paper|datasets)\b")
SUPERVISED = [
    *(MRmDDiscretizer(), MDmDDiscretizer(), MDLPDiscretizer(), MODLDiscretizer(), C45Classifier()),
    *(NaiveBayesClassifier(), MRmDRNBClassifier(), RVFLClassifier()),
]


@pytest.mark.parametrize("estimator", SUPERVISED, ids=lambda estimator: type(estimator).__name__)
def test_a_fit_without_classes_names_the_class_that_was_used(estimator):
    name = type(estimator).__name__
    with pytest.raises(ValueError, match=f"^{name} requires y to be passed, but the target y is None"):
        estimator.fit([[1], [2]])


@pytest.mark.parametrize("estimator", SUPERVISED, ids=lambda estimator: type(estimator).__name__)
@pytest.mark.parametrize(
    ("X", "y", "message"),
    [
        ([[1], [2]], "c", r"The target y is the string 'c', but it must hold the class of each row"),
        ([[1, 2], [3]], [0, 1], "Row 0 of the table has 2 values, but row 1 has 1"),
        ([[1], 2], [0, 1], "Row 1 of the table is 2, but others are lists"),
        ([[1, [2]], [3, 4]], [0, 1], r"Column 'x1' holds \[2\] in row 0"),
        ([[[1]], [[2]]], [0, 1], r"The table is nested 3 deep \(shape \(2, 1, 1\)\)"),
        ([[1], [2]], [[0, 1], [1]], r"The target y has \[0, 1\] in row 0"),
    ],
)
def test_wrong_tables_and_targets(estimator, X, y, message):
    with pytest.raises(TableError, match=message):
        estimator.fit(X, y)


@pytest.mark.parametrize(
    ("estimator", "message"),
    [
        (
            MDLPDiscretizer(monotonic="ascending"),
            "{'increasing', 'decreasing', 'peak', .*, 'auto'} .* Did you mean 'increasing'?",
        ),
        (MDLPDiscretizer(monotonic="Descending"), "Did you mean 'decreasing'?"),
        (
            MDLPDiscretizer(encode="one-hot"),
            "{'ordinal', 'onehot', .*}. .* Did you mean 'onehot'?",
        ),
        (MRmDDiscretizer(validation="Holdout"), "{'expected', 'crossfit', 'holdout'}. .* Did you mean 'holdout'?"),
        (MaxRelevanceDiscretizer("clases"), "Did you mean 'classes'?"),
        (NaiveBayesClassifier(smoothing="Laplace"), "Did you mean 'laplace'?"),
        (C45Classifier(nominal="alll"), "Did you mean 'all'?"),
        (RVFLClassifier(activation="rely"), "{'selu', 'relu', 'sigmoid'}. .* Did you mean 'relu'?"),
    ],
    ids=str,
)
def test_a_wrong_word_gets_a_hint_at_the_right_one(estimator, message):
    with pytest.raises(ValueError, match=message.replace("?", r"\?")):
        estimator.fit([[1], [2]], [0, 1])


def test_databases_have_several_names():
    scheme = MDLPDiscretizer().fit([[1], [2]], [0, 1]).scheme_
    assert isinstance(scheme, Scheme)
    for name in ("postgres", "PostgreSQL", "pg"):
        with pytest.raises(ExportError, match="Did you mean 'postgresql'"):
            scheme.to_sql(name)


def test_choices_are_told_in_the_same_order_in_every_run():
    program = "from cutwise import MDLPDiscretizer; MDLPDiscretizer(place='x').fit([[1], [2]], [0, 1])"
    ends = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": str(seed)},
            capture_output=True,
            text=True,
            check=False,
        ).stderr.splitlines()[-1]
        for seed in range(3)
    }
    assert len(ends) == 1
    assert "must be a str among {'midpoint'" in ends.pop()


def test_the_package_is_the_command_line():
    command = [sys.executable, "-m", "cutwise", "--version"]
    assert (
        subprocess.run(command, capture_output=True, text=True, check=True).stdout == f"cutwise {cutwise.__version__}\n"
    )


def test_errors_of_the_library_name_no_options_and_commands():
    """The command line translates what the library says; see `cutwise.cli.output.in_options`."""
    source = Path(cutwise.__file__).parent
    for path in source.rglob("*.py"):
        if path.parts[len(source.parts)] == "cli":
            continue
        tree = ast.parse(path.read_text())
        docs = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        texts = [node for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)]
        found = [text.value for text in texts if id(text) not in docs and OPTION.search(text.value)]
        assert not found, path
