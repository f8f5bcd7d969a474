"""Scoring with several processes, on this machine or on a cluster."""
