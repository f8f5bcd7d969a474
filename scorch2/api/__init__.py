"""What Python programs call. The public names are those of `scorch2.__all__`."""
