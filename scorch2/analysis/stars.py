"""Stars of the page of errors: its address names the examples that have one."""

import re
from collections.abc import Collection, Iterable, Sequence

from scorch2.analysis.error_report import Star
from scorch2.analysis.kinds import KINDS, Located
from scorch2.analysis.listing import Told, side_of, spelled_out
from scorch2.model.errors import UsageError, quoted

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
