"""Files that commands write: reports and figures of a value; documents, all or none, under safe names."""

import contextlib
import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from scorch2.cli import console, output
from scorch2.cli.options import Target, requested_paper, requested_targets
from scorch2.cli.output import check_old, inputs_at, is_in_question, refuse_inputs, write_all
from scorch2.cli.usage import choice, option_lines, share_no_stream
from scorch2.formats import SUFFIXES
from scorch2.formats.target import Content, failure
from scorch2.model.errors import Notice, OutputError, UsageError, quoted, shown_path
from scorch2.model.forms import Shown, render
from scorch2.scoring.flow import Watch, unwatched

if TYPE_CHECKING:
    from scorch2.analysis.error_report import ErrorReport
    from scorch2.analysis.systems import Comparison

_LONGEST = 200  # bytes of a file name, so that it fits every file system with its suffix
_RESERVED = {"con", "prn", "aux", "nul", *(f"{device}{n}" for device in ("com", "lpt") for n in range(1, 10))}


class Reports(NamedTuple):
    """The reports of a value, where they go and what becomes of warnings, checked."""

    targets: Sequence[Target]
    paper: str | None  # the width of LaTeX tables
    signed: bool
    strict: bool
    quiet: bool

    @property
    def watch(self) -> Watch:
        """The function that shows progress while documents are scored."""
        return unwatched if self.quiet else console.progress

    def write(
        self, value: Shown, notices: Sequence[Notice] = (), beside: Iterable[tuple[str, Content]] = ()
    ) -> None:
        """Write a value, and files beside it, unless a warning is an error; `notices` are all if given."""
        notices = notices or value.notices
        console.refuse_warnings(notices, strict=self.strict)
        texts = [
            (path, output.laid_out(path, partial(render, value, form, paper=self.paper)))
            for form, path in self.targets
        ]
        write_all([*texts, *beside])
        console.warn(notices, quiet=self.quiet)


def reports_request(given: dict[str, Any], kind: str, inputs: Iterable[str | None]) -> Reports:
    """Return how a command writes a kind of value; its `inputs` are no outputs, and share no stream."""
    paths = [path for path in inputs if path is not None]
    targets = requested_targets(given, kind)
    paper = requested_paper(given, [target.form for target in targets])
    share_no_stream(*paths)
    output.refuse_one_place([target.path for target in targets])
    for target in targets:
        output.check_target(target.path, paths, force=given["--force"])
    signed, strict = not given.get("--no-signature"), given.get("--strict", False)
    return Reports(targets, paper, signed, strict, given["--quiet"])


# Figures


class Plot(NamedTuple):
    """A figure to write: its name, where it goes, and the words that say how it looks."""

    form: str
    path: str
    look: Mapping[str, Any]

    @property
    def suffix(self) -> Any:
        """The format of the image, as the name of the file says it."""
        return os.path.splitext(self.path)[1].removeprefix(".").casefold()


def plot_option(figures: Iterable[str]) -> str:
    """Return the help text of ``--plot`` of a command that draws some figures."""
    from scorch2.reports.figures import SUFFIXES

    what = (
        f"write a figure to a file (repeatable): {', '.join(figures)}; the suffix of the file says the "
        f"format: {', '.join(SUFFIXES)} (all but svg need matplotlib); "
        "for a paper name,width=column,title=none:file"
    )
    return option_lines("--plot=<name:file>", what)


def requested_plots(
    given: dict[str, Any], inputs: Sequence[str | None], reports: Sequence[str], figures: Collection[str]
) -> list[Plot]:
    """Return which of some figures are asked for, checked before anything is read."""
    if not given["--plot"]:
        return []
    from scorch2.reports.figures import SUFFIXES
    from scorch2.reports.figures.charts import look_of

    plots = []
    for text in given["--plot"]:
        spec, _, path = text.partition(":")
        name, *settings = spec.split(",")
        look = dict(word.split("=", 1) if "=" in word else (word, "") for word in settings)
        plot = Plot(choice(name, figures, "figure"), path, look)
        plots.append(plot)
        for setting in look:
            choice(setting, ("width", "title"), f"setting of --plot={name}")
        look_of(**look)
        if plot.suffix not in SUFFIXES:
            known = f".{', .'.join(SUFFIXES)}"
            why = f"takes a file called {known}, not {quoted(path)}"
            raise UsageError(f"--plot={name}:<file> {why}")
    if any(plot.suffix != SUFFIXES[0] for plot in plots):
        from scorch2.reports.figures.kit import require_matplotlib

        require_matplotlib()
    output.refuse_one_place([*reports, *(plot.path for plot in plots)], "outputs")
    for plot in plots:
        output.check_target(plot.path, filter(None, inputs), force=given["--force"])
    return plots


def images_of(plots: Sequence[Plot], value: "ErrorReport | Comparison") -> Iterator[tuple[str, bytes]]:
    """Yield the file of each figure of a value with its bytes."""
    for plot in plots:
        yield plot.path, value.image(plot.form, plot.suffix, **plot.look)


# Documents


def check_files(paths: Iterable[str], inputs: Iterable[str], form: str | None, *, force: bool) -> None:
    """Refuse to put documents in `form`, or reports, in place of inputs or, without `force`, of others."""
    there = [path for path in paths if os.path.exists(path)]
    refuse_inputs(there, inputs)
    for path in there:
        check_old(path, form, force=force)


def check_texts(texts: Mapping[str, str], inputs: Iterable[str], *, force: bool) -> None:
    """Refuse to put texts at the place of inputs and, without `force`, of anything else but the same text."""
    from scorch2.formats.source import read_start

    def is_same(path: str) -> bool:
        text = texts[path].encode("utf-8")
        return read_start(path, len(text) + 1) == text

    there = [path for path in texts if os.path.exists(path)]
    belonging = {path for path, owner in inputs_at(there, inputs).items() if owner != path and is_same(path)}
    refuse_inputs([path for path in there if path not in belonging], inputs)
    for path in there:
        if is_in_question(path, force=force) and not is_same(path):
            raise OutputError(f"{shown_path(path)}: holds another text (--force replaces it)")


def write_data(path: str, text: str | Iterable[str], beside: Mapping[str, str] | None = None) -> None:
    """Write documents: UTF-8 on standard output too, compressed in a file called ``.gz``, ``.xz`` ..."""
    # The files `beside` are written with it, or none is. Parts of a long text are not held together.
    parts: Iterable[bytes] = [text.encode("utf-8")] if isinstance(text, str) else map(str.encode, text)
    content: Content = parts
    if path.endswith(SUFFIXES):
        from scorch2.formats.compressed import compress

        content = compress(b"".join(parts), path)
    write_all([(path, content), *(beside or {}).items()])


def safe_name(ident: str) -> str:
    """Return a safe file name for a document: letters, digits and ``._-`` stay, anything else becomes ``_``.

    >>> safe_name("bc/cctv/00/cctv_0000-000"), safe_name("../../evil"), safe_name("nul")
    ('bc_cctv_00_cctv_0000-000', '_._.._evil', '_nul')
    """
    safe = "".join(letter if letter.isalnum() or letter in "._-" else "_" for letter in ident)
    if safe.startswith((".", "-")) or safe.split(".")[0].casefold() in _RESERVED:
        safe = "_" + safe[safe.startswith((".", "-")) :]
    return safe.encode("utf-8")[:_LONGEST].decode("utf-8", "ignore") or "_"


@contextlib.contextmanager
def folder(path: str) -> Iterator[None]:
    """Make a folder for the files written inside the block, and remove it if that fails."""
    made = not os.path.isdir(path)
    try:
        if made:
            _make_folder(path)
        yield
    except BaseException:
        if made:
            with contextlib.suppress(OSError):
                os.rmdir(path)
        raise


def _make_folder(path: str) -> None:
    try:
        os.mkdir(path)
    except OSError as error:
        raise failure(path, error) from None
