"""Figures of the command line: which are asked for, and their files."""

import os
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, NamedTuple

from scorch2.cli import arguments, output
from scorch2.model import errors


class Plot(NamedTuple):
    """A figure to write: its name, where it goes, and the words that say how it looks."""

    form: str
    path: str
    look: Mapping[str, str]


def requested_plots(
    given: dict[str, Any], inputs: Sequence[str], reports: Sequence[str], figures: Collection[str]
) -> list[Plot]:
    """Return which of some figures are asked for, checked before anything is read."""
    from scorch2.reports.figures import SUFFIXES, drawing

    plots = []
    for text in given["--plot"]:
        spec, _, path = text.partition(":")
        name, *settings = spec.split(",")
        look = dict(word.split("=", 1) if "=" in word else (word, "") for word in settings)
        plots.append(Plot(arguments.choice(name, figures, "figure"), path, look))
        for setting in look:
            arguments.choice(setting, ("width", "title"), f"setting of --plot={name}")
        drawing.look_of(**look)
        if _suffix(path) not in SUFFIXES:
            known = f".{', .'.join(SUFFIXES)}"
            why = f"takes a file called {known}, not {errors.quoted(path)}"
            raise errors.UsageError(f"--plot={name}:<file> {why}")
    if any(_suffix(plot.path) != SUFFIXES[0] for plot in plots):
        from scorch2.reports.figures.kit import require_matplotlib

        require_matplotlib()
    output.refuse_one_place([*reports, *(plot.path for plot in plots)], "outputs")
    for plot in plots:
        output.check_target(plot.path, inputs, force=given["--force"])
    return plots


def images_of(plots: Sequence[Plot], draw: Callable[[str, Any], Any]) -> list[tuple[str, bytes]]:
    """Return the file of each figure with its bytes; `draw` draws a figure by its name and its look."""
    from scorch2.reports.figures.drawing import image, look_of

    return [(plot.path, image(draw(plot.form, look_of(**plot.look)), _suffix(plot.path))) for plot in plots]


def _suffix(path: str) -> str:
    return os.path.splitext(path)[1].removeprefix(".").casefold()
