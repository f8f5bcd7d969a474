"""The same scoring in processes of this machine, or of a cluster."""
