"""Printed numbers and stored reports: which settings give a number, and whether a report can be repeated."""
