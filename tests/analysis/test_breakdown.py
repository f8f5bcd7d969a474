"""Classes of mentions: the rows of a breakdown add up to the pooled counts; windows cut and lose nothing."""

import json
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest
from effort import share_of
from every import every
from exact_model import MODELS, Clusters, Counts
from span_clusters import random_pair
from worked import assert_worked

import scorch2
from scorch2.analysis.breakdown import breakdown_of, class_sums, classes_of
from scorch2.analysis.error_report import AnalysisRequest, Sums
from scorch2.analysis.findings import windows_of
from scorch2.analysis.heads import by_tags, by_words
from scorch2.analysis.pair import MatchedPair, matched_pair
from scorch2.analysis.table import DIMENSIONS
from scorch2.cli.main import main
from scorch2.model.document import Columns, Document, OnDemand, Words
from scorch2.model.markables import SyntaxRow, Tree
from scorch2.model.options import options_from
from scorch2.model.score import Measured
from scorch2.scoring.flow import count_all
from scorch2.scoring.metrics.chosen import counted_metrics
from scorch2.scoring.pairing.files import Pair

EXAMPLE = Path(__file__).parent.parent.parent / "fixtures" / "example"
METRICS = ("muc", "b_cubed", "ceaf_e", "lea", "mentions")
WORDS = ("Anne", "the", "captain", "her", "ship", "of", "France")
TAGS = ("NNP", "DT", "NN", "PRP", "NN", "IN", "NNP")
KINDS = ("PER", "LOC", "")
LENGTH = 14

CLASSES = {
    "size": "1 2 3-5 6-10 11-20 21-50 51-100 101+",
    "bands": "1 2-5 6-20 21-100 101+",
    "width": "1 2 3-5 6-10 11+",
    "distance": "first 0-9 10-19 20-49 50-99 100-199 200-499 500-999 1000-4999 5000+",
    "sentences": "first 0 1 2 3-5 6-10 11-20 21-50 51+",
    "mentions": "first 0 1 2 3-5 6-10 11-20 21-50 51-100 101+",
    "length": "0-499 500-999 1000-1999 2000-4999 5000-9999 10000-49999 50000+",
}
"""Of the dimensions that are numbers, as the specification lists them, with hyphens for dashes."""


class Tagged(Columns):
    """Words with tags."""

    __slots__ = ()

    def cells(self) -> list[list[str]]:
        return []

    def tags(self) -> list[str]:
        return list(self._source[1])


def words_of(words: list[str], _: list[str]) -> list[str]:
    return words


def text(random: Random, column: Sequence[str]) -> list[str]:
    return [random.choice(column) for _ in range(LENGTH)]


def random_matched(random: Random, how: str) -> MatchedPair:
    clusters = random_pair(random)
    columns = text(random, WORDS), text(random, TAGS)
    words = Tagged(words_of, *columns) if how == "auto" else Words(words_of, *columns)
    documents = [
        Document(
            "nw/d",
            {str(n): members for n, members in enumerate(side)},
            sentences=[5, 4, 5],
            words=words,
            trees=OnDemand(trees_of, ["0:root " * length for length in (5, 4, 5)]),
            categories=OnDemand(dict, {str(n): text(random, KINDS)[: len(of)] for n, of in enumerate(side)}),
        )
        for side in clusters
    ]
    pair = Pair("d", documents[0], documents[1])
    return matched_pair(pair, options_from(), AnalysisRequest(types=how))


def clusters_of(document: Document) -> Clusters:
    return tuple(map(frozenset, document.clusters.values()))


def exact(numerators: Sequence[Sums], name: str) -> Fraction:
    return sum(
        (Fraction(n, size) for one in numerators for size, n in getattr(one, name).items()), Fraction(0)
    )


@every("how", ["auto", "english"])
def test_rows_add_up_to_the_pooled_counts(how: str) -> None:
    random = Random(how)  # noqa: S311 - a sample, not a secret
    for _ in range(share_of(200)):
        pair = random_matched(random, how)
        gold, system = clusters_of(pair.gold), clusters_of(pair.system)
        counts = {metric: MODELS[metric](gold, system).parts[""] for metric in (*METRICS, "pairwise")}
        for name, sides in class_sums(pair, [*DIMENSIONS]).items():
            for rows, part in zip(sides, ("recall", "precision"), strict=True):
                assert_adds_up(name, list(rows.values()), counts, part)
            known = DIMENSIONS[name].order
            assert not known or {*sides[0], *sides[1]} <= {*known}, name


def assert_adds_up(name: str, found: Sequence[Sums], counts: Mapping[str, Counts], part: str) -> None:
    expected = {metric: getattr(one, f"{part}_num") for metric, one in counts.items()}
    assert sum(one.found for one in found) == expected["mentions"], name
    assert sum(one.links[0] for one in found) == expected["muc"], name
    assert sum(sum(one.links) for one in found) == getattr(counts["muc"], f"{part}_den"), name
    assert exact(found, "b_cubed") == expected["b_cubed"], name
    assert exact(found, "lea") == expected["lea"], name
    assert sum(one.mentions for one in found) == getattr(counts["lea"], f"{part}_den"), name
    if DIMENSIONS[name].pairs:
        pairs = [one.pairs or (0, 0) for one in found]
        assert sum(right for right, _ in pairs) == expected["pairwise"], name
        assert sum(all_of for _, all_of in pairs) == getattr(counts["pairwise"], f"{part}_den"), name


@pytest.mark.parametrize("length", [1, 4, 100])
def test_windows_are_scored_like_documents_of_their_own(length: int) -> None:
    random, chosen = Random(length), options_from(metrics=METRICS)  # noqa: S311 - a sample, not a secret
    for _ in range(share_of(100)):
        pair = random_matched(random, "none")
        counting = count_all(counted_metrics(chosen), chosen)
        (found,) = windows_of(pair, Measured(pair.id, 0, 0, ()), AnalysisRequest(windows=(length,)), counting)
        expected = []
        for number in range(LENGTH // length + 1):
            sides = [
                tuple(
                    kept
                    for members in clusters_of(document)
                    if (kept := frozenset(m for m in members if m[0] // length == number))  # type: ignore[index]  # spans
                )
                for document in (pair.gold, pair.system)
            ]
            if any(sides):
                expected.append([MODELS[name](*sides).parts[""] for name in METRICS])
        assert len(found) == len(expected)
        for window, counts in zip(found, expected, strict=True):
            for (tally,), count in zip(window.tallies, counts, strict=True):
                assert tuple(tally) == pytest.approx([float(number) for number in count])
        assert sum(window.gold_mentions for window in found) == len(pair.sides.gold.mentions)


def test_documents_without_mentions_have_no_windows_and_no_scores_in_them(tmp_path: Path) -> None:
    paths = [tmp_path / f"{side}.jsonl" for side in ("gold", "sys")]
    for path in paths:
        path.write_text('{"doc_key": "d", "sentences": [["a", "b"]], "clusters": []}\n', "utf-8")
    (found,) = scorch2.errors(*paths, windows=[5]).windows
    assert (found.tokens, found.documents) == (5, 0)
    assert not found.scores["muc"].f1.defined


@pytest.mark.parametrize(
    ("mention", "tags", "expected"),
    [
        ("Anne Elliot", "NNP NNP", "name"),
        ("the captain of the Sirius", "DT NN IN DT NNP", "nominal"),
        ("Anne 's ship", "NNP POS NN", "nominal"),
        ("Anne 's", "NNP POS", "name"),
        ("Boeing 747 jets", "NNP CD NNS", "nominal"),
        ("the ship 's captain 's wife", "DT NN POS NN POS NN", "nominal"),
        ("his", "PRP$", "pronoun"),
        ("this", "DT", "pronoun"),
        ("the two", "DT CD", "other"),
        ("très bien", "ADV ADV", "other"),
    ],
)
def test_types_by_tags(mention: str, tags: str, expected: str) -> None:
    assert by_tags(mention.split(), tags.split()) == expected


@pytest.mark.parametrize(
    ("mention", "expected"),
    [
        ("Mara Lind", "name"),
        ("The old ferry", "nominal"),
        ("a captain from Bath", "nominal"),
        ("Admiral Croft , who sailed", "name"),
        ("Anne 's", "name"),
        ("Anne 's ship", "nominal"),
        ("Herself", "pronoun"),
        ("of", "nominal"),
        ("of France", "name"),
    ],
)
def test_types_by_english_words(mention: str, expected: str) -> None:
    assert by_words(mention.split()) == expected


def test_types_by_the_tags_of_conll_u(tmp_path: Path) -> None:
    """Anne (PROPN), she (PRON), the captain (NOUN), quickly (ADV): one mention of each kind by hand."""
    rows = [
        ("Anne", "PROPN", "Entity=(1-person-1)"),
        ("she", "PRON", "Entity=(1-person-1)"),
        ("the", "DET", "Entity=(2-person-2"),
        ("captain", "NOUN", "Entity=2)"),
        ("quickly", "ADV", "Entity=(2-person-1)"),
    ]
    lines = [f"{n}\t{word}\t_\t{tag}\t_\t_\t_\t_\t_\t{misc}" for n, (word, tag, misc) in enumerate(rows, 1)]
    path, out = tmp_path / "d.conllu", tmp_path / "out.json"
    path.write_text("\n".join(["# global.Entity = eid-etype-head", *lines, "", ""]), "utf-8")
    assert main(["errors", "-f", "json", "--by=type", "-o", str(out), str(path), str(path)]) == 0
    report = json.loads(out.read_text("utf-8"))
    found = {row["class"]: row["mentions"]["recall_den"] for row in report["breakdown"]["type"]}
    assert found == {"name": 1, "nominal": 1, "pronoun": 1, "other": 1}
    assert "types=tags" in report["signature"]


@pytest.mark.parametrize("words", [["--by=type,antecedent,named,text"], ["-f", "html"]])
def test_a_mention_without_words_is_of_no_guessed_type(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """An empty node of CorefUD has no word to guess from."""
    path = str(EXAMPLE.parent / "formats" / "valid" / "corefud-nodes.conllu")
    assert main(["errors", "-q", "--types=english", *words, "-o", str(tmp_path / "out"), path, path]) == 0
    assert capsys.readouterr().err == ""
    assert by_words([]) == "other"


def test_tags_that_are_not_to_be_used_are_not_said_to_lack(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "tagged.conll"
    rows = ["d 0 0 Anne NNP * (1)", "d 0 1 she PRP * (1)"]
    path.write_text("\n".join(["#begin document (d); part 000", *rows, "", "#end document", ""]), "utf-8")
    assert main(["errors", "--types=none", "--by=type", str(path), str(path)]) == 2
    assert '"tagged" has tags, but --types=none leaves types of mentions unknown' in capsys.readouterr().err


@every(("words", "said"), [
        (["--by=type"], "has no tags, so types of mentions are not known (or guess: --types=english)"),
        (["--by=genre"], "does not name its genre: no / in it (say where: --genre)"),
        (["--by=genre", "--genre=^(x)"], "does not name its genre: --genre=^(x) finds nothing in it"),
        (["--by=typ"], 'unknown dimension "typ", did you mean type?'),
        (["--genre=("], '--genre: "(" is not a regular expression'),
        (["--genre=a"], '--genre: "a" has no group'),
        (["--genre=(.)"], "--genre says where genres are: it needs --by=genre or --plot=genre:<file>"),
        (["--genre=(.)", "--by=size", "-f", "html"], "--genre says where genres are: it needs --by=genre"),
        (["--window=0"], "--window is a whole number from 1"),
        (["--list=error"], 'unknown list "error", did you mean errors?'),
        (["--list="], 'unknown list ""'),
        (["--list=errors", "--kind=spam"], 'unknown kind of error "spam", did you mean span?'),
        (["--list=errors", "--document=harbor"], 'unknown document "harbor", did you mean harbour-000?'),
        (["--kind=span"], "--kind chooses what is listed: it needs --list=errors"),
        (["--document=d"], "--document chooses what is listed: it needs --list"),
    ])  # fmt: skip
def test_what_cannot_be_is_refused(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["errors", *words, str(EXAMPLE / "gold.conll"), str(EXAMPLE / "sys.conll")]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err
    assert all(line.startswith("scorch2: error: ") and said in line for line in shown.err.splitlines())


def test_overlap_is_refused_for_ids(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "d.json"
    path.write_text(json.dumps({"type": "clusters", "clusters": {"a": ["m1", "m2"]}}), encoding="utf-8")
    assert main(["errors", "--spans=overlap", str(path), str(path)]) == 2
    assert "mentions are not spans of a text" in capsys.readouterr().err
    assert main(["errors", "--by=width", str(path), str(path)]) == 2
    assert '"d" has no spans of a text, which --by=width needs' in capsys.readouterr().err
    assert main(["errors", "--types=english", str(path), str(path)]) == 2
    assert '"d" has no tokens for --types=english' in capsys.readouterr().err


@pytest.mark.parametrize("name", CLASSES)
def test_numbers_are_classed_as_in_the_specification(name: str) -> None:
    assert list(DIMENSIONS[name].order) == CLASSES[name].replace("-", "\u2013").split()


SYNTAX = (
    "2:nsubj 0:root 4:det 2:obj 2:punct",
    "2:nsubj 0:root 2:obj 2:punct",
    "2:amod 8:obl 5:case 5:det 2:nmod 8:punct 8:nsubj 0:root 11:det 11:amod 8:obj 8:punct",
)
"""The head of each word of `TEXT`, and its relation to it."""


def trees_of(sentences: Sequence[str]) -> list[Tree]:
    return [
        Tree(
            (),
            [
                SyntaxRow(str(number), "", "", "", "", "_", head, relation, "_", "_")
                for number, word in enumerate(sentence.split(), 1)
                for head, relation in [word.split(":")]
            ],
        )
        for sentence in sentences
    ]


TEXT = (
    "Anne/NNP met/VBD the/DT captain/NN ./. She/PRP liked/VBD him/PRP ./. "
    "Many/JJ years/NNS after/IN that/DT day/NN ,/, Anne/NNP saw/VBD the/DT old/JJ captain/NN ./."
)
"""Of three sentences. Gold: *Anne*, *She*, *Anne*; and *the captain*, *him*, *the old captain*.

The system lacks *him*, and has *She* between the captains. So of the links to the mention before, in gold
those of *She* and *him* are lost, those of the second *Anne* and *the old captain* found; in the system, that
of *She* is wrong.
"""
WORKED = {
    "type": "name: 2/2 2/2 1/1 1/1; nominal: 2/2 2/2 1/1 1/1; pronoun: 1/2 1/1 0/2 0/1",
    "antecedent": "first: 2/2 2/2 0/0 0/0; name ← name: 0/0 1/1 0/0 1/1; name ← pronoun: 1/1 0/0 1/1 0/0; "
    "nominal ← pronoun: 1/1 1/1 1/1 1/1; pronoun ← name: 1/1 0/0 0/1 0/0; pronoun ← nominal: 0/1 1/1 0/1 0/1",
    "size": "2: 0/0 2/2 0/0 1/1; 3-5: 5/6 3/3 2/4 1/2",
    "bands": "2-5: 5/6 5/5 2/4 2/3",
    "width": "1: 3/4 3/3 1/3 1/2; 2: 1/1 1/1 0/0 0/0; 3-5: 1/1 1/1 1/1 1/1",
    "distance": "first: 2/2 2/2 0/0 0/0; 0-9: 3/4 1/1 2/4 0/1; 10-19: 0/0 2/2 0/0 2/2",
    "sentences": "first: 2/2 2/2 0/0 0/0; 1: 3/4 2/2 2/4 1/2; 2: 0/0 1/1 0/0 1/1",
    "mentions": "first: 2/2 2/2 0/0 0/0; 0: 0/0 1/1 0/0 0/1; 1: 3/4 1/1 2/4 1/1; 2: 0/0 1/1 0/0 1/1",
    "text": "first: 2/2 2/2 0/0 0/0; same: 1/1 1/1 1/1 1/1; overlap: 1/1 1/1 1/1 1/1; "
    "different: 1/2 1/1 0/2 0/1",
    "named": "with a name: 3/3 2/2 1/2 1/1; without a name: 2/3 3/3 1/2 1/2",
    "category": "NAME: 0/0 1/1 0/0 1/1; PER: 3/3 3/3 1/2 1/2; RANK: 2/2 1/1 1/1 0/0; none: 0/1 0/0 0/1 0/0",
    "genre": "nw: 5/6 5/5 2/4 2/3",
    "length": "0-499: 5/6 5/5 2/4 2/3",
    "form": "him: 0/1 0/0 0/1 0/0; no pronoun: 4/4 4/4 2/2 2/2; she: 1/1 1/1 0/1 0/1",
    "definite": "name: 2/2 2/2 1/1 1/1; pronoun: 1/2 1/1 0/2 0/1; definite: 2/2 2/2 1/1 1/1",
    "nested": "alone: 5/6 5/5 2/4 2/3",
    "cataphora": "after: 1/2 1/1 0/2 0/1; no pronoun: 4/4 4/4 2/2 2/2",
    "position": "first: 2/2 2/2 0/0 0/0; between: 1/2 1/1 0/2 0/1; last: 2/2 2/2 2/2 2/2",
    "head": "first: 2/2 2/2 0/0 0/0; same: 2/2 2/2 2/2 2/2; pronoun: 1/2 1/1 0/2 0/1",
    "number": "first: 2/2 2/2 0/0 0/0; agree: 3/4 3/3 2/4 2/3",
    "gender": "first: 2/2 2/2 0/0 0/0; unknown: 3/4 3/3 2/4 2/3",
    "function": "nsubj: 3/3 3/3 1/2 1/2; obj: 2/3 2/2 1/2 1/1",
}
"""By class, counted by hand: mentions found of those of gold, and of the system; links likewise (MUC)."""


def test_every_dimension_has_a_worked_case() -> None:
    assert_worked(DIMENSIONS, WORKED, "WORKED in tests/analysis/test_breakdown.py")


def worked_pair() -> MatchedPair:
    """Return both sides of `TEXT`; of the system *Anne* and *She* say no category, and take that of gold."""
    words, tags = zip(*(word.rsplit("/", 1) for word in TEXT.split()), strict=True)
    gold = {"Anne": [(0, 1), (5, 6), (15, 16)], "captain": [(2, 4), (7, 8), (17, 20)]}
    system = {"Anne": [(0, 1), (15, 16)], "captain": [(2, 4), (5, 6), (17, 20)]}
    of_gold = {"Anne": ["PER", "PER", "PER"], "captain": ["RANK", None, "RANK"]}
    of_system = {"Anne": ["PER", None], "captain": ["RANK", "", "NAME"]}
    documents = [
        Document(
            *("nw/d", clusters, "", [5, 4, 12]),
            words=Tagged(words_of, [*words], [*tags]),
            trees=OnDemand(trees_of, SYNTAX),
            categories=OnDemand(dict, labels),
        )
        for clusters, labels in ((gold, of_gold), (system, of_system))
    ]
    return matched_pair(Pair("d", documents[0], documents[1]), options_from(), AnalysisRequest())


def test_all_links_count_in_the_category_of_their_entity() -> None:
    """In the system the captains are RANK, PER and NAME, each once: the first by name counts."""
    rows = breakdown_of([class_sums(worked_pair(), ["category"])], ["category"])["category"]
    assert {row.name: row.tallies["pairwise"] for row in rows} == {
        "NAME": (0, 0, 1, 3),
        "PER": (1, 3, 1, 1),
        "RANK": (1, 3, 0, 0),
        "none": (0, 0, 0, 0),
    }


@pytest.mark.parametrize("name", WORKED)
def test_classes_counted_by_hand(name: str) -> None:
    pair = worked_pair()
    rows = []
    for row in breakdown_of([class_sums(pair, [name])], [name])[name]:
        counted = [row.tallies[metric] for metric in ("mentions", "muc")]
        found = [f"{one:g}/{of:g}" for tally in counted for one, of in (tally[:2], tally[2:])]
        rows.append(f"{row.name.replace(chr(0x2013), '-')}: {' '.join(found)}")
    assert rows == WORKED[name].split("; "), f"--by={name} of TEXT is not what was counted by hand"


FEATURES = """# newdoc id = d
# global.Entity = eid-etype-head-other
# sent_id = 1
1\tLa\t_\tDET\t_\tDefinite=Def|PronType=Art\t2\tdet\t_\tEntity=(e1--2-
2\tcasa\t_\tNOUN\t_\tGender=Fem|Number=Sing\t4\tnsubj\t_\tEntity=e1)
3\tque\t_\tPRON\t_\tPronType=Rel\t2\tobj\t_\t_
4\tve\t_\tVERB\t_\t_\t0\troot\t_\t_

# sent_id = 2
1\tElla\t_\tPRON\t_\tGender=Fem|Number=Sing\t2\tnsubj:pass\t_\tEntity=(e1--1-)
2\tama\t_\tVERB\t_\t_\t0\troot\t_\t_
3\tsus\t_\tDET\t_\tNumber=Plur|Poss=Yes\t4\tdet\t_\tEntity=(e1--2-
4\tamigos\t_\tNOUN\t_\tGender=Masc|Number=Plur\t2\tobj\t_\tEntity=e1)

"""


def test_grammar_is_what_the_columns_of_conllu_say(tmp_path: Path) -> None:
    """*La casa*, *Ella*, *sus amigos* as one entity: the second agrees with the first, the third does not."""
    path = tmp_path / "d.conllu"
    path.write_text(FEATURES, encoding="utf-8")
    names = ("number", "gender", "definite", "function", "form")
    found = scorch2.errors(path, path, by=names, gains="none").breakdown
    classes = {name: [row.name for row in rows] for name, rows in found.items()}
    assert classes == {
        "number": ["first", "agree", "differ"],
        "gender": ["first", "agree", "differ"],
        "definite": ["pronoun", "definite", "possessive"],
        "function": ["nsubj", "obj"],
        "form": ["ella", "no pronoun"],
    }


def test_mentions_inside_others_are_told_apart() -> None:
    """(0, 9) holds all but (8, 11), which crosses it; (1, 4) holds (2, 3)."""
    clusters = {"a": [(0, 9), (2, 3)], "b": [(1, 4), (8, 11), (5, 6)]}
    documents = [Document("d", clusters, sentences=[LENGTH]) for _ in range(2)]
    pair = matched_pair(Pair("d", documents[0], documents[1]), options_from(), AnalysisRequest())
    found = dict(zip(pair.sides.gold.mentions, classes_of("nested", pair, pair.sides.gold), strict=True))
    assert found == {
        (0, 9): "around another",
        (1, 4): "both",
        (2, 3): "inside another",
        (5, 6): "inside another",
        (8, 11): "alone",
    }


def test_a_pronoun_before_its_name_is_cataphoric() -> None:
    """*She met the captain* and *Anne*, one entity: *She* stands before; *him*, alone, has pronouns only."""
    words, tags = ["She", "met", "Anne", "him"], ["PRP", "VBD", "NNP", "PRP"]
    document = Document(
        "d", {"a": [(0, 1), (2, 3)], "b": [(3, 4)]}, sentences=[4], words=Tagged(words_of, words, tags)
    )
    pair = matched_pair(Pair("d", document, document), options_from(), AnalysisRequest())
    assert classes_of("cataphora", pair, pair.sides.gold) == ["before", "no pronoun", "pronouns only"]


@pytest.mark.parametrize("command", ["score", "errors"])
def test_classes_that_would_not_add_up_are_refused(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    paths = [str(EXAMPLE / "gold.conll"), str(EXAMPLE / "sys.conll")]
    assert main([command, "-q", "-f", "json", "--singletons=e2e", "--by=size", *paths]) == 2
    assert "B³ and LEA leave out under --singletons=e2e" in capsys.readouterr().err


@pytest.mark.parametrize("empty", ["gold", "system"])
def test_an_entity_of_one_mention_may_have_nothing_on_the_other_side(empty: str) -> None:
    gold, system = ([], [[(3, 4)]]) if empty == "gold" else ([[(3, 4)]], [])
    (row,) = scorch2.errors(gold, system, by="size").breakdown["size"]
    assert row.tallies["mentions"] == ((0, 0, 0, 1) if empty == "gold" else (0, 1, 0, 0))
