"""Categories of mentions: how formats say them, and scores of the mentions of some categories.

To keep a category is to score files from which the others were taken by hand: lines of files are filtered
here by rules of their format, which share no code with the package.
"""

import json
import re
from collections.abc import Callable, Mapping
from itertools import chain
from pathlib import Path
from random import Random

import pytest

import scorch2
from scorch2.cli.main import main
from scorch2.formats.copies import write_file
from scorch2.formats.reading import documents
from scorch2.model.document import Document, Label, OnDemand, Words
from scorch2.model.errors import InputError, UsageError
from scorch2.model.names import categories_of, main_categories
from scorch2.scoring.metrics import OF_CLUSTERS

EXAMPLE = Path(__file__).parent.parent.parent / "fixtures" / "example"
KINDS = ("PER", "LOC", "VEH", "PERSON")


def put(path: Path, text: str) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return str(path)


def rows(cells: str) -> str:
    """Return CoNLL-U rows of words ``w`` with these cells of MISC."""
    between = "\t_" * 7
    return "".join(f"{i}\tw{between}\t{cell}\n" for i, cell in enumerate(cells.split(), 1)) + "\n"


UD = "# newdoc id = d\n# global.Entity = eid-etype-head\n"
GUM = "# newdoc id = d\n# global.Entity = GRP-entity-infstat-minspan\n"
ECB = """<Document doc_name="d.xml"><token t_id="1" sentence="0">a</token>
<token t_id="2" sentence="0">b</token>
<Markables><ACTION_STATE m_id="1"><token_anchor t_id="1"/></ACTION_STATE>
<NEG_ACTION_STATE m_id="2"><token_anchor t_id="2"/></NEG_ACTION_STATE>
<HUMAN_PART_PER m_id="3"><token_anchor t_id="1"/></HUMAN_PART_PER>
<ACTION_STATE m_id="4" TAG_DESCRIPTOR="x" instance_id="A"/></Markables>
<Relations><CROSS_DOC_COREF r_id="7" note="A"><source m_id="1"/><source m_id="2"/><target m_id="4"/>
</CROSS_DOC_COREF></Relations></Document>"""
WEBANNO = (
    "#FORMAT=WebAnno TSV 3.3\n#T_SP=webanno.custom.Referent|infstat|entity\n"
    "#T_RL=webanno.custom.Coref|type|BT_webanno.custom.Referent\n\n\n#Text=a b c\n"
    "1-1\t0-1\ta\tnew[1]|giv[2]\tperson[1]|a\\_b[2]\t_\t_\t\n"
    "1-2\t2-3\tb\tnew[1]\tperson[1]\t_\t_\t\n1-3\t4-5\tc\tgiv\tplace\tcoref\t1-1[1_0]\t\n"
)
CHAINS = (
    "#FORMAT=WebAnno TSV 3.3\n"
    "#T_CH=de.tudarmstadt.ukp.dkpro.core.api.coref.type.CoreferenceLink|referenceType|referenceRelation\n\n\n"
    "#Text=a b\n1-1\t0-1\ta\tPER[1]|*[2]\t*->1-1|*->2-1\t\n1-2\t2-3\tb\tLOC[1]\tx->1-2\t\n"
)
MMAX = (
    '<?xml version="1.0"?><markables><markable id="m1" span="word_1" coref_set="s" category="person"/>'
    '<markable id="m2" span="word_2" coref_set="s"/><markable id="m3" span="word_3" category="space"/>'
    "</markables>"
)
CLUSTERS = (
    '{"type": "clusters", "clusters": {"a": ["m", "n"]}, "offsets": "exclusive", "mentions": '
    '{"m": {"span": [0, 1], "type": "PER"}, "n": {"span": [2, 3], "type": {"type": "LOC", "x": 1}}}}'
)
SAID: Mapping[str, tuple[str, str, dict[str, list[str]]]] = {
    "brat": ("d.ann", "T1\tPER 0 1\ta\nT2\tLOC 2 3\tb\nR1\tCoref Arg1:T1 Arg2:T2\n", {"T1": ["PER", "LOC"]}),
    "LitBank's brat": (
        "d.ann",
        "T1\tPROP_PER 0 1\ta\nT2\tNOM_FAC 2 3\tb\nT3\tA-0 0 1\ta\nT4\tA-0 2 3\tb\n",
        {"A-0": ["PER", "FAC"]},
    ),
    "LitBank": (
        "d.ann",
        "MENTION\tT1\t0\t0\t0\t1\ta b\tPER\tPROP\nMENTION\tT2\t0\t3\t0\t3\tc\tLOC\tNOM\nCOREF\tT1\tA-0\n",
        {"A-0": ["PER"], "T2": ["LOC"]},
    ),
    "BookNLP": (
        "d.entities",
        "COREF\tstart_token\tend_token\tprop\tcat\ttext\n0\t0\t1\tPROP\tPER\ta b\n0\t3\t3\tPRON\t\tc\n",
        {"0": ["PER", ""]},
    ),
    "CorefUD": ("d.conllu", UD + rows("Entity=(e-person-1) Entity=(f--1) Entity=(e-place-1)"), {
        "e": ["person", "person"], "f": [""],  # the type is that of the entity: the first one counts
    }),
    "GUM": ("d.conllu", GUM + rows("Entity=(1-person-new-1) Entity=(2-abstract-new-1)"), {
        "1": ["person"], "2": ["abstract"],
    }),
    "ECB+": ("d.xml", ECB, {"A": ["ACTION_STATE", "NEG_ACTION_STATE"], "d:3": ["HUMAN_PART_PER"]}),
    "WebAnno": ("d.tsv", WEBANNO, {"0": ["person", "place"], "1": ["a_b"]}),
    "WebAnno's chains": ("d.tsv", CHAINS, {"1": ["PER", "LOC"], "2": [""]}),
    "MMAX2": ("d_coref_level.xml", MMAX, {"s": ["person", ""], "m3": ["space"]}),
    "linking": ("d.tsv", "d\t0\t1\tQ1\t0.5\tPER\tQ2\t0.4\tLOC\nd\t3\t3\tQ1\n", {"Q1": ["PER", ""]}),
    "clusters": (
        "d.json",
        CLUSTERS,
        {"a": ["PER", "LOC"]},
    ),
}  # fmt: skip
"""How files say them: name, content, and the category of each mention in its cluster, as the format means."""


@pytest.mark.parametrize("form", SAID)
def test_formats_say_what_a_mention_is(form: str) -> None:
    path, text, expected = SAID[form]
    (document,) = documents(text.encode(), path)
    assert categories_of(document) == expected


def test_a_cluster_is_what_most_of_its_mentions_are() -> None:
    labels: dict[str, list[Label]] = {
        "a": ["PER", "LOC", "LOC"],
        "b": ["LOC", "GPE", None],
        "c": [None],
        "d": [{"x": 1}, {"type": "ORG"}],
    }
    clusters = {name: [*range(len(own))] for name, own in labels.items()}
    document = Document("d", clusters, categories=OnDemand(dict, labels))
    assert main_categories(document) == {"a": "LOC", "b": "GPE", "c": "", "d": "ORG"}


@pytest.mark.parametrize("target", ["brat", "webanno", "corefud", "booknlp"])
def test_writers_write_what_a_mention_is(target: str) -> None:
    clusters = {"1": [(0, 1), (1, 2)], "2": [(2, 3)]}
    document = Document(
        "d", clusters, sentences=[3], words=Words(list, ("a", "b", "c")),
        categories=OnDemand(dict, {"1": ["PER", "PER"], "2": ["A_B"]}),
    )  # fmt: skip
    file = write_file([document], target)
    (copy,) = documents(file.text.encode(), "", target)
    assert sorted(chain.from_iterable(categories_of(copy).values())) == ["A_B", "PER", "PER"]
    assert "category" not in file.lost


def test_a_category_that_a_file_cannot_hold_is_told() -> None:
    """An entity of CorefUD has one type, that of most of its mentions; and no type holds a hyphen."""
    labels = {"a": ["PER", "PER", "LOC"], "b": ["GPE-LOC"]}
    clusters = {"a": [(0, 1), (1, 2), (2, 3)], "b": [(3, 4)]}
    words = Words(list, ("a", "b", "c", "d"))
    document = Document("d", clusters, sentences=[4], words=words, categories=OnDemand(dict, labels))
    assert write_file([document], "corefud").lost["category"] == 2
    assert write_file([document], "conll").lost["category"] == 4


# Random corpora: lines and elements are filtered by hand


def random_sides(random: Random) -> list[list[tuple[int, str, str]]]:
    """Return mentions of one word for either side: the word, the entity and the category."""
    return [
        [
            (word, f"e{random.randrange(5)}", random.choice(KINDS))
            for word in sorted(random.sample(range(24), 16))
        ]
        for _ in range(2)
    ]


def as_brat(mentions: list[tuple[int, str, str]]) -> str:
    lines = [f"T{word}\t{kind} {word * 2} {word * 2 + 1}\tw" for word, _, kind in mentions]
    last: dict[str, int] = {}
    for word, entity, _ in mentions:
        if entity in last:
            lines.append(f"R{word}\tCoref Arg1:T{word} Arg2:T{last[entity]}")
        last[entity] = word
    return "".join(f"{line}\n" for line in lines)


def as_booknlp(mentions: list[tuple[int, str, str]]) -> str:
    lines = [f"{entity}\t{word}\t{word}\tPROP\t{kind}\tw\n" for word, entity, kind in mentions]
    return "".join(["COREF\tstart_token\tend_token\tprop\tcat\ttext\n", *lines])


def as_litbank(mentions: list[tuple[int, str, str]]) -> str:
    lines = [f"MENTION\tT{word}\t0\t{word}\t0\t{word}\tw\t{kind}\tNOM\n" for word, _, kind in mentions]
    return "".join([*lines, *(f"COREF\tT{word}\t{entity}\n" for word, entity, _ in mentions)])


def as_ecb(mentions: list[tuple[int, str, str]]) -> str:
    tokens = [f'<token t_id="{i}" sentence="0" number="{i}">w</token>' for i in range(24)]
    marks = [f'<{kind} m_id="{i}"><token_anchor t_id="{i}"/></{kind}>' for i, _, kind in mentions]
    every = dict.fromkeys(entity for _, entity, _ in mentions)
    sources = {one: [f'<source m_id="{i}"/>' for i, entity, _ in mentions if entity == one] for one in every}
    links = [
        f'<CROSS_DOC_COREF r_id="{one}" note="{one}">{"".join(inside)}</CROSS_DOC_COREF>'
        for one, inside in sources.items()
    ]
    marked = f"<Markables>{''.join(marks)}</Markables><Relations>{''.join(links)}</Relations>"
    return f'<Document doc_name="d.xml">{"".join(tokens)}{marked}</Document>'


MADE: Mapping[str, tuple[str, Callable[[list[tuple[int, str, str]]], str]]] = {
    "brat": ("ann", as_brat), "BookNLP": ("entities", as_booknlp),
    "LitBank": ("ann", as_litbank), "ECB+": ("xml", as_ecb),
}  # fmt: skip


@pytest.mark.parametrize("form", MADE)
@pytest.mark.parametrize("pattern", [*KINDS, "PER|LOC", "PER.*", "[^V].*"])
def test_to_keep_a_category_is_to_filter_the_files(form: str, pattern: str, tmp_path: Path) -> None:
    """Of every document, on both sides: ``PERSON`` is not ``PER``, a pattern matches whole."""
    metrics = list(OF_CLUSTERS)
    random, (suffix, made) = Random(f"{form} {pattern}"), MADE[form]  # noqa: S311 - a sample, not a secret
    for number in range(12):
        for side, mentions in zip(("gold", "sys"), random_sides(random), strict=True):
            kept = [one for one in mentions if re.fullmatch(pattern, one[2])]
            put(tmp_path / side / f"d{number}.{suffix}", made(mentions))
            put(tmp_path / f"{side}-kept" / f"d{number}.{suffix}", made(kept))
    chosen = scorch2.score(
        str(tmp_path / "gold"), str(tmp_path / "sys"), metrics=metrics, only_category=pattern
    )
    by_hand = scorch2.score(str(tmp_path / "gold-kept"), str(tmp_path / "sys-kept"), metrics=metrics)
    assert [one[1:4] for one in chosen.documents] == [one[1:4] for one in by_hand.documents]
    assert chosen.scores == by_hand.scores
    gold, system = (
        sum(one.gold_mentions for one in by_hand.documents),
        sum(one.system_mentions for one in by_hand.documents),
    )
    assert f"({gold}/192 gold, {system}/192 system)" in chosen.signature()


def test_two_mentions_of_the_same_words_are_told_apart_by_their_category(tmp_path: Path) -> None:
    """ECB+ has events and participants on the same words: together they are a mention in two clusters."""
    path = put(tmp_path / "d.xml", ECB)
    with pytest.raises(InputError, match="is already in cluster"):
        scorch2.score(path, path)
    report = scorch2.score(path, path, only_category="(NEG_)?ACTION.*")
    assert report.documents[0].gold_mentions == 2
    assert report.muc.recall == 1


# What a system mention takes from gold


CONLL = "#begin document (d); part 000\n{}\n#end document\n"


def columns(cells: str) -> str:
    return CONLL.format("".join(f"d 0 {i} w {cell}\n" for i, cell in enumerate(cells.split())))


def test_a_system_mention_without_a_category_takes_that_of_the_gold_mention_it_equals(tmp_path: Path) -> None:
    gold = put(tmp_path / "d.conllu", UD + rows("Entity=(e-PER-1) Entity=(e-PER-1) Entity=(f-LOC-1) _"))
    system = put(tmp_path / "d.conll", columns("(1) (2) (1) (1)"))
    report = scorch2.score(gold, system, metrics=["pairwise", "mentions"], only_category="PER")
    assert report.mentions.precision == 1  # the fourth equals none, and so is not known to be one
    assert report.documents[0].kept == (2, 3, 3, 2, 4, 3)
    assert "only_category=PER(2/3 gold, 2/4 system)" in report.signature()
    why = "1 mention of the system left out: no category, and not in gold"
    assert [notice.message for notice in report.notices if notice.code == "categories"] == [
        f'{why} (only_category="PER|" keeps them, as errors)'
    ]
    kept = scorch2.score(gold, system, metrics=["mentions"], only_category="PER|")
    assert kept.documents[0].kept == (2, 3, 3, 4, 4, 0)  # all are said to be persons
    assert kept.mentions.precision == 1 / 2
    assert not [notice for notice in kept.notices if notice.code == "categories"]


def test_its_own_category_wins(tmp_path: Path) -> None:
    gold = put(tmp_path / "g.ann", as_brat([(0, "a", "PER"), (1, "a", "PER"), (2, "a", "LOC")]))
    system = put(tmp_path / "s.ann", as_brat([(0, "a", "PER"), (1, "a", "LOC"), (2, "a", "PER")]))
    report = scorch2.score(gold, system, metrics=["mentions"], only_category="PER")
    assert [*report.scores["mentions"]] == [0.5, 0.5, 0.5]


def test_where_mentions_match_by_their_head_the_partner_says_it(tmp_path: Path) -> None:
    """The system has *old ferry* for *the old ferry*, with the same head."""
    gold = put(tmp_path / "g.conllu", UD + rows("Entity=(e-veh-3 _ Entity=e) Entity=(e-veh-1)"))
    system = put(tmp_path / "s.conllu", UD + rows("_ Entity=(e--2 Entity=e) Entity=(e--1)"))
    exact, head = (
        scorch2.score(gold, system, metrics=["mentions"], only_category="veh", match=match)
        for match in ("exact", "head")
    )
    assert (exact.documents[0].system_mentions, head.documents[0].system_mentions) == (1, 2)


# Outside taggers


def tsv(*lines: str) -> str:
    return "".join("\t".join(line.split(" ")) + "\n" for line in lines)


def test_a_tagger_says_it_for_either_side(tmp_path: Path) -> None:
    """Ends are the last token, spans that are no mention say nothing, and a first line names the columns."""
    gold = put(tmp_path / "g.conll", columns("(1 1) (1) (2)"))
    system = put(tmp_path / "s.conll", columns("(1 1) (2) (2)"))
    one = put(tmp_path / "one.tsv", tsv("document start end category", "g 0 1 PER", "g 2 2 PER", "g 1 3 X"))
    other = put(tmp_path / "other.tsv", tsv("g 0 1 LOC", "g 2 2 PER"))
    wanted = {"metrics": ["mentions"], "only_category": "PER"}
    for more, numbers in (
        ({"categories": one}, (2, 2)),
        ({"gold_categories": one}, (2, 2)),
        ({"gold_categories": one, "sys_categories": other}, (2, 1)),
        ({"categories": one, "sys_categories": other}, (2, 1)),
    ):
        report = scorch2.score(gold, system, **wanted, **more)  # type: ignore[arg-type]  # mixed values
        found = report.documents[0]
        assert (found.gold_mentions, found.system_mentions) == numbers
    assert report.options.to_dict()["sys_categories"] == other


def test_a_tagger_is_believed_and_not_the_file(tmp_path: Path) -> None:
    path = put(tmp_path / "d.ann", as_brat([(0, "a", "PER"), (1, "a", "LOC")]))
    tagged = put(tmp_path / "t.tsv", tsv("d 0 0 LOC"))
    report = scorch2.score(path, path, metrics=["mentions"], only_category="LOC", categories=tagged)
    assert report.documents[0][1:3] == (1, 1)


def test_a_tagger_is_read_again_if_its_file_changed(tmp_path: Path) -> None:
    path = put(tmp_path / "d.conll", columns("(1) (1)"))
    for lines, number in ((("d 0 0 A",), 1), (("d 0 0 A", "d 1 1 A"), 2)):
        tagged = put(tmp_path / "t.tsv", tsv(*lines))
        assert scorch2.score(path, path, only_category="A", categories=tagged).documents[0][1] == number


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("g 0 1", "line 1: 3 cells, but a line has document, start, end and category, by tabs"),
        ("g 0 1  ", "line 1: an empty category, but a line has"),
        ("g x 1 PER", 'line 1: the offset "x" is not a whole number'),
        ("g 2 1 PER", "line 1: the start 2 is after the end 1 (the end is the last unit of the span)"),
    ],
)
def test_a_line_that_cannot_be_read_is_refused_once(line: str, why: str, tmp_path: Path) -> None:
    for side in ("gold", "sys"):
        for name in ("a", "b"):
            put(tmp_path / side / f"{name}.conll", columns("(1) (1)"))
    tagged = put(tmp_path / "t.tsv", tsv(line))
    with pytest.raises(InputError, match=re.escape(why)) as raised:
        scorch2.score(str(tmp_path / "gold"), str(tmp_path / "sys"), only_category="A", categories=tagged)
    assert not hasattr(raised.value, "errors")


def test_two_categories_of_a_span_are_refused(tmp_path: Path) -> None:
    path = put(tmp_path / "d.conll", columns("(1) (1)"))
    tagged = put(tmp_path / "t.tsv", tsv("d 0 0 A", "d 0 0 A", "d 0 0 B"))
    with pytest.raises(InputError, match='line 3: a second category of 0 to 0: "B", and "A" before'):
        scorch2.score(path, path, only_category="A", categories=tagged)


def test_a_tagger_of_other_documents_is_refused(tmp_path: Path) -> None:
    """Misspelt, or of another corpus: no mention would have a category. One document of several is enough."""
    for side in ("gold", "sys"):
        for name in ("a", "b"):
            put(tmp_path / side / f"{name}.conll", columns("(1) (1)"))
    paths = str(tmp_path / "gold"), str(tmp_path / "sys")
    other, nothing, one = (
        put(tmp_path / name, text)
        for name, text in (("o.tsv", tsv("A 0 0 X")), ("n.tsv", ""), ("b.tsv", tsv("b 0 0 X", "A 0 0 X")))
    )
    why = 'no line is of a document that is scored, such as "b": the first has "A"'
    for jobs in (1, 2):
        with pytest.raises(InputError, match=re.escape(f"{other}: {why}")):
            scorch2.errors(*paths, by="category", categories=other, jobs=jobs)
        assert scorch2.score(*paths, only_category="X", categories=one, jobs=jobs).documents[1][1:3] == (1, 1)
    with pytest.raises(InputError, match='such as "b": it is empty'):
        scorch2.score(*paths, only_category="X", gold_categories=one, sys_categories=nothing)


def test_a_tagger_knows_documents_of_python_that_are_joined(tmp_path: Path) -> None:
    """Its names are those of the documents, not of their topic."""
    text = "#begin document (1/{0}); part 000\nw (1)\nw (1)\n\n#end document\n"
    given = scorch2.read(put(tmp_path / "d.conll", text.format("a") + text.format("b")))
    tagged = put(tmp_path / "t.tsv", tsv("1/a-000 0 0 X", "1/b-000 0 0 X"))
    report = scorch2.score(
        given, given, metrics=["muc"], documents="corpus", ids="shared", only_category="X", categories=tagged
    )
    assert (report.documents[0][1:3], report.tallies("muc")[""].recall_den) == ((2, 2), 1)


def test_ids_have_no_place_for_a_tagger(tmp_path: Path) -> None:
    path = put(tmp_path / "d.json", '{"type": "clusters", "clusters": {"a": ["m", "n"]}}')
    tagged = put(tmp_path / "t.tsv", tsv("d 0 0 A"))
    with pytest.raises(InputError, match="not spans of a text, which gold_categories needs"):
        scorch2.score(path, path, only_category="A", categories=tagged)


# What is refused, and what a run says


def test_a_side_without_categories_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    paths = [str(EXAMPLE / "gold.conll"), str(EXAMPLE / "sys.conll")]
    assert main(["--only-category=PER", *paths]) == 2
    assert capsys.readouterr().err == (
        "scorch2: error: no mention of gold has a category, which --only-category needs "
        "(--categories=<tsv> or --gold-categories=<tsv> bring those of a tagger)\n"
    )
    gold = put(tmp_path / "g.conllu", UD + rows("Entity=(e-PER-1) Entity=(e-PER-1) _ _"))
    system = put(tmp_path / "s.conll", columns("- - (1) (1)"))
    with pytest.raises(UsageError, match="no mention of the system has a category, nor equals one of gold"):
        scorch2.score(gold, system, only_category="PER")
    empty = put(tmp_path / "e.conll", columns("- - - -"))
    assert scorch2.score(gold, empty, only_category="PER", metrics=["mentions"]).mentions.recall == 0


def test_a_pattern_that_matches_nothing_is_warned_of(tmp_path: Path) -> None:
    path = put(tmp_path / "d.ann", as_brat([(0, "a", "PERSON"), (1, "a", "PERSON")]))
    with pytest.warns(scorch2.ScorchWarning, match='no category matches "PER" from its first letter'):
        scorch2.score(path, path, only_category="PER")
    gold = put(tmp_path / "g.conll", columns("(1) -"))
    system = put(tmp_path / "s.conll", columns("(1) (1)"))
    tagged = put(tmp_path / "t.tsv", tsv("g 0 0 PERSON"))
    with pytest.warns(scorch2.ScorchWarning, match='no category matches "PER" from its first letter'):
        scorch2.score(gold, system, only_category="PER", categories=tagged)
    with pytest.raises(UsageError, match="only_category is no regular expression"):
        scorch2.score(path, path, only_category="(")


def test_metrics_of_other_annotation_are_refused() -> None:
    path = str(EXAMPLE.parent / "formats" / "ua" / "rich.conllua")
    with pytest.raises((UsageError, InputError)):
        scorch2.score(path, path, metrics=["bridging_anaphor"], only_category="x")


@pytest.mark.parametrize("words", [[], ["-j2"]])
def test_the_numbers_kept_are_in_the_report(words: list[str], tmp_path: Path) -> None:
    """In any number of processes, and in a stored report: places of harbour, bridge and letter, by hand."""
    given = [f"--categories={EXAMPLE / 'categories.tsv'}", "--only-category=place", "-m", "mentions"]
    out = tmp_path / "report.json"
    assert main([*given, *words, *map(str, (EXAMPLE / "gold.conll", EXAMPLE / "sys.conll", out))]) == 0
    report = json.loads(out.read_text("utf-8"))
    assert "only_category=place(7/27 gold, 7/26 system)" in report["signature"]
    assert sorted(document["kept"]["gold"] for document in report["documents"]) == [0, 3, 4]
    assert main(["gate", str(out), "--fail-under=mentions=1"]) == 0


def test_joined_documents_keep_their_categories(tmp_path: Path) -> None:
    """Of two documents of a topic, the action of both is one entity of four mentions; the person is none."""
    for name in ("1_1ecb", "1_2ecb"):
        put(tmp_path / f"{name}.xml", ECB)
    report = scorch2.score(
        str(tmp_path), str(tmp_path), metrics=["muc"], documents="topic", only_category="(NEG_)?ACTION.*"
    )
    assert [one[:3] for one in report.documents] == [("1", 4, 4)]
    assert report.tallies("muc")[""].recall_den == 3


def test_documents_of_python_have_categories_too() -> None:
    clusters = {"a": ["m1", "m2"], "b": ["m3"]}
    labels: dict[str, list[str]] = {"a": ["PER", "LOC"], "b": ["PER"]}
    gold = Document("d", clusters, categories=OnDemand(dict, labels))
    scorer = scorch2.CorefScorer(["mentions"], only_category="PER")
    scorer.update(gold=gold, system=Document("d", clusters), id="d")
    assert scorer.compute().documents[0][1:3] == (2, 2)
    bare = scorch2.CorefScorer(only_category="PER")
    bare.update(gold=[["a", "b"]], system=[["a", "b"]])
    with pytest.raises(UsageError, match="no mention of gold has a category"):
        bare.compute()
