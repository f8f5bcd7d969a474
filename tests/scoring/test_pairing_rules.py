"""Pairing by name, by the last part of a name, by order; a folder against a file; what messages advise."""

import json
import random
import shutil
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import scorch2
from scorch2.cli.main import main
from scorch2.model.errors import InputError, InputErrors, Notice, PairingError
from scorch2.model.options import OPTIONS, options_from
from scorch2.scoring.pairing.by_name import answers, document_key
from scorch2.scoring.pairing.files import Item, Pair
from scorch2.scoring.pairing.pairs import plan_pairs, read_pairs

CLUSTERS = '{"type": "clusters", "clusters": {"a": ["m1", "m2"]}}'
FOLDER = Path(__file__).parent.parent.parent / "fixtures" / "pairing" / "ontonotes"


def conll(*names: str) -> str:
    """Return a file of documents of one cluster each; a name may have a part: ``x; part 000``."""
    begins = [f"({name.replace('; ', '); ', 1)}" if "; " in name else f"({name});" for name in names]
    return "".join(f"#begin document {begin}\nw\t(1)\nv\t(1)\n#end document\n" for begin in begins)


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def put(path: str, text: str = CLUSTERS) -> None:
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text(text, encoding="utf-8")


def items(gold: str, system: str, **chosen: Any) -> list[Item]:
    asked = options_from(**chosen)
    return list(read_pairs(plan_pairs(gold, system, asked), asked))


def paired(gold: str, system: str, **chosen: Any) -> dict[str, str]:
    """Return the path of the system's file by the id of each pair."""
    found = items(gold, system, **chosen)
    return {item.id: item.system.path for item in found if isinstance(item, Pair)}


def names(gold: str, system: str, **chosen: Any) -> list[tuple[str, str, str]]:
    """Return the id of each pair, and the names inside of both sides."""
    found = items(gold, system, **chosen)
    return [(item.id, item.gold.id, item.system.id) for item in found if isinstance(item, Pair)]


def refusal(gold: str, system: str, kind: type[Exception] = PairingError, **chosen: Any) -> str:
    def run() -> None:
        for item in items(gold, system, **chosen):
            if isinstance(item, InputError):
                raise item

    with pytest.raises(kind) as caught:
        run()
    return str(caught.value)


# The last part


def test_files_pair_by_the_last_part_of_their_paths() -> None:
    for path in ("gold/bc/00/c1.json", "gold/bn/a2.json", "sys/a2.json", "sys/out/c1.json"):
        put(path)
    assert paired("gold", "sys", pair="basename") == {"bc/00/c1": "sys/out/c1.json", "bn/a2": "sys/a2.json"}


def test_documents_of_files_pair_by_the_last_part_of_their_names() -> None:
    put("g.conll", conll("bc/c1; part 000", "bn/a2; part 001", "nw/w"))
    put("s.conll", conll("w", "out/a2; part 001", "c1_0"))
    assert names("g.conll", "s.conll", pair="basename") == [
        ("bc/c1-000", "bc/c1-000", "c1_0"),
        ("bn/a2-001", "bn/a2-001", "out/a2-001"),
        ("nw/w", "nw/w", "w"),
    ]


@pytest.mark.parametrize(("side", "other"), [("gold", "sys"), ("sys", "gold")])
def test_two_files_of_one_last_part_are_refused(side: str, other: str) -> None:
    for path in (f"{side}/bc/a.json", f"{side}/bn/a.json", f"{other}/x/a.json"):
        put(path)
    message = refusal("gold", "sys", PairingError if side == "gold" else InputError, pair="basename")
    assert (
        message
        == {
            "gold": '--pair=basename: the gold files "bc/a" and "bn/a" are both called "a"',
            "sys": 'sys: --pair=basename: sys/bc/a.json and sys/bn/a.json both answer to "x/a"',
        }[side]
    )


def test_two_documents_of_one_last_part_are_refused_though_their_order_fits() -> None:
    put("g.conll", conll("bc/a", "bn/a"))
    put("s.conll", conll("bc/a", "bn/a"))
    message = refusal("g.conll", "s.conll", pair="basename")
    assert message == '--pair=basename: the gold documents "bc/a" and "bn/a" are both called "a"'
    put("g.conll", conll("bc/a", "b"))
    message = refusal("g.conll", "s.conll", InputError, pair="basename")
    assert message == 's.conll: the documents "bc/a" and "bn/a" both answer to "bc/a"'


# The order


def test_the_nth_file_pairs_with_the_nth_file() -> None:
    for path in ("gold/a.json", "gold/bc/b.json", "gold/c.json", "sys/1.json", "sys/2.json", "sys/3/x.json"):
        put(path)
    expected = {"a": "sys/1.json", "bc/b": "sys/2.json", "c": "sys/3/x.json"}
    assert paired("gold", "sys", pair="order") == expected


def test_the_nth_document_pairs_with_the_nth_document() -> None:
    put("g.conll", conll("x", "y", "z"))
    put("s.conll", conll("z", "x", "other"))
    assert names("g.conll", "s.conll", pair="order") == [
        ("x", "x", "z"),
        ("y", "y", "x"),
        ("z", "z", "other"),
    ]


def test_in_folders_the_order_holds_inside_files_too() -> None:
    put("gold/bc/a.conll", conll("x", "y"))
    put("sys/q.conll", conll("m", "n"))
    assert names("gold", "sys", pair="order") == [("bc/a/x", "x", "m"), ("bc/a/y", "y", "n")]


def test_order_needs_as_many_files_and_as_many_documents() -> None:
    for path in ("gold/a.json", "gold/b.json", "sys/a.json"):
        put(path)
    message = "--pair=order needs equal numbers, not 2 files in gold and 1 file in sys"
    assert refusal("gold", "sys", pair="order", missing="skip") == message
    put("g.conll", conll("x", "y", "z"))
    put("s.conll", conll("x", "y"))
    needs = "--pair=order needs equal numbers, not"
    assert refusal("g.conll", "s.conll", pair="order", missing="skip") == (
        f"{needs} 3 gold documents and 2 system documents (g.conll has more)"
    )
    assert refusal("s.conll", "g.conll", pair="order", extra="skip") == (
        f"{needs} 2 gold documents and 3 system documents (g.conll has more)"
    )


@pytest.mark.parametrize("rule", [rule for rule in OPTIONS["pair"].values if rule != "text"])
def test_a_file_without_partner_is_emptied_under_every_rule_that_allows_it(rule: str) -> None:
    put("gold/a.conll", conll("x", "y"))
    put("gold/b.conll", conll("x", "y"))
    put("sys/b.conll", conll("x", "y"))
    if rule == "order":
        put("sys/a.conll", conll("x", "y"))
    found = items("gold", "sys", pair=rule, missing="empty")
    ids = [item.id for item in found if isinstance(item, Pair)]
    wrong = f"--pair={rule} --missing=empty: every gold document is scored, answered or not"
    assert ids == ["a/x", "a/y", "b/x", "b/y"], wrong


# A folder against a file


def test_a_tree_pairs_with_one_file_by_the_names_inside() -> None:
    put("gold/bc/one.conll", conll("bc/one"))
    put("gold/bn/two.conll", conll("bn/two; part 000", "bn/two; part 001"))
    put("all.conll", conll("bn/two; part 001", "bc/one", "bn/two; part 000"))
    ids = ["bc/one", "bn/two-000", "bn/two-001"]
    assert names("gold", "all.conll") == [(ident, ident, ident) for ident in ids]
    assert names("all.conll", "gold") == [(ident, ident, ident) for ident in (ids[2], ids[0], ids[1])]


def test_a_document_without_a_name_is_called_by_its_path_below_the_folder() -> None:
    put("gold/bc/one.json")
    put("gold/two.json")
    line = '{"doc_key": "%s", "sentences": [["a", "b"]], "clusters": []}\n'
    put("all.jsonl", line % "two" + line % "bc/one")
    assert [one[0] for one in names("gold", "all.jsonl")] == ["bc/one", "two"]
    assert [one[0] for one in names("all.jsonl", "gold")] == ["two", "bc/one"]


def test_a_name_inside_that_is_that_of_the_file_is_a_name() -> None:
    put("gold/bc/one.conll", conll("one"))
    put("gold/bc/two.conll", conll("two"))
    put("all.conll", conll("two", "one"))
    assert set(paired("gold", "all.conll").values()) == {"all.conll"}
    assert set(paired("all.conll", "gold")) == {"one", "two"}


def test_parts_are_written_in_two_ways() -> None:
    put("gold/bc/c.conll", conll("bc/c; part 000", "bc/c; part 012"))
    line = '{"doc_key": "%s", "sentences": [["a", "b"]], "clusters": []}\n'
    put("all.jsonl", line % "bc/c_12" + line % "bc/c_0")
    assert [(one[0], one[2]) for one in names("gold", "all.jsonl")] == [
        ("bc/c-000", "bc/c_0"),
        ("bc/c-012", "bc/c_12"),
    ]


def test_one_document_on_each_side_does_not_pair_across_names() -> None:
    put("gold/bc/one.conll", conll("one"))
    put("s.conll", conll("other"))
    assert refusal("gold", "s.conll") == (
        "gold against s.conll: no system document for 1 gold document: bc/one "
        "(--missing=empty scores them as unanswered, --missing=skip leaves them out); "
        "no gold document for 1 system document: other (--extra=skip leaves them out); "
        "--pair=order would pair the two"
    )


@pytest.mark.parametrize(("missing", "compared"), [("empty", ["x", "y"]), ("skip", ["y"])])
def test_the_options_for_one_side_only_hold_there_too(missing: str, compared: list[str]) -> None:
    put("gold/bc/a.conll", conll("x"))
    put("gold/bc/b.conll", conll("y"))
    put("s.conll", conll("y", "z"))
    found = items("gold", "s.conll", missing=missing, extra="skip")
    assert [item.id for item in found if isinstance(item, Pair)] == compared
    alone = [(item.code, item.document) for item in found if isinstance(item, Notice)]
    assert alone == [("missing", "x")] * (missing == "skip") + [("extra", "z")]


@pytest.mark.parametrize(("gold", "system"), [("tree", "all.conll"), ("all.conll", "tree")])
def test_a_document_in_two_files_of_the_tree_is_refused(gold: str, system: str) -> None:
    put("tree/bc/a.conll", conll("x"))
    put("tree/bn/b.conll", conll("x"))
    put("all.conll", conll("x"))
    assert refusal(gold, system, InputError) == 'tree/bn/b.conll: the document "x" is in tree/bc/a.conll, too'


@pytest.mark.parametrize(("gold", "system"), [("tree", "all.conll"), ("all.conll", "tree")])
def test_two_documents_of_the_tree_with_one_last_part_are_refused(gold: str, system: str) -> None:
    put("tree/a.conll", conll("bc/x", "bn/x"))
    put("all.conll", conll("x"))
    message = refusal(gold, system, InputError, pair="basename")
    assert message == (
        'tree/a.conll: the documents "bc/x" of tree/a.conll and "bn/x" answer to the same document'
    )


def test_two_gold_documents_of_one_name_are_refused_though_none_answers() -> None:
    put("tree/bc/a.conll", conll("x", "y"))
    put("tree/bn/b.conll", conll("x"))
    put("all.conll", conll("y"))
    message = refusal("tree", "all.conll", InputError, missing="empty")
    assert message == 'tree/bn/b.conll: the document "x" is in tree/bc/a.conll, too'


def test_what_cannot_be_read_in_the_tree_is_said_and_not_what_it_lacks_then() -> None:
    put("tree/bc/a.conll", "#begin document (x);\nw\t(1\n#end document\n")
    put("tree/bn/b.json", "{")
    put("all.conll", conll("x", "y"))
    for pair in (("tree", "all.conll"), ("all.conll", "tree")):
        with pytest.raises(InputErrors) as caught:
            scorch2.score(*pair)
        assert [error.path for error in caught.value.errors] == ["tree/bc/a.conll", "tree/bn/b.json"]


def test_standard_input_may_be_the_file() -> None:
    put("gold/bc/a.conll", conll("x"))
    assert plan_pairs("gold", "-", options_from()).by_documents


# Messages


def test_the_option_that_would_pair_them_is_named() -> None:
    for number in range(7):
        put(f"gold/bc/cctv/00/cctv_{number}.json")
        put(f"sys/cctv_{number}.json")
    message = refusal("gold", "sys")
    assert message.endswith("(--extra=skip leaves them out); --pair=basename would pair all 7")
    assert "for 7 gold files: bc/cctv/00/cctv_0, " in message
    assert "bc/cctv/00/cctv_4 and 2 more (" in message
    put("gold/other.json")
    assert refusal("gold", "sys").endswith("; --pair=basename would pair 7 of 8")
    put("sys/bn/cctv_3.json")  # two of one last part
    put("sys/cctv_9.json")
    assert "--pair=" not in refusal("gold", "sys")


def test_order_is_named_only_if_nothing_pairs_and_the_numbers_are_equal() -> None:
    for name in "abc":
        put(f"gold/{name}.json")
        put(f"sys/{name}_out.json")
    message = refusal("gold", "sys")
    same = 'those of the system end in "_out" (names without that: all 3 would be the same)'
    assert message.endswith(f"; {same}; --pair=order would pair all 3, the n-th with the n-th")
    put("sys/more.json")
    assert refusal("gold", "sys").endswith(f"; {same.replace('all 3', '3 of 4')}")
    Path("sys/more.json").unlink()
    Path("sys/a_out.json").rename("sys/a.json")
    assert "--pair=" not in refusal("gold", "sys")


def test_names_inside_files_are_advised_too() -> None:
    put("g.conll", conll("bc/a", "bc/b"))
    put("s.conll", conll("b", "a"))
    assert refusal("g.conll", "s.conll").endswith("; --pair=basename would pair all 2")


@pytest.mark.parametrize("jobs", [1, 2])
def test_nothing_that_pairs_is_an_error_whatever_is_allowed(jobs: int) -> None:
    put("g.conll", conll("bc/a", "bc/b"))
    put("s.conll", conll("b", "a"))
    why = 'no document of the system has the name of a gold document; pair="basename" would pair all 2'
    with pytest.raises(PairingError, match=f"^{why}$"):
        scorch2.score("g.conll", "s.conll", profile="conll", jobs=jobs)
    for name in "ab":
        put(f"gold/bc/{name}.json")
        put(f"sys/{name}.json")
    with pytest.raises(PairingError, match=f"^{why.replace('document', 'file')}$"):
        scorch2.score("gold", "sys", profile="conll", jobs=jobs)
    put("other.conll", conll("x", "y", "z"))
    with pytest.raises(PairingError, match=r"^no gold document pairs with a system document: nothing is"):
        scorch2.score("g.conll", "other.conll", profile="conll", jobs=jobs)
    put("some.conll", conll("bc/b", "z"))
    assert scorch2.score("g.conll", "some.conll", profile="conll", jobs=jobs).b_cubed.recall == 1 / 2


def test_long_names_are_shown_where_they_differ() -> None:
    head = "data/" * 30
    put("g.conll", conll(f"{head}left-side", f"{head}same"))
    put("s.conll", conll(f"{head}right-side", f"{head}same"))
    message = refusal("g.conll", "s.conll")
    assert "…data/data/data/data/left-side (" in message.replace(
        "a/data/data/data/data/", "data/data/data/data/"
    )
    assert "/right-side (" in message
    put("g.conll", conll(head))
    put("s.conll", conll(f"{head}more", "x"))
    assert "data/data/ (--missing" in refusal("g.conll", "s.conll")
    put("g.conll", conll(f"first/{head}end", "same"))
    put("s.conll", conll(f"{head}end", "same"))
    message = refusal("g.conll", "s.conll")
    assert ": first/data/" in message
    assert "/data/end (" in message


# Laws


def tree_scores(gold: str, system: str, **chosen: Any) -> tuple[Any, list[str]]:
    report = scorch2.score(gold, system, gold_files="*conll", **chosen)
    return report.scores, [document.id for document in report.documents]


def grown(folder: str, seed: int) -> str:
    """Copy the tree file by file in an order of its own, and return where it is."""
    paths = sorted(path for path in (FOLDER / "gold").rglob("*") if path.is_file())
    random.Random(seed).shuffle(paths)  # noqa: S311 - no secret
    for path in paths:
        target = Path(folder, path.relative_to(FOLDER / "gold"))
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, target)
    return folder


@pytest.mark.parametrize("system", ["system.conll", "flat.conll"])
def test_the_tree_scores_as_counted_by_hand(system: str) -> None:
    """The chains have 2, 1, 1 and 2 links; the system finds 1, 1, 0 and 2, and no other."""
    rule: Any = "name" if system == "system.conll" else "basename"
    found = scorch2.score(
        FOLDER / "gold", FOLDER / system, gold_files="*conll", pair=rule, average="pooled", metrics=["muc"]
    )
    wrong = f"{system} answers to other documents of the tree than it should"
    assert (found.muc.recall, found.muc.precision) == (4 / 6, 4 / 4), wrong
    by_document = {document.id: document.tallies[0][0][:2] for document in found.documents}
    assert by_document == {
        "bc/cctv/00/cctv_0001-000": (1, 2),
        "bn/abc/00/abc_0002-000": (1, 1),
        "bn/abc/00/abc_0002-001": (0, 1),
        "nw/wsj/23/wsj_0003-000": (2, 2),
    }


@pytest.mark.parametrize("rule", ["name", "basename"])
@pytest.mark.parametrize("jobs", [1, 2])
def test_neither_processes_nor_the_place_nor_the_making_of_files_change_a_tree_s_scores(
    rule: Any, jobs: int
) -> None:
    expected = tree_scores(str(FOLDER / "gold"), str(FOLDER / "system.conll"))
    for seed in range(3):
        folder = grown(f"renamed-{seed}/{'deeper/' * seed}gold", seed)
        found = tree_scores(folder, str(FOLDER / "system.conll"), pair=rule, jobs=jobs)
        assert found == expected, f"the tree in {folder} scores otherwise with --pair={rule} -j {jobs}"


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize(("rule", "flat"), [("name", False), ("basename", True), ("order", True)])
def test_processes_change_nothing_for_two_trees(rule: Any, flat: bool, jobs: int) -> None:
    for number in range(40):
        put(f"gold/{number % 3}/{number:02}.conll", conll("x", "y"))
        above = "flat" if flat else number % 3
        put(
            f"sys/{above}/{number if rule != 'order' else number % 3 * 100 + number:02}.conll",
            conll("y", "x"),
        )
    if rule == "basename":
        for path in sorted(Path("sys/flat").glob("?.conll")):
            path.rename(path.with_name(f"0{path.name}"))
    report = scorch2.score("gold", "sys", pair=rule, jobs=jobs)
    asked = f"--pair={rule} -j {jobs}"
    assert report.conll.f1 == 1, f"{asked}: documents are paired with others than their copies"
    ids = sorted(f"{number % 3}/{number:02}" for number in range(40))
    expected = [f"{ident}/{name}" for ident in ids for name in "xy"]
    assert [one.id for one in report.documents] == expected, f"{asked}: rows of documents in another order"


@given(st.lists(st.text("ab/-0", min_size=1, max_size=6), unique=True, min_size=1, max_size=6), st.randoms())
def test_names_of_any_order_pair_alike_under_name_and_under_the_last_part(
    idents: list[str], drawn: random.Random
) -> None:
    """Under the last part a name pairs with itself, or two names of one side are refused."""
    if len({document_key(ident) for ident in idents}) < len(idents):
        return
    other = list(idents)
    drawn.shuffle(other)
    gold, system = ([scorch2.Document(ident, {}) for ident in side] for side in (idents, other))
    by_name = answers(gold, system)
    wrong = f"{idents} in gold, {other} in the system: a document is answered by one of another name"
    assert {name: answer.id for name, answer in by_name.items()} == {ident: ident for ident in idents}, wrong
    parts = [document_key(ident).rpartition("/")[2] for ident in idents]
    if len(set(parts)) == len(parts):
        wrong = f"the last parts of {idents} differ: names of the same last part must pair"
        assert answers(gold, system, "basename") == by_name, wrong
    else:
        with pytest.raises(PairingError):
            answers(gold, system, "basename")


# By the names inside, and by words


def test_two_folders_pair_by_the_names_inside_where_none_of_their_files_do() -> None:
    put("gold/nw/wsj/23/wsj_2301.v4_gold_conll", conll("nw/wsj_2301; part 000", "nw/wsj_2301; part 001"))
    put("gold/nw/wsj/24/wsj_2400.v4_gold_conll", conll("nw/wsj_2400; part 000"))
    put("sys/wsj_2400.pred.conll", conll("nw/wsj_2400; part 000"))
    put("sys/wsj_2301.pred.conll", conll("nw/wsj_2301; part 001", "nw/wsj_2301; part 000"))
    ids = ["nw/wsj_2301-000", "nw/wsj_2301-001", "nw/wsj_2400-000"]
    assert names("gold", "sys") == [(ident, ident, ident) for ident in ids]
    report = scorch2.score("gold", "sys", jobs=2, average="files")
    assert [file.id for file in report.files()] == ["nw/wsj/23/wsj_2301", "nw/wsj/24/wsj_2400"]
    Path("sys/wsj_2400.pred.conll").unlink()
    message = refusal("gold", "sys")
    assert "no system document for 1 gold document: nw/wsj_2400-000 (--missing" in message
    put("sys/broken.conll", conll("nw/wsj_2400; part 000").replace("(1)", "(1"))
    assert [type(item) for item in items("gold", "sys")][-1] is InputError, "that is why it lacks"


def test_one_file_each_of_two_names_is_the_same_corpus() -> None:
    put("gold/en_gum-corefud-dev.conllu", conll("GUM_a", "GUM_b"))
    put("sys/en_gum.conllu", conll("GUM_b", "GUM_a"))
    assert names("gold", "sys") == [(ident, ident, ident) for ident in ("GUM_a", "GUM_b")]
    put("sys/en_gum.conllu", conll("other", "x"))
    assert refusal("gold", "sys").endswith("; --pair=order would pair the two"), "as if nobody had looked"
    put("sys/en_gum.conllu", "{")
    assert refusal("gold", "sys").endswith("; --pair=order would pair the two")


def test_files_that_name_no_document_do_not_pair_so() -> None:
    put("gold/bc/a.json")
    put("sys/a.json")
    assert refusal("gold", "sys").endswith("; --pair=basename would pair all 1")


def worded(**texts: str) -> str:
    """Return a file of documents with a text each, and one mention."""
    rows = {name: "".join(f"{word}\t-\n" for word in text.split()) for name, text in texts.items()}
    return "".join(
        f"#begin document ({name});\nthe\t(1)\n{text}#end document\n" for name, text in rows.items()
    )


@pytest.mark.parametrize("gold", ["gold", "g.conll"])
@pytest.mark.parametrize("system", ["sys", "s.conll"])
def test_documents_pair_by_their_words(gold: str, system: str) -> None:
    put("gold/a.conll", worded(x="Ann left .", y="She ran ."))
    put("gold/b.conll", worded(z="Bo -LRB- slept -RRB-"))
    put("g.conll", worded(x="Ann left .", y="She ran .", z="Bo -LRB- slept -RRB-"))
    rows = [["bo ( slept", ")"], ["She ran", "."], ["Ann left", "."]]
    texts = [
        {"sentences": [["the", *" ".join(row).split()]], "clusters": [], "doc_key": str(i)}
        for i, row in enumerate(rows)
    ]
    put("sys/all.jsonl", "".join(f"{json.dumps(text)}\n" for text in texts))
    put("s.conll", Path("sys/all.jsonl").read_text("utf-8"))
    found = names(gold, system, pair="text")
    below = ["all/2", "all/1", "all/0"] if system == "sys" else ["2", "1", "0"]
    assert [pair[2] for pair in found] == below
    assert [pair[0] for pair in found] == (["a/x", "a/y", "b"] if gold == "gold" else ["x", "y", "z"])


def test_texts_that_fit_nothing_are_missing_or_extra() -> None:
    put("g.conll", worded(a="Ann left .", b="She ran ."))
    put("s.conll", worded(b="Bo slept .", a="She ran ."))
    message = refusal("g.conll", "s.conll", pair="text")
    assert "no system document for 1 gold document: a (--missing=empty" in message
    assert "no gold document for 1 system document: b of s.conll (--extra=skip" in message
    assert message.endswith("; with --align=text documents pair by most of their words")
    assert names("g.conll", "s.conll", pair="text", missing="skip", extra="skip") == [("b", "b", "a")]


@pytest.mark.parametrize("twice", ["g.conll", "s.conll"])
def test_equal_texts_cannot_be_told_apart(twice: str) -> None:
    for path in ("g.conll", "s.conll"):
        put(path, worded(a="Ann left .", b="She ran ."))
    put(twice, worded(a="Ann left .", b="Ann left ."))
    with pytest.raises(InputError) as caught:
        scorch2.score("g.conll", "s.conll", pair="text")
    assert str(caught.value).startswith(
        f'{twice}: the documents "a" of {twice} and "b" have the same words: '
    )
    assert str(caught.value).endswith("look at words)")


def test_copies_with_errors_pair_with_the_text_that_has_most_of_their_rare_words() -> None:
    put("g.conll", worded(a="Ann left the old house .", b="She ran the whole way home ."))
    put("s.txt", "Sure ! She ran|[e1] the whole way\nAnn|[e1] left the house .\n")
    options: dict[str, Any] = {"pair": "text", "align": "text", "sys_format": "plaintext"}
    assert [pair[::2] for pair in names("g.conll", "s.txt", **options)] == [("a", "2"), ("b", "1")]
    put("s.txt", "Ann|[e1] left the old boat\nAnn house . and boat\n")
    message = refusal("g.conll", "s.txt", **options, extra="skip")
    assert "no system document for 1 gold document: b " in message
    put("s.txt", "Ann|[e1] the\nleft the\n")
    with pytest.raises(InputError, match='"2" share as many words with the same document'):
        scorch2.score("g.conll", "s.txt", pair="text", align="text", sys_format="plaintext")


def test_documents_without_words_cannot_pair_by_them() -> None:
    put("g.conll", worded(a="Ann left ."))
    put("s.json")
    with pytest.raises(InputError, match=r'^s\.json: "s" has no words, by which pair="text" pairs documents'):
        scorch2.score("g.conll", "s.json", pair="text")
    with pytest.raises(InputError, match="has no words"):
        scorch2.score("s.json", "g.conll", pair="text")


def test_pooled_files_under_the_rules_of_corefud_come_with_a_hint() -> None:
    folder = Path(__file__).parents[2] / "fixtures" / "shared-task"
    sides = str(folder / "gold"), str(folder / "sys")
    (hint,) = [one for one in scorch2.score(*sides, profile="corefud-1.2").notices if one.code == "hint"]
    assert "if each of them is a whole data set" in hint.message, "not the documents of one"
    assert hint.message.endswith('the headline of the CRAC shared tasks is their mean (average="files")')
    others: list[dict[str, Any]] = [{"average": "files", "profile": "corefud-1.2"}, {"profile": "conll"}]
    for chosen in others:
        assert not [one for one in scorch2.score(*sides, **chosen).notices if one.code == "hint"]


@pytest.mark.parametrize(
    ("gold", "system", "said"),
    [
        (("d1-0", "d2-0", "d10-0"), ("d1", "d2", "d10"), 'those of gold end in "-0"'),
        (("x1", "y2"), ("x1.pred", "y2.pred"), 'those of the system end in ".pred"'),
        (
            ("x1_gold", "y2_gold"),
            ("x1_sys", "y2_sys"),
            'those of gold end in "gold" and those of the system end in "sys"',
        ),
        (
            ("a/x1", "a/y2"),
            ("b_x1", "b_y2"),
            'those of gold begin in "a/" and those of the system begin in "b_"',
        ),
    ],
)
def test_names_that_differ_alike_are_told_by_what(gold: Any, system: Any, said: str) -> None:
    for side, stems in (("g", gold), ("s", system)):
        for stem in stems:
            put(f"{side}/{stem}.json")
    why = refusal("g", "s")
    assert f"; {said} (names without that: all {len(gold)} would be the same); --pair=order" in why
    assert "--pair=text" not in why


@pytest.mark.parametrize(
    ("system", "pattern"),
    [
        (("d1-0", "d1-1", "d2-0"), "(.+)[-][0-9]+"),
        (("d1.0", "d1.1", "d2.10"), "(.+)[.][0-9]+"),
        (("d1-0", "d1-1", "d3-0"), ""),  # gold has another name
        (("d1-0", "d1_1", "d2-0"), ""),
        (("d1-0", "d1-1", "d2-x"), ""),
        (("d1-0", "d2-0"), ""),  # as many as gold has
    ],
)
def test_windows_of_a_document_are_told_by_their_numbers(system: Any, pattern: str) -> None:
    line = '{{"doc_key": "{}", "clusters": [[[0, 0]]]}}\n'
    put("g.jsonl", "".join(map(line.format, ("d1", "d2"))))
    put("s.jsonl", "".join(map(line.format, system)))
    why = refusal("g.jsonl", "s.jsonl")
    said = f"are parts of them: --align=text --join-windows='{pattern}' joins them"
    assert (said in why) is bool(pattern)
    assert ("--join-windows" in why) is bool(pattern)


def test_text_is_no_way_to_pair_documents_without_words() -> None:
    for name in ("a1", "b2"):
        put(f"g/{name}.json")
    for name in ("q", "rr"):
        put(f"s/{name}.json")
    put("g.jsonl", "".join(f'{{"doc_key": "{name}", "clusters": [[[0, 0]]]}}\n' for name in ("a1", "b2")))
    put("s.jsonl", Path("g.jsonl").read_text("utf-8").replace("a1", "q").replace("b2", "rr"))
    for both in (("g", "s"), ("g.jsonl", "s.jsonl")):
        assert "; --pair=order would pair all 2" in refusal(*both)
        assert "--pair=text" not in refusal(*both)
    for path in ("g/a1", "g/b2", "s/q", "s/rr"):
        put(f"{path}.json", '{"type": "clusters", "clusters": {"a": ["0.0-0"]}, "sentences": [["w"]]}')
    assert "--pair=text pairs documents with the same words; --pair=order" in refusal("g", "s")


def test_documents_that_pair_by_names_inside_are_noted_and_strict_goes_on(
    capsys: pytest.CaptureFixture[str],
) -> None:
    put("g/a.conll", conll("x", "y"))
    put("s/b.conll", conll("x", "y"))
    assert main(["--strict", "-m", "muc", "g", "s"]) == 2  # equal sides are a warning
    put("s/b.conll", conll("x", "y").replace("v\t(1)", "v\t(2)"))
    assert main(["--strict", "-m", "muc", "g", "s"]) == 0
    assert "no file has a partner by its name: documents pair by the names inside" in capsys.readouterr().err


def test_other_files_beside_documents_can_be_left_out_unread() -> None:
    for side in "gs":
        put(f"{side}/d.conll", conll("x"))
    put("s/config.json", '{"lr": 1}')
    put("s/run.log", "epoch 1")
    assert '(--sys-files="*.conll" chooses the others; --extra=skip leaves them out)' in refusal("g", "s")
    assert list(paired("g", "s", extra="skip")) == ["d"]
    assert list(paired("g", "s", sys_files="*.conll")) == ["d"]
