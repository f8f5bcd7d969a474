"""Texts that differ: two tokenisations by the tokens of gold, and errors in what a model copied."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from scorch2.analysis.table import DIMENSIONS
from scorch2.cli.main import main
from scorch2.model.settings import TYPES_HOW

EXAMPLE = Path(__file__).parent.parent.parent / "fixtures" / "example"
GOLD = "She|PRP|(1) ca|MD|- n't|RB|- see|VB|- Anne|NNP|(1)|(2 's|POS|- ship|NN|2)"
SYSTEM = "She|*|(1) can't|*|- see|*|- Anne's|*|(1) ship|*|(2)"


def conll(path: Path, written: str) -> str:
    rows = [word.split("|", 2) for word in written.split()]
    lines = [f"d 0 {number} {' '.join(row)}" for number, row in enumerate(rows)]
    path.write_text("\n".join(["#begin document (d); part 000", *lines, "", "#end document", ""]), "utf-8")
    return str(path)


@pytest.fixture
def paths(tmp_path: Path) -> list[str]:
    return [conll(tmp_path / "gold.conll", GOLD), conll(tmp_path / "sys.conll", SYSTEM)]


def reported(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    assert main(["errors", "-q", "-f", "json", *words]) == 0
    report: dict[str, Any] = json.loads(capsys.readouterr().out)
    return report


def test_tags_of_gold_tell_the_mentions_of_another_tokenisation(
    paths: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """Anne (NNP) and Anne's (NNP POS) are names, Anne's ship (a noun is its head) and ship nominals."""
    report = reported(capsys, "--align=characters", "--by=type,width,text,distance", *paths)
    counts = {
        dimension: {
            row["class"]: [row["mentions"][f"{side}_den"] for side in ("recall", "precision")] for row in rows
        }
        for dimension, rows in report["breakdown"].items()
    }
    assert counts == {
        "type": {"name": [1, 1], "nominal": [1, 1], "pronoun": [1, 1]},
        "width": {"1": [2, 2], "2": [0, 1], "3\u20135": [1, 0]},
        "text": {"first": [2, 2], "different": [1, 1]},
        "distance": {"first": [2, 2], "0\u20139": [1, 1]},
    }
    assert "types=tags | align=characters" in report["signature"]


def test_a_mention_inside_a_token_has_the_tag_of_the_token(
    paths: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    report = reported(capsys, "--align=characters", "--by=type", "--types=english", *reversed(paths))
    found = {row["class"]: row["mentions"]["precision_den"] for row in report["breakdown"]["type"]}
    assert found == {"name": 1, "nominal": 1, "pronoun": 1}  # Anne, inside Anne's; Anne's ship; she


@pytest.mark.parametrize("types", TYPES_HOW[1:])
def test_a_text_aligned_with_itself_has_the_classes_and_windows_that_it_has(
    types: str, capsys: pytest.CaptureFixture[str]
) -> None:
    lacking = ("trees",) if types == "english" else ("trees", "types")
    names = [name for name, row in DIMENSIONS.items() if row.needs not in lacking]
    asked = [f"--by={','.join(names)}", f"--types={types}", "--genre=(.)", "--window=20", "--spans=none"]
    asked.append(f"--categories={EXAMPLE / 'categories.tsv'}")
    files = [str(EXAMPLE / name) for name in ("gold.conll", "sys.conll")]
    plain, aligned = (reported(capsys, *asked, *more, *files) for more in ([], ["--align=characters"]))
    for key in ("breakdown", "windows"):
        assert aligned[key] == plain[key]


def test_what_an_aligned_document_lacks_is_said_as_it_is(
    paths: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["errors", "--align=characters", "--by=type", "--types=none", *paths]) == 2
    assert "has tags, but --types=none leaves types of mentions unknown" in capsys.readouterr().err
    text = {"text": "She can't see Anne's ship", "offsets": "exclusive", "unit": "char"}
    gold = tmp_path / "gold.json"
    gold.write_text(json.dumps({"type": "clusters", **text, "clusters": {"1": [[0, 3]]}}), "utf-8")
    assert main(["errors", "--align=characters", "--by=distance", str(gold), paths[1]]) == 2
    assert "has no tokens, which --by=distance needs" in capsys.readouterr().err


COPIES = {
    # `x` is found but for its last mention, of `y` one of three is not copied, `z` is not copied at all
    "gold": "[A](#x) b [c](#y) d [c](#y) and [A](#x) . [E](#y) [F](#z) g [F](#z) h [A](#x) .",
    "copy": "[A](#x) b c d c and [A](#x) .",
    # the same with what is not copied in its place, for one kind and for both
    "missing_mention": "[A](#x) b c d c and [A](#x) . E F g F h [A](#x) .",
    "missing_entity": "[A](#x) b c d c and [A](#x) . [E](#y) [F](#z) g [F](#z) h A .",
}


def marked(folder: Path, name: str) -> str:
    path = folder / f"{name}.md"
    path.write_text(COPIES[name], "utf-8")
    return str(path)


def test_mentions_that_were_not_copied_are_told_apart(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Counted by hand: an entity of n mentions has n - 1 links, and loses one with each of its mentions."""
    words = ["--align=text", "-m", "muc,b_cubed,ceaf_e,lea", "--list=errors", marked(tmp_path, "gold")]
    report = reported(capsys, *words, marked(tmp_path, "copy"))
    scores = {
        kind: report["errors"][kind]["not_copied"].pop("scores")
        for kind in ("missing_mention", "missing_entity")
    }
    expected = {"errors": 1, "mentions": 1, "links": {"recall": 1, "precision": 0}}
    assert report["errors"]["missing_mention"] == {**expected, "not_copied": expected}
    entities = {"errors": 2, "mentions": 5, "singletons": 0, "links": {"recall": 3, "precision": 0}}
    not_copied = {"errors": 1, "mentions": 3, "singletons": 0, "links": {"recall": 2, "precision": 0}}
    assert report["errors"]["missing_entity"] == {**entities, "not_copied": not_copied}
    assert {row["text"]: row["not_copied"] for row in report["list"]} == {"A": 1, "c": 1, "F": 2}
    for kind, corrected in scores.items():
        assert reported(capsys, *words, marked(tmp_path, kind))["scores"] == corrected, kind


def test_a_page_strikes_out_what_was_not_copied_and_shows_what_the_copy_has(tmp_path: Path) -> None:
    gold, copy = tmp_path / "gold.md", tmp_path / "copy.md"
    gold.write_text("[A](#x) b <c> and [d](#x) .", "utf-8")
    copy.write_text("Sure : [A](#x) <B> <c> and [d](#x) [now](#y)", "utf-8")
    page = tmp_path / "page.html"
    assert main(["errors", "-q", "--align=text", str(gold), str(copy), str(page)]) == 0
    cells = re.findall(r'<td class="(?:gold|system)".*?</td>', page.read_text("utf-8"))
    gold_cell, copy_cell = (
        re.sub(r"<sup>.*?</sup>|<a .*?</a>|<(?!/?(?:del|ins)\b)[^>]*>", "", cell) for cell in cells
    )
    assert gold_cell == (
        'A <del title="the copy has: &lt;B&gt;">b</del> &lt;c&gt; and d '
        '<del title="the copy has: now">.</del>'
    )
    assert copy_cell == (
        '<ins title="gold lacks it">Sure :</ins> A <ins title="gold has: b">&lt;B&gt;</ins> &lt;c&gt; and d '
        '<ins title="gold has: .">now</ins>'
    )


COREFUD = """# newdoc id = d
# global.Entity = eid-etype-head-other
# sent_id = s
{}
"""
"""The rows of a document as words of its text with their tag and what is said of entities there."""
ORIGINAL = "the|DET|(e-place-2- house|NOUN|e) it|PRON|(e-place-1-) stands|VERB| Bob|PROPN|(f-person-1-)"
INSERTED = ORIGINAL.replace(" stands", " lodge|NOUN|(q-place-1-) hut|NOUN|(q-place-1-) stands")


def corefud(path: Path, written: str) -> str:
    cells = [word.split("|") for word in written.split()]
    rows = [
        f"{number}\t{word}\t_\t{tag}\t_\t_\t{min(number - 1, 1)}\tdep\t_\t{entity and f'Entity={entity}'}\n"
        for number, (word, tag, entity) in enumerate(cells, 1)
    ]
    path.write_text(COREFUD.format("".join(rows)), "utf-8")
    return str(path)


def test_mentions_that_a_copy_inserted_have_classes_and_stand_behind_the_text(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The copy has two mentions more: nothing is known of their words, so they are of no type."""
    files = [corefud(tmp_path / "gold.conllu", ORIGINAL), corefud(tmp_path / "copy.conllu", INSERTED)]
    names = [name for name, row in DIMENSIONS.items() if row.needs != "genres"]
    names.remove("genre")
    report = reported(capsys, "--align=text", f"--by={','.join(names)}", "--list=errors", *files)
    counts = {
        dimension: {
            row["class"]: [row["mentions"][f"{side}_den"] for side in ("recall", "precision")] for row in rows
        }
        for dimension, rows in report["breakdown"].items()
    }
    assert counts["type"] == {"name": [1, 1], "nominal": [1, 1], "pronoun": [1, 1], "other": [0, 2]}
    assert counts["text"] == {"first": [2, 3], "different": [1, 2]}
    assert {name: sum(n for _, n in classes.values()) for name, classes in counts.items()} == (
        dict.fromkeys(names, 5)
    )
    listed = [(row["kind"], row["mentions"], row["text"]) for row in report["list"]]
    assert listed == [("extra_entity", ["1.0-0", "1.1-1"], "lodge")]
    assert main(["errors", "-q", "--align=text", *files, str(tmp_path / "page.html")]) == 0
    cells = re.findall(r'<td class="system".*?</td>', (tmp_path / "page.html").read_text("utf-8"))
    assert re.sub(r"<[^>]*>", "", cells[-1]).endswith("hut")


def test_a_text_of_the_same_letters_is_shown_in_the_words_of_gold(
    paths: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    report = reported(capsys, "--align=text", "--by=width", "--list=errors", *paths)
    assert "errors" in report
    assert [row["class"] for row in report["breakdown"]["width"]] == ["1", "2", "3\u20135"]
    assert {row["text"] for row in report["list"]} == {"Anne 's ship", "Anne"}
