"""Shapes of files that no example has: what is too deep, alone, or not where a format says it is."""

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

import scorch2
from scorch2.formats.fields import in_tokens
from scorch2.formats.json.dialects import has_several
from scorch2.formats.marked.shared import MarkedText
from scorch2.formats.rows.webanno import UnreadColumn, _label, _unread
from scorch2.model.document import Document

DEEP = 1001


@pytest.mark.parametrize(
    ("name", "text", "format", "why"),
    [
        ("d.sacr", "{a " * DEEP + "x" + "}" * DEEP, "sacr", "more than 1000 mentions lie in each other"),
        ("d.naf", "<NAF>" + "<a>" * DEEP, "naf", "more than 1000 elements lie in each other"),
        ("d.sgm", "<COREF>x</COREF>", "sgml", "there is no <DOC> in it"),
        ("d.xmi", "<other/>", "xmi", "<other> is not the root of XMI"),
    ],
)
def test_what_is_too_deep_or_something_else_is_refused(
    name: str, text: str, format: str, why: str, tmp_path: Path
) -> None:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    with pytest.raises(scorch2.InputError, match=why):
        list(scorch2.read(path, format=format))


def test_one_mention_alone_is_a_document(tmp_path: Path) -> None:
    """A list of mentions as WEC-Eng and uCDCR write it, but without its brackets."""
    folder = Path(__file__).parent.parent.parent / "fixtures" / "formats" / "valid"
    mentions = json.loads((folder / "weceng.json").read_text("utf-8"))
    path = tmp_path / "one.json"
    path.write_text(json.dumps(mentions[0]), encoding="utf-8")
    (document,) = scorch2.read(path)
    assert sum(map(len, document.clusters.values())) == 1


def test_a_map_of_clusters_holds_several_documents() -> None:
    assert has_several({"d1": [[[0, 1], [2, 3]]], "d2": []})


def test_a_mention_without_a_token_is_refused() -> None:
    """The mention stands in the blank between two tokens."""
    document = Document("d", {"a": [(2, 3)]}, text="ab cd", half_open=True, unit="character")
    with pytest.raises(scorch2.InputError, match="no token is where the mention"):
        in_tokens(document, [(0, 2), (3, 5)], [(0, 5)])


def test_places_of_several_letters_are_told_by_line_and_column() -> None:
    place = MarkedText("d", "a\nbc", "d.md", 5).places()
    assert [place(0), place(3)] == ["line 5, column 1", "line 6, column 2"]


def test_a_layer_without_labels_says_nothing_of_its_mentions() -> None:
    head = SimpleNamespace(links=(), bases=(3,), categories=(0,))
    assert _label((1,), ["1-1", "0-3", "Ann", "PER[1]"], cast("Any", head)) == ""


def test_mentions_that_hold_too_many_empty_nodes_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("scorch2.formats.marked.shared._MOST_EMPTY", 1)
    path = tmp_path / "d.txt"
    path.write_text("a|[e1 ## ## b|e1]\n", encoding="utf-8")
    with pytest.raises(scorch2.InputError, match="the mentions hold more than 1 empty nodes"):
        list(scorch2.read(path, format="plaintext"))


def test_a_star_in_a_column_that_is_not_read_is_no_value() -> None:
    """Two tokens: an annotation without a value, and one that says something."""
    rows = "1-1\t0-3\tAnn\t*\n1-2\t4-7\tsaw\tpast\n"
    assert _unread(rows, {3: UnreadColumn("tense", 0)}) == {"tense": 1}
