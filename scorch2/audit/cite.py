"""The papers behind a report, as BibTeX: of its metrics, its profile, its intervals, tests and corrections.

A field that could not be verified is left out. Pages have two hyphens, names of people the order of BibTeX.
"""

from collections.abc import Collection, Iterable, Mapping
from pkgutil import get_data
from typing import TYPE_CHECKING, NamedTuple, cast

from scorch2.model.options import DEFAULTS, OPTIONS
from scorch2.model.values import PROFILES
from scorch2.scoring.metrics import METRICS
from scorch2.scoring.metrics.metric import Mean
from scorch2.version import __version__

if TYPE_CHECKING:
    from scorch2.scoring.report import Report

PAPERS: Mapping[str, str] = {
    entry[entry.index("{") + 1 : entry.index(",")]: f"{entry.rstrip()}\n"
    for entry in cast("bytes", get_data(__name__, "papers.bib")).decode().split("\n\n")
}
"""The entries of ``papers.bib`` by their keys, which end with the year."""
SCORCH2 = """\
@misc{scorch2,
  author = {{The scorch2 authors}},
  title = {{scorch2: a scorer for coreference resolution and entity linking}},
  year = {2026},
  note = {Version VERSION},
}
""".replace("VERSION", __version__)
"""The entry of this program, which `.github/CITATION.cff` has, too."""
OF_TESTS: Mapping[str, tuple[str, ...]] = {
    "permutation": ("noreen-1989",),
    "bootstrap": ("efron-tibshirani-1993", "berg-kirkpatrick-etal-2012"),
}
"""The papers of each test of differences."""
OF_CORRECTIONS: Mapping[str, tuple[str, ...]] = {"holm": ("holm-1979",)}
INTERVALS = ("efron-tibshirani-1993",)
MINA = ("moosavi-etal-2019",)  # of the value of ``match``


class Used(NamedTuple):
    """The metrics, the profile and all else that numbers were made with."""

    metrics: Collection[str] = ()
    profile: str | None = None
    match: str = ""
    intervals: bool = False
    tests: Collection[str] = ()
    corrections: Collection[str] = ()


def bibtex(used: Used) -> str:
    """Return the entries of all that was used, the oldest first, and of scorch2."""
    rows = [METRICS[part] for name in used.metrics for part in _parts(name)]
    keys = {key for row in rows for key in row.papers}
    keys.update(PROFILES[used.profile].papers if used.profile else ())
    keys.update(MINA if used.match == "mina" else ())
    keys.update(INTERVALS if used.intervals else ())
    keys.update(key for name in used.tests for key in OF_TESTS[name])
    keys.update(key for name in used.corrections for key in OF_CORRECTIONS[name])
    papers = [PAPERS[key] for key in sorted(keys, key=lambda key: (key[-4:], key))]  # by year
    return "\n".join([*papers, SCORCH2])


def _parts(name: str) -> Iterable[str]:
    row = METRICS[name]
    return (*(row.of if isinstance(row, Mean) else ()), name)


def citations_of_scores(report: "Report", *, intervals: bool = False) -> str:
    """Return the papers behind a report as BibTeX; `intervals` says that it has some that were not read."""
    options = report.options
    tested = any(verdict.p is not None for verdict in report.gates)
    return bibtex(
        Used(
            [name for name in report.scores if name in METRICS],
            profile_of({name: getattr(options, name) for name in OPTIONS}),
            options.match,
            intervals or report.confidence is not None,
            ["permutation"] if tested else [],
        )
    )


def profile_of(choices: Mapping[str, object]) -> str | None:
    """Return the profile that options are of: the one of most settings; None for the defaults."""
    # A report does not say which profile was typed
    found: dict[str, int] = {}
    for name, row in PROFILES.items():
        own = {option: value for option, value in row.settings.items() if option in DEFAULTS}
        if all(choices[option] == value for option, value in own.items()):
            found[name] = len(own)
    return max(found, key=lambda name: found[name], default=None)
