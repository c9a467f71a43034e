"""The half of the data sets on which the library's own classifiers were developed.

Decisions were made by looking at these alone; the others are looked at once, when all is measured. They are every
second data set in the order of the alphabet, beginning with the first.
"""

from __future__ import annotations

DEVELOPMENT = (
    *("abalone", "australian", "balance", "bands", "bupa", "climate", "crx", "ecoli", "glass", "hayes", "hepatitis"),
    *("mammographic", "newthyroid", "penbased", "pima", "satimage", "seismic", "spambase", "tae", "titanic"),
    *("vehicle", "wine", "yeast"),
)
