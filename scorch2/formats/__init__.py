"""Step 1, bytes to documents and back.

    file ─ source ─▶ bytes ─ reading ─▶ a reader ─▶ Document ─ copies ─▶ a writer ─▶ text ─ target ─▶ file

===========  =========================================================================================
table        `FORMATS`, a row per format: how its files begin, its modules, what it can hold
reading      `read`, `stream`: which format a file is in, and its documents
copies       `write_file`: documents as the content of a file, which is read again; what a copy lacks
source       inputs: files, pipes and standard input to bytes and text
target       outputs: files that are complete before one is in its place
compressed   what the kinds of compressed files (`COMPRESSED`, below) are read and written with
chunks       borders of documents in a file: byte ranges for workers, and hashes
fields       numbers, units, links, and mentions with ids and links, which several formats write
rows         one mention, token or document per line; CoNLL columns, TSV, brat, WebAnno, CSV, SACR
json         objects with a ``type``, and `SOURCES`, a row per neural system or tool without one
xml          the anaphora exercise, MMAX2, ECB+, GATE, NAF, TEI, Glozz, XMI; COREF tags of SGML
conllu       CorefUD and Universal Anaphora
===========  =========================================================================================

A new format is a file in one of the four folders, with functions of `FormatModule`, and a row of `FORMATS`.
"""

from collections.abc import Mapping
from itertools import chain, product

_BZIP2_BLOCKS = (b"1AY&SY", b"\x17rE8P\x90")
"""The beginnings of a block and of the end of the data; the letters before them alone could be text."""
_ZSTD_FRAMES = (b"\x28\xb5\x2f\xfd", *map(b"%c*M\x18".__mod__, range(0x50, 0x60)))
"""The beginnings of a frame: one with data, or one of the sixteen kinds that hold something else."""
COMPRESSED: Mapping[str, tuple[str, tuple[bytes, ...]]] = {
    "gzip": (".gz", (b"\x1f\x8b",)),
    "xz": (".xz", (b"\xfd7zXZ\0",)),
    "bzip2": (".bz2", tuple(map(b"BZh%d%b".__mod__, product(range(1, 10), _BZIP2_BLOCKS)))),
    "zip": (".zip", (b"PK\3\4", b"PK\5\6")),
    "zstd": (".zst", _ZSTD_FRAMES),  # Python has it since 3.14
}
"""The suffix of each kind of compressed file, and what its data begin with."""
SUFFIXES, _each = zip(*COMPRESSED.values(), strict=True)
BEGINS = tuple(chain.from_iterable(_each))


def without_suffix(path: str) -> str:
    """Return a path without the suffix of a compressed file.

    >>> without_suffix("doc1.conll.xz"), without_suffix("doc1.conll")
    ('doc1.conll', 'doc1.conll')
    """
    return path.rpartition(".")[0] if path.endswith(SUFFIXES) else path
