"""Printed numbers and stored reports: explained, verified, cited, ranked."""
