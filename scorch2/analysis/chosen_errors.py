"""Errors that are chosen by what a user types: scenarios, and stars of the page.

A scenario is the output with some errors corrected, and no others: "what if these were right?". It names
errors by kind or pattern, by a class of the mention where they are, or by their gold entity. An error counts
once, and those of several conditions are corrected together. Stars are examples that the address of the page
of errors names.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from itertools import starmap

from scorch2.analysis.breakdown import classes_of, refuse_lacking
from scorch2.analysis.error_report import Scenario, Star, Supposed
from scorch2.analysis.kinds import KINDS, LOSES_RECALL, NO_OVERLAP, Located, Overlaps
from scorch2.analysis.listing import Told, entity_names, side_of, spelled_out
from scorch2.analysis.pair import MatchedPair
from scorch2.analysis.patterns import PATTERNS
from scorch2.analysis.table import DIMENSIONS
from scorch2.model.errors import UsageError, quoted, unknown_name

KIND, ENTITY, PATTERN = "kind", "entity", "pattern"


def scenario(words: object, option: str) -> Scenario:
    """Return what is written as ``kind:span,type:pronoun``; `option` names it in errors."""
    conditions = []
    parts = map(str.strip, _COMMAS.split(words)) if isinstance(words, str) else ()
    for part in parts:
        what, colon, value = part.replace(r"\,", ",").partition(":")
        if not (colon and value and what in (KIND, ENTITY, PATTERN, *DIMENSIONS)):
            raise UsageError(
                f"{option} takes kind:<name>, pattern:<name>, entity:<id> or <dimension>:<class>, "
                f"not {quoted(part)}"
            )
        known: Collection[str] = {KIND: KINDS, PATTERN: PATTERNS}.get(what, ())
        known = DIMENSIONS[what].order if what in DIMENSIONS else known
        if known and value not in known:
            raise UsageError(f"{option}: {unknown_name(value, what, known)}")
        conditions.append((what, value))
    if not conditions:
        raise UsageError(f"{option} takes errors, such as kind:span,type:pronoun")
    return Scenario(",".join(starmap(condition, conditions)), tuple(conditions))


_COMMAS = re.compile(r"(?<!\\),")


def condition(what: str, value: str) -> str:
    """Return a condition as it is written in a scenario, where a comma in a name has a backslash."""
    return f"{what}:{value}".replace(",", r"\,")


def chosen_errors(
    pair: MatchedPair, overlaps: Overlaps, errors: Sequence[Located], chosen: Scenario
) -> tuple[list[Located], frozenset[str]]:
    """Return the errors of a scenario in a document, and which of the entities that it names are there."""
    kinds = {value for what, value in chosen.conditions if what == KIND}
    named = {value for what, value in chosen.conditions if what == ENTITY}
    called = entity_names(pair.gold, pair.shown.gold) if named else []
    entities = {number: {name, f"{pair.id}/{name}"} & named for number, name in enumerate(called) if name}
    entities = {number: names for number, names in entities.items() if names}
    classes = _classes(pair, chosen)
    patterns = {value for what, value in chosen.conditions if what == PATTERN}
    found = [
        error
        for error in errors
        if error.kind in kinds
        or not patterns.isdisjoint(error.patterns)
        or _is_about(error, overlaps, entities)
        or any(of[error.kind in LOSES_RECALL][error.mentions[0]] == value for value, of in classes)
    ]
    return found, frozenset[str]().union(*entities.values())


def _classes(pair: MatchedPair, chosen: Scenario) -> list[tuple[str, tuple[Sequence[str], Sequence[str]]]]:
    """Return each class that is named, with the classes of all mentions of the system, and of gold."""
    found = []
    for what, value in chosen.conditions:
        if what in DIMENSIONS:
            refuse_lacking(pair, DIMENSIONS[what].needs, f"{what}:{value}")
            sides = pair.sides.system, pair.sides.gold
            system, gold = (classes_of(what, pair, side) if side.mentions else () for side in sides)
            found.append((value, (system, gold)))
    return found


def _is_about(error: Located, overlaps: Overlaps, entities: Collection[int]) -> bool:
    """Return whether an error is of a gold entity, or of what is wrongly in one that begins with it."""
    if not entities:
        return False
    if error.kind == "extra_mention":
        place = overlaps.system_anchors[error.system]
        return place != NO_OVERLAP and overlaps.pieces[place].gold in entities
    return error.gold in entities or (error.kind == "conflated" and error.anchor in entities)


def refuse_unknown_entities(scenarios: Iterable[Scenario], documents: Iterable[Sequence[Supposed]]) -> None:
    """Raise a UsageError for an entity that no document has."""
    there = frozenset[str]().union(*(one.entities for supposed in documents for one in supposed))
    for chosen in scenarios:
        for what, value in chosen.conditions:
            if what == ENTITY and value not in there:
                raise UsageError(
                    f"no gold entity is called {quoted(value)} (take its id, or <document>/<id>)"
                )


_STARS = re.compile(r"(?:^|[#&])star=([^&]+)").search
_STAR = re.compile("doc=([^&]+)&m=([^&]+)&error=([^&]+)").fullmatch


def _decoded(text: str) -> str:
    from urllib.parse import unquote  # which all runs of errors would wait for

    return unquote(text, errors="surrogatepass")


def stars_of(addresses: Iterable[object], option: str) -> tuple[Star, ...]:
    """Return the errors that have a star in addresses of pages, as the script of the page writes them."""
    stars = []
    for address in addresses:
        found = _STARS(address) if isinstance(address, str) else None
        for star in [""] if found is None else _decoded(found[1]).split(","):
            parts = _STAR(star)
            if parts is None or parts[3] not in KINDS:
                what = 'takes the address of a page of errors with stars, such as "page.html#star=doc..."'
                raise UsageError(f"{option} {what}, not {quoted(address)}")
            stars.append((_decoded(parts[1]), _decoded(parts[2]), parts[3]))
    return tuple(stars)


def stars_in(told: Told, errors: Sequence[Located], stars: Iterable[Star]) -> list[Star | None]:
    """Return the star of each error of a document; None for one without."""
    its = {star[1:]: star for star in stars if star[0] in (told.id, told.name)}
    return [
        its.get((spelled_out(told.mention(side_of(error), error.mentions[0])), error.kind)) if its else None
        for error in errors
    ]


def refuse_unknown_stars(stars: Iterable[Star], documents: Collection[Collection[Star]]) -> None:
    """Raise a UsageError for a star of an error that no document has, or several."""
    for star in stars:
        if sum(star in its for its in documents) != 1:
            document, mention, kind = star
            which = f"{kind} error at {mention} of {quoted(document)} with a star on the page"
            raise UsageError(f"the {which} is not one of those found (was it made from these files?)")
