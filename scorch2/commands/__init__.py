"""The ends of the house: one file a command, with its usage text and ``run(words) -> exit status``.

A command translates: words to options, a library call, a report. It computes nothing.
"""

COMMANDS = {
    "score": "score a system against gold (the word may be left out)",
    "gate": "judge a stored report: are the scores high enough?",
    "confidence": "intervals of the scores of a system",
    "significance": "test systems against each other",
    "validate": "check files: could they be scored as they are?",
    "are": "score anaphora resolution: pronouns, or chains with overlap",
    "conll": "score like the CoNLL reference scorer, text and all",
    "convert": "convert documents from one format to another",
    "conll2json": "convert a CoNLL file to clusters JSON, one file a document",
    "evaluate": "evaluate entity linking: mentions, links, types, clusters",
    "list-measures": "list the measures of entity linking",
    "analyze": "name the errors of entity linking",
    "validate-spans": "find mentions that are doubled, cross or nest",
    "compose-measures": "divide measures in reports of evaluate",
    "rank-systems": "a leaderboard from reports of evaluate",
    "compare-measures": "how much measures agree over systems",
    "plot-systems": "plots of the scores of systems",
    "select-alternatives": "gold that leaves a choice, as the system would have it",
    "weights-for-hierarchy": "a tree of types to type weights",
    "to-weak": "annotations to one row a character",
    "prepare-tac": "TAC queries and links (until 2014) to annotations",
    "prepare-tac15": "TAC tables (since 2015) to annotations",
    "prepare-brat": "brat's files to annotations",
    "prepare-conll-coref": "CoNLL coreference to annotations",
    "help": "show the usage of a command",
}
"""The commands, with what each is for; the module is called the same, dashes as underscores."""
