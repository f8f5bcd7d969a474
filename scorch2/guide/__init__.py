"""The manual: one page per job, shown by ``scorch2 help <topic>`` and linked from README.

`TOPICS` is the only list of pages: help texts, completion, README's table and the tests follow from it. A
page is a Markdown file of this folder with the name of its topic.
"""

from typing import cast

TOPICS = {
    "quickstart": "first results, by situation",
    "paper": "get the number of a paper, or of another scorer",
    "formats": "the files that are read, and what a mention is in each",
    "pairing": "folders, files of many documents, missing documents",
    "metrics": "metrics, averages, and every option that changes numbers",
    "reports": "report formats, the JSON report, the signature",
    "ci": "a gate for a repository: GitHub, GitLab, make, pre-commit",
    "statistics": "confidence intervals and significance tests",
    "reference-scorer": "replace scorer.pl, the CoNLL reference scorer",
    "converting": "convert files from one format to another",
    "linking": "evaluate entity linking",
    "annotations": "annotations TSV, and converters from TAC, brat and CoNLL",
    "leaderboards": "rank systems, compare measures, draw plots",
    "neleval": "move from neleval: the same commands, and what differs",
    "anaphora": "the anaphora resolution exercise (ARE), tasks 1 to 4",
    "workers": "many processes, Dask, and other clusters",
    "python": "use scorch2 as a library",
    "speed": "how fast it is, and how that was measured",
    "limits": "what is refused, how much memory a run takes, safety",
    "commands": "all commands, exit status, streams, habits of the command line",
}
"""The pages in reading order, with what each is for."""


def page(topic: str) -> str:
    """Return the page of a topic, a key of `TOPICS`, as Markdown."""
    from pkgutil import get_data

    return cast("bytes", get_data(__name__, f"{topic}.md")).decode("utf-8")
