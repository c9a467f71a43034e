"""What contradicts itself is refused, whatever the classifier (promise 18)."""

from __future__ import annotations

import json

import pytest

from cutwise import AIWNBClassifier, AODEClassifier, C45Classifier, ModelError, RVFLClassifier
from cutwise.persist import model_from_json
from tests.persist.examples import NOT_ADDITIVE, OF_RAW_TABLES, OTHER_SYSTEMS, of_kind
from tests.persist.test_hostile_json import check_refused, drop, put

PAIRS, ROWS = (model.to_dict() for model in of_kind(NOT_ADDITIVE, AODEClassifier))
EAGER, LAZY, _ = (model.to_dict() for model in of_kind(NOT_ADDITIVE, AIWNBClassifier))
TREE, CODED = (model.to_dict() for model in of_kind(OF_RAW_TABLES, C45Classifier))
NETWORK, _ = (model.to_dict() for model in of_kind(OF_RAW_TABLES, RVFLClassifier))
[SYSTEM_OF_PAIRS] = (model.to_dict() for model in of_kind(OTHER_SYSTEMS, AODEClassifier))
SYSTEM_OF_CODES, SYSTEM_OF_NUMBERS = (model.to_dict() for model in of_kind(OTHER_SYSTEMS, C45Classifier))
[SYSTEM_OF_NETWORK] = (model.to_dict() for model in of_kind(OTHER_SYSTEMS, RVFLClassifier))
NO_ROWS = {"row_codes": None, "row_classes": None, "row_weights": None}


def put_all(*path_and_values):
    *path, values = path_and_values

    def change(data):
        for step in path:
            data = data[step]
        data.update(values)

    return change


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (drop("learned", "pair_counts"), "lacks 'pair_counts'"),
        (put("learned", "pair_counts_", []), "unknown key 'pair_counts_'"),
        (put("learned", "row_classes", []), "either 'pair_counts' or all of 'row_codes'"),
        (put("learned", "pair_counts", []), "'pair_counts' has 0 entries where there must be"),
        (put("learned", "pair_counts", [[1, 2, 3]]), "'pair_counts' has 1 entries where there must be"),
        (put("learned", "pair_counts", 0, [1, 2]), "'pair_counts' has 2 entries where there must be 3"),
        (put("learned", "pair_counts", 0, 0, 1000), "contradicts 'cell_counts' for the attributes 0 and 1"),
        (put("learned", "pair_counts", 0, 0, -1), "'pair_counts' has a number that is not from 0.0"),
        (put("learned", "pair_counts", 0, 0, 10**330), "'pair_counts' has a number that is not finite"),
        (put("learned", "pair_counts", 0, 0, True), "'pair_counts' must hold finite numbers, not True"),
        (put("learned", "pair_counts", 0, 0, None), "'pair_counts' must hold finite numbers, not None"),
        (put("learned", "cell_counts", 0, 0, 1000.0), "more rows of a class than 'class_counts'"),
        (put("learned", "class_counts", 0, 1000.0), "'pair_counts' has .* entries|contradicts"),
    ],
)
def test_wrong_pairs(change, message):
    check_refused(PAIRS, change, message)
    check_refused(LAZY, change, message)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (put_all("learned", NO_ROWS), "AODEClassifier must have either 'pair_counts' or all of"),
        (put("learned", "row_codes", None), "either 'pair_counts' or all of"),
        (put("learned", "row_codes", 0, 0, 3), "'row_codes' has a code that is no bin"),
        (put("learned", "row_codes", 0, 0, 2**62), "'row_codes' has a code that is no bin"),
        (put("learned", "row_codes", 0, 0, -1), "'row_codes' must be a whole number from 0 on, not -1"),
        (put("learned", "row_codes", 0, 0, 1.0), "'row_codes' must be a whole number"),
        (put("learned", "row_codes", 0, [0, 0]), "'row_codes' has 2 entries where there must be 3"),
        (put("learned", "row_codes", 0, [None] * 3), "'row_codes' contradicts 'class_counts' or 'cell_counts'"),
        (put("learned", "row_codes", [[0, 0, 0]]), "'row_classes' has .* entries where there must be 1"),
        (put("learned", "row_classes", 0, 3), "'row_classes' has a number that is no class"),
        (put("learned", "row_classes", 0, 2), "'row_codes' contradicts"),
        (put("learned", "row_weights", 0, 0), "'row_weights' has a number that is not from"),
        (put("learned", "row_weights", 0, -1), "'row_weights' has a number that is not from"),
        (put("learned", "row_weights", 0, 2), "'row_codes' contradicts"),
        (put_all("learned", {"row_codes": [], "row_classes": [], "row_weights": []}), "'row_codes' contradicts"),
    ],
)
def test_wrong_rows(change, message):
    check_refused(ROWS, change, message)


def test_pairs_may_lack_only_where_they_are_not_needed():
    check_refused(PAIRS, put("learned", "pair_counts", None), "AODEClassifier must have either 'pair_counts' or all of")
    eager = {**LAZY, "learned": {**LAZY["learned"], "pair_counts": None}}
    assert model_from_json(json.dumps(eager)).pair_counts_ is None


def test_wrong_attribute_weights():
    check_refused(EAGER, put("learned", "attribute_weights_", 0, 1.5), "'attribute_weights_' has a number")
    check_refused(EAGER, put("learned", "row_weights", []), "either 'pair_counts' or all of")


def test_many_attributes_take_no_room():
    """A table of pairs would have 5 billion cells: its length is compared before any of it is made."""
    n = 100_000
    data = AODEClassifier().fit([[0]], [0]).to_dict()
    data["n_bins"] = [1] * n
    data["learned"]["cell_counts"] = data["learned"]["cell_counts"] * n
    data["learned"]["log_likelihood"] = data["learned"]["log_likelihood"] * n
    with pytest.raises(ModelError, match="'pair_counts' has 0 entries where there must be 4999950000"):
        model_from_json(json.dumps(data))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (drop("columns"), "lacks 'columns'"),
        (put("n_bins", [1]), "unknown key 'n_bins'"),
        (put("columns", []), "'columns' must name at least one attribute"),
        (put("columns", {}), "'columns' must be a list"),
        (put("columns", 0, []), r"'columns\[0\]' must be an object"),
        (put("columns", 0, {}), r"'columns\[0\]': 'kind' must be one of numeric, codes, nominal, not None"),
        (put("columns", 0, "kind", ["numeric"]), "'kind' must be one of"),
        (put("columns", 0, "categories", []), "unknown key 'categories'"),
        (put("columns", 2, {"kind": "nominal"}), "lacks 'categories'"),
        (put("columns", 2, "categories", "abc"), r"'columns\[2\].categories' must be a list"),
        (put("columns", 2, "categories", ["b", "a"]), "must ascend"),
        (put("columns", 2, "categories", ["a", "a"]), "must ascend"),
        (put("columns", 2, "categories", ["a", 1]), "mixes strings, booleans and numbers"),
        (put("columns", 2, "categories", [0, True]), "mixes strings, booleans and numbers"),
        (put("columns", 2, "categories", ["a", None]), "has None"),
        (put("columns", 2, "categories", [float("inf")]), "must be finite"),
        (put("columns", 2, "categories", ["a", "b"]), "'split_columns' is no tree"),
        (put("columns", 2, "categories", []), "'split_columns' names a column without categories"),
        (put("columns", 0, {"kind": "codes", "categories": ["a"]}), "must hold finite numbers, not 'a'"),
        (put("columns", 0, {"kind": "codes", "categories": [-1.0]}), "has a number that is not from 0.0"),
        (
            put("columns", 0, {"kind": "codes", "categories": [0, 1]}),
            "'thresholds' has 3 entries for 1 splits of numbers",
        ),
        (put("feature_names", ["a"]), "'feature_names' and 'columns' differ in length"),
        (put_all("learned", {"split_columns": [], "node_weights": []}), "'split_columns' must name at least the root"),
        (put("learned", "split_columns", 0, 4), "'split_columns' names column 4 of 4"),
        (put("learned", "split_columns", 0, 2**62), "'split_columns' names column"),
        (put("learned", "split_columns", 0, -1), "whole number from 0 on, not -1"),
        (put("learned", "split_columns", 0, 0.0), "whole number"),
        (put("learned", "split_columns", 0, None), "'split_columns' is no tree"),
        (put("learned", "split_columns", 3, 0), "'split_columns' is no tree"),
        (put("learned", "thresholds", []), "'thresholds' has 0 entries for 3 splits of numbers"),
        (put("learned", "thresholds", 0, "1"), "'thresholds' must hold finite numbers"),
        (put("learned", "node_weights", [[1, 1, 1]]), "'node_weights' has 1 entries where there must be 17"),
        (put("learned", "node_weights", 0, [1, 1]), "'node_weights' has 2 entries where there must be 3"),
        (put("learned", "node_weights", 0, [0, 0, 0]), "'node_weights' gives the root no rows"),
        (put("learned", "node_weights", 5, [0, -1, 0]), "'node_weights' has a number that is not from 0.0"),
        (put("learned", "depth_", 3), "unknown key 'depth_'"),
        (put("parameters", "confidence", 0.7), "'confidence' parameter of C45Classifier must be"),
        (put("parameters", "nominal", "some"), "'nominal' parameter of C45Classifier must be"),
    ],
)
def test_wrong_trees(change, message):
    check_refused(TREE, change, message)


@pytest.mark.parametrize(
    "nodes",
    [
        [None, 0, None],  # the children of node 1 would begin with itself
        [None, None, 0],
        [0, None],
        [0, None, None, None],
        [0, None, None, 0, None],  # nodes 3 and 4 would be their own parents
        [None, None],
    ],
)
def test_nodes_that_make_no_tree(nodes):
    def change(data):
        data["learned"]["split_columns"] = nodes
        data["learned"]["node_weights"] = [[1, 1, 1]] * len(nodes)
        data["learned"]["thresholds"] = [0.5] * sum(node is not None for node in nodes)

    check_refused(TREE, change, "'split_columns' is no tree")


def test_wrong_codes():
    check_refused(CODED, put("columns", 1, "categories", [0.0, 0.0]), "must ascend")
    check_refused(CODED, put("columns", 1, "categories", [False]), "must hold finite numbers, not False")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (put("columns", 0, "kind", "codes"), "'kind' must be one of numeric, nominal, not 'codes'"),
        (put("columns", 0, "half", -1.0), r"'columns\[0\].half' has a number that is not from 0.0"),
        (put("columns", 0, "std", 0.0), r"'columns\[0\].std' has a number"),
        (put("columns", 0, "mean", None), r"'columns\[0\].mean' must hold finite numbers, not None"),
        (drop("columns", 0, "centre"), "lacks 'centre'"),
        (put("columns", 2, "most_frequent", 3), r"'columns\[2\].most_frequent' is 3 of 3 categories"),
        (put("columns", 2, "most_frequent", -1), "whole number from 0 on"),
        (put("columns", 2, "categories", ["a"]), "most_frequent' is|'outputs' has"),
        (put("columns", 2, {"kind": "nominal", "categories": [], "most_frequent": 1}), "is 1 of 0 categories"),
        (
            put("columns", 2, {"kind": "nominal", "categories": [], "most_frequent": 0}),
            "'outputs' has 12 entries where",
        ),
        (put("learned", "seed_", -1), "'seed_' must be a whole number"),
        (put("learned", "seed_", 0.5), "'seed_' must be a whole number"),
        (put("learned", "c", 0.0), "'c' has a number"),
        (put("learned", "activation", "os.system"), "'activation' must be one of relu, selu, sigmoid"),
        (put("learned", "activation", ["relu"]), "'activation' must be one of"),
        (put("learned", "best_score_", "high"), "'best_score_' must hold finite numbers"),
        (put("learned", "mean", []), "'std' has 3 entries where there must be 0"),
        (put_all("learned", {"mean": [], "std": [], "outputs": [], "kept": []}), "at least one layer and one neuron"),
        (put_all("learned", {"mean": [[]] * 3, "std": [[]] * 3}), "at least one layer and one neuron"),
        (put("learned", "mean", 0, [1.0]), "'mean' has 4 entries where there must be 1"),
        (put("learned", "std", 1, 2, 0.0), "'std' has a number"),
        (put("learned", "outputs", 0, 0, [1.0]), "'outputs' has 1 entries where there must be 3"),
        (put("learned", "outputs", [[[0.0] * 3]] * 3), "'outputs' has 1 entries where there must be 12"),
        (put("learned", "kept", 0, 0, 4), "'kept' names neuron 4 of 4"),
        (put("learned", "kept", 0, 0, 2**62), "'kept' names neuron"),
        (put("learned", "kept", 0, [1, 1, 2]), "'kept' must ascend"),
        (put("learned", "kept", 0, [2, 1, 0]), "'kept' must ascend"),
        (put("learned", "kept", 0, [0]), "'kept' has 3 entries where there must be 1"),
        (put("learned", "inputs", []), "unknown key 'inputs'"),
        (put("parameters", "n_layers", 0), "'n_layers' parameter of RVFLClassifier must be"),
    ],
)
def test_wrong_networks(change, message):
    check_refused(NETWORK, change, message)


def test_a_small_text_cannot_ask_for_many_random_weights():
    n = 20_000

    def change(data):
        data["columns"] = [{"kind": "nominal", "categories": [], "most_frequent": 0}] * 4
        data["learned"].update(
            mean=[[0] * n] * 2, std=[[1] * n] * 2, outputs=[[[0, 0, 0]] * (n + 1)] * 2, kept=[list(range(n))] * 2
        )

    check_refused(NETWORK, change, "The network has 400,000,000 random weights, at most 67,108,864 can be read")


@pytest.mark.parametrize(
    ("system", "change", "message"),
    [
        (SYSTEM_OF_PAIRS, put("classifier", "learned", "pair_counts", []), "'pair_counts' has 0 entries"),
        (SYSTEM_OF_CODES, put("classifier", "columns", 3, "categories", [0.0, 2.0]), "differ in their bins"),
        (SYSTEM_OF_CODES, put("classifier", "columns", 3, "categories", [0.0, 0.5]), "differ in their bins"),
        (SYSTEM_OF_CODES, put("classifier", "columns", 3, "kind", "nominal"), "differ in their bins"),
        (SYSTEM_OF_CODES, put("classifier", "feature_names", ["a", "b", "c", "d"]), "must not name columns"),
        (SYSTEM_OF_NUMBERS, lambda data: data["classifier"]["columns"].append({"kind": "numeric"}), "in their bins"),
        (SYSTEM_OF_NUMBERS, put("classifier", SYSTEM_OF_NETWORK["classifier"]), "classifier RVFLClassifier, but its"),
        (SYSTEM_OF_NUMBERS, put("parameters", "classifier", "name", "MRmDRNBClassifier"), "is unknown"),
        (SYSTEM_OF_NETWORK, put("classifier", "learned", "kept", 0, 0, 9), "'kept' names neuron 9 of 3"),
        (
            SYSTEM_OF_NETWORK,
            put("classifier", {key: value for key, value in NETWORK.items() if key not in ("format", "version")}),
            "differ in their bins",
        ),
    ],
)
def test_wrong_systems_of_other_classifiers(system, change, message):
    check_refused(system, change, message)
