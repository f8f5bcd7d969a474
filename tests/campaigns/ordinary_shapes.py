"""Ordinary inputs of any size for cost.py: tiny documents, and one large document in each format.

Each generator yields the parts of one file, or of a folder its files, until they are large enough.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from itertools import count
from typing import TypeAlias

Maker: TypeAlias = Callable[[int], Iterator[str]]
BEGIN, END = "#begin document (d); part 000\n", "#end document\n"
COREFUD = "# global.Entity = eid\n"
COLUMNS = (
    "ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC IDENTITY BRIDGING DISCOURSE_DEIXIS REFERENCE NOM_SEM"
)
UA = f"# global.columns = {COLUMNS}\n# newdoc id = d\n"
WEBANNO = "#FORMAT=WebAnno TSV 3.2\n#T_CH=custom.Link|referenceType|referenceRelation\n\n"
GAP = "ID\tText\tPronoun\tPronoun-offset\tA\tA-offset\tA-coref\tB\tB-offset\tB-coref\n"
MMAX = '<markables xmlns="www.eml.org/NameSpaces/coref">\n'
MARKABLE = '<markable id="markable_{n}" span="word_{next}" coref_class="set_1" mmax_level="coref"/>\n'
BOOK = "COREF\tstart_token\tend_token\tprop\tcat\ttext\n"
GRAPH = '{"type": "graph", "mentions": '


def until(size: int, parts: Iterable[str]) -> Iterator[str]:
    written = 0
    for part in parts:
        yield part
        written += len(part)
        if written >= size:
            return


def around(head: str, parts: Callable[[], Iterable[str]], tail: str, glue: str = "") -> Maker:
    """Return a maker of as many parts as fit between a head and a tail."""

    def make(size: int) -> Iterator[str]:
        yield head
        for number, part in enumerate(until(size, parts())):
            yield glue + part if number else part
        yield tail

    return make


def repeated(form: str) -> Maker:
    """Return a maker of parts that differ in a number."""
    return lambda size: until(size, (form.format(n=number) for number in count()))


def numbered(form: str) -> Callable[[], Iterable[str]]:
    return lambda: (form.format(n=number, next=number + 1) for number in count())


# One large document: clusters of five mentions


def clusters_json() -> Iterable[str]:
    for number in count():
        yield f'"e{number}": ' + json.dumps([f"m{5 * number + i}" for i in range(5)])


def graph_json(size: int) -> Iterator[str]:
    mentions = size // 22  # a mention is written about three times
    yield GRAPH + json.dumps(list(range(mentions))) + ', "links": '
    yield json.dumps([[n, n + 1] for n in range(mentions - 1) if n % 5 < 4]) + "}\n"


def jsonlines(size: int) -> Iterator[str]:
    sentences = size // 220
    words = [[f"w{number % 1000}" for number in range(20)] for _ in range(sentences)]
    starts = range(0, 20 * sentences - 10, 10)
    clusters = [[[start + 2 * i, start + 2 * i] for i in range(5)] for start in starts]
    yield json.dumps({"doc_key": "d", "sentences": words, "clusters": clusters}) + "\n"


def conll_rows() -> Iterable[str]:
    for number in count():
        yield "".join(f"d\t0\t{n}\tword\t({number})\n" for n in range(5)) + "\n" * (number % 4 == 3)


def tsv_rows() -> Iterable[str]:
    return (f"d\t{2 * n}\t{2 * n}\tNIL{n // 5}\n" for n in count())


def aida_rows() -> Iterable[str]:
    return (f"word\tB\tword\tE{n // 5}\n" + "\n" * (n % 20 == 19) for n in count())


def are_chains() -> Iterable[str]:
    for number in count():
        starts = range(10 * number, 10 * number + 10, 2)
        elements = "".join(f'<element start="{start}" end="{start}"/>' for start in starts)
        yield f"<chain>{elements}</chain>\n"


def corefud_rows() -> Iterable[str]:
    for number in count():
        yield f"{number % 20 + 1}\tword\t_\t_\t_\t_\t0\t_\t_\tEntity=(e{number // 5})\n" + "\n" * (
            number % 20 == 19
        )


def stanza_rows() -> Iterable[str]:
    for number in count():
        chains = f"coref_chains=unit-id{number // 5}"
        yield f"{number % 20 + 1}\tword\t_\t_\t_\t_\t0\t_\t_\t{chains}\n" + "\n" * (number % 20 == 19)


def ua_rows() -> Iterable[str]:
    for number in count():
        identity = f"(EntityID={number // 5}|MarkableID=markable_{number}|Min=1)"
        cells = [str(number % 20 + 1), "word", *["_"] * 8, identity, *["_"] * 4]
        yield "\t".join(cells) + "\n" * (1 + (number % 20 == 19))


def webanno_rows() -> Iterable[str]:
    """Yield chains of five mentions."""
    for number in count():
        chain, link = number // 5 + 1, number % 5 + 1
        if number % 20 == 0:
            yield "\n#Text=" + " ".join(["word"] * 20) + "\n"
        place = f"{number // 20 + 1}-{number % 20 + 1}\t{5 * number}-{5 * number + 4}"
        yield f"{place}\tword\t*[{chain}]\t*->{chain}-{link}\t\n"


def marks_brat(size: int) -> Iterator[str]:
    """Yield mentions of which each is related to the one before it."""
    yield "T0\tX 0 1\tw\n"
    for n in range(1, size // 60):
        yield f"T{n}\tX {n} {n + 1}\tw\nR{n}\tCoref Arg1:T{n} Arg2:T{n - 1}\n"


def ecb_document(size: int) -> Iterator[str]:
    """Yield the tokens of a document, each a mention, all of one cluster."""
    number = size // 150
    tokens = range(1, number + 1)
    yield '<Document doc_name="k.xml">\n'
    yield from (f'<token t_id="{n}" sentence="0" number="{n - 1}">w</token>\n' for n in tokens)
    yield "<Markables>\n"
    yield from (f'<HUMAN_PART_PER m_id="{n}"><token_anchor t_id="{n}"/></HUMAN_PART_PER>\n' for n in tokens)
    yield f'<HUMAN_PART_PER m_id="{number + 1}" TAG_DESCRIPTOR="x" instance_id="H"/>\n</Markables>\n'
    yield '<Relations>\n<CROSS_DOC_COREF r_id="1" note="H">\n'
    yield from (f'<source m_id="{n}"/>' for n in tokens)
    yield f'<target m_id="{number + 1}"/></CROSS_DOC_COREF>\n</Relations>\n</Document>\n'


def crac_tokens(size: int) -> Iterator[str]:
    number = size // 28
    value = {
        "doc_id": "d",
        "tokens": [f"word{n % 1000}" for n in range(number)],
        "clusters_token_offsets": [[[n, n], [n + 2, n + 3]] for n in range(0, number - 5, 5)],
        "clusters_text_mentions": [],
    }
    yield json.dumps([value])


MENTION = (
    '{{"doc_id": "1_{document}ecb", "sent_id": {n}, "tokens_number": [{n}], "coref_chain": "c{chain}", '
    '"mention_type": "ACT", "tokens_str": "word"}}'
)


def mentions_of_texts(texts: int | None) -> Callable[[], Iterable[str]]:
    """Return mentions in lists of uCDCR, each text with so many; None stands for one text."""
    return lambda: (MENTION.format(document=n // texts if texts else 1, n=n, chain=n // 5) for n in count())


def repeatedly(head: str, part: str, tail: str, *, each: int) -> Maker:
    """Return a maker of as many parts as fit, each with the place of a word of one letter."""

    def make(size: int) -> Iterator[str]:
        yield head
        yield from (part.format(n=n, start=2 * n, end=2 * n + 1) for n in range(max(2, size // each)))
        yield tail

    return make


_UNIT = (
    '<unit id="u{n}"><metadata/><type>x</type>'
    '<singlePosition index="{start}"/><singlePosition index="{end}"/></unit>'
)
_COREF = '</text><coreferences><coref id="c"><span><target id="w1"/></span></coref></coreferences></NAF>'


def doccano(size: int) -> Iterator[str]:
    """Yield a text of one-letter words, each a mention that is related to the one before it."""
    words = range(size // 100)
    yield '{"text": "' + "w" * len(words) + '", "entities": ['
    yield ",".join(f'{{"id":{n},"label":"x","start_offset":{n},"end_offset":{n + 1}}}' for n in words)
    yield '], "relations": ['
    yield ",".join(f'{{"from_id":{n},"to_id":{n - 1},"type":"coref"}}' for n in words[1:]) + "]}"


ANNOTATED: dict[str, Maker] = {
    "csv": around("start,end,cluster\n", numbered("{n},{next},e{n}\n"), ""),
    "columns": around("token\tcoref\n", lambda: (f"w\t({n // 5})\n" for n in count()), ""),
    "sacr": around("#title:t\n", numbered('{{a{n}:type="x" w}} '), "\n"),
    "sgml": around(
        '<DOC DOCNO="d">\n<TEXT PARTNO="0">\n', numbered('<COREF ID="{n}" TYPE="IDENT">w</COREF> .\n'),
        "</TEXT></DOC>",
    ),
    "tei": around("<TEI><text>", numbered('<rs ref="#e{n}">w</rs> '), "</text></TEI>"),
    "annotators": doccano,
    "naf": repeatedly(
        "<NAF><text>", '<wf id="w{n}" sent="{n}">w</wf>',
        _COREF, each=32,
    ),
    "gate": repeatedly(
        "<GateDocument><TextWithNodes>", '<Node id="{start}"/>w<Node id="{end}"/> ',
        "</TextWithNodes></GateDocument>", each=36,
    ),
    "glozz": repeatedly("<annotations>", _UNIT, "</annotations>", each=100),
}  # fmt: skip
"""Files of annotation tools."""
TINY: dict[str, Maker] = {
    "jsonlines": repeated(
        '{{"doc_key": "d{n:07}", "sentences": [["w", "w"]], "clusters": [[[0, 0], [1, 1]]]}}\n'
    ),
    "conll": repeated("#begin document (d{n:07}); part 000\nw\t(1)\nw\t(1)\n\n" + END),
    "tsv": repeated("d{n:07}\t0\t0\tNIL1\nd{n:07}\t1\t1\tNIL1\n"),
    "gap": around(GAP, numbered("d{n}\tAnn saw her.\ther\t8\tAnn\t0\tTRUE\tsaw\t4\tFALSE\n"), ""),
    "corefud": repeated(COREFUD + "# newdoc id = d{n}\n1\tw\t_\t_\t_\t_\t0\t_\t_\tEntity=(e1)\n\n"),
    "plaintext": repeated("Ann|[e1] saw her|[e1] dog{n}\n"),
    "markdown": repeated("# newdoc id = d{n:07}\n[Ann](#1) saw [her](#1) dog.\n"),
    "crac": around(
        "[",
        numbered(
            '{{"doc_id": "d{n}", "tokens": ["w", "w"], "clusters_token_offsets": [[[0, 0], [1, 1]]], '
            '"clusters_text_mentions": []}}'
        ),
        "]",
        ",\n",
    ),
    "crossdoc": around("[", mentions_of_texts(2), "]", ",\n"),
    "aida": repeated("-DOCSTART- (d{n:07})\nw\tB\tw\tE1\nw\tB\tw\tE1\n\n"),
}
ONE: dict[str, Maker] = {
    "clusters": around('{"type": "clusters", "clusters": {', clusters_json, "}}\n", ", "),
    "graph": graph_json,
    "jsonlines": jsonlines,
    "conll": around(BEGIN, conll_rows, "\n" + END),
    "tsv": lambda size: until(size, tsv_rows()),
    "aida": around("-DOCSTART- (d)\n", aida_rows, "\n"),
    "booknlp": around(BOOK, numbered("{n}\t{n}\t{n}\tPROP\tPER\tw\n"), ""),
    "litbank": around("", numbered("MENTION\tT{n}\t0\t{n}\t0\t{n}\tw\tPER\tPROP\nCOREF\tT{n}\tw\n"), ""),
    "brat": marks_brat,
    "are": around('<are unit="token" ends="inclusive">', are_chains, "</are>\n"),
    "corefud": around(COREFUD, corefud_rows, "\n"),
    "ua": around(UA, ua_rows, "\n"),
    "stanza": around("", stanza_rows, "\n"),
    "webanno": around(WEBANNO, webanno_rows, "\n"),
    "mmax": around(MMAX, numbered(MARKABLE), "</markables>\n"),
    "ecb": ecb_document,
    "plaintext": around("", numbered("word{n}|[e{n}] of the text{n}|[e{n}] goes on "), "\n"),
    "markdown": around("", numbered("[word{n}](#{n}) of the [text{n}](#{n}) goes on\n"), ""),
    "crac": crac_tokens,
    "crossdoc": around("[", mentions_of_texts(None), "]", ",\n"),
    **ANNOTATED,
}
FILES: dict[str, Maker] = {
    "clusters": repeated('{{"type": "clusters", "clusters": {{"a": ["m1", "m{n}"]}}}}'),
    "graph": repeated('{{"type": "graph", "mentions": ["m1", "m{n}"], "links": [["m1", "m{n}"]]}}'),
    "mmax": repeated(MMAX + MARKABLE.replace("{next}", "1{n}") + "</markables>\n"),
    "ecb": repeated("".join(ecb_document(300)).replace("{", "{{").replace("k.xml", "{n}")),
    "are": repeated('<are doc="d{n}"><chain id="a"><element id="1"/><element id="2"/></chain></are>'),
}
