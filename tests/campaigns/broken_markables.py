"""Mutations of MMAX2 and ECB+ by element and attribute. Used by fuzz.py."""

import re
from collections.abc import Callable

from broken_lines import broken_copy, delete_line, double_line, inserting, inside, move_line
from dice import Dice

_MMAX = (
    (
        '<?xml version="1.0" encoding="UTF-8"?>', '<!DOCTYPE markables SYSTEM "markables.dtd">',
        '<markables xmlns="www.eml.org/NameSpaces/coref">',
        '<markable id="m1" span="word_1..word_2" coref_class="set_1" mmax_level="coref"/>',
        '<markable id="m2" span="word_4" coref_class="set_1"/>',
        '<markable id="m3" span="word_5" coref_class="empty"/>',
        '<markable id="m4" span="word_7..word_9,word_11" coref_class="set_2"></markable>',
        '<markable id="m5" span="word_10" coref_class="set_2" min_words="x &amp; y"/>', "</markables>",
    ),
    (
        "<markables>", '<markable id="a" span="word_3" coref_set="set_1"/>',
        '<markable id="b" span="word_12..word_14" coref_set="set_1"/>', '<markable id="c" span="word_8"/>',
        '<markable id="d" span="word_1" coref_set=""/>', "</markables>",
    ),
    ("<markables>", "</markables>"),
)  # fmt: skip
_ECB = (
    (
        '<?xml version="1.0" encoding="UTF-8"?>', '<Document doc_name="1_1ecb.xml" doc_id="D1">',
        '<token t_id="1" sentence="0" number="0">Quake</token>',
        '<token t_id="2" sentence="0" number="1">hits</token>',
        '<token t_id="3" sentence="1" number="0">It</token>',
        '<token t_id="5" sentence="1" number="1">&amp;</token>',
        "<Markables>", '<ACTION_OCCURRENCE m_id="1"><token_anchor t_id="1"/></ACTION_OCCURRENCE>',
        '<ACTION_OCCURRENCE m_id="2"><token_anchor t_id="3"/></ACTION_OCCURRENCE>',
        '<LOC m_id="3">', '<token_anchor t_id="2"/>', '<token_anchor t_id="5"/>', "</LOC>",
        '<X m_id="4" TAG_DESCRIPTOR="q" instance_id="ACT1"/>', "</Markables>", "<Relations>",
        '<CROSS_DOC_COREF r_id="9" note="ACT1">', '<source m_id="1"/>', '<source m_id="2"/>',
        '<target m_id="4"/>',
        "</CROSS_DOC_COREF>", "</Relations>", "</Document>",
    ),
    (
        "<Document>", '<token t_id="1" sentence="0">a</token>', '<token t_id="2" sentence="2">b</token>',
        "<Markables>", '<A m_id="1"><token_anchor t_id="1"/></A>', '<B m_id="2"><token_anchor t_id="2"/></B>',
        "</Markables>", "<Relations>", '<INTRA_DOC_COREF r_id="7"><source m_id="1"/></INTRA_DOC_COREF>',
        '<INTRA_DOC_COREF r_id="7">', '<source m_id="2"/>', '<target m_id="1"/>', "</INTRA_DOC_COREF>",
        '<TLINK r_id="8"><source m_id="5"/></TLINK>', "</Relations>", "</Document>",
    ),
    ("<Document>", *(f'<token t_id="{i}">w</token>' for i in range(5)), "<Markables/>", "</Document>"),
)  # fmt: skip
_VALUES = (
    "", "0", "1", "2", "3", "4", "5", "9", "m1", "a", "b", "word_1", "word_0", "word_2..word_5",
    "word_5..word_2",
    "word_3,word_7", " word_3 , word_7..word_9", "word_3..", "word_1..5", "word_" + "9" * 12, "word_\u0663",
    ",",
    "set_1", "set_2", "set_9", "empty", "ACT1", "\u202e", "x" * 300, "&amp;", "&#10;", "&lt;", "1 ",
)  # fmt: skip
_NAMES = (
    "id", "span", "coref_class", "coref_set", "t_id", "m_id", "r_id", "note", "sentence", "xml:id", "other",
)  # fmt: skip
_LINES = (
    "", "text", "<!-- a comment -->", "<x/>", "<markable/>", "<token/>", "<source/>", "<target/>",
    "<Markables/>",
    "<Relations/>", "<token_anchor/>", '<token_anchor t_id="1"/>', '<source m_id="1"/>', '<target m_id="2"/>',
    '<markable id="z" span="word_2" coref_class="set_1"/>', '<token t_id="77">w</token>', '<Z m_id="77"/>',
    "</x>",
    "<x>", "</markables>", "</Document>", "&x;", "<![CDATA[x]]>", "<?x y?>", "<!DOCTYPE x>",
    "<!DOCTYPE x [ ]>",
    '<!DOCTYPE x [<!ENTITY x "y">]>', '<CROSS_DOC_COREF note="ACT1"><source m_id="3"/></CROSS_DOC_COREF>',
    '<INTRA_DOC_COREF r_id="7"/>', "<CROSS_DOC_COREF/>",
)  # fmt: skip
_ATTRIBUTE = re.compile(r'(\w+)="([^"]*)"')


def mmax(dice: Dice) -> tuple[bytes, bytes]:
    """Return a valid level of MMAX2 and a broken copy of it."""
    return broken_copy(_MMAX, _CHANGES, dice)


def ecb(dice: Dice) -> tuple[bytes, bytes]:
    """Return a valid file of ECB+ and a broken copy of it."""
    return broken_copy(_ECB, _CHANGES, dice)


def _set_value(lines: list[str], dice: Dice) -> None:
    _change(lines, dice, lambda found: f'{found[1]}="{dice.pick(_VALUES)}"')


def _set_name(lines: list[str], dice: Dice) -> None:
    _change(lines, dice, lambda found: f'{dice.pick(_NAMES)}="{found[2]}"')


def _drop_attribute(lines: list[str], dice: Dice) -> None:
    _change(lines, dice, lambda _: "")


def _change(lines: list[str], dice: Dice, changed: Callable[[re.Match[str]], str]) -> None:
    """Change an attribute of a line that has some."""
    places = [
        i for i, line in enumerate(lines) if _ATTRIBUTE.search(line) and not line.startswith(("<?", "<!"))
    ]
    if places:
        place = dice.pick(places)
        found = dice.pick(list(_ATTRIBUTE.finditer(lines[place])))
        lines[place] = lines[place][: found.start()] + changed(found) + lines[place][found.end() :]


_CHANGES = (
    _set_value, _set_value, _set_value, _set_name, _drop_attribute,
    *(inside(change) for change in (inserting(_LINES), delete_line, double_line, move_line)),
)  # fmt: skip
