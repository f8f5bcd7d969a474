"""Resolve gold with several candidates per mention: keep the one closest to the system."""

import json
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from scorch2.model.document import Annotation, Candidate, Document, annotations
from scorch2.model.errors import InputError, UsageError, printable, quoted

Key: TypeAlias = Callable[[Candidate], Hashable]
"""The key that candidates are compared by; raises a KeyError with the field that one does not have."""
ALL = "*"


def _type(one: Candidate) -> Hashable:
    return _value(one.type["type"] if isinstance(one.type, Mapping) else one.type)


_FIELDS: Mapping[str, Key] = {"eid": lambda one: one.id, "type": _type, "score": lambda one: one.score}


class _Best(NamedTuple):
    """The keys of the system's best candidates."""

    at_span: dict[tuple[str, int, int], set[Hashable]]
    in_document: dict[str, set[Hashable]]
    anywhere: set[Hashable]


def key_of(fields: Sequence[str]) -> Key:
    """Return what candidates are compared by: eid, type, score, members of JSON types, or ``*`` for all.

    Raises
    ------
    UsageError
        For an empty name, and ``*`` beside others.
    """
    if list(fields) == [ALL]:
        return lambda one: (one.id, one.score, _value(one.type))
    if not all(fields) or ALL in fields:
        shown = printable(",".join(fields))
        what = ", ".join([*_FIELDS, "members of JSON types"])
        raise UsageError(f"--fields={shown}: should be names with commas between them ({what}), or {ALL}")
    return lambda one: tuple(_FIELDS.get(name, _member(name))(one) for name in fields)


def selected(gold: Sequence[Document], system: Sequence[Document], key: Key) -> list[Document]:
    """Return gold with one candidate per mention.

    That is the first, by score, which equals the system's best candidate at the same span; or one anywhere in
    the document; or one anywhere in the system's output; or just the first.

    Raises
    ------
    InputError
        For a candidate without a field of the key, with its line.
    """
    best = _Best({}, {}, set())
    for document in system:
        for mention in annotations(document) or ():
            if mention.candidates:
                found = _keyed(mention.top, key, document, mention)
                best.at_span.setdefault((document.id, mention.start, mention.end), set()).add(found)
                best.in_document.setdefault(document.id, set()).add(found)
                best.anywhere.add(found)
    return [
        document._replace(
            annotations=[_reduced(document, mention, best, key) for mention in annotations(document) or ()]
        )
        for document in gold
    ]


def _reduced(document: Document, mention: Annotation, best: _Best, key: Key) -> Annotation:
    if len(mention.candidates) < 2:  # noqa: PLR2004 - nothing to choose from
        return mention
    ranked = sorted(mention.candidates, key=_rank, reverse=True)
    keys = [_keyed(one, key, document, mention) for one in ranked]
    place = (document.id, mention.start, mention.end)
    for wanted in (best.at_span.get(place, ()), best.in_document.get(document.id, ()), best.anywhere):
        for one, found in zip(ranked, keys, strict=True):
            if found in wanted:
                return mention._replace(candidates=(one,))
    return mention._replace(candidates=(ranked[0],))


def _rank(one: Candidate) -> float:
    return float("-inf") if one.score is None else one.score


def _keyed(one: Candidate, key: Key, document: Document, mention: Annotation) -> Hashable:
    try:
        return key(one)
    except KeyError as error:
        why = f"the field {quoted(error.args[0])} is missing in the type"
        raise InputError(document.path, f"line {mention.line}", why) from None


def _member(name: str) -> Key:
    def member(one: Candidate) -> Hashable:
        if not isinstance(one.type, Mapping):
            raise KeyError(name)
        return _value(one.type[name])

    return member


def _value(value: Any) -> Hashable:
    """Return a JSON value in a form that can be compared; 1 and "1" stay apart."""
    return json.dumps(value, sort_keys=True)
