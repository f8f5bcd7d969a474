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
