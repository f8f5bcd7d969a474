"""Gold that stands on the side of the system does not score well without a word."""

import json
from pathlib import Path
from typing import Any

import pytest
from executors import Here

import scorch2
from scorch2.cli.main import main
from scorch2.model.errors import InputError, PairingError
from scorch2.tasks.linking.corpus import Sources, read_corpus

WORDS = [["Ann", "saw", "her", "dog", "."]]
RIGHT, WRONG = [[[0, 0], [2, 2]]], [[[0, 0], [3, 3]]]
pytestmark = pytest.mark.usefixtures("folder")


def row(name: str, **keys: Any) -> dict[str, Any]:
    return {"doc_key": name, "sentences": WORDS, **keys}


def put(path: str, *rows: Any) -> str:
    Path(path).parent.mkdir(exist_ok=True)
    Path(path).write_text("".join(f"{json.dumps(value)}\n" for value in rows), encoding="utf-8")
    return path


def codes(gold: str, system: str, **chosen: Any) -> list[str]:
    return [notice.code for notice in scorch2.score(gold, system, **chosen).notices]


BOTH = row("a", clusters=RIGHT, predicted_clusters=[])
GOLD_ALONE = row("b", clusters=RIGHT)


# Keys


@pytest.mark.parametrize("jobs", [1, 2])
def test_gold_of_one_row_is_no_output_beside_predictions_of_another(jobs: int) -> None:
    path = put("d.jsonl", BOTH, GOLD_ALONE)
    with pytest.raises(InputError) as caught:
        scorch2.score(path, path, jobs=jobs)
    assert str(caught.value) == (
        'd.jsonl: line 2: $: clusters are under "clusters", but on line 1 under "predicted_clusters": '
        "all documents of a file need the same key (sys_key=<name> says which)"
    )
    assert scorch2.score(path, path, sys_key="clusters").muc.f1 == 1


def test_so_it_is_in_lists_and_where_no_side_is_known() -> None:
    Path("d.json").write_text(json.dumps([GOLD_ALONE, row("c", predicted_clusters=RIGHT)]), encoding="utf-8")
    with pytest.raises(InputError, match=r"^d\.json: \$\[1\]: clusters are under .*, but in \$\[0\] .*key="):
        scorch2.read("d.json")


def test_large_files_that_are_read_in_chunks_say_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scorch2.workers.tasks.LARGE", 1)
    monkeypatch.setattr("scorch2.workers.tasks.CHUNK", 1)
    gold = put("g.jsonl", BOTH, row("b", clusters=RIGHT, predicted_clusters=WRONG))
    system = put("s.jsonl", BOTH, GOLD_ALONE)
    with pytest.raises(InputError, match=r"^s\.jsonl: line 2: \$: clusters are under"):
        scorch2.score(gold, system, jobs=2)


def test_files_of_a_folder_need_the_same_key_too() -> None:
    put("g/a.json", BOTH)
    put("g/b.json", GOLD_ALONE)
    put("s/a.json", BOTH)
    put("s/b.json", row("b", clusters=WRONG))
    with pytest.raises(InputError) as caught:
        scorch2.score("g", "s")
    assert str(caught.value) == (
        'b: the clusters of system are under "clusters", but those of "a" under "predicted_clusters": '
        "all files of a side need the same key (sys_key=<name> says which)"
    )


def test_the_report_and_verbose_runs_say_which_keys_were_read(capsys: pytest.CaptureFixture[str]) -> None:
    path = put("d.jsonl", row("a", clusters=RIGHT, predicted_clusters=WRONG))
    report = scorch2.score(path, path)
    assert report.cluster_keys == {"gold": ["clusters"], "system": ["predicted_clusters"]}
    assert report.to_dict()["cluster_keys"] == report.cluster_keys
    assert main(["-v", path, path]) == 0
    written = "jsonlines (e2e: mentions are [first, last] token)"
    said = f"gold {written}, key clusters, system {written}, key predicted_clusters"
    assert f"scorch2: read 1 document: {said}\n" in capsys.readouterr().err
    plain = '{"type": "clusters", "clusters": {"a": ["m1"]}}'
    Path("p.json").write_text(plain, encoding="utf-8")
    assert "cluster_keys" not in scorch2.score("p.json", "p.json").to_dict(), "where there is no choice"


@pytest.mark.parametrize(
    ("keys", "chosen", "expected"),
    [
        ({"speakers": [["A"] * 5]}, {}, ["key"]),
        ({"speakers": [["A"] * 5]}, {"sys_key": "clusters"}, []),
        ({"pred_clusters": WRONG}, {}, ["key"]),
        ({"pred_clusters": WRONG}, {"sys_key": "pred_clusters"}, []),
        ({}, {}, []),  # so systems are converted
    ],
)
def test_what_a_system_reads_is_not_what_it_writes(
    keys: dict[str, Any], chosen: dict[str, str], expected: list[str]
) -> None:
    gold = put("g.jsonl", row("a", clusters=RIGHT), row("b", clusters=RIGHT))
    system = put("s.jsonl", row("a", clusters=WRONG, **keys), row("b", clusters=RIGHT, **keys))
    assert codes(gold, system, **chosen) == expected, "once for a file"


# The same on both sides


def test_a_file_against_itself_is_worth_a_warning() -> None:
    path = put("d.jsonl", GOLD_ALONE)
    (notice,) = scorch2.score(path, path).notices
    assert notice == ("same", path, "it is the gold side, too: is it the output of a system?")
    (notice,) = scorch2.score(path, str(Path(path).resolve())).notices
    assert notice.code == "same"


def test_but_not_where_the_sides_stand_under_different_keys() -> None:
    path = put("d.jsonl", row("a", clusters=RIGHT, predicted_clusters=WRONG))
    assert codes(path, path) == []


def test_nor_where_a_folder_holds_both_sides() -> None:
    put("d/gold.jsonl", row("a", clusters=RIGHT))
    put("d/system.jsonl", row("a", clusters=WRONG, predicted_clusters=WRONG))
    sides = {"gold_files": "gold*", "sys_files": "system*", "gold_key": "clusters", "sys_key": "clusters"}
    assert "same" not in codes("d", "d", **sides)


@pytest.mark.parametrize("executor", [None, Here()], ids=["here", "workers"])
@pytest.mark.parametrize("profile", [None, "conll", "scorch"])
def test_a_corpus_that_equals_gold_to_the_last_mention_is_worth_a_warning(
    executor: Here | None, profile: Any
) -> None:
    for name in "ab":
        put(f"g/{name}.jsonl", row(name, clusters=[*RIGHT, [[3, 4]]]))
        put(f"s/{name}.jsonl", row(name, clusters=[[[3, 4]], [[2, 2], [0, 0]]]))
    (notice,) = scorch2.score("g", "s", executor=executor, profile=profile).notices
    assert notice == (
        "same",
        "s",
        "all that is scored equals gold (g) to the last mention: is it the output of a system?",
    )
    put("s/b.jsonl", row("b", clusters=RIGHT))
    assert codes("g", "s", executor=executor, profile=profile) == [], "one mention lacks"


UA_HEAD = "# newdoc id = d\n# sent_id = d-1\n"


def ua(path: str, *rows: tuple[str, str, str]) -> str:
    """Write words, each with what stands in its columns of identity and of bridging."""
    lines = [
        "\t".join([number, "w", *"_" * 8, cell and f"({cell}|SemType=dn)", bridge, "_", "_", "_"])
        for number, cell, bridge in rows
    ]
    Path(path).write_text(UA_HEAD + "\n".join(lines).replace("\t\t", "\t_\t") + "\n", "utf-8")
    return path


def mention(entity: str, part: str = "") -> str:
    """Return a mention of one word, which has the name of its entity."""
    return f"EntityID={entity}|MarkableID=m{entity}|Min=1{part}"


@pytest.mark.parametrize("metric", ["muc", "b_cubed"])
def test_split_antecedents_that_differ_do_not_equal_gold(metric: str) -> None:
    """Both have the same clusters; the set is of the first and another entity."""
    part = "|ElementOf=3"
    gold = ua(
        "g.ua",
        ("1", mention("1", part), "_"),
        ("2", mention("2", part), "_"),
        ("3", mention("4"), "_"),
        ("4", mention("3"), "_"),
    )
    system = ua(
        "s.ua",
        ("1", mention("1", part), "_"),
        ("2", mention("2"), "_"),
        ("3", mention("4", part), "_"),
        ("4", mention("3"), "_"),
    )
    options: Any = {"profile": "ua-2.0", "singletons": "keep", "split_antecedents": "keep"}
    report = scorch2.score(gold, system, metrics=[metric], **options)
    assert report[metric].f1 < 1
    assert "same" not in [notice.code for notice in report.notices]
    assert "same" in [
        notice.code
        for notice in scorch2.score(
            gold,
            ua(
                "t.ua",
                ("1", mention("1", part), "_"),
                ("2", mention("2", part), "_"),
                ("3", mention("4"), "_"),
                ("4", mention("3"), "_"),
            ),
            metrics=[metric],
            **options,
        ).notices
    ]


def bridge(antecedent: str) -> str:
    return f"(MarkableID=m3|Rel=part|MentionAnchor={antecedent})"


@pytest.mark.parametrize(
    ("metric", "gold", "system"),
    [
        (
            "b_cubed",
            [(mention("1", "|ElementOf=3"), ""), (mention("2", "|ElementOf=3"), ""), (mention("4"), "")],
            [(mention("1", "|ElementOf=3"), ""), (mention("2"), ""), (mention("4", "|ElementOf=3"), "")],
        ),
        (
            "bridging_mention",
            [(mention("1"), ""), (mention("2"), ""), ("", "")],
            [(mention("1"), ""), (mention("2"), ""), ("", "")],
        ),
        (
            "non_referring",
            [(mention("1"), ""), (mention("2-Pseudo"), ""), ("", "")],
            [(mention("1"), ""), ("", ""), (mention("2-Pseudo"), "")],
        ),
    ],
)
def test_what_stands_beside_clusters_is_scored_under_strict_where_it_differs(
    metric: str, gold: list[tuple[str, str]], system: list[tuple[str, str]]
) -> None:
    """Both have the same clusters, so that it was a valid output that was refused."""
    both = ((gold, bridge("m2")), (system, bridge("m1")))
    for path, (cells, link) in zip(("g.ua", "s.ua"), both, strict=True):
        last = (mention("3"), link if metric == "bridging_mention" else "")
        ua(path, *[(str(number), *cell) for number, cell in enumerate([*cells, last], 1)])
    how = ["--profile=ua-2.0", "--singletons=keep", "--split-antecedents=keep", "-m", metric, "-f", "ua"]
    assert main(["--strict", *how, "g.ua", "s.ua"]) == 0
    assert main(["--strict", *how, "g.ua", "g.ua"]) == 2, "there it is an error"


def test_zeros_in_parts_of_split_antecedents_are_worth_a_warning() -> None:
    part = "|ElementOf=3"
    rows = (
        ("1", mention("1", part), "_"),
        ("1.1", "EntityID=1|MarkableID=z", "_"),
        ("2", mention("2", part), "_"),
        ("3", mention("3"), "_"),
    )
    gold = ua("g.ua", *rows)
    system = ua("s.ua", rows[0], ("1.1", "", "_"), *rows[2:])
    options: Any = {"profile": "ua-2.0", "singletons": "keep", "split_antecedents": "keep"}
    said = [notice.message for notice in scorch2.score(gold, system, **options).notices]
    assert any(
        "1 zero of gold left out, in entities that are parts of split antecedents" in one for one in said
    )


@pytest.mark.parametrize("cells", [("(1)|(2)", "(1)", "(2)"), ("(1)|(1)", "(1)", "(2)")])
def test_a_mention_that_gold_repeats_is_worth_a_warning_of_the_profile(cells: tuple[str, ...]) -> None:
    """By scorer.pl the first has MUC 0 % of itself without the repeat; the profile counts the first place."""
    for side, own in (("g", cells), ("s", ("(1)", *cells[1:]))):
        rows = "".join(f"d\t0\t{number}\tw\t{cell}\n" for number, cell in enumerate(own))
        text = f"#begin document (d); part 000\n{rows}#end document\n"
        Path(f"{side}.conll").write_text(text, "utf-8")
    said = [notice.message for notice in scorch2.score("g.conll", "s.conll", profile="conll").notices]
    assert any("scorer.pl counts those of the key each time" in one for one in said)
    other = [notice.message for notice in scorch2.score("s.conll", "g.conll", profile="conll").notices]
    assert not any("each time" in one for one in other), "it drops those of the response"


def test_clusters_given_in_python_may_be_right() -> None:
    assert not scorch2.score([["a", "b"]], [["b", "a"]]).notices


@pytest.mark.parametrize(
    "words",
    [
        ["errors", "g.jsonl", "s.jsonl"],
        ["compare", "g.jsonl", "s.jsonl", "--no-signature"],
        ["confidence", "-g", "g.jsonl", "s.jsonl", "-n", "2"],
        ["significance", "-g", "g.jsonl", "s.jsonl", "t.jsonl", "-n", "2"],
        ["are", "--task=4", "g.jsonl", "s.jsonl"],
        ["evaluate", "-g", "g.jsonl", "s.jsonl"],
        ["analyze", "-g", "g.jsonl", "s.jsonl"],
        ["compare-measures", "-m", "strong_mention_match,muc", "-g", "g.jsonl", "s.jsonl", "t.jsonl"],
    ],
)
def test_every_command_that_pairs_says_so(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    put("g.jsonl", GOLD_ALONE)
    put("s.jsonl", GOLD_ALONE)
    put("t.jsonl", row("b", clusters=WRONG))
    assert main(words) == 0
    said = capsys.readouterr().err
    assert "scorch2: warning: s.jsonl: all that is scored equals gold (g.jsonl) to the last mention" in said
    assert "warning: t.jsonl" not in said
    assert main([*words, "--strict"]) == 2, "there it is an error"
    assert "scorch2: error: s.jsonl: all that is scored equals gold" in capsys.readouterr().err


def test_the_reference_scorer_says_so_too(capsys: pytest.CaptureFixture[str]) -> None:
    gold = str(Path(__file__).parents[2] / "fixtures" / "example" / "gold.conll")
    assert main(["conll", "muc", gold, gold]) == 0
    assert "gold.conll: it is the gold side, too" in capsys.readouterr().err
    assert main(["conll", "--strict", "muc", gold, gold]) == 2


# Nothing that pairs


def test_linking_needs_a_document_on_both_sides() -> None:
    Path("g.tsv").write_text("a\t0\t4\tE1\n", encoding="utf-8")
    Path("s.tsv").write_text("b\t0\t4\tE1\n", encoding="utf-8")
    with pytest.raises(PairingError, match=r"^no document of s\.tsv .* has the id of a gold document"):
        read_corpus(Sources("g.tsv", "s.tsv"))


def test_documents_of_ecb_are_said_to_reach_across(capsys: pytest.CaptureFixture[str]) -> None:
    folder = Path(__file__).parents[2] / "fixtures" / "pairing" / "ecb"
    assert main(["-m", "muc", str(folder / "gold"), str(folder / "sys")]) == 0
    assert "--documents=topic joins the documents of a topic, corpus all" in capsys.readouterr().err
    joined = ["--documents=topic", "--ids=shared"]
    assert main(["-m", "muc", *joined, str(folder / "gold"), str(folder / "sys")]) == 0
    assert "joins the documents" not in capsys.readouterr().err
