"""Gold that leaves a choice: each mention keeps the alternative that the system comes closest to."""

from collections.abc import Callable, Hashable, Mapping, Sequence

from scorch2.annotation import Annotation, Candidate
from scorch2.document import Document, annotations
from scorch2.errors import UsageError
from scorch2.messages import known

_FIELDS: Mapping[str, Callable[[Candidate], Hashable]] = {
    "eid": lambda one: one.id,
    "type": lambda one: str(one.type),
    "score": lambda one: one.score,
}
ALL = "*"


def key_of(fields: Sequence[str]) -> Callable[[Candidate], Hashable]:
    """Return what candidates are compared by: eid, type, score, members of JSON types, or ``*`` for all.

    Raises
    ------
    UsageError
        For an empty name.
    """
    names = list(_FIELDS) if list(fields) == [ALL] else fields
    if not all(names) or ALL in names:
        raise UsageError(known("", "field of a candidate", [*_FIELDS, ALL]))

    def key(one: Candidate) -> Hashable:
        return tuple(_FIELDS[name](one) if name in _FIELDS else _member(one, name) for name in names)

    return key


def selected(
    gold: Sequence[Document], system: Sequence[Document], key: Callable[[Candidate], Hashable]
) -> list[Document]:
    """Return gold with one candidate a mention.

    That is the first, in the order of gold, which equals the system's best candidate at the same span; or one
    anywhere in the document; or one anywhere in the system's output; or just the first.
    """
    at_span: dict[tuple[str, int, int], Hashable] = {}
    in_document: dict[str, set[Hashable]] = {}
    anywhere: set[Hashable] = set()
    for document in system:
        for mention in annotations(document) or ():
            if mention.candidates:
                best = key(mention.top)
                at_span.setdefault((document.id, mention.start, mention.end), best)
                in_document.setdefault(document.id, set()).add(best)
                anywhere.add(best)

    def reduced(document: Document, mention: Annotation) -> Annotation:
        ranked = sorted(
            mention.candidates, key=lambda one: -(float("-inf") if one.score is None else one.score)
        )
        if len(ranked) < 2:  # noqa: PLR2004 - nothing to choose from
            return mention
        here = {at_span.get((document.id, mention.start, mention.end), ...)}
        for wanted in (here, in_document.get(document.id, set()), anywhere):
            for one in mention.candidates:
                if key(one) in wanted:
                    return mention._replace(candidates=(one,))
        return mention._replace(candidates=(ranked[0],))

    return [
        document._replace(annotations=[reduced(document, mention) for mention in annotations(document) or ()])
        for document in gold
    ]


def _member(one: Candidate, name: str) -> Hashable:
    return str(one.type.get(name)) if isinstance(one.type, Mapping) else None
