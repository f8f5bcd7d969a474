"""The script for fish: one line for each option of each command."""

from collections.abc import Iterator, Mapping, Sequence

from scorch2.cli.commands import COMMANDS
from scorch2.cli.completion import SHELL_WORDS, TOPIC, Completed, help_words

_HEAD = """# Completes the words of scorch2 and conll2json in fish.
function __scorch2_is --description 'Whether the command of the line is the first argument'
    set -l words (commandline -opc)
    set -l command score
    if set -q words[2]; and contains -- $words[2] @COMMANDS@
        set command $words[2]
    end
    test $command = $argv[1]
end
function __scorch2_words --description 'Whether so many words stand before the one that is typed'
    test (count (commandline -opc)) -eq $argv[1]
end
"""


def script(commands: Mapping[str, Sequence[Completed]]) -> str:
    """Return the script."""
    lines = [_HEAD.replace("@COMMANDS@", " ".join(commands)).rstrip("\n")]
    lines += [
        f"complete -c scorch2 -n '__scorch2_words 1' -a {name} -d {_quoted(what)}"
        for name, what in COMMANDS.items()
    ]
    for name, options in commands.items():
        lines += [f"complete -c scorch2 -n '__scorch2_is {name}' {words}" for words in map(_words, options)]
    lines += [f"complete -c conll2json {words}" for words in map(_words, commands["conll2json"])]
    lines += _help()
    return "\n".join(lines) + "\n"


def _help() -> Iterator[str]:
    asked = "__scorch2_is help; and __scorch2_words 2"
    yield f"complete -c scorch2 -n '{asked}' -f -a '{' '.join(help_words())}'"
    asked = f"__scorch2_is help; and __fish_seen_subcommand_from {TOPIC}"
    yield f"complete -c scorch2 -n '{asked}' -f -a '{' '.join(SHELL_WORDS)}'"


def _words(option: Completed) -> str:
    """Return what complete wants to know about an option."""
    words = [f"-l {option.long.removeprefix('--')}"]
    words += [f"-s {option.short.removeprefix('-')}"] if option.short else []
    if option.values:
        values = " ".join(option.values)
        words.append(f"-x -a {_quoted(f'(__fish_append , {values})' if option.is_list else values)}")
    elif option.takes_value:
        words.append("-r -F" if option.is_path else "-x")
    return " ".join([*words, f"-d {_quoted(option.what)}"])


def _quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
