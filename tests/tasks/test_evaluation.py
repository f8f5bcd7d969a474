"""Linking measures: counts by hand, groups, weights and choices."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from every import every

from scorch2.cli.main import main
from scorch2.model.errors import InputError, PairingError, UsageError
from scorch2.model.forms import forms_of
from scorch2.tasks.linking.corpus import Corpus, Sources, read_corpus
from scorch2.tasks.linking.evaluation import Evaluation, Grouping, evaluate, linking_report
from scorch2.tasks.linking.evidence import FIELDS, Nil, Rules
from scorch2.tasks.linking.measures import AGGREGATORS, GROUPS, MEASURES, named

FIXTURES = Path(__file__).parent.parent.parent / "fixtures"
COUNTS: dict[str, Any] = json.loads((FIXTURES / "linking/worked-example/counts.json").read_text("utf-8"))
del COUNTS["source"]
OF_PEER = (
    *("strong_mention_match", "strong_typed_mention_match", "strong_linked_mention_match"),
    *("strong_link_match", "strong_nil_match", "strong_all_match"),
    *("strong_typed_link_match", "strong_typed_nil_match", "strong_typed_all_match", "entity_match"),
    *("muc", "b_cubed", "b_cubed_plus", "entity_ceaf", "mention_ceaf", "mention_ceaf_plus"),
    *("typed_mention_ceaf", "typed_mention_ceaf_plus", "pairwise"),
)
"""The measures of neleval 3.1.1, in the order of its ``list-measures``."""
WHOLE, RULES = Grouping(), Rules()
GOLD, SYSTEM = str(FIXTURES / "example" / "gold.tsv"), str(FIXTURES / "example" / "sys.tsv")


def put(path: Path, *lines: str) -> str:
    """Write lines of TSV with blanks for tabs."""
    path.parent.mkdir(exist_ok=True)
    path.write_text("".join(line.replace(" ", "\t") + "\n" for line in lines), encoding="utf-8")
    return str(path)


def found(corpus: Corpus, *names: str, grouping: Grouping = WHOLE, rules: Rules = RULES) -> Evaluation:
    return evaluate(corpus, named(names), grouping, rules)


def counts(evaluation: Evaluation) -> dict[str, list[float]]:
    return {row.name: list(row[1:5]) for row in evaluation.rows}


def corpus(folder: Path, gold: Sequence[str], system: Sequence[str], **sources: Any) -> Corpus:
    paths = put(folder / "gold.tsv", *gold), put(folder / "sys.tsv", *system)
    return read_corpus(Sources(*paths, **sources))


# Counts


@every("name", COUNTS)
def test_the_worked_example(name: str) -> None:
    evaluation = found(read_corpus(Sources(GOLD, SYSTEM)), name)
    assert counts(evaluation)[name] == pytest.approx(COUNTS[name], abs=1e-12)


def test_the_table_of_measures_is_that_of_the_peer() -> None:
    assert [*OF_PEER] == [name for name, row in MEASURES.items() if row.groups], "groups are those of neleval"
    assert [*OF_PEER] == [*MEASURES][: len(OF_PEER)], "a measure that neleval lacks comes after its measures"
    assert sorted({*MEASURES} - {*COUNTS}) == [], "count it by hand, in linking/worked-example/counts.json"
    assert {group: len(members) for group, members in GROUPS.items()} == {
        "all": 19, "all-coref": 9, "all-tagging": 10, "cornolti": 3, "hachey": 4, "luo": 4,
        "tac09": 3, "tac11": 5, "tac14": 10, "tmp": 3,
    }  # fmt: skip


def test_type_weights_give_partial_credit(tmp_path: Path) -> None:
    weights = put(tmp_path / "w.tsv", "PER ORG 0.25", "PER ORG 0.125")
    words = ["-m", "strong_typed_mention_match", "-m", "strong_mention_match", "-m", "muc"]
    target = tmp_path / "out"
    argv = ["evaluate", *words, "-f", "json", f"--type-weights={weights}", "-g", GOLD, SYSTEM, str(target)]
    assert main(argv) == 0
    rows = json.loads(target.read_text("utf-8"))
    assert [rows["strong_typed_mention_match"][one] for one in ("ptp", "fp", "rtp", "fn")] == [3.25, 1.75] * 2
    assert rows["muc"]["rtp"] == 1


def test_weights_may_lower_what_agreement_is_worth(tmp_path: Path) -> None:
    pair = corpus(tmp_path, ["d 0 1 E 1 PER", "d 5 6 E 1 ORG"], ["d 0 1 E 1 PER", "d 5 6 E 1 PER"])
    rules = Rules(weights={("PER", "PER"): 0.5, ("ORG", "PER"): 0.25})
    row = counts(found(pair, "strong_typed_mention_match", rules=rules))
    assert row == {"strong_typed_mention_match": [0.75, 0.25, 0.75, 0.75]}


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        (["PER ORG"], "line 1: 2 cells, but gold type, system type and weight are wanted"),
        (["PER ORG 1", ""], "line 2: 1 cell, but gold type, system type and weight are wanted"),
        (["PER ORG x"], 'line 1: the weight "x" is not a number from 0 on'),
        (["PER ORG nan"], 'line 1: the weight "nan" is not a number from 0 on'),
        (["PER ORG -1"], 'line 1: the weight "-1" is not a number from 0 on'),
    ],
)
def test_broken_weights_are_refused(
    lines: list[str], why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    weights = put(tmp_path / "w.tsv", *lines)
    assert main(["evaluate", f"--type-weights={weights}", "-g", GOLD, SYSTEM]) == 2
    assert capsys.readouterr().err.endswith(f"w.tsv: {why}\n")


# Fields


def test_mentions_without_an_id_are_nil_and_alone(tmp_path: Path) -> None:
    lines = ["d 0 1", "d 3 4", "d 6 7 E"]
    row = counts(found(corpus(tmp_path, lines, lines), "strong_nil_match", "pairwise", "entity_ceaf"))
    assert row == {"strong_nil_match": [2, 0, 2, 0], "pairwise": [0, 0, 0, 0], "entity_ceaf": [3, 0, 3, 0]}


@pytest.mark.parametrize(
    ("nil", "links", "clusters"),
    [(Nil(), 1, 2), (Nil(split=True), 1, 3), (Nil("OOV"), 3, 2), (Nil("NILE"), 2, 2)],
)
def test_what_is_nil_can_be_chosen(nil: Nil, links: int, clusters: int, tmp_path: Path) -> None:
    lines = (
        ["d 0 1 NIL", "d 3 4 NIL", "d 6 7 nil7"]
        if nil.prefix != "NILE"
        else ["d 0 1 NIL", "d 3 4 NILE", "d 6 7 NIL"]
    )
    pair = corpus(tmp_path, lines, lines, nil=nil)
    assert counts(found(pair, "strong_linked_mention_match"))["strong_linked_mention_match"][0] == links
    assert counts(found(pair, "entity_ceaf"))["entity_ceaf"][0] == clusters
    assert any("called NIL" in notice.message for notice in pair.notices) == (not nil.split)


def test_the_first_mention_of_an_entity_is_the_leftmost_and_longest(tmp_path: Path) -> None:
    lines = ["d 9 9 E", "d 3 4 E", "d 3 5 E", "d 0 0 F", "e 7 7 E"]
    pair = corpus(tmp_path, lines, lines)
    assert [*pair.gold.column("is_first")] == [False, False, True, True, True]


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("strong_link_mach", 'unknown measure "strong_link_mach", did you mean strong_link_match?'),
        ("sets:span", 'unknown measure "sets:span"'),
        ("set::span", 'measure "set::span": unknown aggregator "set", did you mean sets?'),
        ("sets::candidates", 'measure "sets::candidates": mentions cannot be compared by candidates'),
        ("sets::", 'measure "sets::": the key after the last colon lacks a field'),
        ("sets::span+", 'measure "sets::span+": the key after the last colon lacks a field'),
    ],
)
def test_unknown_measures_are_refused_before_anything_is_read(
    name: str, why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["evaluate", "-m", name, "-g", "none.tsv", "none.tsv"]) == 2
    assert capsys.readouterr().err.startswith(f"scorch2: error: {why}")


@pytest.mark.parametrize("name", ["sets::kbidd", "sets:kbidd:span"])
def test_a_field_that_no_mention_has_is_unknown(name: str) -> None:
    with pytest.raises(UsageError, match='unknown field "kbidd", did you mean kbid'):
        found(read_corpus(Sources(GOLD, SYSTEM)), name)


def test_members_of_json_types_are_fields(tmp_path: Path) -> None:
    lines = [
        'd\t0\t1\tE\t1\t{"type":"PER","sure":true}',
        'd\t3\t4\tE\t1\t{"type":"PER","sure":false}',
        "d 6 7",
    ]
    pair = corpus(tmp_path, lines, [lines[0], lines[1].replace("PER", "ORG")])
    row = counts(found(pair, "sets:sure:span", "sets::span+type", "sets::span+sure"))
    assert row == {
        "sets:sure:span": [1, 0, 1, 0], "sets::span+type": [1, 1, 1, 2], "sets::span+sure": [2, 0, 2, 1],
    }  # fmt: skip


@pytest.mark.parametrize(
    ("cell", "name", "why"),
    [
        ("PER", "sets::span+sure", 'line 1: the field "sure" is missing in the type'),
        ('{"sure":1}', "sets::span+type", 'line 1: the field "type" is missing in the type'),
        (
            '{"sure":[1]}',
            "sets::sure",
            'line 1: the field "sure" cannot be compared: it is a list or an object',
        ),
    ],
)
def test_a_field_that_one_mention_lacks_is_refused_with_its_line(
    cell: str, name: str, why: str, tmp_path: Path
) -> None:
    with pytest.raises(InputError) as caught:
        found(corpus(tmp_path, ['d 0 1 E 1 {"sure":1,"type":"PER"}'], [f"d\t0\t1\tE\t1\t{cell}"]), name)
    assert str(caught.value).endswith(f"sys.tsv: {why}")


# Groups


def test_groups_of_the_system_cost_precision_unless_gold_s_are_asked_for(tmp_path: Path) -> None:
    pair = corpus(tmp_path, ["d 0 1 E 1 PER"], ["d 0 1 E 1 PER", "d 3 4 E 1 ORG"])
    name = "strong_mention_match"
    for whose, fp in (("union", 1), ("gold", 0)):
        rows = counts(found(pair, name, grouping=Grouping(("type",), of=whose)))
        assert rows[f"{name};type=<micro>"] == [1, fp, 1, 0]
        assert (f'{name};type="ORG"' in rows) == (whose == "union")


def test_no_value_sorts_first_and_is_null(tmp_path: Path) -> None:
    lines = ["d 0 1 E 1 PER", "d 3 4", 'd 6 7 E 1 {"type":7}']
    rows = counts(found(corpus(tmp_path, lines, lines), "muc", grouping=Grouping(("type",))))
    assert [*rows] == [
        'muc;type="PER"',
        "muc;type=7",
        "muc;type=<macro>",
        "muc;type=<micro>",
        "muc;type=null",
    ]


def test_overall_hides_groups_and_empty_ones_can_be_skipped(tmp_path: Path) -> None:
    lines = ["d 0 1 E", "e 0 1 NIL1"]
    pair = corpus(tmp_path, lines, lines)
    for empty, undefined, macro in (("keep", "zero", 0.5), ("skip", "zero", 1.0), ("keep", "skip", 1.0)):
        grouping = Grouping(("docid",), overall=True, empty=empty, undefined=undefined)
        rows = found(pair, "strong_link_match", grouping=grouping).rows
        assert [row.name for row in rows] == [
            f"strong_link_match;docid={one}" for one in ("<macro>", "<micro>")
        ]
        assert rows[0].fscore == macro


def test_a_score_that_is_undefined_in_a_group_has_no_weight_in_macro_averages(tmp_path: Path) -> None:
    """Links: d has 1 of 1 and 1 of 1, e no link in gold and a wrong one of the system."""
    pair = corpus(tmp_path, ["d 0 1 E", "e 0 1 NIL1"], ["d 0 1 E", "e 0 1 F"])
    for undefined, recall in (("skip", 1.0), ("zero", 0.5)):
        grouping = Grouping(("docid",), overall=True, undefined=undefined)
        macro = found(pair, "strong_link_match", grouping=grouping).rows[0]
        assert (macro.precision, macro.recall, macro.fscore) == (0.5, recall, 0.5)
        assert (macro.ptp, macro.fp, macro.rtp, macro.fn) == (0.5, 0.5, 0.5, 0)


def test_combinations_without_mentions_are_groups_too(tmp_path: Path) -> None:
    lines = ["d 0 1 E 1 PER", "e 0 1 E 1 ORG"]
    evaluation = found(corpus(tmp_path, lines, lines), "b_cubed", grouping=Grouping(("docid", "type")))
    assert counts(evaluation)['b_cubed;docid="d";type="ORG"'] == [0, 0, 0, 0]
    assert len(evaluation.rows) == 7
    assert any("2 of 4 groups have no mention" in notice.message for notice in evaluation.notices)


def test_of_many_combinations_only_those_that_a_mention_has_are_groups(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of two documents and three types, one mention each: three groups of six, and the averages by hand."""
    gold, system = ["d 0 1 E 1 PER", "e 0 1 E 1 ORG"], ["d 0 1 E 1 PER", "e 0 1 E 1 LOC"]
    pair = corpus(tmp_path, gold, system)
    name = "strong_mention_match"
    averages = {
        f"{name};docid=<macro>;type=<micro>": [0.5, 0.5, 0.5, 0.5],
        f"{name};docid=<micro>;type=<macro>": [1 / 3, 1 / 3, 1 / 3, 1 / 3],
        f"{name};docid=<micro>;type=<micro>": [1, 1, 1, 1],
    }
    groups = {
        f'{name};docid="d";type="PER"': [1, 0, 1, 0],
        f'{name};docid="e";type="LOC"': [0, 1, 0, 0],
        f'{name};docid="e";type="ORG"': [0, 0, 0, 1],
    }
    nothing = {
        f'{name};docid="{ident}";type="{kind}"': [0, 0, 0, 0]
        for ident, kind in (("d", "LOC"), ("d", "ORG"), ("e", "PER"))
    }
    for most, rows in ((6, groups | nothing), (5, groups)):
        monkeypatch.setattr("scorch2.tasks.linking.evaluation.MOST_COMBINATIONS", most)
        evaluation = found(pair, name, grouping=Grouping(("docid", "type")))
        assert counts(evaluation) == rows | averages
    notices = [notice.message for notice in evaluation.notices if notice.code == "groups"]
    assert notices == ["3 of 6 groups have no mention and no row (up to 5 have one)"]


def test_gold_s_values_make_groups_of_the_system_s_mentions_too(tmp_path: Path) -> None:
    """Gold has d, e, PER and ORG, so its groups hold ORG in d, which only the system has; not LOC."""
    pair = corpus(
        tmp_path, ["d 0 1 E 1 PER", "e 0 1 E 1 ORG"], ["d 0 1 E 1 ORG", "e 0 1 E 1 LOC", "d 3 4 E 1 PER"]
    )
    name = "strong_mention_match"
    rows = counts(found(pair, name, grouping=Grouping(("docid", "type"), of="gold")))
    assert {row: numbers for row, numbers in rows.items() if "cro>" not in row} == {
        f'{name};docid="d";type="ORG"': [0, 1, 0, 0],
        f'{name};docid="d";type="PER"': [0, 1, 0, 1],
        f'{name};docid="e";type="ORG"': [0, 0, 0, 1],
        f'{name};docid="e";type="PER"': [0, 0, 0, 0],
    }


# Input


def test_any_format_with_places_can_be_evaluated(tmp_path: Path) -> None:
    expected = counts(found(read_corpus(Sources(GOLD, SYSTEM)), "all"))
    sides = [str(tmp_path / side) for side in ("gold", "sys")]
    for path, folder in zip((GOLD, SYSTEM), sides, strict=True):
        assert main(["convert", "--to=clusters", path, f"{folder}/"]) == 0
    assert counts(found(read_corpus(Sources(sides[0], sides[1])), "all")) == expected
    assert counts(found(read_corpus(Sources(GOLD, sides[1])), "all")) == expected


def test_one_document_meets_one_document_unless_lines_name_them(tmp_path: Path) -> None:
    assert (
        main(["convert", "--to=clusters", put(tmp_path / "x.tsv", "x 0 1 E"), str(tmp_path / "x.json")]) == 0
    )
    gold, system = put(tmp_path / "gold.tsv", "a 0 1 E"), put(tmp_path / "sys.tsv", "b 0 1 E")
    name = "strong_link_match"
    with pytest.raises(PairingError, match="has the id of a gold document"):
        read_corpus(Sources(gold, system))
    assert counts(found(read_corpus(Sources(gold, str(tmp_path / "x.json"))), name))[name] == [1, 0, 1, 0]


def test_annotations_in_a_folder_keep_the_documents_of_their_lines(tmp_path: Path) -> None:
    for name, text in (("one", "a 0 1 E\nb 0 1 E"), ("two", "c 0 1 E")):
        put(tmp_path / "folder" / f"{name}.tsv", *text.split("\n"))
    whole = put(tmp_path / "gold.tsv", "a 0 1 E", "b 0 1 E", "c 0 1 E")
    corpus = read_corpus(Sources(whole, str(tmp_path / "folder")))
    assert counts(found(corpus, "strong_link_match"))["strong_link_match"] == [3, 0, 3, 0]
    put(tmp_path / "folder" / "three.tsv", "c 2 3 E")
    with pytest.raises(InputError, match=r'two\.tsv: the document "c" is in .*three\.tsv, too'):
        read_corpus(Sources(whole, str(tmp_path / "folder")))


def test_a_system_that_found_nothing_scores_0_and_that_is_said(tmp_path: Path) -> None:
    (tmp_path / "nothing.tsv").touch()
    corpus = read_corpus(Sources(GOLD, str(tmp_path / "nothing.tsv")))
    assert [notice.message for notice in corpus.notices] == ["no mention in it"]
    row = found(corpus, "strong_mention_match").rows[0]
    assert (row.ptp, row.fp, row.rtp, row.recall) == (0, 0, 0, 0)
    assert row.fn == len(corpus.gold) > 0


def test_ends_are_inclusive_in_the_names_of_groups(tmp_path: Path) -> None:
    gold = put(tmp_path / "gold.tsv", "d 0 4 E")
    corpus = read_corpus(Sources(gold, gold))
    rows = evaluate(corpus, named(["muc"]), Grouping(("span",)), Rules()).rows
    assert 'muc;span=["d", 0, 4]' in [row.name for row in rows]


def test_the_ending_of_old_scripts_means_nothing() -> None:
    evaluation = found(read_corpus(Sources(GOLD, SYSTEM)), "muc-micro", "muc")
    old, plain = sorted(evaluation.rows, reverse=True)
    assert (old.name, plain.name, old[1:]) == ("muc-micro", "muc", plain[1:])
    assert "the ending -micro means nothing: muc-micro" in [notice.message for notice in evaluation.notices]


def test_weights_that_make_a_score_larger_than_1_are_warned_of(tmp_path: Path) -> None:
    gold, system = put(tmp_path / "gold.tsv", "d 0 4 E 1 PER"), put(tmp_path / "sys.tsv", "d 0 4 E 1 ORG")
    weights: dict[tuple[object, object], float] = {("PER", "PER"): 0.5, ("PER", "ORG"): 1.0}
    corpus = read_corpus(Sources(gold, system))
    measures = named(["strong_typed_mention_match"])
    why = (
        "a score of strong_typed_mention_match is larger than 1: a type weighs more for another type than for"
    )
    (notice,) = evaluate(corpus, measures, Grouping(), Rules(weights=weights)).notices
    assert notice.message == f"{why} itself"
    assert linking_report(corpus, measures, Rules(weights=weights)).notices == [notice]
    less = Rules(weights=weights | {("PER", "ORG"): 0.5})
    assert not evaluate(corpus, measures, Grouping(), less).notices


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--overall"], "--overall is for groups: it needs --group-by"),
        (["--groups=gold"], "--groups is for groups: it needs --group-by"),
        (["--empty-groups=skip"], "--empty-groups is for groups: it needs --group-by"),
        (["--confidence=95"], "--confidence is for reports of documents: it needs --report"),
        (["--per-document"], "--per-document is for reports of documents: it needs --report"),
        (["--by-type", "--fail-under=muc=0.5"], "they go with --by-doc and no other groups"),
        (["--by-doc", "--groups=gold", "--report=json:x"], "they go with --by-doc and no other groups"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_options_that_would_change_nothing_are_refused(
    words: list[str], why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["evaluate", *words, "-g", GOLD, SYSTEM]) == 2
    assert why in capsys.readouterr().err


def test_documents_meet_as_in_coreference(tmp_path: Path) -> None:
    conll = "#begin document (bc/a); part 003\nw (1\nw 1)\n#end document\n"
    gold, system = tmp_path / "gold.conll", tmp_path / "sys.jsonlines"
    gold.write_text(conll + conll.replace("003", "004"))
    lines = [
        {"doc_key": f"bc/a_{part}", "sentences": [["w", "w"]], "clusters": [[[0, 1]]]} for part in (3, 4)
    ]
    system.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    corpus = read_corpus(Sources(str(gold), str(system)))
    assert counts(found(corpus, "strong_mention_match"))["strong_mention_match"] == [2, 0, 2, 0]
    assert corpus.notices == ()


def test_documents_of_one_side_are_said(tmp_path: Path) -> None:
    gold, system = tmp_path / "gold", tmp_path / "sys"
    sentences = {"sentences": [["w", "w"]], "clusters": [[[0, 1]]]}
    for path in (gold / "a", gold / "b", system / "b", system / "c"):
        path.parent.mkdir(exist_ok=True)
        path.with_suffix(".json").write_text(json.dumps({"doc_key": "x", **sentences}))
    said = [(notice.code, notice.document) for notice in read_corpus(Sources(str(gold), str(system))).notices]
    assert said == [("missing", "a"), ("extra", "c")]


def test_it_is_an_error_if_nothing_is_paired(tmp_path: Path) -> None:
    gold, system = put(tmp_path / "gold.tsv", "a 0 1 E"), put(tmp_path / "sys.tsv", "b 0 1 E")
    with pytest.raises(PairingError) as caught:
        read_corpus(Sources(gold, system))
    why = 'sys.tsv (first "b") has the id of a gold document (first "a"): nothing is compared'
    assert str(caught.value).endswith(f"{why} (--pair=order would pair the two)")


def test_conll_clusters_are_nil_inside_their_document() -> None:
    paths = [str(FIXTURES / "example" / name) for name in ("gold.conll", "sys.conll")]
    rows = {
        row.name: row
        for row in found(read_corpus(Sources(paths[0], paths[1])), "mention_ceaf", "strong_nil_match").rows
    }
    assert rows["strong_nil_match"][1:5] == (26, 0, 26, 1)
    assert rows["mention_ceaf"][1:5] == (21, 5, 21, 6)


def test_mentions_without_places_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "d.json"
    path.write_text('{"type": "clusters", "clusters": {"a": ["m1"]}}', encoding="utf-8")
    assert main(["evaluate", "-g", str(path), SYSTEM]) == 2
    assert capsys.readouterr().err.endswith(
        'd.json: "d" does not say where its mentions are, which linking measures need\n'
    )


def test_restrict_keeps_the_mentions_of_another_file(tmp_path: Path) -> None:
    only = put(tmp_path / "only.tsv", "d1 0 4", "d2 8 9", "d2 30 33", "d1 10 14")
    row = counts(found(read_corpus(Sources(GOLD, SYSTEM, restrict=only)), "strong_mention_match"))
    assert row == {"strong_mention_match": [1, 1, 1, 1]}


@pytest.mark.parametrize("words", [["-g", "-", "-"], ["-g", "-", "--restrict=-", "x"]])
def test_one_input_can_be_standard_input(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evaluate", *words]) == 2
    assert "only one input can be standard input (-)" in capsys.readouterr().err


def unknown_form(name: str, kind: str) -> str:
    return f'unknown report format "{name}" (known: {", ".join(forms_of(kind))})'


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--groups=both"], 'unknown value of --groups "both" (known: union, gold)'),
        (["-b", "candidates"], 'unknown field to group by "candidates"'),
        (["-f", "xml"], unknown_form("xml", "linking")),
        (["--nil="], "--nil needs a prefix that is not empty"),
        (["--gold-format=x"], 'unknown format "x"'),
    ],
)
def test_usage_errors(words: list[str], why: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evaluate", *words, "-g", GOLD, SYSTEM]) == 2
    assert capsys.readouterr().err.startswith(f"scorch2: error: {why}")


# What is said besides


def test_warnings_name_rows_without_a_denominator_and_weights_without_effect(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    weights = put(tmp_path / "w.tsv", "PER ORG 0.5")
    words = [
        "evaluate",
        "-m",
        "sets:is_first:docid",
        "-m",
        "sets:is_nil:kbid+score",
        f"--type-weights={weights}",
    ]
    path = put(tmp_path / "g.tsv", "d 0 1 E 1 PER")
    assert main([*words, "-g", path, path]) == 0
    _, *said = capsys.readouterr().err.splitlines()  # the first one: both sides are one file
    assert said == [
        "scorch2: warning: type weights count only in measures of sets with a type in their key; unchanged: "
        + ", ".join(words[2:5:2]),
        "scorch2: warning: sets:is_nil:kbid+score: precision and recall 0/0, shown as 0",
    ]
    assert main([*words, "-q", "-g", path, path]) == 0
    assert capsys.readouterr().err == ""


def test_analyze_says_which_of_several_mentions_counts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    gold = put(tmp_path / "g.tsv", "d 0 1 E 1 PER", "d 0 1 F 1 PER")
    assert main(["analyze", "-g", gold, put(tmp_path / "s.tsv", "d 0 1 E 1 ORG")]) == 0
    out, err = capsys.readouterr()
    assert out == 'wrong-link\td\tg"F"\ts"E"\t0\t1\nwrong-type\td\tg"PER"\ts"ORG"\t0\t1\n'
    assert err.endswith("g.tsv: 1 mention at the span of a later one: the last counts\n")
    assert main(["analyze", "-f", "json", "-s", "-c", "-g", gold, gold]) == 0
    assert json.loads(capsys.readouterr().out) == {"correct link": 1}


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["analyze", "-f", "xml", "-g", GOLD, SYSTEM], unknown_form("xml", "findings")),
        (
            ["analyze", GOLD, SYSTEM],
            "expected: scorch2 analyze [options] --gold=<path> [--] <sys> [<out-file>]",
        ),
        (["list-measures", "-f", "xml"], unknown_form("xml", "measures")),
        (["list-measures", "-m", "nope"], 'unknown measure "nope"'),
        (["validate-spans", "-f", "tab", GOLD], unknown_form("tab", "problems")),
        (
            ["validate-spans", "--nested=no", GOLD],
            'unknown level of --nested "no" (known: ignore, warn, error)',
        ),
    ],
)
def test_usage_errors_of_the_other_commands(
    words: list[str], why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 2
    assert capsys.readouterr().err.startswith(f"scorch2: error: {why}")


def test_findings_can_be_json_and_quiet(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    typed = put(tmp_path / "g.tsv", 'd 0 1 E 1 {"a":1}', 'd 3 4 E 1 {"type":["x"]}', "d 3 4 E 1 PER")
    system = put(tmp_path / "s.tsv", "d 0 1 E 1 PER", 'd 3 4 E 1 {"type":["x"]}')
    assert main(["analyze", "-q", "-f", "json", "-g", typed, system]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out) == [
        {"label": "wrong-type", "document": "d", "gold": '"PER"', "system": "\"['x']\"", "start": 3, "end": 4}
    ]
    assert err == ""


def test_a_table_can_be_read(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evaluate", "-f", "table", "-m", "muc", "-m", "b_cubed", "-g", GOLD, SYSTEM]) == 0
    lines = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    assert lines[2:] == ["b_cubed 70.00 80.00 74.67 3.5 / 5 4 / 5", "muc 50.00 100.00 66.67 1 / 2 1 / 1"]


def test_validate_spans_is_silent_when_all_is_well(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = put(tmp_path / "g.tsv", "d 0 1", "d 2 3", "e 2 3")
    assert main(["validate-spans", path]) == 0
    assert capsys.readouterr() == ("", "")
    path = put(tmp_path / "g.tsv", "d 2 3", "d 3 4")
    assert main(["validate-spans", "--crossing=error", path]) == 1
    assert capsys.readouterr().out.endswith('g.tsv: lines 1 and 2: error: crossing in "d": 2-3 and 3-4\n')


def test_list_measures_knows_all(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list-measures"]) == 0
    text = capsys.readouterr().out
    missing = [name for name in (*MEASURES, *GROUPS, *AGGREGATORS, *FIELDS) if name not in text]
    assert missing == [], "list-measures must print every row of the tables"
    assert max(map(len, text.splitlines())) <= 100
    words = " ".join(text.split())
    assert all(f"{group} {', '.join(names)} " in words for group, names in GROUPS.items())
    assert all(f"{name} {measure.equals} " in words for name, measure in MEASURES.items() if measure.equals)
    assert main(["list-measures", "-f", "json", "-m", "luo", "-m", "sets:None:span+kbid"]) == 0
    value = json.loads(capsys.readouterr().out)
    assert [row["name"] for row in value["measures"]] == [*GROUPS["luo"], "sets:None:span+kbid"]
    assert value["measures"][-1]["key"] == ["span", "kbid"]


def test_a_report_holds_the_counts_of_documents() -> None:
    pair = read_corpus(Sources(GOLD, SYSTEM))
    found = linking_report(pair, named(["strong_mention_match", "mention_ceaf"]), RULES)
    assert found.mention_ceaf.recall == found.strong_mention_match.recall == 0.8
    assert [document.tallies for document in found.documents] == [
        (((3, 3, 3, 3),), ((3, 3, 3, 3),)),
        (((1, 2, 1, 2),), ((1, 2, 1, 2),)),
    ]
    assert found.to_dict()["counts"]["mention_ceaf"]["recall_num"] == 4
    assert "average=pooled | documents=2 | mentions=5/5" in found.signature()


def test_a_folder_and_a_file_pair_by_the_names_inside(tmp_path: Path) -> None:
    (tmp_path / "gold" / "bc").mkdir(parents=True)
    (tmp_path / "gold" / "bn").mkdir()
    for place in ("bc/d1", "bn/d2"):
        put(tmp_path / "gold" / f"{place}.tsv", f"{place[3:]} 0 1 E")
    twin = put(tmp_path / "sys.tsv", "d2 0 1 E")
    corpus = read_corpus(Sources(str(tmp_path / "gold"), twin))
    assert (sorted(corpus.gold.paths), sorted(corpus.system.paths)) == (["d1", "d2"], ["d2"])
    mixed = tmp_path / "gold" / "bn" / "d2.conll"
    mixed.write_text("#begin document ();\nw\t(1)\n#end document\n", encoding="utf-8")
    (tmp_path / "gold" / "bn" / "d2.tsv").unlink()
    corpus = read_corpus(Sources(str(tmp_path / "gold"), twin))
    assert (sorted(corpus.gold.paths), sorted(corpus.system.paths)) == (["d1", "d2"], ["d2"])
    put(tmp_path / "gold" / "other.tsv", "d1 0 1 E")
    with pytest.raises(InputError, match=r'the document "d1" is in .*d1\.tsv, too'):
        read_corpus(Sources(str(tmp_path / "gold"), twin))
