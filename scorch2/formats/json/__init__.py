"""JSON: clusters, graphs, and the lines that neural systems write."""
