"""The commands: one file each, with its usage text and ``run(words) -> exit status``.

A command translates: words to options, a library call, a report. It computes nothing.
"""

from collections.abc import Sequence
from importlib import import_module
from typing import Protocol, cast

GROUPS = {
    "Coreference": {
        "score": "score a system against gold (the word may be left out)",
        "errors": "say why scores are what they are: errors by kind, and what each costs",
        "compare": "put systems side by side: a table with marks of significance",
        "agreement": "say how far annotators agree: F1, alpha, kappa",
        "resolve": "write a simple system to compare with: same heads, for example",
        "conll": "score like the CoNLL reference scorer, with its text",
        "are": "score anaphora resolution (ARE): pronouns, or chains that overlap",
    },
    "Decisions": {
        "gate": "judge a stored report: is every score high enough?",
        "explain": "find the settings that give a printed number",
        "cite": "print the papers behind numbers as BibTeX",
        "verify": "score a stored report again: do data and numbers still hold?",
        "confidence": "compute bootstrap confidence intervals of a system's scores",
        "significance": "test whether the difference of two systems is significant",
    },
    "Files": {
        "validate": "check files: could they be scored as they are?",
        "convert": "convert documents from one format to another",
        "conll2json": "convert a CoNLL file to clusters JSON, one file per document",
    },
    "Entity linking": {
        "evaluate": "evaluate entity linking: mentions, links, types, clusters",
        "list-measures": "list the measures of entity linking",
        "analyze": "name the errors of entity linking",
        "validate-spans": "find mentions that are equal, cross or nest",
        "select-alternatives": "resolve gold alternatives to the one closest to the system",
        "weights-for-hierarchy": "make type weights of a tree of types",
        "to-weak": "cut annotations into one row per character",
        "prepare-tac": "convert TAC queries and links (until 2014) to annotations",
        "prepare-tac15": "convert TAC tables (since 2015) to annotations",
        "prepare-brat": "convert brat's files to annotations",
        "prepare-conll-coref": "convert CoNLL coreference to annotations",
    },
    "Reports of several systems": {
        "leaderboard": "rank systems by their stored reports: a page, or a table",
        "rank-systems": "rank systems by their scores, as neleval does",
        "compose-measures": "divide one measure by another",
        "compare-measures": "compare measures: how much do they agree over systems?",
        "plot-systems": "plot the scores of systems",
    },
    "Help": {"help": "show the usage of a command, or a page of the guide"},
}
"""The commands by what they are about, with what each is for.
The module is called as the command, dashes as underscores."""
COMMANDS = {name: what for group in GROUPS.values() for name, what in group.items()}


class Command(Protocol):
    """The module of a command."""

    # If options have values of their own to choose from, ``CHOICES`` has them by option, for completion

    USAGE: str

    def run(self, words: Sequence[str]) -> int:
        """Do what the words after the command ask for and return the exit status."""


def command(name: str) -> Command:
    """Return the module of a key of `COMMANDS`, imported now."""
    return cast("Command", import_module(f"scorch2.cli.commands.{name.replace('-', '_')}"))
