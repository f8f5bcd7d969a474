"""Options about the inputs of commands that score coreference: their files, formats, keys and offsets."""

from typing import Any

from scorch2.cli import usage
from scorch2.formats.table import FORMATS, check_format

_KEY = "key of the clusters in JSON of neural systems (default: clusters, else predicted_clusters)"
USAGE = f"""\
{usage.input_format("--gold-format=<name>", FORMATS)}
  --sys-format=<name>       the same for the system
{usage.input_files()}
{usage.lines("--gold-key=<name>", _KEY)}
  --sys-key=<name>          the same for the system (default: predicted_clusters, else clusters)
{usage.offsets()}"""
FILES = ("gold-format", "sys-format", "gold-files", "sys-files")
"""The options that entity linking has too."""
SPANS = ("gold-key", "sys-key", "gold-offsets", "sys-offsets")
"""Those about the clusters in a file."""


def inputs(given: dict[str, Any]) -> dict[str, Any]:
    """Return the typed options by their names in `scorch2.model.options.Options`.

    Raises
    ------
    UsageError
        For a format that there is not.
    """
    for side in ("--gold-format", "--sys-format"):
        check_format(given[side])
    return {name.replace("-", "_"): given[f"--{name}"] for name in (*FILES, *SPANS)}
