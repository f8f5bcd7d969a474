"""Functions and classes for Python programs. The public names are those of `scorch2.__all__`."""
