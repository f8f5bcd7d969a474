"""The script for zsh: one function for each command, with the words of ``_arguments``."""

from collections.abc import Mapping, Sequence

from scorch2.cli.commands import COMMANDS
from scorch2.cli.completion import SHELL_WORDS, Completed, help_words

_HEAD = """#compdef scorch2 conll2json
# Completes the words of scorch2 and conll2json in zsh.
"""
_DISPATCH = """\
_scorch2() {
  local name
  local -a commands
  commands=(
@COMMANDS@
  )
  if [[ $service == conll2json ]]; then
    _scorch2_conll2json
  elif (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then
    _describe -t commands command commands
    _files
  elif (( ${commands[(I)$words[2]:*]} )); then
    name=$words[2]
    shift words
    (( CURRENT-- ))
    _scorch2_${name//-/_}
  else
    _scorch2_score
  fi
}
if [[ $funcstack[1] == _scorch2 ]]; then
  _scorch2 "$@"
else
  compdef _scorch2 scorch2 conll2json
fi
"""


def script(commands: Mapping[str, Sequence[Completed]]) -> str:
    """Return the script."""
    functions = [_function(name, options) for name, options in commands.items() if options]
    told = [f"    {_quoted(f'{name}:{what}')}" for name, what in COMMANDS.items()]
    return "\n".join([_HEAD, *functions, _help(), _DISPATCH.replace("@COMMANDS@", "\n".join(told))])


def _function(name: str, options: Sequence[Completed]) -> str:
    lines = [*map(_argument, options), "'*:path:_files'"]
    body = " \\\n".join(f"    {line}" for line in lines)
    return f"_scorch2_{name.replace('-', '_')}() {{\n  _arguments -S \\\n{body}\n}}\n"


def _help() -> str:
    words = f"'1:word:({' '.join(help_words())})' '2:shell:({' '.join(SHELL_WORDS)})'"
    return f"_scorch2_help() {{\n  _arguments {words}\n}}\n"


def _argument(option: Completed) -> str:
    """Return what _arguments wants to know about an option."""
    told = f"[{option.what.translate(_ESCAPED)}]"
    if option.takes_value:
        told += f":value:{_action(option)}"
    ends = ("=", "+") if option.takes_value else ("", "")
    if not option.short:
        return _quoted(f"{'*' if option.repeatable else ''}{option.long}{ends[0]}{told}")
    both = f"{{{option.short}{ends[1]},{option.long}{ends[0]}}}"
    before = "*" if option.repeatable else f"({option.short} {option.long})"
    return f"{_quoted(before)}{both}{_quoted(told)}"


def _action(option: Completed) -> str:
    if option.values:
        values = " ".join(option.values)
        return f"_values -s , value {values}" if option.is_list else f"({values})"
    return "_files" if option.is_path else " "


_ESCAPED = str.maketrans({mark: f"\\{mark}" for mark in "[]:\\"})


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"
