"""The frame of the page, the elements that it is made of, and its words.

Style and script are files beside it. All that comes from a file goes through `text`, here and nowhere else.
What each term means is told where the pointer rests, and listed at the end of a page.
"""

import re
import unicodedata
from base64 import b64encode
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache, lru_cache
from hashlib import sha256
from html import escape
from pkgutil import get_data
from textwrap import wrap
from typing import NamedTuple, NewType, cast
from urllib.parse import quote

from scorch2.analysis.error_report import of_sides
from scorch2.analysis.kinds import KINDS
from scorch2.analysis.patterns import PATTERNS
from scorch2.reports.figures.kit import pattern
from scorch2.scoring.layout.tables import Table

Html = NewType("Html", str)  # markup that acts only as it is meant to: made by the functions of this module
NOTHING = Html("")
_JOINERS = "\u200b\u200c\u200d\u200e\u200f"
"""Characters without a shape that texts in Hebrew, Thai, Arabic, Persian, Indic scripts and emoji need."""
_UNSEEN = ("Cc", "Cf", "Cs", "Zl", "Zp")
"""Categories of characters that act unseen: controls, formats, surrogates, separators of lines."""

_ACTS = re.compile("[&<>\"'#]").search


def text(value: str) -> Html:
    r"""Return text from a file for an element or an attribute, where it cannot act.

    >>> text('<b title="x">'), text("a\u202eb"), text("##[error]")
    ('&lt;b title=&quot;x&quot;&gt;', 'a\\u202eb', '#&#35;[error]')
    """
    if not value.isprintable():
        value = "".join(map(_seen, value))
    elif not _ACTS(value):
        return Html(value)
    return Html(escape(value).replace("##", "#&#35;"))  # in a log, ## begins a command


def _seen(character: str) -> str:
    if character in _JOINERS or unicodedata.category(character) not in _UNSEEN:
        return character
    return character.encode("unicode_escape").decode("ascii")


def tag(name: str, /, *content: Html, **attributes: str | int | None) -> Html:
    """Return an element; an attribute that is None is left out, an empty one has no value.

    >>> tag("a", text("x<y"), href="#e1-2", class_="mark", aria_label=None, hidden="")
    '<a href="#e1-2" class="mark" hidden>x&lt;y</a>'
    """
    return Html(f"{opened(name, **attributes)}{''.join(content)}</{name}>")


def opened(name: str, /, **attributes: str | int | None) -> Html:
    """Return the start tag of an element, or an element that has no content."""
    parts = [name]
    for key, value in attributes.items():
        if value is not None:
            written = text(value if isinstance(value, str) else str(value))
            parts.append(f'{_called(key)}="{written}"' if written else _called(key))
    return Html(f"<{' '.join(parts)}>")


@cache
def _called(key: str) -> str:
    """Return the name of an attribute that is given by the name of an argument."""
    return key.rstrip("_").replace("_", "-")


def joined(parts: Iterable[Html], between: str = "") -> Html:
    """Return markup one after the other, with plain text between."""
    return Html(text(between).join(parts))


def lines(parts: Iterable[Html]) -> Html:
    """Return markup in lines of the file."""
    return Html("\n".join(part for part in parts if part))


def name_of(value: str) -> Html:
    """Return a name, whose direction does not change the text around it."""
    return tag("bdi", text(value))


def name_inside(name: str) -> Html:
    """Return the name that a document has inside its file, to stand behind that of the file."""
    return Html(f" {tag('small', text('('), name_of(name), text(')'))}") if name else NOTHING


def anchor(document: str, mention: str = "", **more: str) -> str:
    """Return the id of a document on the page, or of a mention or an error in it: what stands in a link.

    >>> anchor("wsj/1 a"), anchor("d", "2.43", error="divided")
    ('doc=wsj%2F1%20a', 'doc=d&m=2.43&error=divided')
    """
    place = f"doc={_quoted(document)}"
    if mention:
        place += f"&m={mention if _is_plain(mention) else _quoted(mention)}"
    return place + "".join(f"&{key}={_quoted(value)}" for key, value in more.items())


_is_plain = re.compile(r"[\w.~-]+", re.ASCII).fullmatch


@lru_cache(maxsize=1000)
def _quoted(value: str) -> str:
    return quote(value, "", errors="surrogatepass")


def content_policy(style: str, script: str = "") -> str:
    """Return the value of ``Content-Security-Policy`` for a page with this style, and this script if any.

    >>> content_policy("p { }").split("; ")[0]
    "default-src 'none'"
    """
    parts = ["default-src 'none'", f"style-src {_source(style)}"]
    if script:
        parts.append(f"script-src {_source(script)}")
    return "; ".join([*parts, "base-uri 'none'", "form-action 'none'"])


def _source(content: str) -> str:
    digest = b64encode(sha256(content.encode("utf-8")).digest()).decode("ascii")
    return f"'sha256-{digest}'"


UNCOPIED = "those of them of which the copy has no word"


@cache
def kind_mark(kind: str) -> Html:
    """Return the mark of a kind as a picture beside its name."""
    return tag("i", text(KINDS[kind].look.mark), class_=f"mark {kind}", aria_hidden="true")


@cache
def marked_kind(kind: str, annotators: object = None) -> Html:
    """Return the mark and the name of a kind, which does not call one of two annotators wrong."""
    return Html(f"{kind_mark(kind)} {text(of_sides(KINDS[kind].label, annotators))}")


def _short_kind(kind: str, annotators: object) -> Html:
    """Return the mark and the name of a kind, of which one word is enough where there is little room."""
    label, (_, _, rest) = marked_kind(kind, annotators), KINDS[kind].label.partition(" ")
    is_told = KINDS[kind].unit in ("span", "piece") and label.endswith(f" {rest}")
    return Html(f'{label.removesuffix(f" {rest}")}<span class="long"> {rest}</span>') if is_told else label


_CODES = {name: str(code) for code, name in enumerate(PATTERNS)}


def codes(patterns: Iterable[str]) -> str | None:
    """Return patterns as an attribute has them, by which the page chooses errors; None for none."""
    return " ".join([_CODES[name] for name in patterns]) or None


def kind_link(kind: str, target: str, who: str = "", *, annotators: bool = False) -> Html:
    """Return the mark of a kind as a link, in a text."""
    start, end = _kind_link(kind, who, annotators)
    return Html(f"{start}{text(target)}{end}")


@cache
def _kind_link(kind: str, who: str, annotators: bool) -> Sequence[str]:
    """Return what stands before and behind the target of a link of a kind."""
    mark, label = text(KINDS[kind].look.mark), of_sides(KINDS[kind].label, annotators)
    said = f"{label}: see what it is"
    whole = tag("a", mark, class_=made_by(f"mark {kind}", who), href="@", title=label, aria_label=said)
    return whole.split("@")


def html_table(
    caption: Html, head: Sequence[Html], rows: Sequence[Sequence[Html]], *, classes: str = "", names: int = 1
) -> Html:
    """Return a table in a box that scrolls: names in the first columns, which head the rows, then numbers."""
    heads = [tag("th", cell, scope="col", class_="n" if i >= names else None) for i, cell in enumerate(head)]
    body = []
    for row in rows:
        cells = [tag("th", cell, scope="row") for cell in row[:names]]
        body.append(tag("tr", *cells, *(tag("td", cell, class_="n") for cell in row[names:])))
    parts = tag("caption", caption), tag("thead", tag("tr", *heads)), tag("tbody", *body)
    return tag("div", tag("table", *parts, class_=classes or None), class_="box")


def one_stop(cells: Iterable[Html]) -> list[Html]:
    """Return the cells of a row of which Tab stops at the first link alone: arrows go to the others."""
    stopped, shown = False, []
    for cell in cells:
        before, *links = cell.split("<a ")
        if links and not stopped:
            before += f"<a {links.pop(0)}"
            stopped = True
        shown.append(Html(before + "".join(f'<a tabindex="-1" {link}' for link in links)))
    return shown


def plain_table(caption: str, table: Table, classes: str = "", names: int = 1) -> Html:
    """Return a table of text cells."""
    rows = [[*map(text, row)] for row in table.rows]
    return html_table(text(caption), [*map(text, table.head)], rows, classes=classes, names=names)


def remark(words: str) -> Html:
    """Return a paragraph that explains the table beside it."""
    return tag("p", text(words), class_="pale")


_THREE = {"both": "gold, A and B", "system": "A and B"}  # labels where there are two systems
WRONG = {"all": "all", "first": "only A wrong", "second": "only B wrong", "both": "both wrong"}
"""The switches for the errors of one of two systems, or of both, with their labels."""


def made_by(classes: str, who: str) -> str:
    """Return the classes of what an error is shown by, with one for who makes it, if that is known."""
    return f"{classes} x-{who}" if who else classes


VIEWS = {"both": "both sides", "gold": "gold", "system": "system", "wrong": "rows with errors"}
"""The views of a text: the switches that choose one, with their labels."""


class Section(NamedTuple):
    """A part of the page with a heading."""

    ident: str
    title: str
    content: Html


def framed(  # noqa: PLR0913 - keyword-only
    title: str,
    said: str,
    signature: str,
    sections: Sequence[Section],
    *,
    has_texts: bool,
    annotators: bool = False,
    has_second: bool = False,
    kinds: Collection[str] = KINDS,
) -> Html:
    """Return the whole page. With texts it has switches for views and for kinds, hidden if not in `kinds`."""
    style, script = page_style(), _own("page.js")
    if annotators:
        style = Html(style + _NARROW)
    head = lines(
        [
            opened("meta", charset="utf-8"),
            opened("meta", http_equiv="Content-Security-Policy", content=content_policy(style, script)),
            opened("meta", name="referrer", content="no-referrer"),
            opened("meta", name="viewport", content="width=device-width, initial-scale=1"),
            opened("meta", name="color-scheme", content="light dark"),
            tag("title", text(title)),
            tag("style", style),
        ]
    )
    top = [tag("h1", name_of(title)), remark(said)]
    if signature:
        top.append(tag("p", tag("code", text(signature))))
    parts = [
        *([_hatches()] if has_texts else []),
        tag("header", *top),
        _bar(sections, kinds if has_texts else (), annotators=annotators, has_second=has_second),
        tag("div", lines(map(_section, sections)), id="main", tabindex=-1),
    ]
    body = lines(
        [
            tag("a", text("Skip to the content"), href="#main", class_="skip"),
            tag("main", lines(parts)),
            tag("script", script),
        ]
    )
    page = tag("html", tag("head", head), Html("\n"), tag("body", body), lang="en")
    return Html(f"<!DOCTYPE html>\n{page}\n")


def _own(name: str) -> Html:
    """Return a file of this package, which is markup that acts as it is meant to."""
    return Html(cast("bytes", get_data(__name__, name)).decode("utf-8"))


_STYLE_WIDTH = 125  # characters of a line of the style


def page_style() -> Html:
    """Return the style of all pages, in which a line with ``KIND`` stands for all kinds of errors."""
    return Html("\n".join(map(_for_kinds, _own("page.css").split("\n"))))


def _for_kinds(line: str) -> str:
    """Return a line of the style for each kind: as a rule, a part of a list of selectors, or a colour."""
    if "KIND" not in line:
        return line
    part, between, rest = re.split(r"(,|;| (?=\{))", line, maxsplit=1)
    if "KIND" in rest:
        return "\n".join(line.replace("KIND", kind) for kind in KINDS)
    parts = [
        part.strip().replace("KIND", kind).replace("LIGHT", row.look.light).replace("DARK", row.look.dark)
        for kind, row in KINDS.items()
    ]
    whole = f"{between.strip() or ','} ".join(part.replace(" ", "\0") for part in parts)
    indent = " " * (len(part) - len(part.lstrip()))
    wrapped = wrap(
        whole, _STYLE_WIDTH, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False
    )
    return "\n".join(wrapped).replace("\0", " ") + between + rest


def _hatches() -> Html:
    """Return the lines of bars, to which all figures of the page point."""
    lines_of = (Html(pattern(kind, 'class="hatch"')) for kind in KINDS)
    return tag("svg", *lines_of, width=0, height=0, class_="unseen", aria_hidden="true")


def _switch(ident: str, label: Html, name: str | None = None, title: str | None = None) -> Html:
    """Return an input that the style looks at, one of several with a `name`, and its label."""
    kind, checked = "radio" if name else "checkbox", None if name and ident not in ("v-both", "o-all") else ""
    looks = {"class_": "switch", "autocomplete": "off"}
    box = opened("input", type=kind, name=name, id=ident, checked=checked, **looks)
    return joined([box, tag("label", label, for_=ident, title=title)])


def _bar(
    sections: Sequence[Section], shown_kinds: Collection[str], *, annotators: bool, has_second: bool
) -> Html:
    shown = [section for section in sections if section.content]
    links = [tag("a", text(section.title), href=f"#{section.ident}") for section in shown]
    if not shown_kinds:
        return tag("nav", tag("p", joined(links, " ")), class_="bar", aria_label="Page")
    search = opened("input", type="search", id="find", placeholder="find ( / )", aria_label="find in errors")
    buttons = [_button("open all", id="open-all"), _button("close all", id="close-all")]
    said, forms = "copy the examples with a star, or all that are shown, as", ("Markdown", "TSV", "LaTeX")
    copied = [_button(form, class_="copy", value=form, aria_label=f"{said} {form}") for form in forms]
    buttons += [tag("span", tag("b", text("copy ")), *copied, class_="choice", title=said)]
    tools = tag("span", search, *buttons, tag("output", id="found", for_="find"), id="tools", hidden="")
    kinds = []
    for kind, row in KINDS.items():
        label, what = of_sides(row.label, annotators), of_sides(row.what, annotators)
        switch = _switch(f"f-{kind}", _short_kind(kind, annotators), title=what)
        only = _button("only", class_="only", value=kind, aria_label=f"only {label}", hidden="")
        classes = "choice" if kind in shown_kinds else "choice none"
        kinds.append(tag("span", switch, only, class_=classes))
    every = _button("all", id="all-kinds", hidden="")
    views = [
        _switch(f"v-{view}", text(of_sides(label, annotators)), "view")
        for view, label in {**VIEWS, **(_THREE if has_second else {})}.items()
    ]
    wrong = [_switch(f"o-{who}", text(label), "wrong") for who, label in WRONG.items()]
    groups = [_group("Show", "kinds of errors shown", [*kinds, every])]
    groups.append(_group("View", "view of the texts", views))
    groups += [_group("Errors", "who is wrong", wrong)] if has_second else []
    first = tag("p", joined([*links, tools], " "))
    return tag("nav", first, *groups, class_="bar", aria_label="Page")


def _button(label: str, **attributes: str) -> Html:
    return tag("button", text(label), type="button", **attributes)


def _group(said: str, name: str, choices: Sequence[Html]) -> Html:
    """Return some switches as a group with a name."""
    shown = joined([tag("b", text(said)), *choices], " ")
    return tag("p", shown, class_="switches", role="group", aria_label=name)


_NARROW = """@media (max-width: 43.99rem) {
  .text td.gold::before { content: "A: "; }
  .text td.system::before { content: "B: "; }
}
"""
"""The style of a page of annotators: on a narrow screen, cells say whose they are."""


def _section(section: Section) -> Html:
    if not section.content:
        return NOTHING
    heading = tag("h2", text(section.title), id=f"h-{section.ident}")
    return tag("section", heading, section.content, id=section.ident, aria_labelledby=f"h-{section.ident}")


TERMS: Mapping[str, str] = {
    "link": "from a mention to the one before it in its entity; an entity of n mentions has n − 1 links",
    "correct link": "its mention and an earlier one of its entity are in one entity of the other side, too: "
    "recall is how many of gold's links are correct, precision how many of the system's, as MUC has it",
    "found mention": "a mention that is on both sides: recall is how many of gold's mentions are, precision "
    "how many of the system's",
    "singleton": "an entity of one mention, which has no link",
    "errors": "one for each span, mention or entity; of a divided or conflated entity one for each entity of "
    "the other side but the first",
    "mentions": "the mentions in these errors",
    "lost R": "links of gold that MUC recall lacks because of these errors",
    "lost P": "links of the system that MUC precision lacks because of these errors",
    "share": "what these errors cost: the points of F1 that correcting them gains, the mean over all orders "
    "of correction",
    "alone": "the points of F1 that correcting only these errors gains",
    "in order": "the points of F1 that correcting these errors gains, after the kinds above",
    "point": "one hundredth of F1: from 60.00 to 61.00 percent is one point",
    "number of an entity": "gold entities are numbered by their first mentions; a system entity has that "
    "of the gold entity that fits best, or a small letter; its name in the file is in brackets",
    "not": "before the entity that a mention is divided from, or conflated with",
    "row": "the number of a sentence in its document, from 0; of a line, if there are no sentences",
    "antecedent": "the mention before in the same entity; of two that begin with one word the shorter one is "
    "first",
    "in the wrong entity": "divided and conflated at once: counted as both",
}
"""The terms of the page of errors; the kinds of errors are in `KINDS`."""


def explained(head: str) -> Html:
    """Return the head of a column, which says what its last word means where the pointer rests."""
    what = next((words for term, words in TERMS.items() if head == term or head.endswith(f" {term}")), None)
    return titled(text(head), what)


def titled(shown: Html, what: str | None) -> Html:
    """Return something that says what it is where the pointer rests."""
    return shown if what is None else tag("span", shown, title=what)


def words_part(terms: Iterable[str], kinds: Iterable[str] = KINDS, annotators: object = None) -> Html:
    """Return kinds of errors and terms with what they mean, for those who have no pointer."""
    listed = [*((marked_kind(kind, annotators), KINDS[kind].what) for kind in kinds)]
    listed += [(text(of_sides(term, annotators)), TERMS[term]) for term in terms]
    rows = ((tag("dt", name), tag("dd", text(of_sides(what, annotators)))) for name, what in listed)
    return tag("dl", *(tag("div", *row) for row in rows))
