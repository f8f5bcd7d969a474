"""JSON of corpora across documents: one corpus in many formats, gold chains and predictions, the guide."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree as ET

import pytest
from every import every

import scorch2
from scorch2 import guide
from scorch2.cli.main import main
from scorch2.formats.json.corpora import CROSSDOC_SOURCES
from scorch2.formats.reading import read, stream
from scorch2.formats.table import GOLD_KEYS, SYSTEM_KEYS
from scorch2.model.errors import InputError
from scorch2.model.names import categories_of

CORPUS = Path(__file__).parent.parent.parent / "fixtures" / "cross-document"


class Mention(NamedTuple):
    """A mention of an ECB+ file: its document, its tokens from 1, where they stand, and its chain."""

    document: str
    tokens: list[int]
    sentence: int
    numbers: list[int]
    chain: str


class Text(NamedTuple):
    name: str
    sentences: list[list[str]]
    mentions: list[Mention]


def text_of(path: Path) -> Text:
    """Read an ECB+ file as its users do; a mention without a relation across documents is alone."""
    root = ET.parse(path).getroot()  # noqa: S314 - our own file
    tokens = {int(token.attrib["t_id"]): token.attrib for token in root.iter("token")}
    sentences: list[list[str]] = []
    for token in root.iter("token"):
        if int(token.attrib["sentence"]) == len(sentences):
            sentences.append([])
        sentences[-1].append(token.text or "")
    chains = {
        source.attrib["m_id"]: relation.attrib.get("note", f"{path.stem}:{relation.attrib['r_id']}")
        for relation in root.findall("Relations/*")
        for source in relation.findall("source")
    }
    mentions = []
    for markable in root.findall("Markables/*"):
        ids = sorted(int(anchor.attrib["t_id"]) for anchor in markable)
        if ids:
            ident = markable.attrib["m_id"]
            sentence = int(tokens[ids[0]]["sentence"])
            numbers = [int(tokens[i]["number"]) for i in ids]
            mentions.append(
                Mention(path.stem, ids, sentence, numbers, chains.get(ident, f"{path.stem}:{ident}"))
            )
    return Text(path.stem, sentences, mentions)


TEXTS = [text_of(path) for path in sorted((CORPUS / "gold").rglob("*.xml"))]
Chains = Callable[[Mention], str]


def as_gold(mention: Mention) -> str:
    return mention.chain


def as_system(mention: Mention) -> str:
    """Return the chain in a system that has one cluster for all mentions of one number."""
    return f"{mention.document.split('_')[0]}-{mention.numbers[0] % 2}"


def each_mention(chain: Chains) -> Iterator[tuple[Mention, str]]:
    return ((mention, chain(mention)) for text in TEXTS for mention in text.mentions)


def in_sentences(chain: Chains) -> list[Any]:
    """Return the corpus as uCDCR and Barhom et al. list mentions; uCDCR fills the gaps of a mention."""
    return [
        {"doc_id": m.document, "sent_id": m.sentence, "coref_chain": name,
         "tokens_number": list(range(m.numbers[0], m.numbers[-1] + 1))}
        for m, name in each_mention(chain)
    ]  # fmt: skip


def by_ids(chain: Chains) -> list[Any]:
    """Return the corpus as WEC-Eng lists mentions."""
    return [
        {"doc_id": m.document, "mention_id": str(m.tokens), "mention_context": [], "tokens_number": m.tokens,
         "coref_chain": name}
        for m, name in each_mention(chain)
    ]  # fmt: skip


def in_token_ids(chain: Chains) -> list[Any]:
    """Return the corpus as get_ecb_data.py of Cattan et al. lists mentions."""
    numbers: dict[str, int] = {}
    return [
        {"doc_id": f"{m.document}.xml", "tokens_ids": m.tokens,
         "cluster_id": numbers.setdefault(name, len(numbers))}
        for m, name in each_mention(chain)
    ]  # fmt: skip


def in_topics() -> dict[str, list[Text]]:
    topics: dict[str, list[Text]] = {}
    for text in TEXTS:
        topics.setdefault(text.name.split("_")[0], []).append(text)
    return topics


def in_triples(chain: Chains) -> list[Any]:
    """Return the corpus as xCoRe writes it."""
    objects = []
    for topic, every_text in in_topics().items():
        clusters: dict[str, list[list[int]]] = {}
        for number, text in enumerate(every_text):
            for m in text.mentions:
                clusters.setdefault(chain(m), []).append([number, m.tokens[0] - 1, m.tokens[-1] - 1])
        words = [[[word for sentence in text.sentences for word in sentence]] for text in every_text]
        objects.append({"doc_key": topic, "tokens": words, "clusters_token_offsets": list(clusters.values())})
    return objects


def in_paragraphs(chain: Chains) -> list[Any]:
    """Return the corpus as SciCo has its topics."""
    objects = []
    for topic, every_text in in_topics().items():
        mentions = [
            [number, m.tokens[0] - 1, m.tokens[-1] - 1, chain(m)]
            for number, text in enumerate(every_text)
            for m in text.mentions
        ]
        words = [[word for sentence in text.sentences for word in sentence] for text in every_text]
        objects.append({"id": topic, "tokens": words, "mentions": mentions, "relations": []})
    return objects


def in_columns(chain: Chains) -> str:
    """Return the corpus in the columns that conll.py of Cattan et al. writes for topics."""
    lines = []
    numbers: dict[str, int] = {}
    for topic, every_text in in_topics().items():
        lines.append(f"#begin document {topic}")
        for text in every_text:
            words = [word for sentence in text.sentences for word in sentence]
            for place, word in enumerate(words, 1):
                tags = []
                for m in text.mentions:
                    number = numbers.setdefault(chain(m), len(numbers))
                    begins, ends = m.tokens[0] == place, m.tokens[-1] == place
                    tags += [f"{'(' * begins}{number}{')' * ends}"] if begins or ends else []
                lines.append(
                    f"{topic}\t{topic}_0\t{text.name}\t0\t{place}\t{word}\tTrue\t{'|'.join(tags) or '-'}"
                )
        lines.append("#end document")
    return "\n".join(lines)


def put(name: str, content: object) -> str:
    Path(name).write_text(content if isinstance(content, str) else json.dumps(content), "utf-8")
    return name


pytestmark = pytest.mark.usefixtures("folder")

FORMATS: dict[str, Callable[[Chains], object]] = {
    "sentences": in_sentences,
    "ids": by_ids,
    "token ids": in_token_ids,
    "triples": in_triples,
    "paragraphs": in_paragraphs,
}


def figures(gold: str, system: str, documents: Any) -> Any:
    report = scorch2.score(gold, system, documents=documents).to_dict()
    return report["scores"], report["counts"], report["documents"]


@every("form", FORMATS)
def test_a_corpus_scores_the_same_in_every_format(form: str) -> None:
    """The columns that hold a topic each are read as CoNLL, which reads them without any of this."""
    expected = figures(
        put("gold.conll", in_columns(as_gold)), put("sys.conll", in_columns(as_system)), "file"
    )
    found = figures(
        put("gold.json", FORMATS[form](as_gold)), put("sys.json", FORMATS[form](as_system)), "topic"
    )
    assert found == expected
    assert found[0]["conll"]["f1"] not in (0, 1)


@pytest.mark.parametrize("form", ["sentences", "token ids"])
def test_a_list_of_mentions_is_compared_with_the_files_of_the_corpus(form: str) -> None:
    system = put("sys.json", FORMATS[form](as_gold))
    for rule in ("topic", "corpus"):
        scores = scorch2.score(str(CORPUS / "gold"), system, documents=rule, pair="basename").to_dict()[
            "scores"
        ]
        assert scores["muc"]["f1"] == scores["ceaf_e"]["f1"] == 1


def mention(**chains: Any) -> dict[str, Any]:
    return {"doc_id": "d", "sent_id": 0, "tokens_number": [1], **chains}


@pytest.mark.parametrize(
    ("chains", "gold", "system"),
    [
        ({"coref_chain": "a", "predicted_coref_chain": "b"}, "a", "b"),
        ({"coref_chain": "a", "predicted_coref_chain": "UNK"}, "a", "a"),
        ({"coref_chain": "a", "predicted_coref_chain": None}, "a", "a"),
        ({"predicted_coref_chain": 7}, "7", "7"),
    ],
)
def test_predictions_are_those_of_the_system(chains: dict[str, Any], gold: str, system: str) -> None:
    path = put("mentions.json", [mention(**chains)])
    for keys, expected in ((GOLD_KEYS, gold), (SYSTEM_KEYS, system)):
        (document,) = stream(path, keys=keys)
        assert list(document.clusters) == [expected]
    (document,) = stream(path, keys=("predicted_coref_chain",)) if system != gold else [document]
    assert list(document.clusters) == [system]


def test_gold_chains_of_a_system_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    gold = put("gold.json", [mention(coref_chain="a")])
    assert main(["-q", "-m", "mentions", gold, put("sys.json", [mention(coref_chain="b")])]) == 0
    assert main(["-m", "mentions", gold, "sys.json"]) == 0
    assert 'chains were read from "coref_chain", where programs keep gold' in capsys.readouterr().err
    assert main(["-m", "mentions", "--sys-key=coref_chain", gold, "sys.json"]) == 0
    assert "where programs keep gold" not in capsys.readouterr().err


def test_a_chain_that_was_asked_for_must_be_there() -> None:
    path = put("mentions.json", [mention(coref_chain="a")])
    with pytest.raises(InputError, match='an object lacks the key "predicted_coref_chain"'):
        list(stream(path, keys=("predicted_coref_chain",)))


def test_a_list_that_lacks_a_key_is_told_which() -> None:
    with pytest.raises(InputError) as refused:
        read(put("mentions.json", [mention()]))
    lacks = "it lacks coref_chain or predicted_coref_chain"
    assert str(refused.value) == (
        "mentions.json: $[0]: an object is no document of a known program: it has doc_id, sent_id, "
        f"tokens_number; for crossdoc of a list of mentions (WEC-Eng, uCDCR) {lacks}"
    )


def test_the_kind_of_a_mention_is_its_category() -> None:
    kinds = [{"mention_type": "ACT"}, {"mention_type": "LOC", "mention_full_type": "LOC_GEO"}, {}]
    values = [{**mention(coref_chain="a"), "tokens_number": [i], **kind} for i, kind in enumerate(kinds)]
    (document,) = read(put("mentions.json", values))
    assert categories_of(document) == {"a": ["ACT", "LOC_GEO", ""]}


def test_the_examples_of_the_guide_are_read() -> None:
    blocks = re.findall(r"^```json\n(.*?)^```$", guide.page("cross-document"), flags=re.DOTALL | re.MULTILINE)
    labels = set()
    for block in blocks:
        documents = read(put("d.json", block))
        assert any(any(document.clusters.values()) for document in documents), block
        assert {document.format for document in documents} == {"crossdoc"}
        labels |= {document.written.partition(":")[0] for document in documents}
    assert labels == {source.label for source in CROSSDOC_SOURCES}, (
        "show an example of the source in the guide"
    )


TOLD = {
    "tokens": [
        ["I", "told", "mom", "and", "dad", "last", "night", ",", "they", "took", "it", "."],
        ["Mom", "?"],
    ],
    "character_entities": [
        [
            [0, 1, "Ross Geller"],
            [2, 3, "Judy Geller"],
            [4, 5, "Jack Geller"],
            [8, 9, "Judy Geller", "Jack Geller"],
        ],
        [[0, 1, "Judy Geller"]],
    ],
}  # as in the README of the corpus


def scenes(*utterances: object) -> dict[str, Any]:
    listed = [{"scene_id": f"s01_e01_c0{i}", "utterances": [one]} for i, one in enumerate(utterances, 1)]
    return {"season_id": "s01", "episodes": [{"episode_id": "s01_e01", "scenes": listed}]}


def test_scenes_of_character_identification_are_documents() -> None:
    first, second = read(
        put("friends.json", scenes(TOLD, {"tokens": [["I"]], "character_entities": [[[0, 1, "A"]]]}))
    )
    assert (first.id, second.id, first.sentences) == ("s01_e01_c01", "s01_e01_c02", [12, 2])
    assert first.clusters == {
        "Ross Geller": [(0, 1)], "Judy Geller": [(2, 3), (12, 13)], "Jack Geller": [(4, 5)],
        "Jack Geller and Judy Geller": [(8, 9)],
    }  # fmt: skip


@pytest.mark.parametrize(
    ("marked", "where", "why"),
    [
        ([[]], "", "should be a list for each of the 2 sentences"),
        (
            None,
            "",
            "is not there: a transcript alone (give the JSON of Character Identification, which has it)",
        ),
        ([[[0, 1]], []], "[0][0]", "a mention is a list of its start, its end and the names of characters"),
        (
            [[[0, 1, 2]], []],
            "[0][0]",
            "a mention is a list of its start, its end and the names of characters",
        ),
        ([[], [[1, 3, "A"]]], "[1][0]", "the mention [1, 3] does not lie inside the text, which ends at 2"),
    ],
)
def test_characters_that_are_nowhere_are_refused(marked: object, where: str, why: str) -> None:
    path = put("friends.json", scenes({**TOLD, "character_entities": marked}))
    with pytest.raises(InputError) as refused:
        read(path)
    place = f"$.episodes[0].scenes[0].utterances[0].character_entities{where}"
    assert str(refused.value) == f"friends.json: {place}: {why}"
