"""Simple systems to compare with: clusters by heads, counted by hand, and none of those of gold."""

from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest
from every import every
from examples import EXAMPLES, path_of

import scorch2
from scorch2.analysis.heads import RULES
from scorch2.cli.main import main
from scorch2.formats.table import FORMATS
from scorch2.model.document import Document, Words, spans
from scorch2.model.errors import InputError, UsageError
from scorch2.model.names import named_clusters

ROWS = (  # word, lemma, tag, its governor, the mentions that begin and end there
    ("Two", "two", "NUM", 2, "(a-x-1"), ("dogs", "dog", "NOUN", 3, "a)"),
    ("saw", "see", "VERB", 0, "(v-x-1)"), ("the", "the", "DET", 5, "(b-x-1"),
    ("dog", "dog", "NOUN", 3, ""), ("of", "of", "ADP", 7, ""),
    ("Dogs", "dog", "NOUN", 5, "(c-x-1)b)"), ("It", "it", "PRON", 9, "(b-x-1)"),
    ("sees", "see", "VERB", 3, "(w-x-1)"), ("Ann", "_", "PROPN", 9, "(d-x-1)"),
    ("ANN", "_", "PROPN", 9, "(e-x-1)"),
)  # fmt: skip
BY_RULE = {
    "same-head": ["Two dogs|Dogs", "saw", "the dog of Dogs", "It", "sees", "Ann|ANN"],
    "same-lemma": ["Two dogs|the dog of Dogs|Dogs", "saw|sees", "It", "Ann|ANN"],
    "singletons": ["Two dogs", "saw", "the dog of Dogs", "Dogs", "It", "sees", "Ann", "ANN"],
    "one-cluster": ["Two dogs|saw|the dog of Dogs|Dogs|It|sees|Ann|ANN"],
}
"""By the tree the head of `Two dogs` is dogs, of `the dog of Dogs` dog."""
NO_LEMMA = "2 of 8 heads have no lemma in the file: same-lemma takes the lower-cased word, as same-head does"


def conllu(folder: Path) -> str:
    rows = [
        f"{n}\t{word}\t{lemma}\t{tag}\t_\t_\t{governor}\tdep\t_\t{f'Entity={cell}' if cell else '_'}"
        for n, (word, lemma, tag, governor, cell) in enumerate(ROWS, 1)
    ]
    path = folder / "gold.conllu"
    path.write_text(
        "\n".join(["# newdoc id = d", "# global.Entity = eid-etype-head", *rows, "", ""]), "utf-8"
    )
    return str(path)


def shown(document: Document) -> list[str]:
    """Return clusters as the words of their mentions, in their order."""
    words = document.words() if document.words is not None else []
    every = map(spans, document.clusters.values())
    return ["|".join(" ".join(words[start:end]) for start, end in members) for members in every]


def tokens(text: str, *mentions: tuple[int, int], tags: str = "") -> Document:
    words = text.split()
    document = Document("d", {str(n): [span] for n, span in enumerate(mentions)}, sentences=[len(words)])
    return document._replace(words=Words(str.split, text), tags=Words(str.split, tags) if tags else None)


def resolved(gold: Document, rule: str = "same-head") -> list[str]:
    (document,) = scorch2.resolve(gold, rule)  # type: ignore[arg-type]  # one of RULES
    return shown(document)


@every("rule", RULES)
def test_rules_put_mentions_together(rule: str, tmp_path: Path) -> None:
    (gold,) = scorch2.read(conllu(tmp_path))
    (document,) = scorch2.resolve(conllu(tmp_path), rule)  # type: ignore[arg-type]
    assert shown(document) == BY_RULE[rule]
    assert list(document.clusters) == [str(n) for n in range(1, len(document.clusters) + 1)]
    report = scorch2.score(gold, document, metrics=["mentions"], match="head")
    assert report.mentions.f1 == 1
    assert document.id == "d"


@pytest.mark.filterwarnings("error")
def test_a_warning_says_how_many_heads_have_no_lemma(tmp_path: Path) -> None:
    with pytest.warns(scorch2.ScorchWarning, match=NO_LEMMA):
        scorch2.resolve(conllu(tmp_path), "same-lemma")
    scorch2.resolve(conllu(tmp_path), "same-head")


ENGLISH = "the old captain of the ship and its captain , who left"
TAGS = "DET ADJ NOUN ADP DET NOUN CCONJ PRON NOUN PUNCT PRON VERB"
SPANS = (0, 6), (7, 12), (4, 6), (10, 12)


def test_heads_are_guessed_by_tags_or_by_english_words() -> None:
    """By tags `who left` has no noun, and ends in left; in English `left` is the last word before a break."""
    expected = ["the old captain of the ship|its captain , who left", "the ship", "who left"]
    assert resolved(tokens(ENGLISH, *SPANS)) == expected
    assert resolved(tokens(ENGLISH, *SPANS, tags=TAGS)) == expected
    verbs = tokens("who left and they had left", (0, 2), (3, 6), tags="PRON VERB CCONJ PRON AUX VERB")
    assert resolved(verbs) == ["who left|they had left"]  # without a noun the last word
    foreign = "la fille de Paris et une fille"
    french = (0, 4), (3, 4), (5, 7)
    assert resolved(tokens(foreign, *french, tags="DET NOUN ADP PROPN CCONJ DET NOUN")) == [
        "la fille de Paris|une fille",
        "Paris",
    ]
    assert resolved(tokens(foreign, *french)) == ["la fille de Paris|Paris", "une fille"]


def test_a_text_without_tokens_has_words() -> None:
    text = "A dog barks. The Dog of Ann sleeps."
    mentions = [(0, 5), (13, 27), (24, 27)]
    gold = Document("d", {"a": mentions}, unit="character", half_open=True, text=text)
    assert list(scorch2.resolve(gold, "same-head")[0].clusters.values()) == [mentions[:2], mentions[2:]]


@pytest.mark.parametrize("rule", ["same-head", "same-lemma"])
def test_words_are_needed_for_heads_alone(rule: str) -> None:
    gold = Document("d", {"a": ["m", "n"], "b": ["m"]})
    with pytest.raises(InputError, match=f'"d" has no words, which rule="{rule}" needs'):
        scorch2.resolve(gold, rule)  # type: ignore[arg-type]
    assert scorch2.resolve(gold, "singletons")[0].clusters == {"1": ["m"], "2": ["n"]}
    assert scorch2.resolve([gold, gold], "one-cluster")[1].clusters == {"1": ["m", "n"]}


def test_a_mention_without_words_is_alone(tmp_path: Path) -> None:
    path = tmp_path / "zeros.conllu"
    rows = [
        "1\tgoes\tgo\tVERB\t_\t_\t0\troot\t_\t_",
        *(f"1.{n}\t_\t_\tPRON\t_\t_\t_\t_\t1:nsubj\tEntity=(e-x-1)" for n in (1, 2)),
    ]
    path.write_text(
        "\n".join(["# newdoc id = d", "# global.Entity = eid-etype-head", *rows, "", ""]), "utf-8"
    )
    (document,) = scorch2.resolve(str(path), "same-head")
    assert [len(members) for members in document.clusters.values()] == [1, 1]
    assert resolved(document, "one-cluster") == ["|"]


@every("seed", range(30))
def test_clusters_of_gold_change_nothing(seed: int) -> None:
    """Also their order, their names, and which mention stands first in each."""
    random = Random(seed)  # noqa: S311 - a sample, not a secret
    every = [(start, start + random.randint(1, 3)) for start in range(8)]
    text = " ".join(random.choice(["dog", "Dog", "of", "cat"]) for _ in range(11))
    made = []
    for _ in range(2):
        homes = {span: random.randrange(5) for span in random.sample(every, len(every))}
        clusters = {f"gold {n}": [span for span, home in homes.items() if home == n] for n in range(5)}
        gold = tokens(text)._replace(clusters=clusters)
        made.append([resolved(gold, rule) for rule in RULES])
    assert made[0] == made[1]


# Over documents

TOPICS = {
    "1_1ecb": ("Quakes hit the town", [(0, 1), (2, 4)]),
    "1_2ecb": ("The quakes and the city", [(0, 2), (3, 5)]),
    "2_1ecb": ("Quakes again", [(0, 1)]),
}


def of_topics() -> list[Document]:
    return [tokens(text, *mentions)._replace(id=name) for name, (text, mentions) in TOPICS.items()]


@pytest.mark.parametrize(
    ("documents", "topics", "names"),
    [
        ("topic", "", [["1::quakes", "1::town"], ["1::quakes", "1::city"], ["2::quakes"]]),
        (
            "corpus",
            "",
            [["corpus::quakes", "corpus::town"], ["corpus::quakes", "corpus::city"], ["corpus::quakes"]],
        ),
        ("topic", "_(.)", [["1::quakes", "1::town"], ["2::quakes", "2::city"], ["1::quakes"]]),
    ],
)
def test_clusters_over_documents_are_called_alike(
    documents: str, topics: str, names: Sequence[Sequence[str]]
) -> None:
    made = scorch2.resolve(of_topics(), "same-head", documents=documents, topics=topics)  # type: ignore[arg-type]
    assert [list(one.clusters) for one in made] == names
    alone = scorch2.resolve(of_topics(), "singletons", documents=documents, topics=topics)  # type: ignore[arg-type]
    every_name = [name for one in alone for name in one.clusters]
    assert len(every_name) == len(set(every_name)) == 5


def test_the_lemma_baseline_is_scored_across_documents() -> None:
    """Gold has one entity over documents 1_1 and 1_2, the quakes; so has the system, which is perfect."""
    gold = []
    for one in of_topics():
        names = ["quake", *(f"{one.id} {number}" for number in range(1, len(one.clusters)))]
        gold.append(one._replace(clusters=dict(zip(names, one.clusters.values(), strict=True))))
    made = scorch2.resolve(gold, "same-head", documents="topic")
    scored = scorch2.score(gold, made, documents="topic", ids="shared", metrics=["muc", "conll"])
    assert scored.conll.f1 == 1
    assert (scored.tallies("muc")[""].recall_den, len(scored.documents)) == (1, 2)


# The command


def run(*words: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    status = main(["resolve", *words])
    return status, *capsys.readouterr()


@every("form", EXAMPLES)
def test_a_system_pairs_with_gold_of_every_format(
    form: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """It has the mentions of gold: in the format of gold if that is written, else in clusters JSON."""
    gold, out = path_of(form, "example"), tmp_path_factory.mktemp(form)
    words = ["--to=clusters"] if form == "brat" else []  # the example has no text beside it
    assert main(["resolve", "-q", "--rule=one-cluster", f"--from={form}", *words, str(gold), f"{out}/"]) == 0
    (made,) = out.iterdir()
    written = form if FORMATS[form].writer and not words else "clusters"
    report = scorch2.score(gold, made, metrics=["mentions"], gold_format=form, sys_format=written)
    assert report.mentions.f1 == 1
    (document, *_) = scorch2.read(made, written)
    assert len(document.clusters) == 1


def test_a_folder_becomes_a_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gold, out = tmp_path / "gold" / "sub", tmp_path / "out"
    gold.mkdir(parents=True)
    conllu(gold)
    assert run("--rule=same-lemma", str(gold.parent), str(out), capsys=capsys) == (
        0,
        "",
        f"scorch2: warning: {NO_LEMMA}\n",
    )
    (document,) = scorch2.read(out / "sub" / "gold.conllu")
    assert shown(document) == BY_RULE["same-lemma"]


def test_names_tell_topics_by_folders(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The name of a document is its path, as where it is scored; clusters that reach need their names."""
    for topic in ("storm", "quake"):
        (tmp_path / "gold" / topic).mkdir(parents=True)
        conllu(tmp_path / "gold" / topic)
    words = ["--rule=one-cluster", "--documents=topic", str(tmp_path / "gold")]
    assert run(*words, str(tmp_path / "out"), capsys=capsys) == (0, "", "")
    (document,) = scorch2.read(tmp_path / "out" / "storm" / "gold.json")
    assert list(named_clusters(document)) == ["storm::"]
    status, _, error = run("--to=jsonlines", *words, str(tmp_path / "other"), capsys=capsys)
    assert (status, (tmp_path / "other").exists()) == (2, False)
    assert "jsonlines does not keep the names of clusters" in error


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--rule=same-hed"], 'unknown --rule "same-hed", did you mean same-head?'),
        (["--rule=same-head", "--topics=(a)"], "topics tells the topics of documents: it needs documents="),
        (["--rule=same-head", "--documents=topics"], 'documents cannot be "topics", did you mean topic?'),
        (["--rule=same-head", "--documents=topic"], 'the name "d" does not say the topic'),
        (["--rule=same-head", "--to=ecb"], '"ecb"'),
    ],
)
def test_what_is_asked_for_is_checked(
    words: Sequence[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, error = run(*words, conllu(tmp_path), str(tmp_path / "out.json"), capsys=capsys)
    assert (status, out, (tmp_path / "out.json").exists()) == (2, "", False)
    assert message in error


def test_standard_input_needs_a_format(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--rule=same-head", "-", "-", capsys=capsys)[0] == 2


def test_python_refuses_what_there_is_not() -> None:
    with pytest.raises(UsageError, match="unknown rule"):
        scorch2.resolve(of_topics(), "same")  # type: ignore[arg-type]
