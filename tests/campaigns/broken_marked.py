"""Mutations of texts with marks, by words, blanks and signs. Used by fuzz_marked.py."""

import json
import re

import broken_json
from broken_bytes import bent
from broken_lines import Change, delete_line, double_line, move_line
from dice import Dice

_PIECES = re.compile(r"\w+|[^\S\n]+|\S|\n")
_TEXTS = {
    "plaintext": (
        "Los|[e1 jugadores de el Espanyol|[e2],e1] dijeron que ##|[e1] ganan\n",
        "a|[e1 b|[e2 c|e1] d|e2] ##|[e3 ##form|e3],[e1]\n\nand|or x|[e1] a_b|[]\n",
        "a|[e1 b|[e1 c|e1] d|e1],[e1]\n",
    ),
    "markdown": (
        "[Tom](#cluster_0) and [[Hong Kong](#hk) and others](#bridge) [1] [x](http://y)\n",
        "# newdoc id = a\n[Tom](#1)'s \\[sic\\] \n\n[he](#1) [x](#)\n# newdoc id = b\n[she](#1) 100\\ 000\n",
        "[Tom](1) saw [[her](E2) dog](E3) [x](http://y) [Ann](#cluster 1) [Bob](# 2)\n",
        "Sure!\n```\n[Tom][1] saw [[her][e.2] dog][e-3] [sic]\n```\nDone.\n",
    ),
    "tagged": (
        "<m>Tom</m>#0 saw <m>her <m>dog</m>#2</m>#1 </z>@3 <m>x</m>#MASK\n",
        "<m> Tom | 3 </m> saw <m> her <m> dog | 4 </m> | 3 </m>\nand a | b\n",
        "# newdoc id = a\n<e1>Tom</e1> <e2>her <e1>dog</e1></e2>\n# newdoc id = b\n<x y='2'>Ann</x> a < b\n",
        '<mention id="1">Tom</mention> <mention id="Ann B">Ann</mention> \\<m>\n',
        "[m1]Tom[/m1] saw [m2]her [m1]dog[/m1][/m2] [sic] [/x]\n",
        "<m>U.S.</m>#3-based <m>it</m>#3 <m>x</m>#0-12 <m>y</m>#0 </z>@3-b\n",
    ),
    "bracketed": (
        "[Tom]_1 [Ann]2 [Bob: 1] [2 Eve] [sic] [who]_? [1 of us]_3 [a: 4]_5\n",
        "# newdoc id = a\n[her [dog]_2]_1\n# newdoc id = b\n[she]_x-y at 5: 30 [sic]\n",
        "[12 apostles: 3] [They: 3] [12 men] [U.S.]_3-based [it]_3 [x]_3f2a [y]_0-12 [z]_0\n",
        "Here:\n```\n# newdoc id = a\n[Tom | 1] saw [[her | 2] dog | e-3] a | b\n```\n",
    ),
}
ODD = (
    "", " ", "\n", "\n\n", "\t", "\r", "\x0b", "\x1c", "\x85", "\u2028", "\u3000", "\\", "\\\\", "\\ ", "\\[",
    "[", "]", "[[", "]]", "](#", "](#1)", "](#)", "(#", ")", "|", "|[e1", "|e1]", "|[e1]", "|[e1,[e2", "|e1",
    ",", "[e1", "e1]", "##", "##|", "<", ">", "<m>", "</m>", "</m>#1", "<m", "</", "#", "#1", "#MASK",
    "| 3 ", "<e1>", "</e1>", "</z>@3", "</z>@", "<x y='2'>", "</x>", '<m id="1">', "='", '"', "'", "]_1",
    "]_", "]_?", "]2", ": 1]", ":", "[1 ", "1", "e1", "w", "é", "\u00b2", "\u0663", "\U0001f600",
    "](1)", "](E 1)", "][1]", "[m1]", "[/m1]", " | 1]", "(# 1)", "-based", "-", "_3-x", "\n```json\n",
    "x" * 300, "# newdoc id = a\n", "\n# newdoc id = c\n", "# newdoc", "=", '{"id": "a", "text": "', "```",
)  # fmt: skip
_DOCUMENTS = (
    {
        "doc_id": "k",
        "tokens": ["a", "##", "b", "c", "##x", "##", "d"],
        "clusters_token_offsets": [[[0, 0], [1, 1]], [[2, 5]], [[4, 6], [6, 6]]],
        "clusters_text_mentions": [["a", "##"], ["b c ##x ##"], ["##x ## d", "d"]],
    },
    {
        "doc_id": "l",
        "tokens": ["##", "a", "b"],
        "clusters_token_offsets": [[[0, 1]], []],
        "clusters_text_mentions": [["## a"], []],
    },
    {"doc_key": "m", "tokens": ["a"], "clusters_token_offsets": None, "clusters_text_mentions": None},
)
FORMS = (*_TEXTS, "crac")


def example(form: str, dice: Dice) -> tuple[bytes, bytes]:
    """Return a valid file, and a copy of it with a few mutations."""
    if form == "crac":
        return broken_json.example_of_lines(dice, (_DOCUMENTS, _DOCUMENTS[:1], _DOCUMENTS[1:]))
    text = dice.pick(_TEXTS[form])
    if dice.chance(0.1) and form != "plaintext":
        text = "".join(f"{json.dumps({'id': name, 'text': text})}\n" for name in "ab"[: 1 + dice.below(2)])
    pieces = _PIECES.findall(text)
    for _ in range(1 + dice.below(4)):
        dice.pick(_CHANGES)(pieces, dice)
    data = "".join(pieces).encode()
    return text.encode(), bent(data, dice) if dice.chance(0.1) else data


def _insert(pieces: list[str], dice: Dice) -> None:
    pieces.insert(dice.below(len(pieces) + 1), dice.pick(ODD))


def _replace(pieces: list[str], dice: Dice) -> None:
    if pieces:
        pieces[dice.below(len(pieces))] = dice.pick(ODD)


_CHANGES: tuple[Change, ...] = (_insert, _insert, _replace, _replace, delete_line, double_line, move_line)
