"""The manual: one page per job, shown by ``scorch2 help <topic>`` and linked from README.

`TOPICS` is the only list of pages: help texts, completion, README's table and the tests follow from it. A
page is a Markdown file of this folder with the name of its topic.
"""

from typing import cast

TOPICS = {
    "quickstart": "get first results, by situation",
    "browser": "score in the browser, without installing anything",
    "paper": "get the number of a paper, or of another scorer",
    "faq": "find the message of another scorer, and what to do about it",
    "shared-tasks": "get the official number of a shared task (CRAC, CODI-CRAC, CRAFT)",
    "formats": "see which files are read, and what a mention is in each",
    "sources": "read the files of neural systems, spaCy, Stanza, CoreNLP",
    "language-models": "score what language models copied with marks; write prompts",
    "tools": "read files of annotation tools and corpora: brat, WebAnno, LitBank, ECB+",
    "pairing": "score folders, files of many documents, missing ones",
    "cross-document": "score coreference across documents: topics, ECB+",
    "matching": "choose when two mentions are the same: spans, heads, zeros, tokenisations",
    "metrics": "choose metrics, averages, and what else changes numbers",
    "reports": "choose a form of report; read the JSON report and the signature",
    "error-analysis": "see why a score is what it is: errors by kind, where they are",
    "categories": "score people, places, events: by category, or some of them alone",
    "error-page": "read the errors in their text, on a page; draw figures",
    "annotators": "see how far annotators agree: F1, alpha, kappa, their differences",
    "books": "look at books: entities one by one, sizes, intervals over windows",
    "ci": "set up a gate: GitHub, GitLab, make, pre-commit",
    "statistics": "add confidence intervals, test differences, compare systems (LaTeX)",
    "reference-scorer": "replace scorer.pl, the CoNLL reference scorer",
    "converting": "convert files from one format to another",
    "linking": "evaluate entity linking",
    "annotations": "write annotations TSV, convert TAC, brat and CoNLL files",
    "leaderboards": "rank systems, compare measures, draw plots",
    "neleval": "move from neleval: what is the same, what differs",
    "anaphora": "score anaphora resolution (ARE, tasks 1 to 4)",
    "workers": "use many processes, Dask, or another cluster",
    "python": "use scorch2 as a library",
    "speed": "see how fast it is, and measure it",
    "limits": "see what is refused, how much memory a run takes, what is safe",
    "commands": "see all commands, exit status, streams",
    "changes": "see what changed in each version",
}
"""The pages in reading order, with what each is for."""


def page(topic: str) -> str:
    """Return the page of a topic, a key of `TOPICS`, as Markdown."""
    from pkgutil import get_data

    return cast("bytes", get_data(__name__, f"{topic}.md")).decode("utf-8")
