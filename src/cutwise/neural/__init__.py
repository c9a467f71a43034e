"""Neural: networks with random hidden layers."""
