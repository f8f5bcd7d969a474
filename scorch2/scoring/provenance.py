"""The origin of both sides of a run: formats, keys of clusters, hashes, and whether both are the same."""

from collections.abc import Mapping, Sequence
from typing import Any

from scorch2.model.errors import InputError, Notice, quoted
from scorch2.model.options import Options
from scorch2.scoring.pairing.files import Origin, ReadPair
from scorch2.scoring.remarks import same

_SIDES = (("gold", "--gold-key"), ("system", "--sys-key"))


def origin_in_words(origin: Origin) -> str:
    """Return an origin as ``--verbose`` shows it."""
    shown = [
        f"{side} {written or 'absent'}{f', key {key}' if key else ''}"
        for (side, _), written, key in zip(_SIDES, origin[:2], origin[2:], strict=True)
    ]
    return ", ".join(shown)


class Provenance:
    """The origins of all documents, and whether any differs on both sides."""

    def __init__(self) -> None:
        self._first: dict[Origin, str] = {}  # the first document of each origin
        self._last: Origin | None = None
        self._are_equal = True
        self._documents = 0

    def see(self, ident: str, origin: Origin, is_equal: bool) -> None:
        """Take a document."""
        self._documents += 1
        if origin != self._last:
            self._first.setdefault(origin, ident)
            self._last = origin
        if not is_equal:
            self._are_equal = False

    def keys(self) -> Mapping[str, Sequence[str]]:
        """Return the keys of either side, as `cluster_keys`."""
        return cluster_keys(self._first)

    def same(
        self, paths: tuple[str, str], files: tuple[str | None, str | None], mentions: int
    ) -> list[Notice]:
        """Return a warning if both sides are the same, which have `mentions`."""
        return same(paths, files, self._first, mentions if self._documents and self._are_equal else 0)


def cluster_keys(origins: Mapping[Origin, str], _: Sequence[Notice] = ()) -> Mapping[str, Sequence[str]]:
    """Return the keys of either side that has any; an InputError tells of two of one program."""
    keys = {}
    for number, (side, option) in enumerate(_SIDES):
        known: dict[str, tuple[str, str]] = {}
        for origin, ident in origins.items():
            key = origin[2 + number]
            other, first = known.setdefault(origin[number], (key, ident))
            if key != other:
                both = f"under {quoted(key)}, but those of {quoted(first)} under {quoted(other)}"
                how = f"all files of a side need the same key ({option}=<name> says which)"
                raise InputError(ident, "", f"the clusters of {side} are {both}: {how}")
        found = sorted({key for key, _ in known.values() if key})
        keys.update({side: found} if found else {})
    return keys


LEFT_OUT = ("missing", "extra", "invalid")  # the codes of notices of documents without a partner, or broken
FILES = ("sentences", "gold_categories", "sys_categories", "categories")
"""The options that name a file which is read besides those of both sides."""


def inputs_of(read: Sequence[ReadPair], options: Options, notices: Sequence[Notice]) -> dict[str, Any]:
    """Return the SHA-256 of each document that was read, of how they paired, and of other files."""
    import json
    from hashlib import sha256

    from scorch2.formats.source import STDIN, read_data

    pairs = sorted([one.id, one.gold, one.system] for one in read)
    alone = sorted([one.code, one.document] for one in notices if one.code in LEFT_OUT)
    given = {name: getattr(options, name) for name in FILES}
    files = {
        name: sha256(read_data(path)).hexdigest()
        for name, path in given.items()
        if path not in (None, "", STDIN)
    }
    pairing = json.dumps([pairs, alone], ensure_ascii=False).encode()
    return {
        "gold": {one.id: one.gold_sha256.hex() for one in read if one.gold_sha256},
        "system": {one.id: one.system_sha256.hex() for one in read if one.system_sha256},
        "pairing": sha256(pairing).hexdigest(),
        **({"files": files} if files else {}),
    }
