"""Leaderboards of stored reports, by what was counted by hand, and what is kept apart."""

import itertools
import json
import os
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

import scorch2
from scorch2.audit.board import TITLE, system_names
from scorch2.cli.commands.compare import LEADERBOARD_USAGE
from scorch2.cli.main import main
from scorch2.model.forms import forms_of, render

Capture: TypeAlias = pytest.CaptureFixture[str]
Clusters: TypeAlias = list[list[str]]
DOCUMENTS = 12
GOLD = [["a", "b", "c"]]  # two links
PARTS = {
    "right": GOLD,  # MUC F1 is 1
    "lacking": [["a", "b"]],  # R = 1/2, P = 1, F1 = 2/3
    "apart": [["a"], ["b"], ["c"]],  # no link: R = 0, P = 0/0, F1 = 0
}
"""What a system finds in each document."""


def scored(
    system: Clusters, gold: Clusters = GOLD, documents: int = DOCUMENTS, **choices: Any
) -> scorch2.Report:
    """Score as many documents, each alike."""
    scorer = scorch2.CorefScorer(["muc", "b_cubed"], **choices)
    for number in range(documents):
        scorer.update(gold=gold, system=system, id=f"d{number}")
    return scorer.compute()


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Start in a folder of submissions: two are right, one lacks a link in each document."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "runs").mkdir()
    for name, system in (("ann", "right"), ("bob", "lacking"), ("cid", "right")):
        scored(PARTS[system]).save(f"runs/{name}.json")
    return tmp_path


def board(*words: str, capsys: Capture) -> dict[str, Any]:
    """Return the board that the command writes as JSON."""
    capsys.readouterr()
    assert main(["leaderboard", "-q", "-f", "json", *words]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def refused(*words: str, capsys: Capture) -> str:
    """Return the one line that refuses some words; nothing is written."""
    before = sorted(Path().rglob("*"))
    assert main(["leaderboard", *words]) == 2
    assert sorted(Path().rglob("*")) == before
    (line,) = capsys.readouterr().err.splitlines()
    return line


def ranks(ranking: dict[str, Any]) -> dict[str, int | None]:
    return {system["system"]: system["rank"] for system in ranking["systems"]}


# Ranks and tests


def test_equal_scores_share_a_rank_and_letters_tell_who_differs(capsys: Capture) -> None:
    """All 12 documents differ in one direction: 2 of 2^12 permutations are as extreme; Holm, three tests."""
    (found,) = board("--sort=muc", "runs", capsys=capsys)["rankings"]
    assert ranks(found) == {"ann": 1, "cid": 1, "bob": 3}
    assert [system["group"] for system in found["systems"]] == ["a", "a", "b"]
    assert [system["scores"]["muc"]["f1"] for system in found["systems"]] == [1, 1, pytest.approx(2 / 3)]
    p = {tuple(pair["systems"]): pair["tests"]["muc"]["f1"]["p_holm"] for pair in found["pairs"]}
    assert p == {
        ("ann", "cid"): 1,
        ("ann", "bob"): pytest.approx(3 * 2 / 2**12),
        ("cid", "bob"): pytest.approx(3 * 2 / 2**12),
    }


def test_a_score_that_is_undefined_has_no_rank_and_comes_last() -> None:
    empty = scored([["x"]], gold=[["x"]])  # singletons: MUC is 0/0
    reports = {"none": empty, "same": scored([["x"]], gold=[["x"]])}
    (found,) = scorch2.leaderboard(reports, sort="muc").rankings
    assert found.ranks == {"none": None, "same": None}
    assert scorch2.leaderboard(reports, sort="b3").rankings[0].ranks == {"none": 1, "same": 1}


def test_the_metric_that_ranks_is_the_first_or_the_one_asked_for(capsys: Capture) -> None:
    scored([["a", "b", "c", "x"]]).save("runs/dan.json")  # MUC 1 and 2/3; B3 R = 1, P = 9/16
    (found,) = board("runs", capsys=capsys)["rankings"]
    assert found["by"] == {"metric": "muc", "part": "f1"}
    (found,) = board("runs", "--sort=b_cubed", capsys=capsys)["rankings"]
    assert found["by"] == {"metric": "b_cubed", "part": "f1"}
    # B3 of bob: R = (2/3 + 2/3) / 3 = 4/9, P = 1, F1 = 8/13; of dan: 2 · 9/16 / (25/16) = 18/25
    assert ranks(found) == {"ann": 1, "cid": 1, "dan": 3, "bob": 4}


def test_stored_intervals_are_shown(capsys: Capture) -> None:
    for number in range(DOCUMENTS):
        put(f"gold/d{number}.json", GOLD)
        put(f"sys/d{number}.json", PARTS["lacking"])
    choices = ["-m", "muc,b_cubed", "--confidence=90", "--trials=20", "--no-hashes"]
    assert main(["-q", *choices, "gold", "sys", "runs/bob.json"]) == 0
    (found,) = board("runs", capsys=capsys)["rankings"]
    stored = {system["system"]: system["confidence"] for system in found["systems"]}
    assert stored["ann"] is None
    assert stored["bob"]["metrics"]["muc"]["recall"] == [0.5, 0.5], "all documents are alike"
    assert main(["leaderboard", "-q", "runs"]) == 0
    shown = capsys.readouterr().out
    assert "66.67 [66.67, 66.67]" in shown
    assert "90 % intervals over 20 bootstrap resamples of the documents" in " ".join(shown.split())


# What is kept apart


@pytest.mark.parametrize(
    ("report", "why"),
    [
        (scored(GOLD, average="macro"), "average is mentions here and macro there"),
        (scored(GOLD, documents=11), "document"),
        (scored([["a", "b"]], gold=[["a", "b"]]), "gold mentions"),
        (scored(GOLD, singletons="drop", undefined="zero"), "singletons is drop here and keep there"),
    ],
)
def test_reports_that_cannot_be_compared_have_a_ranking_of_their_own(
    report: scorch2.Report, why: str, capsys: Capture
) -> None:
    report.save("runs/eve.json")
    found = board("runs", capsys=capsys)
    assert [sorted(ranks(ranking)) for ranking in found["rankings"]] == [["ann", "bob", "cid"], ["eve"]]
    assert found["rankings"][0]["unlike"] == []
    (notice,) = (one for one in found["warnings"] if one["code"] == "rankings")
    assert notice["document"] == "eve"
    other = {"average is mentions here and macro there": "average is macro here and mentions there"}
    assert other.get(why, why) in "; ".join(found["rankings"][1]["unlike"])
    assert main(["leaderboard", "runs", "--strict"]) == 2, "a warning, which is an error if asked for"


def put(path: str, clusters: Sequence[Sequence[str]]) -> None:
    Path(path).parent.mkdir(exist_ok=True, parents=True)
    named = {f"c{number}": [*members] for number, members in enumerate(clusters)}
    Path(path).write_text(json.dumps({"type": "clusters", "clusters": named}), encoding="utf-8")


def test_other_bytes_of_gold_are_another_gold(capsys: Capture) -> None:
    for system in ("one", "two", "old"):
        put(f"{system}/d.json", [["a", "b"]])
    Path("out").mkdir()
    put("gold/d.json", [["a", "b", "c"]])
    put("new/d.json", [["a", "b"], ["c"]])  # as many mentions
    for name, gold in (("one", "gold"), ("two", "gold"), ("three", "new")):
        assert main(["-q", gold, "one", f"out/{name}.json"]) == 0
    assert main(["-q", "--no-hashes", "gold", "old", "out/old.json"]) == 0
    found = board("out", capsys=capsys)
    assert [sorted(ranks(one)) for one in found["rankings"]] == [["one", "two"], ["old"], ["three"]]
    assert found["rankings"][1]["unlike"] == ["only one of both says by SHA-256 which gold was read"]
    assert "gold of 1 document has other bytes there: d" in found["rankings"][2]["unlike"]
    assert [one for one in found["warnings"] if "SHA-256" in one["message"] and "old" in one["message"]]


# Names, folders and files


@given(st.lists(st.lists(st.sampled_from("ab."), min_size=1, max_size=3), min_size=1, max_size=6))
def test_no_two_systems_have_the_same_name(parts: list[list[str]]) -> None:
    paths = list(dict.fromkeys(f"{'/'.join(one)}.json" for one in parts))
    names = system_names(paths)
    assert len({*names}) == len(paths)
    assert all(names)


def test_other_json_in_a_folder_is_passed_over_and_a_broken_report_is_not(capsys: Capture) -> None:
    Path("runs/deps.json").write_text('{"name": "x"}', encoding="utf-8")
    found = board("runs", capsys=capsys)
    assert [*ranks(found["rankings"][0])] == ["ann", "cid", "bob"]
    assert [
        one
        for one in found["warnings"]
        if "passed over 1 file without a report of scores: deps.json" in one["message"]
    ]
    assert "runs/deps.json: $: not a report of scorch2" in refused(
        "runs/deps.json", "-o", "b.html", capsys=capsys
    )
    whole = Path("runs/ann.json").read_text("utf-8")
    Path("runs/ann.json").write_text(whole[: len(whole) // 2], encoding="utf-8")
    assert "runs/ann.json" in refused("runs", "-o", "b.html", capsys=capsys)
    Path("runs/ann.json").write_text(whole.replace('"recall": 1.0', '"recall": 0.9', 1), encoding="utf-8")
    assert "runs/ann.json" in refused("runs", "-o", "b.html", capsys=capsys)


def test_what_makes_no_board_is_refused(capsys: Capture) -> None:
    Path("empty").mkdir()
    assert "empty: holds no JSON report" in refused("empty", capsys=capsys)
    assert "runs/ann.json: is given twice" in refused("runs", "runs/ann.json", capsys=capsys)
    assert '"nonsense"' in refused("runs", "--sort=nonsense", capsys=capsys)
    assert "lea" in refused("runs", "-m", "lea", capsys=capsys)
    with pytest.raises(scorch2.UsageError, match="ranked by reports"):
        scorch2.leaderboard({"a": 3})
    linked = Path(__file__).parents[2] / "fixtures" / "example"
    assert (
        main(
            [
                "evaluate",
                "-f",
                "json",
                "-o",
                "l.json",
                "-g",
                str(linked / "gold.tsv"),
                str(linked / "sys.tsv"),
            ]
        )
        == 0
    )
    capsys.readouterr()
    assert "l.json: $: " in refused("l.json", capsys=capsys)


def test_pages_of_errors_beside_reports_are_linked_from_the_folder_of_the_board(capsys: Capture) -> None:
    Path("runs/ann.html").write_text("<!DOCTYPE html><title>errors</title>", encoding="utf-8")
    Path("runs/bob.html").write_text("no page", encoding="utf-8")
    Path("site").mkdir()
    assert main(["leaderboard", "-q", "runs", "-o", "site/board.html"]) == 0
    assert re.findall(r'href="([^"#]+)"', Path("site/board.html").read_text("utf-8")) == ["../runs/ann.html"]
    Path("pages").mkdir()
    Path("pages/bob.html").write_text("<html>", encoding="utf-8")
    (found,) = board("runs", "--pages=pages", capsys=capsys)["rankings"]
    assert {one["system"]: one["page"] for one in found["systems"]} == {
        "ann": None,
        "cid": None,
        "bob": "pages/bob.html",
    }


# Forms


@pytest.mark.parametrize("form", forms_of("board"))
def test_every_form_has_ranks_letters_and_scores(form: str) -> None:
    """By hand: MUC F1 1 and 2/3; B3 F1 1 and 8/13."""
    found = scorch2.leaderboard(["runs"])
    shown = render(found, form)
    if form == "json":
        assert json.loads(shown) == found.to_dict()
        assert [row["score"] for row in found.to_records() if row["system"] == "bob"] == [
            pytest.approx(2 / 3),
            pytest.approx(8 / 13),
        ]
        return
    plain = re.sub(r"<[^>]+>|\\textbf|[{}*|&$\\]", " ", shown)
    for system, rank, muc, group, b_cubed in (
        ("ann", 1, "100.00", "a", "100.00"),
        ("bob", 3, "66.67", "b", "61.54"),
    ):
        assert re.search(rf"\b{system}\s+{rank}\s+{muc}\s+{group}\s+{b_cubed}\b", plain), system
    assert "permutation" in plain
    assert found.rankings[0].compared.signature().split(" | ")[0] in shown


def test_names_are_text_in_every_form() -> None:
    reports = {"<b>&|_a": scored(GOLD), "b": scored(PARTS["lacking"])}
    found = scorch2.leaderboard(reports, title="<i>")
    page = render(found, "html")
    assert "<b>&|" not in page
    assert "&lt;b&gt;&amp;|_a" in page
    assert "<title>&lt;i&gt;" in page
    assert r"\|" in found.to_markdown()
    assert r"\&" in found.to_latex()


def test_python_and_the_command_make_the_same_board(capsys: Capture) -> None:
    options = [
        "--sort=b_cubed",
        "-m",
        "muc,b_cubed",
        "--parts=all",
        "--alpha=0.01",
        "--test=bootstrap",
        "--trials=50",
        "--seed=3",
    ]
    typed = board("runs", *options, capsys=capsys)
    found = scorch2.leaderboard(
        ["runs"],
        sort="b_cubed",
        metrics=["muc", "b_cubed"],
        parts="all",
        alpha=0.01,
        test="bootstrap",
        trials=50,
        seed=3,
    )
    assert typed == json.loads(found.to_json())
    found.save("board.html")
    assert main(["leaderboard", "-q", "runs", *options, "-o", "typed.html"]) == 0
    assert Path("board.html").read_bytes() == Path("typed.html").read_bytes()


# What a board does not show without a word


def reports_of(folder: Path, documents: int, systems: int, *words: str) -> list[str]:
    """Write reports of systems, of which each finds fewer links of every document than the one before."""
    paths = []
    for side in ("gold", *(f"s{number}" for number in range(systems))):
        size = 20 if side == "gold" else 19 - int(side[1:])
        (folder / side).mkdir()
        for number in range(documents):
            value = {"type": "clusters", "clusters": {"a": [f"m{place}" for place in range(size)]}}
            (folder / side / f"d{number}.json").write_text(json.dumps(value), encoding="utf-8")
        if side != "gold":
            paths.append(str(folder / f"{side}.json"))
            command = ["-q", "-m", "muc", "-o", paths[-1], *words, str(folder / "gold"), str(folder / side)]
            assert main(command) == 0
    return paths


@pytest.mark.parametrize(
    ("documents", "systems", "said"),
    [
        (7, 4, "no pair can differ: the smallest p possible is 0.094 after Holm over 6"),  # 6 · 2 / 2^7
        (8, 4, ""),  # 6 · 2 / 2^8 = 0.047
        (6, 2, ""),  # 2 / 2^6 = 0.031
        (5, 2, "no pair can differ: the smallest p possible is 0.062 after Holm over 1"),  # 2 / 2^5
    ],
)
def test_letters_that_cannot_differ_are_said(tmp_path: Path, documents: int, systems: int, said: str) -> None:
    board = scorch2.leaderboard(reports_of(tmp_path, documents, systems))
    assert [str(notice) for notice in board.notices if notice.code == "letters"] == ([said] if said else [])
    letters = {board.rankings[0].group(system) for system in board.rankings[0].compared.systems}
    assert (len(letters) == 1) is bool(said), "every system is better than the next in each document"


def test_tests_that_find_too_many_differences_say_so(tmp_path: Path) -> None:
    paths = reports_of(tmp_path, 12, 2)
    assert any(
        "test=bootstrap over 12 documents" in str(one)
        for one in scorch2.leaderboard(paths, test="bootstrap").notices
    )
    reports = {path: path for path in paths}
    assert any("test=bootstrap" in str(one) for one in scorch2.compare(reports, test="bootstrap").notices)
    assert not any("too many" in str(one) for one in scorch2.compare(reports).notices)


@pytest.mark.parametrize("link", [os.symlink, os.link])
def test_a_link_to_a_report_counts_once(tmp_path: Path, link: Callable[[str, str], None]) -> None:
    first, second = reports_of(tmp_path, 3, 2)
    link(first, str(tmp_path / "again.json"))
    board = scorch2.leaderboard([first, str(tmp_path / "again.json"), second])
    assert [*board.rankings[0].ranks] == ["s0", "s1"]
    assert any("is the same file as" in notice.message for notice in board.notices)


def test_reports_without_hashes_have_their_own_ranking_in_any_order(tmp_path: Path) -> None:
    with_hashes = reports_of(tmp_path, 3, 2)
    bare = str(tmp_path / "bare.json")
    words = ["-q", "-m", "muc", "--no-hashes", "-o", bare, str(tmp_path / "gold"), str(tmp_path / "s0")]
    assert main(words) == 0
    for order in itertools.permutations([*with_hashes, bare]):
        board = scorch2.leaderboard([*order])
        assert [sorted(ranking.ranks) for ranking in board.rankings] == [["s0", "s1"], ["bare"]]


def test_the_help_names_the_usual_title() -> None:
    assert f"(default: {TITLE})" in LEADERBOARD_USAGE
