"""Why a search ended, in words."""

from __future__ import annotations

STOP_REASONS = {
    "no_gain": "no further cut raises the criterion",
    "not_shorter": "no further cut shortens the description of its bin",
    "limit": "the largest allowed number of cuts is reached",
    "no_room": "no cut is left that the limits allow",
    "all_cut": "every gap between neighbouring values has a cut",
    "optimum": "no other set of cuts scores higher",
    "joint_optimum": "no single change of a cut raises the criterion of all columns together",
    "left_out": "the column is not among the most useful ones, to which the joint search is limited",
    "shared_out": "the bins have the width or the number of rows that was asked for",
    "one_value": "the column has a single value",
    "one_class": "the rows with a value are all of one class",
    "no_values": "the column has no values",
    "nominal": "the column is nominal: each category is a bin",
}
