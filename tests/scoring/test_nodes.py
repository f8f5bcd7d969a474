"""Mentions of words and empty nodes against each other, and against formats of plain spans."""

from pathlib import Path
from typing import Any

import pytest

import scorch2

HEADER = "# newdoc id = d\n# global.Entity = eid-etype-head\n"
COLUMNS = "\t_\t_\t_\t_\t0\t_\t_\t"


def rows(*cells: str, form: str = "w") -> str:
    """Return a sentence; a cell that begins with a number and a blank is that of an empty node."""
    found, word = [], 0
    for cell in cells:
        number, _, rest = cell.partition(" ")
        word += not rest
        found.append(
            f"{number if rest else word}\t{form}{COLUMNS}{'Entity=' if rest or cell else '_'}{rest or cell}\n"
        )
    return "".join(found) + "\n"


def conll(*cells: str) -> str:
    return "#begin document (d);\n" + "".join(f"w\t{cell or '-'}\n" for cell in cells) + "#end document\n"


def score(folder: Path, gold: str, system: str, **choices: Any) -> scorch2.Report:
    paths = folder / "gold", folder / "sys"
    for path, text in zip(paths, (gold, system), strict=True):
        path.write_text(text, "utf-8")
    return scorch2.score(*paths, metrics=["muc", "mentions"], **choices)


def test_a_mention_around_an_empty_node_is_another_one(tmp_path: Path) -> None:
    gold = HEADER + rows("(e", "1.1 (f)", "e)", "(e)")
    system = HEADER + rows("(e", "e)", "(e)")
    assert score(tmp_path, gold, system).mentions.recall == 1 / 3
    assert score(tmp_path, gold, gold).mentions.recall == 1


def test_an_empty_node_at_another_place_is_another_one(tmp_path: Path) -> None:
    gold = HEADER + rows("(e)", "1.1 (e)", "")
    system = HEADER + rows("(e)", "", "2.1 (e)")
    assert score(tmp_path, gold, system).mentions.f1 == 0.5


@pytest.mark.parametrize("swapped", [False, True])
def test_against_plain_spans_pieces_are_the_span_that_they_lie_in(swapped: bool, tmp_path: Path) -> None:
    """Two mentions in pieces become (0, 3) and (3, 5); the third, of an empty node, has no twin."""
    one = HEADER + rows("(e[1/2])", "", "(e[2/2])", "(e", "4.1 (e)", "e)")
    other = conll("(1", "", "1)", "(1", "1)")
    report = score(tmp_path, *((other, one) if swapped else (one, other)))
    assert sorted(report.mentions[:2]) == [2 / 3, 1]
    assert [float(report.muc.recall), float(report.muc.precision)] == ([1, 0.5] if swapped else [0.5, 1])


@pytest.mark.parametrize("choices", [{}, {"align": "characters"}])
@pytest.mark.parametrize("has_other", [False, True])
def test_a_zero_that_becomes_a_span_is_dropped(
    has_other: bool, choices: dict[str, Any], tmp_path: Path
) -> None:
    """The zero has the words 1 and 1.1, and its head is 1.1; another mention is in pieces, or none is."""
    zero = HEADER + rows("(e--2", "1.1 e)", "(e)", "(e[1/2])", "", "(e[2/2])" if has_other else "")
    zero = zero if has_other else zero.replace("[1/2]", "")
    other = conll("(1)", "(1)", "(1" if has_other else "(1)", "", "1)" if has_other else "")
    assert list(score(tmp_path, zero, other, zeros="drop", **choices).mentions[:2]) == [1, 2 / 3]
    assert list(score(tmp_path, other, zero, zeros="drop", **choices).mentions[:2]) == [2 / 3, 1]


def test_zeros_with_words_pair_where_characters_are_compared(tmp_path: Path) -> None:
    """Both have the head 1.1, and the one of the system ends a word later."""
    gold, system = (
        HEADER + rows("(e--2", "1.1 DEPS", word).replace("_\tEntity=DEPS", f"1:x\t{zero}")
        for zero, word in (("Entity=e)", "(f)"), ("_", "e)(f)"))
    )
    choices = {"zeros": "dependency", "align": "characters"}
    assert score(tmp_path, gold, system, **choices).mentions.f1 == 1
    assert score(tmp_path, gold, system, align="characters").mentions.f1 == 0.5


def test_pieces_that_become_one_span_are_a_repeated_mention(tmp_path: Path) -> None:
    gold = HEADER + rows("(e[1/2])(f", "", "(e[2/2])f)")
    with pytest.raises(scorch2.InputError, match="is already in cluster"):
        score(tmp_path, gold, conll("(1)", "", ""))
    assert score(tmp_path, gold, gold).mentions.f1 == 1


def test_against_json_names_are_compared(tmp_path: Path) -> None:
    gold = HEADER + rows("(e[1/2])", "1.1 (e)", "", "(e[2/2])")
    names = '{"type": "clusters", "clusters": {"a": ["0.0-0+2-2", "0.z1.1"]}}'
    assert score(tmp_path, gold, names).mentions.f1 == 1


@pytest.mark.parametrize(
    ("system", "why", "at", "texts"),
    [
        (
            HEADER + rows("", "") + rows("", form="v"),
            'document "d", sentence 2: word 1 is "v", but "w" (in gold, {}, sentence 2)',
            2,
            '"w w v", in gold "w w w"',
        ),
        (
            f"{HEADER}# sent_id = s1\n{rows('')}{rows('', '', form='v')}",
            'document "d", sentence 2: word 1 is "v", but "w" (in gold, {}, sentence 2)',
            1,
            '"w v v", in gold "w w w"',
        ),
        (
            f"{HEADER}# sent_id = s1\n{rows('', form='v')}{rows('', '')}",
            'document "d", sentence 1 ("s1"): word 1 is "v", but "w" (in gold, {}, sentence 1)',
            0,
            '"v w w", in gold "w w w"',
        ),
    ],
    ids=["another word in other sentences", "another word", "with the id of the sentence"],
)  # fmt: skip
def test_both_sides_must_have_the_same_words(
    system: str, why: str, at: int, texts: str, tmp_path: Path
) -> None:
    gold = HEADER + rows("(e)") + rows("(e)", "")
    with pytest.raises(scorch2.InputError) as caught:
        score(tmp_path, gold, system)
    expected = why.format(str(tmp_path / "gold"))
    differ = f"the texts differ at character {at}, whitespace not counted: {texts}"
    hint = f'align="text" compares a copy that has other words; {differ}'
    assert (
        str(caught.value) == f"{tmp_path / 'sys'}: {expected}: both sides must have the same words ({hint})"
    )
    assert score(tmp_path, gold, system, align="text").mentions.recall == 0  # the option works


@pytest.mark.parametrize(
    ("system", "f1"),
    [
        (rows("", "") + rows(""), 0),
        (rows("(e)", "(e)") + rows(""), 1),
        (rows("(e)", "", "(e)"), 0.5),
    ],
    ids=["no mention", "the same mentions", "another mention"],
)
def test_the_same_words_in_other_sentences_are_scored(system: str, f1: float, tmp_path: Path) -> None:
    gold = HEADER + rows("(e)") + rows("(e)", "")
    assert score(tmp_path, gold, HEADER + system).mentions.f1 == f1


@pytest.mark.parametrize(
    ("cells", "f1"),
    [
        (("(e[1/2])", "2.1 (e)", "", "(e[2/2])"), 1),
        (("(e[1/2])", "", "3.1 (e)", "(e[2/2])"), 2 / 3),
    ],
    ids=["there", "at another place"],
)
def test_pieces_and_empty_nodes_in_other_sentences_are_the_same(
    cells: tuple[str, ...], f1: float, tmp_path: Path
) -> None:
    gold = HEADER + rows("(e)") + rows("(e[1/2])", "1.1 (e)", "", "(e[2/2])")
    assert score(tmp_path, gold, HEADER + rows("(e)", *cells)).mentions.f1 == f1


def named(*names: str) -> str:
    """Return a document of as many sentences, with the ids that are not empty."""
    return HEADER + "".join(f"{f'# sent_id = {name}' if name else '# x'}\n{rows('(e)')}" for name in names)


@pytest.mark.parametrize("names", [("", ""), ("a", "b"), ("", "b"), ("a", "")])
def test_a_sentence_without_an_id_has_no_other_id(names: tuple[str, str], tmp_path: Path) -> None:
    assert score(tmp_path, named("a", "b"), named(*names)).mentions.f1 == 1


@pytest.mark.parametrize(
    ("old", "new"),
    [("# sent_id = a", "# text = sent_id = b"), ("Entity=(e)", "Entity=(e)|sent_id = b")],
    ids=["a comment of another name", "a row"],
)
def test_only_comments_of_that_name_give_ids(old: str, new: str, tmp_path: Path) -> None:
    other = named("a").replace(old, new)
    assert other != named("a")
    assert score(tmp_path, named("a"), other).mentions.f1 == 1


@pytest.mark.parametrize(("names", "other"), [(("a", "c"), "c"), (("", "a"), "a")])
def test_both_sides_must_agree_on_the_ids_of_sentences(
    names: tuple[str, str], other: str, tmp_path: Path
) -> None:
    with pytest.raises(scorch2.InputError) as caught:
        score(tmp_path, named("a", "b"), named(*names))
    where = f'{tmp_path / "sys"}: document "d", sentence 2: sent_id "{other}"'
    do = "both sides must agree (write the ids of gold, or none)"
    assert str(caught.value) == f'{where}, but "b" in gold ({tmp_path / "gold"}): {do}'


def test_forms_of_empty_nodes_need_not_agree(tmp_path: Path) -> None:
    gold = HEADER + rows("(e)", "1.1 (e)")
    assert score(tmp_path, gold, gold.replace("1.1\tw", "1.1\tother")).mentions.f1 == 1


def test_a_missing_system_document_is_no_plain_format(tmp_path: Path) -> None:
    gold = HEADER + rows("(e[1/2])(f", "", "(e[2/2])f)") + "# newdoc id = x\n" + rows("(e)")
    report = score(
        tmp_path, gold, "# newdoc id = x\n" + HEADER.partition("\n")[2] + rows("(e)"), missing="empty"
    )
    assert report.mentions.recall == 1 / 3


@pytest.mark.parametrize("choice", [{}, {"match": "head"}, {"zeros": "dependency"}, {"lookup": "reference"}])
def test_nested_mentions_take_what_is_known_of_them_along(choice: dict[str, Any], tmp_path: Path) -> None:
    """Of the mentions of *e* the second lies in the first; the heads are the first words."""
    gold = HEADER + rows("(e--1", "(e)", "e)", "(e)", "2.1 (f)", "(f)")
    report = score(tmp_path, gold, gold, nested="drop", **choice)
    assert report.documents[0].gold_mentions == 4
    assert report.mentions.f1 == 1
