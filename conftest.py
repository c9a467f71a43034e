"""Which examples are not run: those that need an extra that is not installed, and copies made for the site."""

from __future__ import annotations

from importlib.metadata import version
from importlib.util import find_spec

HAS_NETWORKS = find_spec("torch") is not None and find_spec("rtdl_revisiting_models") is not None
collect_ignore_glob = [] if HAS_NETWORKS else ["src/cutwise/classify/networks/deep/*", "docs/networks.md"]
if find_spec("dask") is None:
    collect_ignore_glob += ["src/cutwise/table/engines/frames.py", "docs/engines.md"]
if find_spec("ibis") is None:
    collect_ignore_glob += ["src/cutwise/export/ibis_codes.py", "docs/engines.md"]
if find_spec("polars") is not None and tuple(map(int, version("polars").split(".")[:2])) < (1, 34):
    collect_ignore_glob += ["docs/engines.md"]  # lazy frames of polars hand over batches from 1.34 on
# Run by the tests of Spark, which have a session.
collect_ignore_glob += ["docs/spark.md"]
collect_ignore_glob += ["docs/conf.py", "docs/_build/*", "docs/gallery/*", "docs/generated/*"]
