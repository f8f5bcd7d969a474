"""Stars of the page of errors: its address names the examples that have one."""

import re
from collections.abc import Collection, Iterable, Sequence
from functools import partial
from urllib.parse import unquote

from scorch2.analysis.error_report import Star
from scorch2.analysis.kinds import KINDS, LOSES_RECALL, Located
from scorch2.analysis.listing import Told, spelled_out
from scorch2.model.errors import UsageError, quoted

_STARS = re.compile(r"(?:^|[#&])star=([^&]+)").search
_STAR = re.compile("doc=([^&]+)&m=([^&]+)&error=([^&]+)").fullmatch
_decoded = partial(unquote, errors="surrogatepass")


def stars_of(addresses: Iterable[object], option: str) -> tuple[Star, ...]:
    """Return the errors that have a star in addresses of pages, as the script of the page writes them."""
    stars = []
    for address in addresses:
        found = _STARS(address) if isinstance(address, str) else None
        parts = [None] if found is None else map(_STAR, _decoded(found[1]).split(","))
        for part in parts:
            if part is None or part[3] not in KINDS:
                what = 'takes the address of a page of errors with stars, such as "page.html#star=doc..."'
                raise UsageError(f"{option} {what}, not {quoted(address)}")
            stars.append(Star(*map(_decoded, part.groups())))
    return tuple(stars)


def stars_in(told: Told, errors: Sequence[Located], stars: Iterable[Star]) -> list[Star | None]:
    """Return the star of each error of a document; None for one without."""
    its = {(star.mention, star.kind): star for star in stars if star.document in (told.id, told.name)}
    found: list[Star | None] = [None] * len(errors)
    for place, error in enumerate(errors if its else ()):
        side = told.sides[error.kind not in LOSES_RECALL]
        mention = spelled_out(told.names.name(side.mentions[error.mentions[0]]))
        found[place] = its.get((mention, error.kind))
    return found


def refuse_unknown_stars(stars: Iterable[Star], documents: Collection[Collection[Star]]) -> None:
    """Raise a UsageError for a star of an error that no document has, or several."""
    for star in stars:
        number = sum(star in its for its in documents)
        if number != 1:
            error = f"{star.kind} error at {star.mention} of {quoted(star.document)}"
            why = "is in several documents" if number else "with a star on the page is not among those found"
            raise UsageError(f"the {error} {why} (was the page made from these files and options?)")
