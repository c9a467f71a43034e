"""Why a search ended, in words."""

from __future__ import annotations

STOP_REASONS = {
    "no_gain": "no further cut raises the criterion",
    "not_shorter": "no further cut shortens the description of its bin",
    "limit": "the largest allowed number of cuts is reached",
    "no_room": "no cut is left that the limits allow",
    "all_cut": "every gap between neighbouring values has a cut",
    "optimum": "no other set of cuts scores higher",
    "significant": "all neighbouring bins differ significantly",
    "all_merged": "no neighbouring bins differ enough to stay apart",
    "consistency": "merging more bins would make the rows less consistent",
    "last_level": "the lowest level of significance is reached",
    "no_change": "no split, merge or shift of the bins scores higher",
    "evaluations": "the largest number of evaluations is reached",
    "restarts": "several restarts in a row found nothing better",
    "deadline": "the time was over; these are the best cuts found so far",
    "no_candidates": "the class never changes from the first value on",
    "joint_optimum": "no single change of a cut raises the criterion of all columns together",
    "left_out": "the column is not among the most useful ones, to which the joint search is limited",
    "shared_out": "the bins have the width or the number of rows that was asked for",
    "by_hand": "the cuts were given",
    "few_rows": "there are too few rows for two bins",
    "one_value": "the column has a single value",
    "one_class": "the rows with a value are all of one class",
    "no_values": "the column has no values",
    "nominal": "the column is nominal: each category is a bin",
}
