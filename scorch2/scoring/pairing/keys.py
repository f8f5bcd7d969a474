"""Names and what is compared of them."""

from collections.abc import Mapping

from scorch2.model.errors import PairingError
from scorch2.model.messages import quoted


def the_only_ones(keys: Mapping[str, str], what: str) -> dict[str, str]:
    """Return names by their last part; a PairingError tells that two share one."""
    found: dict[str, str] = {}
    for name, part in keys.items():
        other = found.setdefault(part, name)
        if other != name:
            both = f"the {what}s {quoted(other)} and {quoted(name)} are both called {quoted(part)}"
            raise PairingError(f"--pair=basename: {both}")
    return found


def key(ident: str, rule: str) -> str:
    """Return what is compared of a name: names of one key are one document."""
    return last_part(doc_key(ident)) if rule == "basename" else doc_key(ident)


def last_part(ident: str) -> str:
    """Return what follows the last ``/`` of a name."""
    return ident.rpartition("/")[2]


def doc_key(ident: str) -> str:
    """Return how e2e systems write a CoNLL name and part.

    >>> doc_key("bc/cctv_0000-012"), doc_key("letter")
    ('bc/cctv_0000_12', 'letter')
    """
    name, _, part = ident.rpartition("-")
    return f"{name}_{part.lstrip('0') or 0}" if name and part.isascii() and part.isdecimal() else ident
