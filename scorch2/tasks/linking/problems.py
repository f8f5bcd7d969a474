"""Name what is wrong: errors of links (``analyze``), and mentions that share units (``validate-spans``)."""

from bisect import bisect_left, bisect_right, insort
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from scorch2.model.document import Document
from scorch2.model.errors import SHOWN, Notice, counted, shown_path
from scorch2.model.markables import Annotation
from scorch2.model.names import NIL
from scorch2.tasks.linking.corpus import Corpus, placed
from scorch2.tasks.linking.evidence import Absent, Mentions

CORRECT = ("correct link", "correct nil")


class Finding(NamedTuple):
    """One mention of either side, and whether the other side agrees."""

    label: str
    """correct link, correct nil, wrong-link, nil-as-link, link-as-nil, missing, extra or wrong-type."""
    document: str
    gold: str | None
    """The id in quotes, NIL, or None for a mention that gold lacks; for wrong-type the type in quotes."""
    system: str | None
    start: int
    end: int  # half-open


class Analysis(NamedTuple):
    """All findings, in the order of documents (by name) and offsets."""

    findings: Sequence[Finding]
    notices: Sequence[Notice]


class _Mention(NamedTuple):
    kb_id: str | None
    type: object


def analyze(corpus: Corpus, *, correct: bool = False, unique: bool = False) -> Analysis:
    """Compare the mentions of both sides; of several with one span the last counts, with a notice."""
    # Types are compared where both sides have one, apart from ids: a mention may have two findings. Right ids
    # are left out unless `correct`; with `unique`, equal findings of a document are listed once, at the first
    # place.
    gold, before = _by_span(corpus.gold)
    system, notices = _by_span(corpus.system)
    findings: list[Finding] = []
    for span in sorted({*gold, *system}):
        findings += _findings(span, gold.get(span), system.get(span))
    if not correct:
        findings = [finding for finding in findings if finding.label not in CORRECT]
    if unique:
        first: dict[tuple[object, ...], Finding] = {}
        for finding in findings:
            first.setdefault((finding.label, finding.document, finding.gold, finding.system), finding)
        findings = list(first.values())
    return Analysis(findings, [*corpus.notices, *before, *notices])


def count_labels(findings: Iterable[Finding]) -> list[tuple[str, int]]:
    """Return how often each label was given, the most frequent first."""
    return sorted(Counter(one.label for one in findings).items(), key=lambda pair: (-pair[1], pair[0]))


def _by_span(side: Mentions) -> tuple[dict[Any, _Mention], list[Notice]]:
    mentions = map(_Mention, side.column("kbid"), side.column("type"))
    by_span = dict(zip(side.column("span"), mentions, strict=True))
    repeats = len(side) - len(by_span)
    if not repeats:
        return by_span, []
    path = shown_path(next(iter(side.paths.values()), ""))
    why = f"{counted(repeats, 'mention')} at the span of a later one: the last counts"
    return by_span, [Notice("duplicates", "", f"{path}: {why}")]


def _findings(span: tuple[str, int, int], gold: _Mention | None, system: _Mention | None) -> list[Finding]:
    document, start, last = span
    end = last + 1
    shown = [None if one is None else _shown(one.kb_id) for one in (gold, system)]
    findings = [Finding(_label(gold, system), document, shown[0], shown[1], start, end)]
    if gold is not None and system is not None:
        types = [_plain(one.type) for one in (gold, system)]
        if types[0] != types[1] and None not in types:
            findings.append(Finding("wrong-type", document, f'"{types[0]}"', f'"{types[1]}"', start, end))
    return findings


def _label(gold: _Mention | None, system: _Mention | None) -> str:
    if system is None:
        return "missing"
    if gold is None:
        return "extra"
    if gold.kb_id == system.kb_id:
        return CORRECT[1] if gold.kb_id is None else CORRECT[0]
    if gold.kb_id is None:
        return "nil-as-link"
    return "link-as-nil" if system.kb_id is None else "wrong-link"


def _shown(kb_id: str | None) -> str:
    return NIL if kb_id is None else f'"{kb_id}"'


def _plain(value: object) -> object:
    """Return a type as text where it is a list or an object in a JSON type, none where that lacks it."""
    if value is Absent.MEMBER:
        return None
    return str(value) if isinstance(value, list | Mapping) else value


LEVELS = ("ignore", "warn", "error")
DEFAULT_LEVELS: Mapping[str, str] = {"duplicate": "error", "crossing": "warn", "nested": "ignore"}
"""The kinds of problems, each with its default level."""


class Problem(NamedTuple):
    """Two mentions that share units."""

    kind: str  # duplicate: the same start and end; nested: one holds the other; crossing: neither
    level: str
    path: str
    document: str
    first: Annotation
    second: Annotation  # it does not begin before the first, and does not end after it if they begin together
    more: int = 0
    """The number of other mentions that share units with the second one in this way and are not named."""


def span_problems(documents: Iterable[Document], levels: Mapping[str, str]) -> Iterator[Problem]:
    """Yield the pairs of mentions that share units, but for what `levels` ignore.

    They are in the order of the documents; inside one by the second mention, then by the first. If more than
    `SHOWN` mentions share units with the second one in the same way, only so many are named.
    """
    for document in documents:
        ordered = sorted(placed(document), key=lambda mention: (mention.start, -mention.end))
        for number, shared in enumerate(_sharing(ordered)):
            pairs = [
                (first, kind, count - len(named) if first == named[-1] else 0)
                for kind, (named, count) in shared.items()
                if levels[kind] != "ignore"
                for first in named
            ]
            for first, kind, more in sorted(pairs):
                yield Problem(
                    kind, levels[kind], document.path, document.id, ordered[first], ordered[number], more
                )


def _sharing(ordered: Sequence[Annotation]) -> Iterator[Mapping[str, tuple[Sequence[int], int]]]:
    """Yield for each mention, by kind, some mentions before it that share units with it, and how many do."""
    # The cost grows with the mentions, not with the pairs: those before are kept by their ends
    ends: list[tuple[int, int]] = []  # of the mentions that come before those of the same span
    first = 0  # the first mention of the same span
    for number, mention in enumerate(ordered):
        if ordered[first][:2] != mention[:2]:
            for same in range(first, number):
                insort(ends, (ordered[same].end, same))
            first = number
        crossing, nested = bisect_right(ends, (mention.start, number)), bisect_left(ends, (mention.end, 0))
        yield {
            "duplicate": (range(first, min(number, first + SHOWN)), number - first),
            "crossing": ([i for _, i in ends[crossing : min(nested, crossing + SHOWN)]], nested - crossing),
            "nested": ([i for _, i in ends[nested : nested + SHOWN]], len(ends) - nested),
        }
