"""The option ``--plot`` of `errors` and `compare`: which figures are drawn, and where they go."""

import os
from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from scorch2.cli import output
from scorch2.figures import FIGURES, SUFFIXES
from scorch2.model.errors import OutputError, UsageError, quoted, shown_path, unknown_name

_DOCUMENTS = "documents"


class Plot(NamedTuple):
    """A figure to draw."""

    name: str
    """One of the figures of the command."""
    path: str
    suffix: str
    """One of `SUFFIXES`."""


def plots(
    given: dict[str, Any],
    inputs: Sequence[str],
    reports: Sequence[str],
    metrics: Sequence[str] = (),
    known: Collection[str] = FIGURES,
) -> list[Plot]:
    """Return the figures that are asked for, checked before anything is read.

    Parameters
    ----------
    given : dict
        The options of the command.
    inputs, reports : sequence of str
        The paths that are read, and those of reports that are written.
    metrics : sequence of str
        The metrics that are scored; only figures of errors depend on them.
    known : collection of str
        The figures of the command.

    Raises
    ------
    UsageError
        For an unknown figure or suffix, and for one that needs what is not there.
    OutputError
        For a file that should not be replaced, and for two outputs in one.
    """
    found = [_plot(text, known) for text in given["--plot"]]
    if any(plot.name == _DOCUMENTS for plot in found) and "lea" not in metrics:
        raise UsageError("--plot=documents shows LEA: add lea to -m")
    if any(plot.suffix != SUFFIXES[0] for plot in found):
        from scorch2.figures.kit import require_matplotlib

        require_matplotlib()
    places = [output.place(path) for path in [*reports, *(plot.path for plot in found)]]
    for plot in found:
        if places.count(output.place(plot.path)) > 1:
            raise OutputError(f"two outputs go to {shown_path(plot.path)}")
        output.check_target(plot.path, inputs, force=given["--force"])
    return found


def _plot(text: str, known: Collection[str]) -> Plot:
    name, _, path = text.partition(":")
    if name not in known:
        raise UsageError(unknown_name(name, "figure", known))
    suffix = os.path.splitext(path)[1].removeprefix(".").casefold()
    if suffix not in SUFFIXES:
        raise UsageError(
            f"--plot={name}:<file> takes a file called .{', .'.join(SUFFIXES)}, not {quoted(path)}"
        )
    return Plot(name, path, suffix)


def dimensions_of(found: Sequence[Plot]) -> tuple[str, ...]:
    """Return the dimensions that figures show, each once."""
    return tuple(dict.fromkeys(dimension for plot in found if (dimension := FIGURES[plot.name].dimension)))
