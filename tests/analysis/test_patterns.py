"""Patterns of errors: each by hand, all of random texts against a slow count, and the same in every form."""

import json
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
from effort import share_of
from pattern_model import Text, patterns

import scorch2
from scorch2.analysis.patterns import PATTERNS
from scorch2.cli.main import main
from scorch2.model.errors import UsageError
from scorch2.model.forms import render

FIXTURES = Path(__file__).parent.parent.parent / "fixtures"
EXAMPLE = [str(FIXTURES / "example" / f"{side}.conll") for side in ("gold", "sys")]
Entities = Sequence[Sequence[tuple[int, int]]]  # spans of words through the text, half-open


def written(path: Path, sentences: Sequence[str], entities: Entities, speakers: Sequence[str] = ()) -> str:
    """Write sentences of ``word/TAG`` as CoNLL-2012."""
    opened, alone, closed = (defaultdict[int, list[str]](list) for _ in range(3))
    for name, own in enumerate(entities):
        for first, end in dict.fromkeys(own):
            if end == first + 1:
                alone[first].append(f"({name})")
            else:
                opened[first].append(f"({name}")
                closed[end - 1].append(f"{name})")
    lines, place = ["#begin document (d); part 000"], 0
    for number, sentence in enumerate(sentences):
        for word, _, tag in (token.rpartition("/") for token in sentence.split()):
            cells = [*opened[place], *alone[place], *closed[place]]
            who = speakers[number] if speakers else "-"
            lines.append(f"d 0 0 {word} {tag} * - - - {who} * {'|'.join(cells) or '-'}")
            place += 1
        lines.append("")
    path.write_text("\n".join([*lines, "#end document", ""]), encoding="utf-8")
    return str(path)


def found(folder: Path, gold: Entities, system: Entities, *text: Any, **options: Any) -> list[list[str]]:
    """Return the patterns of all errors, without the kind where it is the one asked for."""
    paths = [
        written(folder / f"{n}.conll", text[0], side, *text[1:]) for n, side in enumerate((gold, system))
    ]
    report = scorch2.errors(*paths, list="errors", gains="none", spans="overlap", **options)
    kind = options["kind"]
    return [[name.removeprefix(f"{kind}.") for name in row["patterns"]] for row in report.list]


KING = ["the/DT old/JJ king/NN of/IN France/NNP ,/, who/WP left/VBD ,/, and/CC Ann/NNP 's/POS ship/NN"]
SPANS = [
    ((0, 3), (1, 3), ["start-1", "start-determiner"]),
    ((1, 3), (0, 3), ["start+1", "start+determiner"]),
    ((0, 3), (2, 3), ["start-2", "start-modifier"]),
    ((0, 3), (0, 5), ["end+2", "end+preposition"]),
    ((0, 5), (0, 6), ["end+1", "end+comma"]),
    ((0, 8), (0, 5), ["end-3", "end-clause"]),
    ((4, 5), (2, 5), ["start+2", "start+noun"]),
    ((9, 12), (10, 12), ["start-1", "start-conjunct"]),
    ((10, 12), (10, 11), ["end-1", "end-possessive"]),
    ((0, 5), (1, 9), ["start-1", "end+4-or-more", "start-determiner", "end+clause"]),
]


@pytest.mark.parametrize(("gold", "system", "names"), SPANS)
def test_span_errors_by_hand(
    gold: tuple[int, int], system: tuple[int, int], names: list[str], tmp_path: Path
) -> None:
    entities = [[gold, (12, 13)]], [[system, (12, 13)]]
    how: dict[str, Any] = {"kind": "span", "types": "none"}
    assert found(tmp_path, *entities, KING, **how) == [names]
    ends = [name for name in names if any(sign + number in name for sign in "+-" for number in "1234")]
    untagged = [" ".join(f"{token.rpartition('/')[0]}/-" for token in KING[0].split())]
    said = found(tmp_path, *entities, untagged, **how)[0]
    assert said[: len(ends)] == ends
    words = {name.replace("noun", "words").replace("modifier", "words") for name in names}
    assert {*said} == {name.replace("start+words", "start+words") for name in words}, (
        "English words tell them"
    )


TALK = [
    "Ann/NNP Lind/NNP saw/VBD Bob/NNP ./.", "Lind/NNP left/VBD ./.", "he/PRP and/CC Bob/NNP sat/VBD ./.",
    *["so/RB ./."] * 4, "the/DT man/NN met/VBD a/DT man/NN ./.", "Cy/NNP ./.",
]  # fmt: skip
WHO = ["A", "A", "B", *["-"] * 4, "B", "A"]
ANN, BOB, LIND, HE, BOB_AGAIN, THE_MAN, A_MAN, CY = (
    (0, 2), (3, 4), (5, 6), (8, 9), (10, 11), (21, 23), (24, 26), (27, 28)
)  # fmt: skip
PIECES = [
    (ANN, LIND, ["name-name", "name-name.same-head", "same-head", "same-speaker", "next-sentence"]),
    (BOB, HE, ["pronoun-name", "speaker-change", "2-to-5-sentences"]),
    (BOB, BOB_AGAIN,
     ["name-name", "name-name.same-string", "same-string", "speaker-change", "2-to-5-sentences"]),
    (BOB_AGAIN, THE_MAN, ["nominal-name", "other-head", "same-speaker", "2-to-5-sentences"]),
    (THE_MAN, A_MAN, ["nominal-nominal", "same-head", "same-speaker", "same-sentence"]),
    (ANN, CY, ["name-name", "name-name.other-head", "other-head", "same-speaker", "6-sentences-or-more"]),
]  # fmt: skip


@pytest.mark.parametrize(("first", "second", "names"), PIECES)
def test_pieces_by_hand(
    first: tuple[int, int], second: tuple[int, int], names: list[str], tmp_path: Path
) -> None:
    joined, apart = [[first, second]], [[first], [second]]
    assert found(tmp_path, joined, apart, TALK, WHO, kind="divided") == [names]
    assert found(tmp_path, apart, joined, TALK, WHO, kind="conflated") == [names]
    of_one = ["A"] * len(TALK)
    without = [name for name in names if "speaker" not in name]
    assert found(tmp_path, joined, apart, TALK, of_one, kind="divided") == [without]
    names = [name for name in without if name.endswith("sentences") or "sentence" in name]
    strings = (
        [] if "pronoun-name" in without else ["same-string" if "same-string" in without else "other-string"]
    )
    untagged = [" ".join(f"{token.rpartition('/')[0]}/-" for token in one.split()) for one in TALK]
    expected = [*(strings or ["other-string"]), *names]
    assert found(tmp_path, joined, apart, untagged, kind="divided") == [expected]


def test_missing_and_extra_ones_by_hand(tmp_path: Path) -> None:
    text = ["the/DT king/NN of/IN Ann/NNP 's/POS big/JJ land/NN saw/VBD her/PRP ./."]
    every = [[(0, 7), (8, 9)], [(3, 7)], [(3, 4)]]
    few: Entities = [[(0, 7)]]
    mention = ["pronoun", "1-word", "alone"]
    entities = [
        ["name", "1-word", "inside-another", "singleton"],
        ["nominal", "3-to-5-words", "inside-and-around", "singleton"],
    ]
    for kind, sides in (("missing", (every, few)), ("extra", (few, every))):
        assert found(tmp_path, *sides, text, kind=f"{kind}_mention") == [mention]
        assert found(tmp_path, *sides, text, kind=f"{kind}_entity") == entities
    (whole,) = found(tmp_path, [[(0, 7), (8, 9)]], [[(6, 7)]], text, kind="missing_entity")
    assert whole == ["nominal", "6-words-or-more", "alone", "several-mentions"]
    (two,) = found(tmp_path, [[(0, 2), (8, 9)], [(1, 2)]], [[(8, 9)], [(1, 2)]], text, kind="missing_mention")
    assert two == ["nominal", "2-words", "around-another"]


WORDS = ["Ann/NNP", "ship/NN", "old/JJ", "she/PRP", "the/DT", "of/IN", "who/WP", "left/VBD", ",/,", "and/CC"]


def random_spans(random: Random, sentences: Sequence[str]) -> list[tuple[int, int]]:
    """Return spans inside sentences, none of which cross."""
    spans, start = set[tuple[int, int]](), 0
    for sentence in sentences:
        length = len(sentence.split())
        for _ in range(4):
            first = random.randrange(length)
            span = start + first, start + min(first + random.choice((1, 1, 2, 3, 7)), length)
            if not any(a < span[0] < b < span[1] or span[0] < a < span[1] < b for a, b in spans):
                spans.add(span)
        start += length
    return sorted(spans)


def shared_out(random: Random, spans: Sequence[tuple[int, int]]) -> Entities:
    entities: list[list[tuple[int, int]]] = [[] for _ in range(5)]
    for span in spans:
        random.choice(entities).append(span)
    return [sorted(entity) for entity in entities if entity]


def named(sentences: Sequence[str], span: tuple[int, int]) -> str:
    start = 0
    for number, sentence in enumerate(sentences):
        if span[0] < start + len(sentence.split()):
            first, last = span[0] - start, span[1] - start - 1
            return f"{number}.{first}-{last}"
        start += len(sentence.split())
    raise AssertionError


def test_patterns_of_random_texts_are_those_of_a_slow_count(tmp_path: Path) -> None:
    random, seen = Random(39), Counter[str]()  # noqa: S311 - no secret
    for _ in range(share_of(150)):
        sentences = [" ".join(random.choices(WORDS, k=random.randint(3, 9))) for _ in range(9)]
        speakers = random.choices(("A", "B", "-"), k=9)
        golds, more = random_spans(random, sentences), random_spans(random, sentences)
        kept = [span for span in golds if random.random() < 0.6]
        crossing = [s for s in more if any(a < s[0] < b < s[1] or s[0] < a < s[1] < b for a, b in kept)]
        systems = sorted({*kept, *more}.difference(crossing))
        sides = [shared_out(random, spans) for spans in (golds, systems)]
        paths = [written(tmp_path / f"{n}.conll", sentences, side, speakers) for n, side in enumerate(sides)]
        words, tags = ([[token.rpartition("/")[k] for token in s.split()] for s in sentences] for k in (0, 2))
        mentions = dict(
            zip(
                (True, False), ([named(sentences, s) for s in side] for side in (golds, systems)), strict=True
            )
        )
        text = Text(words, tags, speakers, mentions)
        report = scorch2.errors(*paths, list="errors", by="pattern", gains="none", spans="overlap")
        expected = [patterns(text, row) for row in report.list]
        assert [{*row["patterns"]} for row in report.list] == expected
        counts = Counter(name for names in expected for name in names)
        assert {name: count.errors for name, count in report.patterns.items()} == counts
        assert [*report.patterns] == [name for name in PATTERNS if name in counts]
        for name, count in report.patterns.items():
            rows = [row for row in report.list if name in row["patterns"]]
            numbers = [len(row["mentions"]) for row in rows], [row["links"] for row in rows]
            assert (count.mentions, count.links) == tuple(map(sum, numbers))
        seen += counts
    assert len(seen) > 120, "random texts have most patterns"


def run(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(["errors", "-q", "--gains=none", "--types=english", "--no-signature", *words, *EXAMPLE]) == 0
    return capsys.readouterr().out


def test_all_forms_have_the_same_patterns(capsys: pytest.CaptureFixture[str]) -> None:
    plain = json.loads(run(capsys, "--by=pattern", "-f", "json"))["patterns"]
    by_hand = {"pattern": "divided.other-head", "errors": 2, "mentions": 3, "links": 2}
    assert by_hand in plain, "see the guide"
    rows = [[*map(str, row.values())] for row in plain]
    tsv = run(capsys, "--by=pattern", "-f", "tsv").split("\n\n")[-1].strip().split("\n")
    assert [line.split("\t") for line in tsv[1:]] == rows
    shown = [line.split() for line in run(capsys, "--by=pattern").split("\n")]
    assert [row for row in shown if row and row[0] in PATTERNS] == rows
    assert "divided.other-head" in run(capsys, "--by=pattern", "-f", "latex")
    assert "patterns" not in json.loads(run(capsys, "-f", "json"))


@pytest.mark.parametrize("form", ["table", "markdown", "latex", "tsv"])
def test_without_patterns_there_is_neither_a_table_nor_a_caption(form: str) -> None:
    case = [str(FIXTURES / "errors" / "cycle" / f"{side}.json") for side in ("gold", "sys")]
    report = scorch2.errors(*case, by="pattern", gains="none")
    assert not report.patterns, "mentions are ids: they have no words"
    assert render(report, form) == render(scorch2.errors(*case, gains="none"), form)


@pytest.mark.parametrize("listing", ["errors", "examples"])
def test_a_pattern_chooses_what_is_listed(listing: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = f"--list={listing}", "-f", "json"
    every = json.loads(run(capsys, *words))["list"]
    chosen = json.loads(run(capsys, *words, "--pattern=divided.other-head,conflated.other-head"))["list"]
    assert chosen == [row for row in every if any(name.endswith("d.other-head") for name in row["patterns"])]
    assert 0 < len(chosen) < len(every)
    tsv = run(capsys, f"--list={listing}", "-f", "tsv", "--pattern=divided.other-head").strip().split("\n")
    column = tsv[0].split("\t").index("patterns")
    assert all("divided.other-head" in row.split("\t")[column].split() for row in tsv[1:])
    assert len(tsv) == 3


def test_unknown_patterns_are_refused() -> None:
    with pytest.raises(UsageError, match=r"span\.end\+1"):
        scorch2.errors([[1, 2]], [[1], [2]], list="errors", pattern="span.end+11")
    with pytest.raises(UsageError, match="pattern chooses what is listed"):
        scorch2.errors([[1, 2]], [[1], [2]], pattern="span.end+1")


def test_of_two_systems_each_has_its_own_errors_chosen() -> None:
    """Of the errors that have the pattern, those of both systems at one mention are shared."""
    folders = [str(FIXTURES / "example" / name) for name in ("gold", "sys", "other")]
    kept: dict[str, set[tuple[str, str]]] = {}
    for name, paths in (("first", folders[:2]), ("second", folders[::2])):
        found = scorch2.errors(*paths, list="errors", pattern="missing_entity.singleton", gains="none")
        kept[name] = {(row["document"], row["mentions"][0]) for row in found.list}
    both = scorch2.errors(
        folders[0], folders[1], folders[2], list="errors", pattern="missing_entity.singleton", gains="none"
    ).list
    said = {(row["of"], row["document"], row["mentions"][0]): row["other"] for row in both}
    assert {key[1:] for key in said if key[0] == "first"} == kept["first"]
    assert {key[1:] for key, other in said.items() if other == "both"} == kept["first"] & kept["second"]
    assert {key[1:] for key in said if key[0] == "second"} == kept["second"] - kept["first"]
    assert kept["second"] - kept["first"]
