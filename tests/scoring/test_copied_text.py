"""``--align=text``: mentions of a copied text, by edits whose map is known and by conversion of gold."""

import random
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Literal

import pytest

import scorch2
from scorch2.cli.main import main
from scorch2.formats.copies import write_file
from scorch2.formats.reading import read
from scorch2.model.besides import Copying, ends_at, in_words
from scorch2.model.document import Document, Mention, Words
from scorch2.model.errors import InputError
from scorch2.model.options import Options, options_from
from scorch2.scoring.matching.matched import ComparedPair
from scorch2.scoring.matching.steps import Matcher
from scorch2.scoring.pairing.readers import windows_as_one
from scorch2.scoring.remarks import copy_notices

TEXT = options_from(align="text")
COREFUD = sorted(Path("fixtures/universal_anaphora").glob("corefud-[0-9r]*/key.conllu"))
COREFUD = [path for path in COREFUD if "-error-" not in path.parent.name]


def document(words: str | Sequence[str], clusters: Mapping[str, Sequence[Mention]]) -> Document:
    written = words.split() if isinstance(words, str) else list(words)
    return Document("d", clusters, sentences=[len(written)], words=Words(list, written))


def aligned(gold: Document, system: Document, options: Options = TEXT) -> ComparedPair:
    return Matcher(options).compared("d", gold, system)


def test_every_mention_whose_words_survive_is_where_gold_has_it() -> None:
    chance = random.Random(27)  # noqa: S311 - no secret
    for _ in range(200):
        words = [f"w{number}" for number in range(60)]
        spans = {tuple(sorted(chance.sample(range(61), 2))) for _ in range(15)}
        copy: list[tuple[str, int | None]] = []
        for place, word in enumerate(words):
            what = chance.random()
            if what < 0.05:
                continue
            copy.append((word, place) if what < 0.9 else (f"x{place}", None))
            if what > 0.97:
                copy.append((f"new{place}", None))
        place_of = {place: number for number, (_, place) in enumerate(copy) if place is not None}
        kept = {span for span in spans if span[0] in place_of and span[1] - 1 in place_of}
        gold = document(words, {str(i): [span] for i, span in enumerate(sorted(kept))})
        system = document(
            [word for word, _ in copy],
            {str(i): [(place_of[s], place_of[e - 1] + 1)] for i, (s, e) in enumerate(sorted(kept))},
        )
        pair = aligned(gold, system)
        assert pair.system.document.clusters == gold.clusters
        assert pair.noted["copying"].copied == len(place_of)
        assert (pair.noted["copying"].moved, pair.noted["copying"].lost, pair.noted["copying"].collided) == (
            0,
            0,
            0,
        )


def damaged(words: Sequence[str], chance: random.Random) -> tuple[list[str], dict[int, int]]:
    """Return a copy with errors as models make them, and where each word stands that was copied."""
    copy: list[str] = []
    place_of: dict[int, int] = {}
    stop = len(words) if chance.random() < 0.5 else chance.randrange(len(words) // 2, len(words))
    place = 0
    while place < stop:
        word, what = words[place], chance.random()
        if what < 0.02:  # a lost line
            place += chance.randrange(2, 12)
            continue
        if what < 0.05:
            copy += [word[:2], word[2:]]
        elif what < 0.08 and place + 1 < stop:
            copy.append(word + words[place + 1])
            place += 1
        elif what < 0.12:
            copy.append(chance.choice((word.upper(), f"\N{LEFT DOUBLE QUOTATION MARK}{word}", "...")))
        else:
            copy += ["Sure", "!"] if what < 0.14 else []
            place_of[place] = len(copy)
            copy.append(word)
        place += 1
    return copy, place_of


def test_words_that_survive_stand_for_themselves_whatever_happens_beside_them() -> None:
    """Case, quotes, split and joined words, lost lines, inserted words, and a cut tail."""
    chance = random.Random(28)  # noqa: S311 - no secret
    for _ in range(200):
        words = [f"wo{number}rd" for number in range(120)]
        copy, place_of = damaged(words, chance)
        kept = sorted(place_of)
        spans = {tuple(sorted(chance.sample(kept, 2))) for _ in range(15)}
        gold = {str(i): [(start, end + 1)] for i, (start, end) in enumerate(sorted(spans))}
        system = {
            str(i): [(place_of[start], place_of[end] + 1)] for i, (start, end) in enumerate(sorted(spans))
        }
        pair = aligned(document(words, gold), document(copy, system))
        assert pair.system.document.clusters == gold
        assert (pair.noted["copying"].copied, pair.noted["copying"].moved) == (len(place_of), 0)


@pytest.mark.parametrize(
    ("copy", "mention", "expected", "counts"),
    [
        ("the old man sleeps", (0, 3), (0, 3), Copying(4, 4, 0, 0, 0, 4)),
        ("the OLD man sleeps", (0, 3), (0, 3), Copying(4, 3, 1, 0, 0, 4)),
        ("the OLD man sleeps", (1, 3), (1, 3), Copying(4, 3, 1, 0, 0, 4, moved=1)),
        ("old man sleeps", (0, 2), (1, 3), Copying(4, 3, 0, 1, 0, 4)),
        ("Here : the old man sleeps", (0, 2), (4, 5), Copying(4, 4, 0, 0, 2, 4, lost=1)),
        ("Here : the old man", (2, 5), (0, 3), Copying(4, 3, 0, 1, 2, 3)),
        ("theold man slept", (0, 2), (0, 3), Copying(4, 1, 3, 0, 0, 4, moved=1)),
        ("", (0, 0), (4, 5), None),
    ],
)
def test_a_mention_covers_the_words_that_its_words_stand_for(
    copy: str, mention: tuple[int, int], expected: tuple[int, int], counts: Copying | None
) -> None:
    gold = document("the old man sleeps", {"a": [(0, 3)]})
    pair = aligned(gold, document(copy, {"a": [mention]} if counts else {}))
    if counts:
        assert pair.system.document.clusters == {"a": [expected]}
        assert pair.noted["copying"] == counts
    else:
        assert pair.noted["copying"] == Copying(4, 0, 0, 4, 0, 0)


def test_of_two_clusters_on_the_same_words_the_second_matches_nothing() -> None:
    gold = document("a b c d", {"x": [(1, 3)], "y": [(0, 1)]})
    system = document("a b NEW c d", {"x": [(1, 4)], "y": [(1, 4), (0, 1)], "z": [(1, 2)]})
    pair = aligned(gold, system)
    assert pair.system.document.clusters == {"x": [(1, 3)], "y": [(1, 3), (0, 1)], "z": [(1, 2)]}
    system = document("a b NEW c d", {"x": [(1, 2)], "y": [(1, 3), (0, 1)]})
    pair = aligned(gold, system)
    assert pair.system.document.clusters == {"x": [(1, 2)], "y": [(4, 5), (0, 1)]}
    assert pair.noted["copying"].collided == 1
    assert pair.system.document.words is not None
    assert pair.system.document.words()[4] == "b NEW", "messages can show it"


@pytest.mark.parametrize("text", ["Tom saw her", "Tom saw her too", "Tom sa w her"])
def test_a_repaired_mark_on_the_mention_of_another_cluster_matches_nothing(text: str) -> None:
    gold = document(text, {"x": [(0, 1)], "y": [(1, 2)]})
    twice = {"x": [(0, 1)], "y": [(0, 1), (1, 2)]}
    repair = options_from(align="text", marks="repair")
    pair = aligned(gold, document("Tom saw her", twice), repair)
    end = len(text.split())
    assert pair.noted["copying"].collided == 1
    assert pair.system.document.clusters["y"][0] == (end, end + 1)
    for options in (TEXT, options_from(align="text", marks="repair", duplicates="first")):
        with pytest.raises(InputError) if options is TEXT else nullcontext():
            Matcher(options).matched(aligned(gold, document("Tom saw her", twice), options))


def test_texts_of_the_same_letters_compare_by_letters() -> None:
    gold, system = document("do n't go", {"a": [(0, 2)]}), document("don't go", {"a": [(0, 1)]})
    assert aligned(gold, system).system.document.clusters == {"a": [(0, 5)]}


def test_spans_of_characters_are_words_between_blanks_and_borders() -> None:
    gold = Document(
        "d", {"a": [(0, 3)]}, sentences=[11], unit="character", text="Ann's dogs.", half_open=True
    )
    system = document("Ann 's dog .", {"a": [(0, 1)]})
    pair = aligned(gold, system)
    assert pair.gold.document.clusters == pair.system.document.clusters == {"a": [(0, 1)]}


def test_a_side_without_words_is_refused() -> None:
    gold = document("a b", {"x": [(0, 1)]})
    with pytest.raises(InputError, match="has neither tokens nor a text, which --align=text needs"):
        aligned(gold, Document("d", {"x": [(0, 1)]}, half_open=True))


@pytest.mark.parametrize("format", ["plaintext", "crac"])
def test_gold_as_a_marked_text_is_gold_but_for_discontinuous_mentions(tmp_path: Path, format: str) -> None:
    others = set()
    for path in COREFUD:
        copy = tmp_path / path.parent.name
        copy.write_text(write_file(read(str(path)), format, lossy=True).text, encoding="utf-8")
        report = scorch2.score(str(path), str(copy), profile="crac-llm", sys_format=format)
        same = scorch2.score(str(path), str(path), profile="corefud-1.2")
        if any(
            report.scores[name] != same.scores[name] for name in report.scores if name != "mention_overlap"
        ):
            others.add(path.parent.name)
    assert others == {"corefud-06-discontinuous", "corefud-r04", "corefud-r05", "corefud-r06"}


def test_a_systems_file_and_its_text_score_the_same(tmp_path: Path) -> None:
    number = 0
    for path in COREFUD:
        gold, system = str(path), str(path.with_name("sys.conllu"))
        try:
            report = scorch2.score(gold, system, profile="corefud-1.2", match="exact", zeros="place")
            copy = tmp_path / path.parent.name
            copy.write_text(write_file(read(system), "plaintext").text, encoding="utf-8")
        except scorch2.ScorchError:  # what only --lossy writes, and what cannot be scored
            continue
        text = scorch2.score(
            gold, str(copy), profile="crac-llm", match="exact", zeros="place", sys_format="plaintext"
        )
        if not any(document.has_discontinuous for document in read(gold)):  # zeros stand elsewhere in a text
            assert text.scores == report.scores, path
            number += 1
    assert number > 9


def test_what_was_done_is_in_the_report() -> None:
    gold = document("the old man sleeps", {"a": [(0, 3)]})
    system = document("the OLD man", {"a": [(1, 3)]})
    report = scorch2.score(gold, system, align="text", metrics=["muc", "copied"])
    assert report.scores["copied"].recall == 0.5
    plain = {"words": 4, "copied": 2, "changed": 1, "deleted": 1, "inserted": 0, "end": 3}
    mentions = {"moved": 1, "lost": 0, "collided": 0, "repaired": 0}
    assert report.to_dict()["copy"] == report.to_dict()["documents"][0]["copy"] == {**plain, **mentions}
    assert [notice.message for notice in report.notices] == [
        "50 % of 4 words copied (1 changed, 1 deleted); 1 mention moved, ends at 75 %"
    ]


def test_a_warning_names_the_worst_documents() -> None:
    measured = [
        scorch2.model.score.Measured(name, 1, 1, (), copying=Copying(1000, copied, 0, 1000 - copied, 0, end))
        for name, copied, end in (("a", 1000, 1000), ("b", 999, 1000), ("c", 500, 630))
    ]
    (notice,) = copy_notices(measured)
    assert notice.message == (
        "83.3 % of 3000 words copied (501 deleted); "
        'the worst documents: "c" (50 %, ends at 63 %), "b" (99.9 %)'
    )
    assert copy_notices(measured[:1]) == []
    assert in_words(Copying(1, 1, 0, 0, 0, 1)) == "100 % of 1 word copied"
    assert ends_at(Copying(100, 96, 0, 4, 0, 96)) == ""


def windows(*parts: Document) -> Document:
    return windows_as_one("d", parts)


def test_windows_are_joined_where_a_mention_of_each_is_on_the_same_words() -> None:
    gold = document("a b c d e f g h", {"x": [(0, 1), (3, 4), (7, 8)], "y": [(2, 3), (6, 7)]})
    first = document("a b c d e", {"1": [(0, 1), (3, 4)], "2": [(2, 3)]})
    second = document("d e f g h", {"1": [(3, 4)], "2": [(0, 1), (4, 5)]})
    pair = aligned(gold, windows(first, second))
    assert pair.system.document.clusters == {
        "1:1": [(0, 1), (3, 4), (7, 8)],
        "1:2": [(2, 3)],
        "2:1": [(6, 7)],
    }
    assert pair.noted["copying"] == Copying(8, 8, 0, 0, 0, 8)
    assert [notice.message for notice in pair.notices] == [
        "2 windows joined, and 1 pair of entities by mentions in both"
    ]


def test_windows_that_share_no_words_keep_their_entities_apart() -> None:
    gold = document("a b c d", {"x": [(0, 1), (3, 4)]})
    pair = aligned(gold, windows(document("a b", {"1": [(0, 1)]}), document("c d", {"1": [(1, 2)]})))
    assert pair.system.document.clusters == {"1:1": [(0, 1)], "2:1": [(3, 4)]}
    (notice,) = pair.notices
    assert notice.message.endswith("; 1 window without words of the one before: ids do not join")


def test_a_window_is_found_far_from_the_one_before() -> None:
    words = [f"w{number}" for number in range(5000)]
    gold = document(words, {"x": [(0, 1), (4999, 5000)]})
    far = document(words[4990:], {"1": [(9, 10)]})
    pair = aligned(gold, windows(document(words[:9], {"1": [(0, 1)]}), far))
    assert pair.system.document.clusters == {"1:1": [(0, 1)], "2:1": [(4999, 5000)]}


def test_windows_of_any_length_are_found_where_they_stand() -> None:
    """Frequent words are in order nearly everywhere: a window is not where some of its words are."""
    chance = random.Random(8)  # noqa: S311 - no secret
    words = chance.choices(["the", "a", "of", "and", "to", "in", "he", "it", "was", "that"], k=4000)
    words = [f"w{i}" if i % 5 == 0 else word for i, word in enumerate(words)]
    begin, parts = 0, []
    while begin < 3990:
        end = begin + chance.choice((30, 200, 900))
        parts.append(document(["Here", "it", "is", ":", *words[begin:end]], {"1": [(4, 5)]}))
        begin = end - 10
    pair = aligned(document(words, {"x": [(0, 1)]}), windows(*parts))
    assert pair.noted["copying"]._replace(inserted=0) == Copying(4000, 4000, 0, 0, 0, 4000)


MARKED = "# newdoc id = d#10\n[d](#9) e\n# newdoc id = d#9\n[a](#1) b [c](#2) [d](#1)\n"


def test_windows_are_told_by_their_names_and_read_in_the_order_of_their_numbers(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "gold.md").write_text("# newdoc id = d\n[a](#1) b [c](#2) [d](#1) e\n", encoding="utf-8")
    (tmp_path / "answers.md").write_text(MARKED, encoding="utf-8")
    paths = [str(tmp_path / name) for name in ("gold.md", "answers.md")]
    for jobs in (1, 2):
        report = scorch2.score(*paths, align="text", join_windows=r"(.+)#\d+", jobs=jobs)
        assert report.muc.f1 == 1
        assert (report.documents[0].gold_mentions, report.documents[0].system_mentions) == (3, 3)
    assert main(["--align=text", "-m", "muc", r"--join-windows=(.+)#\d+", *paths]) == 0
    assert "2 windows joined, and 1 pair of entities by mentions in both" in capsys.readouterr().err


def test_windows_may_be_files_of_their_own(tmp_path: Path) -> None:
    text = "[a](#1) b [c](#2) [d](#1) e [f](#2)\n"
    for name, content in {
        "gold/x/d.md": text,
        "gold/e.md": text,
        "one.md": f"# newdoc id = d\n{text}",
        "answers/x/d#10.md": "[f](#8)\n",
        "answers/x/d#9.md": "[d](#1) e [f](#2)\n",
        "answers/x/d#1.md": "[a](#1) b [c](#2) [d](#1)\n",
        "answers/e.md": text,
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(content, encoding="utf-8")
    for gold, answers in (("gold", "answers"), ("one.md", "answers/x")):
        for jobs in (1, 2):
            paths = str(tmp_path / gold), str(tmp_path / answers)
            report = scorch2.score(*paths, align="text", join_windows=r"(.+)#\d+", jobs=jobs)
            whole = report.documents[-1]
            assert (whole.gold_mentions, whole.system_mentions) == (4, 4)
            assert whole.copying == Copying(6, 6, 0, 0, 0, 6)
            joined = "3 windows joined, and 2 pairs of entities by mentions in both"
            assert joined in [notice.message for notice in report.notices]


def test_words_that_windows_change_are_counted_once() -> None:
    gold = document("a b c d e f", {"x": [(0, 1)]})
    pair = aligned(gold, windows(document("a B c D e", {}), document("Now c D' e", {"1": [(1, 2)]})))
    assert pair.noted["copying"] == Copying(6, 3, 2, 1, 1, 5)
    assert pair.changes is not None
    assert pair.changes() == [((1, 2), "B"), ((3, 4), "D"), ((5, 6), "")]


@pytest.mark.parametrize(
    ("copy", "changes"),
    [
        ("the old man sleeps", None),
        ("Sure : the OLD man", [((0, 0), "Sure :"), ((1, 2), "OLD"), ((3, 4), "")]),
        ("theold man sl eeps .", [((0, 2), "theold"), ((3, 4), "sl eeps"), ((4, 4), ".")]),
        ("man", [((0, 1), ""), ((1, 2), ""), ((3, 4), "")]),
    ],
)
def test_where_a_copy_differs(copy: str, changes: list[tuple[tuple[int, int], str]] | None) -> None:
    pair = aligned(document("the old man sleeps", {}), document(copy, {}))
    assert (pair.changes and pair.changes()) == changes


def test_other_processes_tell_what_became_of_the_text(tmp_path: Path) -> None:
    for name, text in (("gold", "[Tom](#1) saw her ."), ("sys", "[Tom](#1) SAW her")):
        (tmp_path / name).mkdir()
        for number in range(3):
            (tmp_path / name / f"{number}.md").write_text(text, encoding="utf-8")
    paths = str(tmp_path / "gold"), str(tmp_path / "sys")
    one, two = (scorch2.score(*paths, align="text", jobs=jobs) for jobs in (1, 2))
    assert [document.copying for document in two.documents] == [Copying(4, 2, 1, 1, 0, 3)] * 3
    assert two.notices == one.notices


@pytest.mark.parametrize(
    ("pattern", "align", "why"),
    [
        (r"(.+)#\d+", "none", 'needs align="text", which finds the words of each window'),
        (r".+#\d+", "text", "needs a group that finds the name, such as '(.+)#[0-9]+', not \".+#\\d+\""),
        ("(", "text", "is no regular expression: missing ), unterminated subpattern at position 0"),
    ],
)  # fmt: skip
def test_a_pattern_of_windows_is_checked(pattern: str, align: Literal["none", "text"], why: str) -> None:
    with pytest.raises(scorch2.UsageError) as refused:
        scorch2.score("gold", "answers", align=align, join_windows=pattern)
    assert str(refused.value) == f"join_windows {why}"
