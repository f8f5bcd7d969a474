"""Values that travel between the steps, and the errors. Nothing here imports anything else of the package."""
