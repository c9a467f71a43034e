"""The paper as a program: which methods it compares, what it published, and our figures beside it."""
