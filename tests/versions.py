"""What tests need that not every version of scikit-learn has."""

from __future__ import annotations

import pytest

from cutwise.scikit_learn import HAS_CALLBACKS

needs_callbacks = pytest.mark.skipif(not HAS_CALLBACKS, reason="scikit-learn has callbacks from 1.9 on")
