"""Tests of the networks; they are skipped where the extra is not installed."""

import pytest

REASON = 'needs pip install "cutwise[networks]"; make test-networks does'
pytest.importorskip("torch", reason=REASON).set_num_threads(1)
pytest.importorskip("rtdl_revisiting_models", reason=REASON)
# It sets an environment variable when the first optimizer loads it.
pytest.importorskip("torch._dynamo", reason=REASON)
