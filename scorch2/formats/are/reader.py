"""ARE XML to documents, with the checks that need a whole file, or the gold file beside a system file.

Of several faults in a file the first is reported.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import chain
from typing import NamedTuple

from scorch2.formats.are.marks import Mark, Marked, Pair, Purpose, marks
from scorch2.formats.components import components
from scorch2.formats.places import UNITS
from scorch2.formats.safe_xml import Place
from scorch2.model.document import Anaphora, Document, Mention, spans
from scorch2.model.errors import MarkupError, quoted

_TOKEN = re.compile(r"\S+")


class _Fault(NamedTuple):
    """A fault in a file; faults sort by their place."""

    place: Place
    kind: str
    why: str


def read(data: bytes, stem: str, path: str) -> list[Document]:
    """Return the document in a file, read for no particular task: with ids or spans."""
    marked = marks(data, path)
    _, outside = _in_tokens(marked, marked.text)
    _raise_first(path, outside, _repeats(marked))
    document = _document(marked, _clusters(marked), stem, path)
    if marked.unit == "char" and marked.text is not None:
        document = document._replace(sentences=[len(marked.text)])
    return [document]


def read_gold(data: bytes, stem: str, path: str, wanted: Purpose) -> Document:
    """Return the gold document in a file.

    Parameters
    ----------
    data, stem, path
        The content of the file, the name of a document without a label, the file.
    wanted : Purpose
        The task, and the unit of spans if the file does not say it.

    Returns
    -------
    Document
        With ids (tasks 1, 2) or half-open spans (3, 4) as mentions; of tokens where the text is known.

    Raises
    ------
    MarkupError
        For the first fault in the file.
    """
    marked = marks(data, path, wanted)
    if marked.unit != "char":
        marked = marked._replace(text=None)
    marked, outside = _in_tokens(marked, marked.text)
    clusters = _clusters(marked)
    strangers = _strangers(marked, {entity.mark.mention for entity in marked.entities})
    _raise_first(path, outside, _repeats(marked), strangers, _unresolvable(marked, clusters.values()))
    tokens = None if marked.text is None else [len(_TOKEN.findall(marked.text))]
    return _document(marked, clusters, stem, path)._replace(sentences=tokens)


def read_system(data: bytes, stem: str, path: str, wanted: Purpose, gold: Document | None) -> Document:
    """Return the system document in a file, in the units of the gold document that it answers to.

    Parameters, errors and what is returned are those of `read_gold`; what the system lists as entities and as
    text is not used.
    """
    marked = marks(data, path, wanted)._replace(entities=[], text=None)
    asked = gold.anaphora if gold and gold.anaphora else Anaphora()
    if gold and gold.unit and marked.unit:
        unit = gold.unit if asked.text is None else "character"
        if unit != UNITS[marked.unit]:
            why = f"the file counts in {UNITS[marked.unit]}s, gold in {unit}s"
            raise MarkupError(path, 0, "unit-mismatch", why)
    marked, outside = _in_tokens(marked, asked.text)
    _raise_first(path, outside, _repeats(marked), _strangers(marked, set(asked.entities or ())))
    return _document(marked, _clusters(marked), stem, path)


def _in_tokens(marked: Marked, text: str | None) -> tuple[Marked, list[_Fault]]:
    """Return spans of characters as spans of the tokens of `text` that they touch, and the faults found."""
    if text is None or marked.unit != "char":
        return marked, []
    tokens = [match.span() for match in _TOKEN.finditer(text)]
    starts, ends = [start for start, _ in tokens], [end for _, end in tokens]
    faults = []

    def moved(mark: Mark) -> Mark:
        ((start, end),) = spans([mark.mention])
        first, last = bisect_right(ends, start), bisect_left(starts, end)
        if end > len(text):
            why = f"the span from {start} to {end} passes the end of the text, {len(text)}"
            faults.append(_Fault(mark.place, "bad-offset", why))
        elif first >= last:
            faults.append(_Fault(mark.place, "bad-offset", f"there are only blanks from {start} to {end}"))
        return mark._replace(mention=(first, last))

    changed = Marked(
        marked.label,
        "token",
        text,
        [entity._replace(mark=moved(entity.mark)) for entity in marked.entities],
        [chain._replace(marks=list(map(moved, chain.marks))) for chain in marked.chains],
        [Pair(moved(pair.pronoun), pair.antecedent and moved(pair.antecedent)) for pair in marked.pairs],
        by_span=True,
        exclusive=marked.exclusive,
    )
    return changed, sorted(faults)


def _clusters(marked: Marked) -> Mapping[str, Sequence[Mention]]:
    """Return the chains or, if there are none, the groups that pairs connect."""
    if marked.chains:
        labels = [chain.label for chain in marked.chains]
        if not all(labels) or len(set(labels)) < len(labels):
            labels = [str(number) for number in range(len(labels))]
        members = [[mark.mention for mark in chain.marks] for chain in marked.chains]
        return dict(zip(labels, members, strict=True))
    ends = [(pair.pronoun.mention, (pair.antecedent or pair.pronoun).mention) for pair in marked.pairs]
    return components(list(dict.fromkeys(chain.from_iterable(ends))), ends)


def _repeats(marked: Marked) -> Iterator[_Fault]:
    """Yield, for each kind of list, the first mention that repeats though it may not."""
    entities = (entity.mark for entity in marked.entities)
    in_chains = (mark for one in marked.chains for mark in one.marks)
    pronouns = (pair.pronoun for pair in marked.pairs)
    for listed, kind, what in (
        (entities, "duplicate-mention", "is an entity already"),
        (in_chains, "duplicate-mention", "is in a chain already"),
        (pronouns, "duplicate-pronoun", "has a pair already"),
    ):
        seen: dict[Mention, Place] = {}
        for mark in listed:
            first = seen.setdefault(mark.mention, mark.place)
            if first is not mark.place:
                why = f"{quoted(mark.mention)} {what}, on line {first.line}"
                yield _Fault(mark.place, kind, why)
                break


def _strangers(marked: Marked, entities: AbstractSet[Mention]) -> Iterator[_Fault]:
    """Yield the first id outside the list of mentions."""
    if marked.unit or not entities:
        return
    written = [mark for one in marked.chains for mark in one.marks]
    written += [mark for pair in marked.pairs for mark in pair if mark]
    unknown = [mark for mark in written if mark.mention not in entities]
    for place, mention in sorted((mark.place, mark.mention) for mark in unknown)[:1]:
        yield _Fault(place, "unknown-id", f"{quoted(mention)} is no entity of the gold file")


def _unresolvable(marked: Marked, clusters: Iterable[Sequence[Mention]]) -> Iterator[_Fault]:
    """Yield the first pair of a gold file that its chains do not allow for."""
    chain_of = {mention: members for members in clusters for mention in members}
    for pronoun, antecedent in marked.pairs:
        own = chain_of.get(pronoun.mention)
        shown = quoted(pronoun.mention)
        if own is None:
            yield _Fault(pronoun.place, "no-chain", f"the pronoun {shown} is in no chain")
        elif antecedent and chain_of.get(antecedent.mention) is not own:
            why = f"{quoted(antecedent.mention)} is not in the chain of its pronoun {shown}"
            yield _Fault(antecedent.place, "pair-crosses-chains", why)
        elif len(own) == 1:
            yield _Fault(pronoun.place, "no-chain", f"the chain of the pronoun {shown} has no other mention")


def _raise_first(path: str, *faults: Iterable[_Fault]) -> None:
    """Raise the fault that comes first in the file, if there is any."""
    first = min(chain.from_iterable(faults), default=None)
    if first:
        raise MarkupError(path, first.place.line, first.kind, first.why)


def _document(marked: Marked, clusters: Mapping[str, Sequence[Mention]], stem: str, path: str) -> Document:
    anaphora = Anaphora(
        {pair.pronoun.mention: pair.antecedent and pair.antecedent.mention for pair in marked.pairs},
        frozenset(entity.mark.mention for entity in marked.entities if entity.is_pronoun),
        tuple(entity.mark.mention for entity in marked.entities) or None,
        marked.text,
        {pair.pronoun.mention: pair.pronoun.place.line for pair in marked.pairs},
    )
    unit = UNITS.get(marked.unit, "")
    return Document(
        marked.label or stem,
        clusters,
        path,
        format="are",
        unit=unit,
        anaphora=anaphora,
        half_open=marked.by_span,
        exclusive=marked.by_span and marked.exclusive,
    )
