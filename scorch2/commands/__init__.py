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
    "help": "show the usage of a command",
}
"""The commands, with what each is for; the module is called the same, dashes as underscores."""
