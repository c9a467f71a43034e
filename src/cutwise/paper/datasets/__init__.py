"""Data sets: the 45 of the paper, by name, from a local folder, checked before they are used.

    catalogue   what is known of each set
    places      where the files are
    canonical   the one form of the files, read strictly
    loading     a set as a table and its classes
    fetching    from OpenML or UCI into the folder

Loading never uses the network; only fetching does.
"""

from __future__ import annotations

from cutwise.paper.datasets.catalogue import Catalogue, DatasetDescription, describe, names
from cutwise.paper.datasets.fetching import fetch
from cutwise.paper.datasets.loading import Dataset, load
from cutwise.paper.datasets.places import folder
from cutwise.paper.datasets.services import DataServices

__all__ = ["Catalogue", "DataServices", "Dataset", "DatasetDescription", "describe", "fetch", "folder", "load", "names"]
