"""Errors and classes where mentions are the same though they are not equal: by heads, zeros or phrases."""

import json
from pathlib import Path
from typing import Any

import pytest

from scorch2.cli.main import main
from scorch2.formats.reading import read
from scorch2.model.names import named_clusters

FIXTURES = Path(__file__).parent.parent.parent / "fixtures"
NEWS = [str(FIXTURES / "shared-task" / side / "news.conllu") for side in ("gold", "sys")]
NOVELS = [str(FIXTURES / "shared-task" / side / "novels.conllu") for side in ("gold", "sys")]
PARSED = [str(FIXTURES / "shared-task" / "parsed" / f"{side}.conll") for side in ("gold", "sys")]
WAYS = {
    "head": ["--match=head", *NOVELS],
    "zeros": ["--zeros=dependency", *NEWS],
    "mina": ["--match=mina", "--duplicates=first", *PARSED],
}


def output(words: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    assert main([*words, "-q"]) == 0
    return capsys.readouterr().out


def listed(what: str, words: list[str], capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(
        output(["errors", f"--list={what}", "-f", "json", *words], capsys)
    )["list"]
    return found


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("form", ["html", "json"])
def test_workers_find_the_same(way: str, form: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["errors", "-f", form, *WAYS[way]]
    assert output(words, capsys) == output([*words, "-j", "2"], capsys)


@pytest.mark.parametrize(
    "classes", ["type", "antecedent", "width", "distance", "sentences", "text", "length"]
)
def test_a_zero_at_the_place_of_one_with_another_partner_has_a_class(
    classes: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The zero of gold, behind the first word, has its partner behind the second."""
    paths = []
    for side, zeros in {"gold": {1: "3:x"}, "sys": {1: "1:y", 2: "3:x"}}.items():
        lines = ["# newdoc id = d", "# global.Entity = eid-etype-head"]
        for place in (1, 2, 3):
            lines.append(f"{place}\tw\t_\tNOUN\t_\t_\t0\troot\t_\t{'Entity=(e--1)' if place > 2 else '_'}")
            if place in zeros:
                lines.append(f"{place}.1\t_\t_\t_\t_\t_\t_\t_\t{zeros[place]}\tEntity=(e--1)")
        paths.append(str(tmp_path / f"{side}.conllu"))
        Path(paths[-1]).write_text("\n".join([*lines, "", ""]), "utf-8")
    words = ["--zeros=dependency", f"--by={classes}", "-f", "json", "-m", "lea", *paths]
    found = json.loads(output(words, capsys))
    assert "spans=head" in found["signature"]
    assert found["documents"][0]["system_mentions"] == 3


@pytest.mark.parametrize("way", WAYS)
def test_every_entity_has_its_name(way: str, capsys: pytest.CaptureFixture[str]) -> None:
    for row in listed("entities", WAYS[way], capsys):
        assert row["entity"] is not None
        assert (row["best"] is None) == (row["shared"] == 0)


def test_mentions_are_shown_as_their_own_side_has_them(capsys: pytest.CaptureFixture[str]) -> None:
    side = {"gold": NOVELS[0], "system": NOVELS[1]}
    there = {
        name: {
            mention for one in read(path) for members in named_clusters(one).values() for mention in members
        }
        for name, path in side.items()
    }
    assert there["gold"] != there["system"]
    found = listed("links", WAYS["head"], capsys)
    assert found
    for row in found:
        assert {row["mention"], row["link_to"]} <= there[row["side"]]
