#!/usr/bin/env bash
# Score, judge, and leave report.json, report.md and report.xml in a folder. The exit status is that of scorch2.
# Reads SCORCH2_GOLD, SCORCH2_SYSTEM, SCORCH2_OPTIONS (one per line), SCORCH2_BASELINE, SCORCH2_REPORTS, and
# SCORCH2_FIRST_BASELINE: true lets a run without a baseline make it.
set -uo pipefail

output() { # a name and its value, on one line, for the steps that follow
  if [ -n "${GITHUB_OUTPUT:-}" ]; then
    printf '%s=%s\n' "$1" "$2" >> "$GITHUB_OUTPUT"
  fi
}

refuse() { # a message
  printf 'scorch2: error: %s\n' "$1" >&2
  output passed false
  exit 2
}

trimmed() { # a line, without blanks at its ends
  local line=${1#"${1%%[![:space:]]*}"}
  printf '%s' "${line%"${line##*[![:space:]]}"}"
}

joined() { # a line and what joins an option to its value; a blank behind an = is the value's
  local option=${1%%[[:space:]]*}
  case $option in
    --*=*) printf '%s' "$1" ;;
    *) printf '%s%s%s' "$option" "$2" "$(trimmed "${1#"$option"}")" ;;
  esac
}

reports=${SCORCH2_REPORTS:-scorch2-reports}
baseline=${SCORCH2_BASELINE:-}
case $reports$baseline in
  *[[:cntrl:]]*) refuse "reports and baseline are paths: they cannot hold a line break or a control character" ;;
esac
case $reports in -*) reports=./$reports ;; esac # a path, not an option
case $baseline in -*) baseline=./$baseline ;; esac
case ${baseline##*/} in
  report.md | report.xml) refuse "the baseline is called like a report of this run, ${baseline##*/}: give it another name" ;;
esac
if [ -n "$baseline" ] && [ "$baseline" -ef "$reports/report.json" ]; then
  refuse "the baseline is the report.json that this run replaces: give it another name or folder"
fi
files=("$reports"/report.{json,md,xml})
copy= # of the report, under the name of the baseline
if [ -n "$baseline" ]; then
  copy=$reports/$(basename -- "$baseline")
  if [ ! "$baseline" -ef "$copy" ]; then
    files+=("$copy")
  fi
fi
made=$reports/.scorch2-made # a line for each file that this script has left: its name, and what cksum says
is_made() { # a path: whether this script has left that file, and nobody has changed it since
  [ -f "$made" ] && [ -f "$1" ] && [ ! -L "$1" ] && grep -qxF -e "$(basename -- "$1"): $(cksum < "$1")" -- "$made"
}
for file in "${files[@]}"; do
  if [ "$file" -ef "${SCORCH2_GOLD:-}" ] || [ "$file" -ef "${SCORCH2_SYSTEM:-}" ]; then
    refuse "reports: this run would replace its input $file: name another folder"
  fi
  if { [ -e "$file" ] || [ -L "$file" ]; } && ! is_made "$file"; then
    refuse "reports: $file is there already, and is no report of this action: name another folder"
  fi
done

words=(
  "--report=json:$reports/report.json"
  "--report=markdown:$reports/report.md"
  "--report=junit:$reports/report.xml"
  "--report=github"
)
if [ -n "${GITHUB_STEP_SUMMARY:-}" ]; then
  words+=("--report=github:$GITHUB_STEP_SUMMARY")
fi
while IFS= read -r line; do
  line=$(trimmed "$line")
  case $line in
    "") ;;
    - | --) refuse "options: $line is no option" ;;
    --*[[:space:]]*) words+=("$(joined "$line" =)") ;; # one word each, so that no line adds a path
    -*[[:space:]]*) words+=("$(joined "$line" '')") ;;
    -*) words+=("$line") ;;
    *) refuse "options: each line is an option and begins with a dash, not: ${line:0:80}" ;;
  esac
done <<< "${SCORCH2_OPTIONS:-}"
first=false
if [ -n "$baseline" ]; then
  words+=("--baseline=$baseline")
  if [ ! -e "$baseline" ]; then
    if [ "${SCORCH2_FIRST_BASELINE:-false}" != true ]; then # else who deletes it passes every gate on drops
      refuse "baseline: there is no $baseline (first_baseline: true lets a run make it)"
    fi
    first=true
    words+=(--update-baseline)
  fi
fi

mkdir -p -- "$reports" "$(dirname -- "${baseline:-.}")" || refuse "cannot make the folder of the reports"
temporary=$(mktemp -d) || refuse "cannot make a temporary folder"
trap 'rm -rf -- "$temporary"' EXIT
for file in "${files[@]}"; do # what an earlier run left is no result of this one
  if is_made "$file"; then
    rm -f -- "$file"
  fi
done
rm -f -- "$made"
scorch2 "${words[@]}" "--report=json:$temporary/report.json" -- "${SCORCH2_GOLD:-}" "${SCORCH2_SYSTEM:-}"
status=$?
if [ ! -e "$temporary/report.json" ]; then # it comes with the others, or none does
  if [ $status -eq 0 ]; then # --help or --version
    refuse "options: nothing was scored, so nothing has passed"
  fi
  output passed false
  exit $status
fi

passed=false
if [ $status -eq 0 ] && ! grep -q '"passed": false' "$reports/report.json"; then # --exit-zero hides a failed gate
  passed=true
fi
output passed $passed
output reports "$reports"
output markdown "$reports/report.md"
if [ -n "$baseline" ] && $passed; then # for whoever commits it, under the name that it has there
  new=$reports/report.json
  if $first; then
    new=$baseline
  fi
  if [ ! "$baseline" -ef "$copy" ]; then
    cp -- "$new" "$copy"
  fi
  output baseline "$copy"
fi
for file in "${files[@]}"; do
  if [ -f "$file" ]; then
    printf '%s: %s\n' "$(basename -- "$file")" "$(cksum < "$file")"
  fi
done > "$made"
exit $status
