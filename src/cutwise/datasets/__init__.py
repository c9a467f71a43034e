"""The data sets of the paper, by its names."""
