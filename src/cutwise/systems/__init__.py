"""Systems: a discretizer and a classifier together, on tables as they come."""
