"""Trees: decision trees on codes and on numbers."""
