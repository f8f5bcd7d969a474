"""Inputs of any size for cost.py: tiny documents, one large document, and what an attacker writes.

Each generator yields the parts of one file, or of a folder its files, until they are large enough.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from itertools import count
from typing import NamedTuple, TypeAlias

Maker: TypeAlias = Callable[[int], Iterator[str]]
SCORE = ("score", "--quiet", "{gold}", "{sys}")
FIRST = ("score", "--quiet", "--duplicates=first", "{gold}", "{sys}")
MERGE = ("score", "--quiet", "--duplicates=merge", "{gold}", "{sys}")
CONLL = ("conll", "all", "{gold}", "{sys}")
MEGABYTE = 1_000_000
LARGE, HOSTILE = 20 * MEGABYTE, 2 * MEGABYTE
"""Bytes of both sides together."""
BEGIN, END = "#begin document (d); part 000\n", "#end document\n"
BOOK = "COREF\tstart_token\tend_token\tprop\tcat\ttext\n"
SAME_HASH = 2**61 - 1
"""Python's hash of an integer is its remainder."""


class Shape(NamedTuple):
    """A kind of input, and the command that reads it."""

    reader: str
    name: str
    make: Maker
    words: tuple[str, ...] = SCORE
    size: int = HOSTILE
    is_folder: bool = False
    """Whether each part is a file of its own."""
    is_packed: bool = False
    """Whether the file is packed with gzip; its size is that of what it unpacks to."""


def until(size: int, parts: Iterable[str]) -> Iterator[str]:
    written = 0
    for part in parts:
        yield part
        written += len(part)
        if written >= size:
            return


def around(head: str, parts: Callable[[], Iterable[str]], tail: str, glue: str = "") -> Maker:
    """Return a maker of as many parts as fit between a head and a tail."""

    def make(size: int) -> Iterator[str]:
        yield head
        for number, part in enumerate(until(size, parts())):
            yield glue + part if number else part
        yield tail

    return make


def repeated(form: str) -> Maker:
    """Return a maker of parts that differ in a number."""
    return lambda size: until(size, (form.format(n=number) for number in count()))


def numbered(form: str) -> Callable[[], Iterable[str]]:
    return lambda: (form.format(n=number, next=number + 1) for number in count())


# One large document: clusters of five mentions


def clusters_json() -> Iterable[str]:
    for number in count():
        yield f'"e{number}": ' + json.dumps([f"m{5 * number + i}" for i in range(5)])


def graph_json(size: int) -> Iterator[str]:
    mentions = size // 22  # a mention is written about three times
    yield GRAPH + json.dumps(list(range(mentions))) + ', "links": '
    yield json.dumps([[n, n + 1] for n in range(mentions - 1) if n % 5 < 4]) + "}\n"


def jsonlines(size: int) -> Iterator[str]:
    sentences = size // 220
    words = [[f"w{number % 1000}" for number in range(20)] for _ in range(sentences)]
    starts = range(0, 20 * sentences - 10, 10)
    clusters = [[[start + 2 * i, start + 2 * i] for i in range(5)] for start in starts]
    yield json.dumps({"doc_key": "d", "sentences": words, "clusters": clusters}) + "\n"


def conll_rows() -> Iterable[str]:
    for number in count():
        yield "".join(f"d\t0\t{n}\tword\t({number})\n" for n in range(5)) + "\n" * (number % 4 == 3)


def tsv_rows() -> Iterable[str]:
    return (f"d\t{2 * n}\t{2 * n}\tNIL{n // 5}\n" for n in count())


def aida_rows() -> Iterable[str]:
    return (f"word\tB\tword\tE{n // 5}\n" + "\n" * (n % 20 == 19) for n in count())


def are_chains() -> Iterable[str]:
    for number in count():
        starts = range(10 * number, 10 * number + 10, 2)
        elements = "".join(f'<element start="{start}" end="{start}"/>' for start in starts)
        yield f"<chain>{elements}</chain>\n"


# Hostile


def graph_path(size: int) -> Iterator[str]:
    """Yield a graph whose links join one end to the other, the last first."""
    mentions = size // 22
    yield GRAPH + json.dumps(list(range(mentions))) + ', "links": '
    yield json.dumps([[n + 1, n] for n in reversed(range(mentions - 1))]) + "}\n"


def twice_json(size: int) -> Iterator[str]:
    """Yield clusters of which each mention is in two."""
    ids = [f"m{number}" for number in range(size // 24)]
    yield json.dumps({"type": "clusters", "clusters": {"a": ids, "b": ids}})


def twice_tsv() -> Iterable[str]:
    return (f"d\t{n // 2}\t{n // 2}\tNIL{n % 2}\n" for n in count())


def twice_jsonlines(size: int) -> Iterator[str]:
    spans = [[n, n] for n in range(size // 40)]
    words = [["w"] * len(spans)]
    yield json.dumps({"doc_key": "d", "sentences": words, "clusters": [spans, spans]}) + "\n"


def everywhere_json(size: int) -> Iterator[str]:
    """Yield clusters of one mention, always the same."""
    clusters = {f"c{number}": ["m"] for number in range(size // 16)}
    table = {"m": {"span": [0, 1]}}
    yield json.dumps({"type": "clusters", "offsets": "exclusive", "clusters": clusters, "mentions": table})


def nested_conll(size: int) -> Iterator[str]:
    """Yield mentions that all begin before the first of them ends."""
    depth = size // 24
    rows = [*(f"w\t({n}\n" for n in range(depth)), *(f"w\t{n})\n" for n in reversed(range(depth)))]
    yield from (BEGIN, *rows, "\n", END)


def pronouns_are(size: int) -> Iterator[str]:
    """Yield pronouns of which each answers with the one before it."""
    number = size // 90
    yield "<are><chain>" + "".join(f'<element id="{n}"/>' for n in range(number)) + "</chain>\n"
    yield from (f'<pair><pronoun id="{n}"/><antecedent id="{n - 1}"/></pair>\n' for n in range(1, number))
    yield "</are>\n"


def marks_brat(size: int) -> Iterator[str]:
    """Yield mentions of which each is related to the one before it."""
    yield "T0\tX 0 1\tw\n"
    for n in range(1, size // 60):
        yield f"T{n}\tX {n} {n + 1}\tw\nR{n}\tCoref Arg1:T{n} Arg2:T{n - 1}\n"


TINY: dict[str, Maker] = {
    "jsonlines": repeated(
        '{{"doc_key": "d{n:07}", "sentences": [["w", "w"]], "clusters": [[[0, 0], [1, 1]]]}}\n'
    ),
    "conll": repeated("#begin document (d{n:07}); part 000\nw\t(1)\nw\t(1)\n\n" + END),
    "tsv": repeated("d{n:07}\t0\t0\tNIL1\nd{n:07}\t1\t1\tNIL1\n"),
    "aida": repeated("-DOCSTART- (d{n:07})\nw\tB\tw\tE1\nw\tB\tw\tE1\n\n"),
}
ONE: dict[str, Maker] = {
    "clusters": around('{"type": "clusters", "clusters": {', clusters_json, "}}\n", ", "),
    "graph": graph_json,
    "jsonlines": jsonlines,
    "conll": around(BEGIN, conll_rows, "\n" + END),
    "tsv": lambda size: until(size, tsv_rows()),
    "aida": around("-DOCSTART- (d)\n", aida_rows, "\n"),
    "booknlp": around(BOOK, numbered("{n}\t{n}\t{n}\tPROP\tPER\tw\n"), ""),
    "litbank": around("", numbered("MENTION\tT{n}\t0\t{n}\t0\t{n}\tw\tPER\tPROP\nCOREF\tT{n}\tw\n"), ""),
    "brat": marks_brat,
    "are": around('<are unit="token" ends="inclusive">', are_chains, "</are>\n"),
}
FILES: dict[str, Maker] = {
    "clusters": repeated('{{"type": "clusters", "clusters": {{"a": ["m1", "m{n}"]}}}}'),
    "graph": repeated('{{"type": "graph", "mentions": ["m1", "m{n}"], "links": [["m1", "m{n}"]]}}'),
    "are": repeated('<are doc="d{n}"><chain id="a"><element id="1"/><element id="2"/></chain></are>'),
}
CLUSTERS = '{"type": "clusters", "clusters": {'
GRAPH = '{"type": "graph", "mentions": '
NEWLINES = around("", numbered("\n" * 1000), "")
CELL = around(BEGIN + "w\t", numbered("(1)"), "\n\n" + END)
COMMENT = around(BEGIN + "# ", numbered("(1) "), "\nw\t(1)\n\n" + END)
TWO_ENTITIES = around(BEGIN, numbered("w\t(a)|({n})\n"), "\n" + END)
TASK_1 = ("are", "--task=1", "--quiet", "{gold}", "{sys}")
TRIALS = ("score", "--quiet", "--confidence=95", "--trials=1000000", "{gold}", "{sys}")
SHAPES = (
    *(Shape(reader, "tiny documents", make, size=LARGE) for reader, make in TINY.items()),
    *(Shape(reader, "tiny documents, a folder", make, is_folder=True) for reader, make in FILES.items()),
    *(Shape(reader, "one large document", make, size=LARGE) for reader, make in ONE.items()),
    Shape(
        "clusters",
        "one mention a cluster",
        around(CLUSTERS, numbered('"{n}":["{n}"]'), "}}", ","),
        size=LARGE,
    ),
    Shape(
        "graph",
        "mentions without links",
        around(GRAPH + "[", numbered("{n}"), '], "links": []}', ","),
        size=LARGE,
    ),
    Shape("clusters", "a million trials", FILES["clusters"], TRIALS, size=2_000, is_folder=True),
    Shape("clusters", "blank lines", NEWLINES),
    Shape("clusters", "blank lines, packed", NEWLINES, size=LARGE, is_packed=True),
    Shape("clusters", "opening brackets", around("", numbered("[" * 1000), "")),
    Shape(
        "clusters",
        "a long string, then NaN",
        around('{"type": "', numbered("a" * 1000), '", "clusters": NaN}'),
    ),
    Shape(
        "clusters",
        "a letter outside the BMP, then numbers",
        around(
            '{"type": "clusters", "name": "\\ud83d\\ude00", "clusters": {"a": [', numbered("{n}"), "]}}", ", "
        ),
        size=LARGE,
    ),
    Shape(
        "clusters",
        "integers of one hash",
        around(
            '{"type": "clusters", "clusters": {"a": [',
            lambda: (str(n * SAME_HASH) for n in count()),
            "]}}",
            ",",
        ),
    ),
    Shape("clusters", "all in two clusters, first", twice_json, FIRST),
    Shape("clusters", "all in two clusters, merge", twice_json, MERGE),
    Shape("clusters", "a mention in every cluster", everywhere_json, FIRST),
    Shape("graph", "a path, backwards", graph_path),
    Shape(
        "graph",
        "one link again and again",
        around(GRAPH + '[1, 2], "links": [', numbered("[1, 2]"), "]}", ","),
    ),
    Shape("jsonlines", "all in two clusters, first", twice_jsonlines, FIRST),
    Shape(
        "jsonlines",
        "blank lines",
        around("", numbered("\n" * 1000), '{"doc_key": "d", "sentences": [], "clusters": []}\n'),
    ),
    Shape("conll", "one cell", CELL),
    Shape("conll", "one cell, reference scorer", CELL, CONLL),
    Shape("conll", "one comment", COMMENT),
    Shape("conll", "one comment, reference scorer", COMMENT, CONLL),
    Shape("conll", "two entities in every row, reference scorer", TWO_ENTITIES, CONLL),
    Shape("conll", "mentions inside each other", nested_conll),
    Shape("conll", "one line", around(BEGIN, numbered("word "), "\n\n" + END)),
    Shape("tsv", "all in two clusters, first", lambda size: until(size, twice_tsv()), FIRST),
    Shape("tsv", "one span again and again", repeated("d\t0\t1\tNIL{n}\n"), FIRST),
    Shape(
        "tsv",
        "one row again and again, validate-spans",
        repeated("d\t0\t1\tNIL1\n"),
        ("validate-spans", "{gold}"),
    ),
    Shape(
        "tsv",
        "one span again and again, convert",
        repeated("d\t0\t1\tNIL{n}\n"),
        ("convert", "--to=clusters", "{gold}", "{out}"),
    ),
    Shape("tsv", "spans inside each other", repeated("d\t{n}\t99999999\tNIL1\n")),
    Shape("aida", "one mention", around("-DOCSTART- (d)\nw\tB\tw\tE1\n", numbered("w\tI\tw\tE1\n"), "\n")),
    Shape("aida", "one line", around("-DOCSTART- (d)\n", numbered("w\t"), "\n\n")),
    Shape(
        "booknlp", "one span again and again", around(BOOK, numbered("{n}\t0\t0\tPROP\tPER\tw\n"), ""), FIRST
    ),
    Shape("brat", "one relation", around("T1\tX 0 1\n*\tEquiv", numbered(" T1"), "\n")),
    Shape("brat", "a mention in many pieces", around("T1\tX 0 1", numbered(";{n} 9999999"), "\n")),
    Shape("are", "pronouns that answer with pronouns", pronouns_are, TASK_1),
    Shape("are", "opening tags", around("<are>", numbered("<chain>"), "")),
    Shape("are", "one long value", around('<are doc="', numbered("a" * 1000), '"></are>')),
)
