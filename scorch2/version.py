"""The version, where start-up can read it without looking up the installed package."""

__version__ = "1.3.0"
