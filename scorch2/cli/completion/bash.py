"""The script for bash: one function, with the options and values in two case statements."""

from collections.abc import Mapping, Sequence

from scorch2.cli.completion import SHELL_WORDS, Completed, help_words

_SCRIPT = r"""# Completes the words of scorch2 and conll2json in bash.
_scorch2() {
    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}
    local command=score option= lead= values= options= word
    local commands='@COMMANDS@'
    COMPREPLY=()
    if [[ ${COMP_WORDS[0]##*/} == conll2json ]]; then
        command=conll2json
    elif (( COMP_CWORD > 1 )) && [[ " $commands " == *" ${COMP_WORDS[1]} "* ]]; then
        command=${COMP_WORDS[1]}
    fi
    if [[ $cur == --*=* ]]; then
        option=${cur%%=*} lead=${cur%%=*}= cur=${cur#*=}
    elif [[ $cur == = ]]; then
        option=$prev cur=
    elif [[ $prev == = ]]; then
        option=${COMP_WORDS[COMP_CWORD-2]}
    else
        option=$prev
    fi
    case "$command $option" in
@VALUES@
        'help help') values='@TOPICS@' ;;
        'help completion') values='@SHELLS@' ;;
@PATHS@) return ;;
    esac
    if [[ -n $values ]]; then
        if [[ $cur == *,* ]]; then
            lead=$lead${cur%,*}, cur=${cur##*,}
        fi
        COMPREPLY=( $(compgen -P "$lead" -W "$values" -- "$cur") )
        return
    fi
    case $command in
@OPTIONS@
    esac
    if [[ $cur == -* ]]; then
        COMPREPLY=( $(compgen -W "$options" -- "$cur") )
    elif (( COMP_CWORD == 1 )) && [[ $command == score ]]; then
        COMPREPLY=( $(compgen -W "$commands" -- "$cur") )
        while IFS= read -r word; do
            COMPREPLY+=( "$word" )
        done < <(compgen -f -- "$cur")
    fi
}
complete -o bashdefault -o default -F _scorch2 scorch2 conll2json
"""


def script(commands: Mapping[str, Sequence[Completed]]) -> str:
    """Return the script."""
    values = [
        f"        {_patterns(name, [option])}) values='{' '.join(option.values)}' ;;"
        for name, options in commands.items()
        for option in options
        if option.values
    ]
    others = [
        _patterns(name, [option for option in options if option.takes_value and not option.values])
        for name, options in commands.items()
    ]
    paths = "|\\\n".join(f"        {patterns}" for patterns in others if patterns)
    shown = [
        f"        {name}) options='{' '.join(word for option in options for word in option.names)}' ;;"
        for name, options in commands.items()
        if options
    ]
    parts = {
        "@COMMANDS@": " ".join(commands),
        "@VALUES@": "\n".join(values),
        "@TOPICS@": " ".join(help_words()),
        "@SHELLS@": " ".join(SHELL_WORDS),
        "@PATHS@": paths,
        "@OPTIONS@": "\n".join(shown),
    }
    text = _SCRIPT
    for mark, part in parts.items():
        text = text.replace(mark, part)
    return text


def _patterns(command: str, options: Sequence[Completed]) -> str:
    return "|".join(f"'{command} {name}'" for option in options for name in option.names)
