"""Completion of words on the command line: a script for each shell, made from the tables.

A script knows the commands, the options of each, and the values of options that are choices; other values are
completed as paths. It runs nothing, so that a press of a key costs nothing.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pkgutil import get_data
from typing import cast

from scorch2 import guide
from scorch2.cli.commands import COMMANDS
from scorch2.cli.dispatch import Command
from scorch2.cli.usage import DeclaredOption, declared_options
from scorch2.model.errors import UsageError, unknown_name

TOPIC = "completion"  # the word after ``scorch2 help`` that asks for a script
INSTALLED = {
    "bash": "~/.local/share/bash-completion/completions/scorch2",
    "zsh": "a folder of $fpath, as _scorch2",
    "fish": "~/.config/fish/completions/scorch2.fish",
}
"""The shells, and where each looks for its script."""
_WIDTH = 60  # characters of what is said about an option
_PATHS = ("file", "path", "template", "dir")  # words in the names of values that are paths
_LISTS = ("--metric", "--metrics", "--measure")  # options that may have several values in one word


def script(shell: str) -> str:
    """Return the script for a shell."""
    if shell not in INSTALLED:
        raise UsageError(unknown_name(shell, "shell", INSTALLED))
    scripts = {"bash": bash_script, "zsh": zsh_script, "fish": fish_script}
    return scripts[shell]({name: completed_options(name) for name in COMMANDS})


def instructions() -> str:
    """Return how to install the scripts, for users who name no shell."""
    lines = [f"  scorch2 help {TOPIC} {shell:<5} > {place}" for shell, place in INSTALLED.items()]
    return "\n".join(
        ["Print the script that completes words in a shell, and where to put it:", "", *lines, ""]
    )


def help_words() -> Sequence[str]:
    """Return what can follow ``scorch2 help``."""
    return (*COMMANDS, *guide.TOPICS, TOPIC)


def completed_options(name: str) -> Sequence[DeclaredOption]:
    """Return the options of a command in the order of its help, with the values of those that are choices."""
    if name == "help":
        return ()
    asked = Command(name)
    values = {**_shared(), **asked.choices}
    return [
        option._replace(values=tuple(values.get(option.long, ())) if option.value else ())
        for option in dict.fromkeys(declared_options(asked.usage).values())
    ]


def _shared() -> Mapping[str, Iterable[str]]:
    from scorch2.formats.table import FORMATS, format_names
    from scorch2.model import forms, names, options, settings, values
    from scorch2.scoring.metrics import METRICS
    from scorch2.tasks.linking import evidence, measures

    of_inputs: Mapping[str, Iterable[str]] = {"formats": FORMATS, "countings": names.COUNTINGS, "": ()}
    return {
        **{option.flag: (*option.values, *option.row.aliases) for option in options.OPTIONS.values()},
        **{f"--{name}": row.values for name, row in settings.SETTINGS.items()},
        "--profile": values.PROFILES,
        "--latex": forms.PAPERS,
        "--report": forms.forms_of("scores"),
        "--metric": (options.ALL, *METRICS),
        "--measure": (*measures.MEASURES, *measures.GROUPS),
        "--group-by": [name for name, field in evidence.FIELDS.items() if field.comparable],
        **{f"--{name.replace('_', '-')}": of_inputs[row.values] for name, row in options.INPUTS.items()},
        "--from": FORMATS,
        "--to": format_names(lambda row: row.writer),
        "--dask": ("local",),
    }


def _what(option: DeclaredOption) -> str:
    """Return what is said about an option, or the beginning of it."""
    words = " ".join(option.help.split())
    return words if len(words) <= _WIDTH else words[:_WIDTH].rpartition(" ")[0] + " …"


def _names(option: DeclaredOption) -> Sequence[str]:
    return (option.long, option.short) if option.short else (option.long,)


def _is_path(option: DeclaredOption) -> bool:
    return any(word in option.value for word in _PATHS)


def _template(shell: str) -> str:
    """Return what the script of a shell is made of, with ``@...@`` where words go."""
    return cast("bytes", get_data(__name__, f"completion.{shell}")).decode()


def bash_script(commands: Mapping[str, Sequence[DeclaredOption]]) -> str:
    """Return the script."""
    values, paths, words = [], [], []
    for name, options in commands.items():
        for option in options:
            if option.values:
                patterns = _bash_patterns(name, [option])
                values.append(f"        {patterns}) values='{' '.join(option.values)}' ;;")
        others = [option for option in options if option.takes_value and not option.values]
        if others:
            paths.append(f"        {_bash_patterns(name, others)}")
        if options:
            names = " ".join(word for option in options for word in _names(option))
            words.append(f"        {name}) options='{names}' ;;")
    return (
        _template("bash")
        .replace("@COMMANDS@", " ".join(commands))
        .replace("@VALUES@", "\n".join(values))
        .replace("@TOPICS@", " ".join(help_words()))
        .replace("@SHELLS@", " ".join(INSTALLED))
        .replace("@PATHS@", "|\\\n".join(paths))
        .replace("@OPTIONS@", "\n".join(words))
    )


def _bash_patterns(command: str, options: Sequence[DeclaredOption]) -> str:
    return "|".join(f"'{command} {name}'" for option in options for name in _names(option))


def fish_script(commands: Mapping[str, Sequence[DeclaredOption]]) -> str:
    """Return the script."""
    lines = [_template("fish").replace("@COMMANDS@", " ".join(commands)).rstrip("\n")]
    lines += [
        f"complete -c scorch2 -n '__scorch2_words 1' -a {name} -d {_fish_quoted(row.what)}"
        for name, row in COMMANDS.items()
    ]
    for name, options in commands.items():
        lines += [
            f"complete -c scorch2 -n '__scorch2_is {name}' {words}" for words in map(_fish_option, options)
        ]
    lines += [f"complete -c conll2json {words}" for words in map(_fish_option, commands["conll2json"])]
    lines += _fish_help()
    return "\n".join(lines) + "\n"


def _fish_help() -> Iterator[str]:
    asked = "__scorch2_is help; and __scorch2_words 2"
    yield f"complete -c scorch2 -n '{asked}' -f -a '{' '.join(help_words())}'"
    asked = f"__scorch2_is help; and __fish_seen_subcommand_from {TOPIC}"
    yield f"complete -c scorch2 -n '{asked}' -f -a '{' '.join(INSTALLED)}'"


def _fish_option(option: DeclaredOption) -> str:
    words = [f"-l {option.long.removeprefix('--')}"]
    words += [f"-s {option.short.removeprefix('-')}"] if option.short else []
    if option.values:
        values = " ".join(option.values)
        words.append(
            f"-x -a {_fish_quoted(f'(__fish_append , {values})' if option.long in _LISTS else values)}"
        )
    elif option.takes_value:
        words.append("-r -F" if _is_path(option) else "-x")
    return " ".join([*words, f"-d {_fish_quoted(_what(option))}"])


def _fish_quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


_ZSH_HEAD = """#compdef scorch2 conll2json
# Completes the words of scorch2 and conll2json in zsh.
"""


def zsh_script(commands: Mapping[str, Sequence[DeclaredOption]]) -> str:
    """Return the script."""
    functions = [_zsh_function(name, options) for name, options in commands.items() if options]
    words = f"'1:word:({' '.join(help_words())})' '2:shell:({' '.join(INSTALLED)})'"
    of_help = f"_scorch2_help() {{\n  _arguments {words}\n}}\n"
    told = [f"    {_zsh_quoted(f'{name}:{row.what}')}" for name, row in COMMANDS.items()]
    return "\n".join(
        [_ZSH_HEAD, *functions, of_help, _template("zsh").replace("@COMMANDS@", "\n".join(told))]
    )


def _zsh_function(name: str, options: Sequence[DeclaredOption]) -> str:
    lines = [*map(_zsh_option, options), "'*:path:_files'"]
    body = " \\\n".join(f"    {line}" for line in lines)
    return f"_scorch2_{name.replace('-', '_')}() {{\n  _arguments -S \\\n{body}\n}}\n"


def _zsh_option(option: DeclaredOption) -> str:
    told = f"[{_what(option).translate(_ZSH_ESCAPED)}]"
    if option.takes_value:
        told += f":value:{_zsh_action(option)}"
    ends = ("=", "+") if option.takes_value else ("", "")
    if not option.short:
        return _zsh_quoted(f"{'*' if option.repeatable else ''}{option.long}{ends[0]}{told}")
    both = f"{{{option.short}{ends[1]},{option.long}{ends[0]}}}"
    before = "*" if option.repeatable else f"({option.short} {option.long})"
    return f"{_zsh_quoted(before)}{both}{_zsh_quoted(told)}"


def _zsh_action(option: DeclaredOption) -> str:
    if option.values:
        values = " ".join(option.values)
        return f"_values -s , value {values}" if option.long in _LISTS else f"({values})"
    return "_files" if _is_path(option) else " "


_ZSH_ESCAPED = str.maketrans({mark: f"\\{mark}" for mark in "[]:\\"})


def _zsh_quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"
