"""The frame of the page: head, policy, switches, bar and sections. Style and script are files beside it."""

from collections.abc import Sequence
from pkgutil import get_data
from typing import NamedTuple, cast

from scorch2.analysis.kinds import KINDS
from scorch2.analysis.page.kinds_shown import marked
from scorch2.analysis.page.markup import NOTHING, Html, joined, lines, opened, tag, text
from scorch2.analysis.page.policy import content_policy

VIEWS = {"both": "both sides", "gold": "gold", "system": "system", "wrong": "sentences with errors"}
"""The views of a text: the switches that choose one, with their labels."""


class Section(NamedTuple):
    """A part of the page with a heading."""

    ident: str
    title: str
    content: Html


def frame(title: str, said: str, signature: str, sections: Sequence[Section], *, has_texts: bool) -> Html:
    """Return the whole page. With texts it has switches for kinds of errors and views."""
    style, script = _own("page.css"), _own("page.js")
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
    top = [tag("h1", tag("bdi", text(title))), tag("p", text(said), class_="pale")]
    if signature:
        top.append(tag("p", tag("code", text(signature))))
    body = lines(
        [
            tag("a", text("Skip to the content"), href="#main", class_="skip"),
            *(_switches() if has_texts else []),
            tag("header", *top),
            _bar(sections, has_texts=has_texts),
            tag("main", lines(map(_section, sections)), id="main", tabindex=-1),
            tag("script", script),
        ]
    )
    page = tag("html", tag("head", head), Html("\n"), tag("body", body), lang="en")
    return Html(f"<!DOCTYPE html>\n{page}\n")


def _own(name: str) -> Html:
    """Return a file of this package, which is markup that acts as it is meant to."""
    return Html(cast("bytes", get_data(__name__, name)).decode("utf-8"))


def _switches() -> list[Html]:
    """Return the inputs that the style looks at: they stand before what they switch."""
    kinds = [
        opened("input", type="checkbox", id=f"f-{kind}", class_="switch", checked="", autocomplete="off")
        for kind in KINDS
    ]
    views = [
        opened(
            "input",
            type="radio",
            name="view",
            id=f"v-{view}",
            class_="switch",
            checked="" if view == "both" else None,
            autocomplete="off",
        )
        for view in VIEWS
    ]
    return [*kinds, *views]


def _bar(sections: Sequence[Section], *, has_texts: bool) -> Html:
    links = [tag("a", text(one.title), href=f"#{one.ident}") for one in sections]
    if not has_texts:
        return tag("nav", tag("p", joined(links, " ")), class_="bar", aria_label="Page")
    search = opened(
        "input", type="search", id="find", placeholder="find in errors ( / )", aria_label="find in errors"
    )
    buttons = [tag("button", text(name), type="button", id=name.replace(" ", "-")) for name in _BUTTONS]
    tools = tag("span", search, *buttons, tag("output", id="found", for_="find"), id="tools", hidden="")
    kinds = [tag("label", marked(kind), for_=f"f-{kind}") for kind in KINDS]
    views = [tag("label", text(label), for_=f"v-{view}") for view, label in VIEWS.items()]
    return tag(
        "nav",
        tag("p", joined([*links, tools], " ")),
        tag("p", joined([tag("b", text("Show")), *kinds], " "), class_="switches"),
        tag("p", joined([tag("b", text("View")), *views], " "), class_="switches"),
        class_="bar",
        aria_label="Page",
    )


_BUTTONS = ("open all", "close all")


def _section(section: Section) -> Html:
    if not section.content:
        return NOTHING
    heading = tag("h2", text(section.title), id=f"h-{section.ident}")
    return tag("section", heading, section.content, id=section.ident, aria_labelledby=f"h-{section.ident}")
