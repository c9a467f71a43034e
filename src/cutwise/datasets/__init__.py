"""Data sets: the 45 of the paper, by name, from a local folder, checked before they are used.

    catalogue   what is known of each set
    places      where the files are
    canonical   the one form of the files, read strictly
    loading     a set as a table and its classes
    fetching    from OpenML or UCI into the folder

Loading never uses the network; only fetching does.
"""

from __future__ import annotations

from cutwise.datasets.catalogue import Catalogue, Description, describe, names
from cutwise.datasets.fetching import Services, fetch
from cutwise.datasets.loading import Dataset, load
from cutwise.datasets.places import folder

__all__ = ["Catalogue", "Dataset", "Description", "Services", "describe", "fetch", "folder", "load", "names"]
