"""Data sets: the 45 of the paper, by name, from a local folder, checked before they are used.

    catalogue   what is known of each set
    files       the one form of the files, read strictly
    loading     where the files are; a set as a table and its classes
    services    OpenML and UCI
    fetching    from a service into the folder

Loading never uses the network; only fetching does.
"""

from __future__ import annotations

from cutwise.paper.datasets.catalogue import Catalogue, DatasetDescription, describe, names
from cutwise.paper.datasets.fetching import fetch
from cutwise.paper.datasets.loading import Dataset, load
from cutwise.paper.datasets.loading import data_folder as folder
from cutwise.paper.datasets.services import DataServices

__all__ = ["Catalogue", "DataServices", "Dataset", "DatasetDescription", "describe", "fetch", "folder", "load", "names"]
