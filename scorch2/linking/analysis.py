"""Name the errors of linking: mentions are aligned by exact span, their ids and types compared."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from scorch2.linking.corpus import Corpus
from scorch2.linking.fields import Absent
from scorch2.linking.mentions import Mentions
from scorch2.model.document import NIL
from scorch2.model.errors import Notice, counted, shown_path

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
    end: int
    """Half-open."""


class Analysis(NamedTuple):
    """All findings, in the order of documents (by name) and offsets."""

    findings: Sequence[Finding]
    notices: Sequence[Notice]


class _Mention(NamedTuple):
    kb_id: str | None
    type: object


def analyze(corpus: Corpus, *, correct: bool = False, unique: bool = False) -> Analysis:
    """Compare the mentions of both sides.

    Parameters
    ----------
    corpus : Corpus
        The mentions of both sides; of several with one span the last counts, with a notice.
    correct : bool
        Include mentions whose id is right.
    unique : bool
        List findings with the same label, document, gold and system once, at the first place.

    Returns
    -------
    Analysis
        Types are compared where both sides have one, apart from ids: a mention may have two findings.
    """
    gold, before = _by_span(corpus.gold)
    system, notices = _by_span(corpus.system)
    found: list[Finding] = []
    for span in sorted({*gold, *system}):
        found += _findings(span, gold.get(span), system.get(span))
    if not correct:
        found = [one for one in found if one.label not in CORRECT]
    if unique:
        first: dict[tuple[object, ...], Finding] = {}
        for one in found:
            first.setdefault((one.label, one.document, one.gold, one.system), one)
        found = list(first.values())
    return Analysis(found, [*corpus.notices, *before, *notices])


def counts(findings: Iterable[Finding]) -> list[tuple[str, int]]:
    """Return how often each label was given, the most frequent first."""
    return sorted(Counter(one.label for one in findings).items(), key=lambda pair: (-pair[1], pair[0]))


def _by_span(side: Mentions) -> tuple[dict[Any, _Mention], list[Notice]]:
    mentions = map(_Mention, side.column("kbid"), side.column("type"))
    found = dict(zip(side.column("span"), mentions, strict=True))
    repeats = len(side) - len(found)
    if not repeats:
        return found, []
    path = shown_path(next(iter(side.paths.values()), ""))
    why = f"{counted(repeats, 'mention')} at the span of a later one: the last counts"
    return found, [Notice("duplicates", "", f"{path}: {why}")]


def _findings(span: tuple[str, int, int], gold: _Mention | None, system: _Mention | None) -> list[Finding]:
    document, start, last = span
    end = last + 1
    shown = [None if one is None else _shown(one.kb_id) for one in (gold, system)]
    found = [Finding(_label(gold, system), document, shown[0], shown[1], start, end)]
    if gold is not None and system is not None:
        types = [_plain(one.type) for one in (gold, system)]
        if types[0] != types[1] and None not in types:
            found.append(Finding("wrong-type", document, f'"{types[0]}"', f'"{types[1]}"', start, end))
    return found


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
