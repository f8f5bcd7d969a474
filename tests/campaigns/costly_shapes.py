"""Inputs of any size for cost.py: the ordinary ones, and what an attacker writes.

Each generator yields the parts of one file, or of a folder its files, until they are large enough.
"""

import json
from collections.abc import Iterable, Iterator
from itertools import count
from typing import NamedTuple

from costly_mentions import CROSSING, HARD, INSIDE
from costly_texts import TEXTS
from ordinary_shapes import (
    BEGIN,
    BOOK,
    END,
    FILES,
    GRAPH,
    ONE,
    TINY,
    Maker,
    around,
    numbered,
    repeated,
    until,
)

SCORE = ("score", "--quiet", "{gold}", "{sys}")
FIRST = ("score", "--quiet", "--duplicates=first", "{gold}", "{sys}")
MERGE = ("score", "--quiet", "--duplicates=merge", "{gold}", "{sys}")
CONLL = ("conll", "all", "{gold}", "{sys}")
ERRORS = {
    "entities": ("errors", "--quiet", "--list=entities", "-f", "json", "{gold}", "{sys}"),
    "errors": ("errors", "--quiet", "--list=errors", "-f", "json", "{gold}", "{sys}"),
    "page": ("errors", "--quiet", "-f", "html", "{gold}", "{sys}"),
}
MEGABYTE = 1_000_000
LARGE, HOSTILE = 20 * MEGABYTE, 2 * MEGABYTE
"""Bytes of both sides together."""
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
    make_system: Maker | None = None
    """What makes the system if it is not a copy of gold."""


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


def chain_of_types(size: int) -> Iterator[str]:
    """Yield a tree of types that is one chain."""
    yield json.dumps({f"t{n}": [f"t{n + 1}"] for n in range(size // 20)})


def pairs_json(size: int) -> Iterator[str]:
    """Yield clusters of two mentions."""
    pairs = {str(n): [2 * n, 2 * n + 1] for n in range(size // 30)}
    yield json.dumps({"type": "clusters", "clusters": pairs})


def path_json(size: int) -> Iterator[str]:
    """Yield clusters of which each shares a mention with two of `pairs_json`: one long path."""
    pairs = {str(n): [2 * n + 1, 2 * n + 2] for n in range(size // 30)}
    yield json.dumps({"type": "clusters", "clusters": pairs})


def _in_one_text(words: int, clusters: list[list[list[int]]]) -> Iterator[str]:
    sentences = [["w"] * 20] * (words // 20 + 1)
    yield json.dumps({"doc_key": "d", "sentences": sentences, "clusters": clusters}) + "\n"


def one_entity(size: int) -> Iterator[str]:
    """Yield a text of which every word is a mention of one entity."""
    words = size // 20
    return _in_one_text(words, [[[n, n] for n in range(words)]])


def entities_of_two(size: int) -> Iterator[str]:
    """Yield the same mentions in entities of two."""
    words = size // 20
    return _in_one_text(words, [[[n, n] for n in range(first, first + 2)] for first in range(0, words, 2)])


def inside_each_other(size: int, members: int = 5) -> Iterator[str]:
    """Yield mentions inside each other, some of which after another are an entity."""
    number = size // 24
    spans = [[n, 2 * number - n] for n in range(number)]
    return _in_one_text(2 * number, [spans[n : n + members] for n in range(0, number, members)])


def ring_json(size: int) -> Iterator[str]:
    """Yield the same, but the last cluster shares one with the first: a ring."""
    number = size // 30
    pairs = {str(n): [2 * n + 1, (2 * n + 2) % (2 * number)] for n in range(number)}
    yield json.dumps({"type": "clusters", "clusters": pairs})


def sets_of_a_long_member(size: int) -> Iterator[str]:
    """Yield a hundred sets in CorefUD that have one member, of all but a few mentions, in common."""
    words = ["(big-person-1-)"] * (size // 45 - 300)
    extra = [""] * len(words)
    for number in range(100):
        words += [f"(m{number}-person-1-)", f"(s{number}-person-1-)"]
        extra += ["", f"|SplitAnte=big<s{number},m{number}<s{number}"]
    yield "# newdoc id = d\n# global.Entity = eid-etype-head-other\n# sent_id = 1\n"
    for number, (word, more) in enumerate(zip(words, extra, strict=True), 1):
        tree = "0\troot" if number == 1 else "1\tdep"
        yield f"{number}\tw\tw\tX\t_\t_\t{tree}\t_\tEntity={word}{more}\n"
    yield "\n"


NAF_TARGETS = around(
    '<NAF><text><wf id="w">w</wf></text><coreferences><coref id="c"><span>',
    numbered('<target id="w"/>'),
    "</span></coref></coreferences></NAF>",
)
CLUSTERS = '{"type": "clusters", "clusters": {'
NEWLINES = around("", numbered("\n" * 1000), "")
CELL = around(BEGIN + "w\t", numbered("(1)"), "\n\n" + END)
COMMENT = around(BEGIN + "# ", numbered("(1) "), "\nw\t(1)\n\n" + END)
TWO_ENTITIES = around(BEGIN, numbered("w\t(a)|({n})\n"), "\n" + END)
TASK_1 = ("are", "--task=1", "--quiet", "{gold}", "{sys}")
TRIALS = ("score", "--quiet", "--confidence=95", "--trials=1000000", "{gold}", "{sys}")
SETS = "--split-antecedents=keep"
WEAK = ("to-weak", "{gold}")
BY_TWO = ("evaluate", "--quiet", "--by-doc", "--by-type", "-g", "{gold}", "{sys}")
BY_FILE = ("score", "--quiet", "--average=files", "--confidence=95", "{gold}", "{sys}")
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
    Shape("clusters", "intervals over files", FILES["clusters"], BY_FILE, size=400_000, is_folder=True),
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
    Shape("clusters", "a path of clusters", pairs_json, size=LARGE // 4, make_system=path_json),
    Shape("clusters", "a ring of clusters", pairs_json, size=LARGE // 4, make_system=ring_json),
    Shape("graph", "a path, backwards", graph_path),
    Shape(
        "graph",
        "one link again and again",
        around(GRAPH + '[1, 2], "links": [', numbered("[1, 2]"), "]}", ","),
    ),
    Shape("jsonlines", "all in two clusters, first", twice_jsonlines, FIRST),
    *(
        Shape(
            "jsonlines",
            f"an entity in pieces, {name}",
            one_entity,
            words,
            size=300_000 if name == "page" else MEGABYTE,
            make_system=entities_of_two,
        )
        for name, words in ERRORS.items()
    ),
    Shape(
        "jsonlines",
        "mentions inside each other, page",
        inside_each_other,
        ERRORS["page"],
        size=100_000,
        make_system=lambda size: inside_each_other(size, 4),
    ),
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
    Shape("tsv", "tiny documents, all faulty", repeated("d{n}\t0\t0\tA\nd{n}\t0\t0\tB\n"), size=LARGE),
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
    Shape("tsv", "groups that never meet", repeated("d{n}\t0\t0\tE{n}\t1.0\tT{n}\n"), BY_TWO, size=400_000),
    Shape(
        "tsv",
        "a row of many candidates, to-weak",
        around("d\t0\t99998", numbered("\tE{n}\t1.0\tX"), "\n"),
        WEAK,
    ),
    Shape("tsv", "a chain of types", chain_of_types, ("weights-for-hierarchy", "{gold}")),
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
    Shape("sgml", "comments", around("<DOC>", numbered("w<!a>"), "</DOC>")),
    Shape("sgml", "open mentions", around("<DOC>", numbered('<COREF ID="{n}">'), "</DOC>")),
    Shape("tei", "opening tags", around("<TEI><text>", numbered("<rs>"), "")),
    Shape("sacr", "open mentions", around("#title:t\n", numbered("{{a "), "")),
    Shape("xmi", "elements", around("<xmi:XMI>", numbered('<a begin="{n}"/>'), "</xmi:XMI>")),
    Shape("naf", "one target again and again", NAF_TARGETS),
    Shape("are", "one long value", around('<are doc="', numbered("a" * 1000), '"></are>')),
    Shape("corefud", "sets of a long member", sets_of_a_long_member, (*SCORE, SETS), size=800_000),
    Shape("corefud", "mentions inside each other, validate", INSIDE, ("validate", "{gold}")),
    Shape("corefud", "crossing mentions, validate", CROSSING, ("validate", "{gold}")),
    *(
        Shape(hard.reader, hard.name, hard.gold, (*SCORE, *hard.options), make_system=hard.system)
        for hard in (*HARD, *TEXTS)
    ),
)
