"""Step 1, bytes to documents and back: the map of the room."""
