"""Every document is accounted for: paired by its exact name, refused, or left out because one said so."""

import os
import sys
from collections.abc import Mapping, Sequence
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from every import every

import scorch2
from scorch2.model.errors import InputError, InputErrors, Notice, PairingError
from scorch2.model.options import options_from
from scorch2.scoring.pairing.by_name import document_key
from scorch2.scoring.pairing.files import Item, Pair
from scorch2.scoring.pairing.pairs import plan_pairs, read_pairs

LINKS = pytest.mark.skipif(os.name == "nt", reason="links need special rights")
CLUSTERS = '{"type": "clusters", "clusters": {"a": ["m1"]}}'


def conll(*names: str) -> str:
    """Return a file of documents of one token and one mention each."""
    return "".join(f"#begin document ({name});\nw\t(1)\n#end document\n" for name in names)


@pytest.fixture(autouse=True)
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Start in a folder with two empty ones, so that messages hold short paths."""
    monkeypatch.chdir(tmp_path)
    Path("gold").mkdir()
    Path("sys").mkdir()
    return tmp_path


def lay_out(folder: str, files: Mapping[str, str] | Sequence[str]) -> None:
    for name in files:
        text = files[name] if isinstance(files, Mapping) else CLUSTERS
        try:
            Path(folder, name).write_text(text, encoding="utf-8")
        except OSError:
            pytest.skip(f"no file can be called {name!r} here")


def items(gold: str = "gold", system: str = "sys", **chosen: str) -> list[Item]:
    asked = options_from(**chosen)
    return list(read_pairs(plan_pairs(gold, system, asked), asked))


def paired(gold: str = "gold", system: str = "sys", **chosen: str) -> dict[str, tuple[str, str]]:
    """Return the names inside the files, gold's and the system's, of what is compared."""
    found = [item for item in items(gold, system, **chosen) if isinstance(item, Pair)]
    return {pair.id: (pair.gold.id, pair.system.id) for pair in found}


def notices(**chosen: str) -> list[tuple[str, str]]:
    """Return kind and document of the warnings, those that come with a pair too."""
    found = items(**chosen)
    alone = [item for item in found if isinstance(item, Notice)]
    inside = [notice for item in found if isinstance(item, Pair) for notice in item.notices]
    return [(notice.code, notice.document) for notice in (*alone, *inside)]


def refusal(
    kind: type[Exception] = PairingError, gold: str = "gold", system: str = "sys", **chosen: str
) -> str:
    with pytest.raises(kind) as caught:
        items(gold, system, **chosen)
    return str(caught.value)


# By name


@pytest.mark.parametrize(
    "names",
    [
        ["doc1", "doc10", "doc11", "doc2"],
        ["a*", "ab", "a[b]", "b"],
        ["Doc", "doc"],
        ["e\u0301", "\u00e9"],
        ["a b", "a.v2", "ab"],
        ["10", "9", "Z", "a", "é", "東"],
    ],
)
def test_files_pair_by_exact_name_in_the_order_of_code_points(names: list[str]) -> None:
    lay_out("gold", [f"{name}.json" for name in names])
    lay_out("sys", [f"{name}.json" for name in reversed(names)])
    if len(os.listdir("gold")) < len(names):
        pytest.skip("the file system does not tell these names apart")
    found = paired()
    assert list(found) == sorted(names), "documents come in the order of code points of gold's file names"
    assert found == {name: (name, name) for name in names}, "a file is paired with one of another name"


def test_a_name_that_begins_another_is_another() -> None:
    lay_out("gold", ["doc10.json"])
    lay_out("sys", ["doc1.json"])
    message = refusal()
    wrong = "doc1 and doc10 are two documents, each on one side only: both sides must be named"
    assert "no system file for 1 gold file: doc10 " in message, wrong
    assert "no gold file for 1 system file: doc1 " in message, wrong


def test_suffixes_are_not_part_of_the_name() -> None:
    lay_out("gold", {"a.v2.json": CLUSTERS, "b.v4_gold_conll": conll("x"), "c": CLUSTERS})
    lay_out("sys", {"a.v2.txt": CLUSTERS, "b.conll": conll("x"), "c.json": CLUSTERS})
    assert list(paired()) == ["a.v2", "b", "c"]


def test_gz_goes_before_the_suffix() -> None:
    lay_out("gold", ["a.json.gz"])
    lay_out("sys", ["a.conll"])
    assert plan_pairs("gold", "sys", options_from()).stems == ["a"]


# What lies in a folder


def test_names_that_start_with_a_dot_are_skipped() -> None:
    lay_out("gold", ["a.json", ".a.json"])
    lay_out("sys", {"a.json": CLUSTERS, ".DS_Store": "x", ".b.json": CLUSTERS})
    Path("sys", ".git").mkdir()
    lay_out("sys/.git", ["c.json"])
    assert list(paired()) == ["a"]
    assert plan_pairs("gold", "sys", options_from()).notices == ()


@LINKS
@pytest.mark.parametrize("target", ["nowhere.json", "b.json"], ids=["dangling", "itself"])
def test_links_to_nothing_are_refused(target: str) -> None:
    lay_out("gold", ["a.json"])
    lay_out("sys", ["a.json"])
    Path("sys", "b.json").symlink_to(target)
    assert refusal(InputError) == "sys/b.json: a link to nothing"


@LINKS
def test_links_to_devices_are_refused() -> None:
    lay_out("gold", ["a.json"])
    lay_out("sys", ["a.json"])
    Path("sys", "b.json").symlink_to(os.devnull)
    assert refusal(InputError) == "sys/b.json: neither a file nor a folder"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_pipes_in_a_folder_are_refused() -> None:
    lay_out("gold", ["a.json"])
    os.mkfifo("sys/a.json")
    assert refusal(InputError) == "sys/a.json: neither a file nor a folder"


@pytest.mark.skipif(sys.platform != "linux", reason="file names are text here")
def test_a_file_name_that_is_no_text_is_refused() -> None:
    lay_out("gold", ["a.json"])
    Path(os.fsdecode(b"sys/a\xff.json")).write_text(CLUSTERS, encoding="utf-8")
    assert refusal(InputError) == "sys/a\\udcff.json: the file name is not UTF-8"


@pytest.mark.parametrize("folder", ["gold", "sys"])
def test_two_files_for_one_document_are_refused(folder: str) -> None:
    lay_out("gold", ["a.json", "b.json"])
    lay_out("sys", ["a.json", "b.json"])
    lay_out(folder, {"a.txt": "junk"})
    option = f"--{folder}-files"
    assert refusal(InputError) == (
        f'{folder}: several files for one document: "a" (a.json, a.txt) '
        f'({option}=<glob> chooses, such as {option}="*.json")'
    )


@pytest.mark.parametrize("folder", ["gold", "sys"])
def test_a_folder_without_documents_is_refused(folder: str) -> None:
    lay_out({"gold": "sys", "sys": "gold"}[folder], ["a.json"])
    lay_out(folder, [".hidden.json"])
    assert refusal(missing="empty", extra="skip") == f"{folder}: no documents in the folder"


# One side only


def test_a_document_on_one_side_only_is_refused_with_the_options_that_go_on() -> None:
    lay_out("gold", ["a.json", "b.json", "c.json"])
    lay_out("sys", ["b.json", "d.json"])
    assert refusal() == (
        "no system file for 2 gold files: a, c "
        "(--missing=empty scores them as unanswered, --missing=skip leaves them out); "
        "no gold file for 1 system file: d (--extra=skip leaves them out)"
    )


def test_five_are_named_and_the_others_counted() -> None:
    lay_out("gold", [f"d{number}.json" for number in range(9)])
    lay_out("sys", ["d0.json"])
    assert "for 8 gold files: d1, d2, d3, d4, d5 and 3 more (" in refusal()
    lay_out("sys", [f"d{number}.json" for number in range(4)])
    assert "for 5 gold files: d4, d5, d6, d7, d8 (" in refusal()


@pytest.mark.parametrize(
    ("missing", "extra", "compared", "warned"),
    [
        ("skip", "skip", ["b"], [("missing", "a"), ("extra", "c")]),
        ("empty", "skip", ["a", "b"], [("extra", "c"), ("missing", "a")]),
    ],
)
def test_the_options_say_what_to_do_with_it(
    missing: str, extra: str, compared: list[str], warned: list[tuple[str, str]]
) -> None:
    lay_out("gold", ["a.json", "b.json"])
    lay_out("sys", ["b.json", "c.json"])
    asked = f"--missing={missing} --extra={extra}"
    assert list(paired(missing=missing, extra=extra)) == compared, f"{asked} compares other documents"
    assert notices(missing=missing, extra=extra) == warned, f"{asked} must warn of each that has no partner"


@pytest.mark.parametrize(("missing", "extra", "left"), [("skip", "error", "c"), ("error", "skip", "a")])
def test_one_option_does_not_excuse_the_other_side(missing: str, extra: str, left: str) -> None:
    lay_out("gold", ["a.json", "b.json"])
    lay_out("sys", ["b.json", "c.json"])
    message = refusal(missing=missing, extra=extra)
    assert f"file: {left} (" in message, f"{left} has no partner, and no option excuses its side"
    assert ";" not in message, f"only {left} is to be refused: an option excuses the other side"


def test_an_empty_answer_has_no_mention_but_gold_s_tokens() -> None:
    lay_out("gold", {"a.conll": conll("x"), "b.json": CLUSTERS})
    lay_out("sys", ["b.json"])
    first = items(missing="empty")[0]
    assert isinstance(first, Pair)
    assert (first.system.clusters, first.system.sentences, first.gold.sentences) == ({}, [1], [1])


def test_skipping_must_leave_something() -> None:
    lay_out("gold", ["a.json"])
    lay_out("sys", ["b.json"])
    assert refusal(missing="skip", extra="skip").endswith("nothing is left to score")


# Files


def test_both_sides_from_standard_input_are_refused() -> None:
    assert refusal(PairingError, "-", "-") == "only one side can be standard input (-)"


@pytest.mark.parametrize(("gold", "system"), [("none", "sys"), ("gold", "none"), ("none", "none.json")])
def test_a_path_to_nothing_is_named(gold: str, system: str) -> None:
    assert refusal(InputError, gold, system) == "none: no such file or folder"


def test_two_files_of_one_document_pair_whatever_their_names() -> None:
    lay_out(".", {"g.json": CLUSTERS, "s.conll": conll("x/y")})
    assert paired("g.json", "s.conll") == {"g": ("g", "x/y")}


# Several documents in a file


def test_files_of_several_documents_pair_by_the_names_inside_in_gold_s_order() -> None:
    lay_out(".", {"g.conll": conll("z", "a", "m"), "s.conll": conll("a", "m", "z")})
    assert list(paired("g.conll", "s.conll").items()) == [(name, (name, name)) for name in ("z", "a", "m")]


def test_inside_a_folder_their_ids_begin_with_the_stem() -> None:
    lay_out("gold", {"a.conll": conll("x", "y"), "b.conll": conll("x"), "c.conll": conll("k")})
    lay_out("sys", {"a.conll": conll("y", "x"), "b.conll": conll("x"), "c.conll": conll("other")})
    expected = {"a/x": ("x", "x"), "a/y": ("y", "y"), "b": ("x", "x"), "c": ("k", "other")}
    assert list(paired().items()) == list(expected.items())


def test_one_document_against_several_pairs_by_the_names_inside() -> None:
    lay_out(".", {"one.conll": conll("y"), "two.conll": conll("x", "y")})
    assert paired("one.conll", "two.conll", extra="skip") == {"y": ("y", "y")}
    assert paired("two.conll", "one.conll", missing="skip") == {"y": ("y", "y")}


def test_a_document_of_a_file_on_one_side_only_is_refused() -> None:
    lay_out(".", {"g.conll": conll("x", "y"), "s.conll": conll("y", "z")})
    message = refusal(PairingError, "g.conll", "s.conll")
    assert "no system document for 1 gold document: x (" in message
    assert "no gold document for 1 system document: z (" in message


def test_that_refusal_says_in_which_file_of_a_folder() -> None:
    lay_out("gold", {"a.conll": conll("x", "y"), "b.conll": conll("x", "y")})
    lay_out("sys", {"a.conll": conll("x", "y"), "b.conll": conll("x")})
    assert "b/y" in refusal()


@pytest.mark.parametrize(
    ("missing", "compared"), [("empty", ["a/x", "a/y", "b/x", "b/y"]), ("skip", ["a/y"])]
)
def test_the_options_hold_inside_files_too(missing: str, compared: list[str]) -> None:
    lay_out("gold", {"a.conll": conll("x", "y"), "b.conll": conll("x", "y")})
    lay_out("sys", {"a.conll": conll("y", "z")})
    assert list(paired(missing=missing, extra="skip")) == compared, f"--missing={missing} inside a file"
    warned = notices(missing=missing, extra="skip")
    assert ("extra", "a/z") in warned, "of a document that only the system's file has there is no warning"
    assert ("missing", "a/x") in warned, "of a document that only gold's file has there is no warning"


def test_a_file_of_which_nothing_is_left_does_not_stop_the_others() -> None:
    lay_out("gold", {"a.conll": conll("x", "y"), "b.json": CLUSTERS})
    lay_out("sys", {"a.conll": conll("v", "w"), "b.json": CLUSTERS})
    assert list(paired(missing="skip", extra="skip")) == ["b"]


@every("order", sorted(permutations(["a", "b", "c", "d"])))
def test_documents_pair_by_name_wherever_the_order_of_the_files_parts(order: Sequence[str]) -> None:
    lay_out(".", {"g.conll": conll("a", "b", "c", "d"), "s.conll": conll(*order)})
    expected = [(name, (name, name)) for name in "abcd"]
    wrong = f"with {' '.join(order)} in the system's file, documents must pair by name, in gold's order"
    assert list(paired("g.conll", "s.conll").items()) == expected, wrong


def test_documents_after_those_in_the_same_order_are_accounted_for() -> None:
    lay_out("gold", {"f.conll": conll("a", "b", "c", "e")})
    lay_out("sys", {"f.conll": conll("a", "b", "d", "e")})
    assert list(paired(missing="skip", extra="skip")) == ["f/a", "f/b", "f/e"]
    assert notices(missing="skip", extra="skip") == [("missing", "f/c"), ("extra", "f/d")]
    message = refusal()
    assert "no system document for 1 gold document: f/c (" in message
    assert "no gold document for 1 system document: f/d (" in message


def test_a_second_answer_to_a_document_that_was_paired_is_refused() -> None:
    lay_out(".", {"g.conll": conll("a-01", "b"), "s.conll": conll("a-01", "a_1", "b")})
    errors = [item for item in items("g.conll", "s.conll") if isinstance(item, InputError)]
    assert [(one.path, one.why) for one in errors] == [
        ("s.conll", 'the documents "a-01" and "a_1" both answer to "a-01"')
    ]


@pytest.mark.parametrize(
    ("form", "many", "broken"),
    [
        ("conll", conll(*"abcdefgh"), "#begin document (z);\nw\t(1\n#end document\n"),
        ("tsv", "".join(f"{name}\t0\t0\tNIL1\n" for name in "abcdefgh"), "z\tone\t2\n"),
        (
            "aida",
            "".join(f"-DOCSTART- ({name})\nw\tB\tw\tE\n\n" for name in "abcdefgh"),
            "-DOCSTART- (z)\nw\tX\n",
        ),
        (
            "jsonlines",
            "".join(f'{{"doc_key": "{name}", "sentences": [], "clusters": []}}\n' for name in "abcdefgh"),
            "[]\n",
        ),
    ],
)
def test_documents_are_paired_while_the_files_are_read(form: str, many: str, broken: str) -> None:
    lay_out(".", {"g": many, "s": many, "broken": many + broken})
    for gold, system in (("g", "broken"), ("broken", "s")):
        kinds = [type(item) for item in items(gold, system, gold_format=form, sys_format=form)]
        wrong = f"{form}: eight documents must be paired before the one that cannot be read is refused"
        assert kinds == [Pair] * 8 + [InputError], wrong


# Unusable files


def test_what_is_wrong_in_gold_is_said_before_what_is_wrong_in_the_system() -> None:
    good, open_end = conll("a", "b", "c"), "#begin document (z);\nw\t(1\n#end document\n"
    lay_out(".", {"g.conll": good + open_end, "s.conll": conll("a", "b") + open_end})
    errors = [item for item in items("g.conll", "s.conll") if isinstance(item, InputError)]
    assert [(error.path, error.where) for error in errors] == [("g.conll", "line 11")]


def test_an_unreadable_file_is_the_only_error_of_its_documents() -> None:
    twice = "#begin document (b);\nw\t(1)|(2)\n#end document\n"
    open_end = "#begin document (z);\nw\t(1\n#end document\n"
    lay_out("gold", {"f.conll": conll("a", "b"), "g.conll": conll("a", "b", "z")})
    lay_out("sys", {"f.conll": conll("a") + twice, "g.conll": conll("a") + twice + open_end})
    with pytest.raises(InputErrors) as caught:
        scorch2.score("gold", "sys")
    where = [(os.path.basename(error.path), error.where) for error in caught.value.errors]
    assert where == [("f.conll", 'document "b", cluster "2"'), ("g.conll", "line 8")]


def test_the_next_document_is_tried_after_one_that_cannot_be_read() -> None:
    lay_out("gold", ["a.json", "b.json", "c.json"])
    lay_out("sys", {"a.json": "{", "b.json": CLUSTERS, "c.json": ""})
    errors = [item for item in items() if isinstance(item, InputError)]
    assert [error.path for error in errors] == [os.path.join("sys", name) for name in ("a.json", "c.json")]
    assert list(paired()) == ["b"]


# Names and warnings


def test_a_part_of_any_length_is_a_name() -> None:
    part = "9" * 5000
    assert document_key(f"d-{part}") == f"d_{part}"
    assert document_key("d-000") == document_key("d-0") == "d_0"


@pytest.mark.parametrize(("chosen", "warned"), [({"profile": "conll"}, True), ({}, False)])
def test_documents_that_the_reference_scorer_would_not_compare_are_named(
    chosen: dict[str, Any], warned: bool
) -> None:
    for path, name in (("gold/a.conll", "a"), ("sys/a.conll", "b"), ("sys/same.conll", "a")):
        Path(path).write_text(conll(name), encoding="utf-8")
    report = scorch2.score("gold/a.conll", "sys/a.conll", **chosen)
    said = [notice.message for notice in report.notices if notice.code == "names"]
    expected = ['the documents are called "a" and "b"'] * warned
    wrong = "only under a profile of a scorer that pairs by names, a pair of two names is worth a warning"
    assert [message[:36] for message in said] == expected, wrong
    same = scorch2.score("gold/a.conll", "sys/same.conll", **chosen)
    assert [notice.code for notice in same.notices] == ["same"], "documents of one name are warned about"


def test_clusters_without_a_mention_are_named() -> None:
    lay_out("gold", {"d.json": '{"type": "clusters", "clusters": {"a": ["m1"], "b": [], "c": []}}'})
    lay_out("sys", {"d.json": CLUSTERS})
    report = scorch2.score("gold", "sys")
    _, notice = report.notices
    assert notice.message.startswith("gold: ")
    assert notice.message.endswith("d.json: 2 clusters without a mention left out: b, c")
    assert report.b_cubed.f1 == 1
