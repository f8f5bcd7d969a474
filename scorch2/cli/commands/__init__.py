"""The commands: a file for each group of them, with usage texts and functions from what is typed to a status.

A command translates: words to options, a library call, a report. It computes nothing.
"""

from typing import NamedTuple


class Row(NamedTuple):
    """A command in the table: the file that it is in, and what it is for."""

    file: str
    what: str


GROUPS = {
    "Coreference": {
        "score": Row("score", "score a system against gold (the word may be left out)"),
        "errors": Row("errors", "say why scores are what they are: errors by kind, and what each costs"),
        "compare": Row("compare", "put systems side by side: a table with marks of significance"),
        "agreement": Row("compare", "say how far annotators agree: F1, alpha, kappa"),
        "resolve": Row("resolve", "write a simple system to compare with: same heads, for example"),
        "conll": Row("other_scorers", "score like the CoNLL reference scorer, with its text"),
        "are": Row("other_scorers", "score anaphora resolution (ARE): pronouns, or chains that overlap"),
    },
    "Decisions": {
        "gate": Row("audit", "judge a stored report: is every score high enough?"),
        "explain": Row("audit", "find the settings that give a printed number"),
        "cite": Row("audit", "print the papers behind numbers as BibTeX"),
        "verify": Row("audit", "score a stored report again: do data and numbers still hold?"),
        "confidence": Row("resampling", "compute bootstrap confidence intervals of a system's scores"),
        "significance": Row("resampling", "test whether the difference of two systems is significant"),
        "leaderboard": Row("compare", "rank systems by their stored reports: a page, or a table"),
        "task": Row("audit", "keep a shared task: score, check, hand out several corpora"),
    },
    "Files": {
        "validate": Row("convert", "check files: could they be scored as they are?"),
        "convert": Row("convert", "convert documents from one format to another"),
        "conll2json": Row("convert", "convert a CoNLL file to clusters JSON, one file per document"),
    },
    "Entity linking (commands of neleval)": {
        "evaluate": Row("linking", "evaluate entity linking: mentions, links, types, clusters"),
        "list-measures": Row("linking", "list the measures of entity linking"),
        "analyze": Row("linking", "name the errors of entity linking"),
        "validate-spans": Row("linking", "find mentions that are equal, cross or nest"),
        "select-alternatives": Row(
            "annotations", "resolve gold alternatives to the one closest to the system"
        ),
        "weights-for-hierarchy": Row("annotations", "make type weights of a tree of types"),
        "to-weak": Row("annotations", "cut annotations into one row per character"),
        "prepare-tac": Row("annotations", "convert TAC queries and links (until 2014) to annotations"),
        "prepare-tac15": Row("annotations", "convert TAC tables (since 2015) to annotations"),
        "prepare-brat": Row("annotations", "convert brat's files to annotations"),
        "prepare-conll-coref": Row("annotations", "convert CoNLL coreference to annotations"),
        "rank-systems": Row("rankings", "rank systems by their scores, as neleval does"),
        "compose-measures": Row("rankings", "divide one measure by another"),
        "compare-measures": Row("rankings", "compare measures: how much do they agree over systems?"),
        "plot-systems": Row("rankings", "plot the scores of systems"),
    },
    "Help": {"help": Row("help", "show the usage of a command, or a page of the guide")},
}
"""The commands by what they are about."""
COMMANDS = {name: row for group in GROUPS.values() for name, row in group.items()}
OF_NELEVAL = {*GROUPS["Entity linking (commands of neleval)"], "confidence", "significance"}
"""The commands that understand the words of neleval, too."""
