"""ARE files, those of the fixtures and random ones, and how they are scored. Used by the tests of ARE."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from are_model import Mention, Side
from hypothesis import strategies as st

from scorch2.formats.xml.are import Purpose, read_gold, read_system
from scorch2.model.document import Document
from scorch2.model.options import options_from
from scorch2.model.score import Tally
from scorch2.scoring.report import Report
from scorch2.tasks.anaphora import TASKS, Exercise, Resolved, score_paths

FOLDER = Path(__file__).parent.parent.parent / "fixtures" / "are"
CASES: dict[str, Any] = {
    path.parent.name: json.loads(path.read_text("utf-8"))
    for path in sorted((FOLDER / "cases").glob("*/expected.json"))
}
SCORED = [name for name, case in CASES.items() if "metrics" in case]


def pair(name: str) -> tuple[str, str]:
    """Return the files of a case."""
    return str(FOLDER / "cases" / name / "gold.xml"), str(FOLDER / "cases" / name / "sys.xml")


def scored(
    task: int, gold: Path | str, system: Path | str, unit: str = "", form: str | None = None
) -> Report:
    asked = Exercise(task, unit, per_item=True)
    return score_paths(str(gold), str(system), asked, options_from(average="pooled", gold_format=form))


def listed(report: Report, name: str) -> list[dict[str, Any]]:
    return next(listing.to_list() for listing in report.listings if listing.name == name)


def xml(side: Side, *, value: str = "") -> str:
    """Write a side; `value` is what every mention carries for people."""

    def mark(name: str, mention: Mention) -> str:
        shown = f'id="{mention}"' if isinstance(mention, str) else 'start="{}" end="{}"'.format(*mention)
        return f"<{name} {shown}{value}/>"

    lines = ['<are unit="token">']
    lines += [f"<chain>{''.join(mark('element', one) for one in members)}</chain>" for members in side.chains]
    for pronoun, answer in side.pairs.items():
        given = "" if answer is None else mark("antecedent", answer)
        lines.append(f"<pair>{given}{mark('pronoun', pronoun)}</pair>")
    return "\n".join([*lines, "</are>"])


def documents(task: int, gold: str, system: str) -> tuple[Document, Document]:
    wanted = Purpose(task)
    key = read_gold(gold.encode(), "d", "g.xml", wanted)
    return key, read_system(system.encode(), "d", "s.xml", wanted, key)


def resolved(task: int, gold: str, system: str) -> Resolved:
    found, _ = TASKS[task].resolve("d", *documents(task, gold, system), TASKS[task])
    return found._replace(items=tuple(found.items))


def tally(task: int, gold: str, system: str) -> Tally:
    ((found,),) = resolved(task, gold, system).measured.tallies
    return found


TOKENS = st.sampled_from([(start, start + size) for start in range(13) for size in range(1, 5)])


@st.composite
def partitions(draw: st.DrawFn, mentions: Sequence[Mention]) -> list[list[Mention]]:
    """Put mentions into chains, some of them into none: each by a byte."""
    chains: dict[int, list[Mention]] = {}
    for mention, byte in zip(
        mentions, draw(st.binary(min_size=len(mentions), max_size=len(mentions))), strict=True
    ):
        chains.setdefault(byte % 5, []).append(mention)
    chains.pop(4, None)
    return list(chains.values())


@st.composite
def resolutions(draw: st.DrawFn, *, exact: bool = False) -> tuple[Side, Side]:
    """Return gold chains of spans with pronouns to resolve, and a system's answers: to them, if `exact`.

    If `exact`, no two mentions overlap either.
    """
    tokens = st.integers(0, 12).map(lambda token: (token, token + 1)) if exact else TOKENS
    mentions = draw(st.lists(tokens, min_size=2, max_size=9, unique=True))
    chains = draw(partitions(mentions))
    longer = [one for members in chains if len(members) > 1 for one in members]
    asked = draw(st.lists(st.sampled_from(longer), unique=True)) if longer else []
    strangers = st.sampled_from(mentions) if exact else st.one_of(st.sampled_from(mentions), TOKENS)
    domain = st.sampled_from(asked) if exact and asked else strangers
    answers = draw(st.dictionaries(domain, st.one_of(st.none(), strangers)))
    return Side(chains, dict.fromkeys(asked)), Side([], answers if asked or not exact else {})


@st.composite
def clusterings(draw: st.DrawFn, *, exact: bool = False) -> tuple[Side, Side]:
    """Return chains of spans of both sides."""
    mentions = st.lists(TOKENS, max_size=8, unique=True)
    gold = draw(mentions)
    system = draw(st.lists(st.sampled_from(gold), unique=True)) if exact and gold else draw(mentions)
    return Side(draw(partitions(gold)), {}), Side(draw(partitions(system)), {})


def spans_of(side: Side) -> list[tuple[int, int]]:
    """Return the mentions in chains."""
    return [one for members in side.chains for one in members if not isinstance(one, str)]


def by_id(side: Side) -> Side:
    """Return a side with ids in place of spans."""

    def name(mention: Mention) -> Mention:
        return "-".join(map(str, mention))

    pairs: dict[Mention, Mention | None] = {}
    for one, other in side.pairs.items():
        pairs[name(one)] = None if other is None else name(other)
    return Side([[name(one) for one in members] for members in side.chains], pairs)


def shifted(side: Side, by: int) -> Side:
    """Return a side with all spans moved."""

    def moved(mention: Mention) -> Mention:
        assert not isinstance(mention, str)
        return mention[0] + by, mention[1] + by

    pairs = {moved(one): None if other is None else moved(other) for one, other in side.pairs.items()}
    return Side([[moved(one) for one in members] for members in side.chains], pairs)
