# Completes the words of scorch2 and conll2json in bash.
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
