#!/usr/bin/env bash
# Score, judge, and leave report.json, report.md and report.xml in a folder. The exit status is that of scorch2.
# Reads SCORCH2_GOLD, SCORCH2_SYSTEM, SCORCH2_OPTIONS (one per line), SCORCH2_BASELINE, SCORCH2_REPORTS.
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

reports=${SCORCH2_REPORTS:-scorch2-reports}
baseline=${SCORCH2_BASELINE:-}
case $reports$baseline in
  *[[:cntrl:]]*) refuse "reports and baseline are paths: they cannot hold a line break or a control character" ;;
esac
case $reports in -*) reports=./$reports ;; esac # a path, not an option
case $baseline in -*) baseline=./$baseline ;; esac
if [ -n "$baseline" ] && [ "$baseline" -ef "$reports/report.json" ]; then
  refuse "the baseline is the report.json that this run replaces: give it another name or folder"
fi
made=("$reports"/report.{json,md,xml})
copy= # of the report, under the name of the baseline
if [ -n "$baseline" ]; then
  copy=$reports/$(basename -- "$baseline")
  if [ ! "$baseline" -ef "$copy" ]; then
    made+=("$copy")
  fi
fi
for file in "${made[@]}"; do
  if [ "$file" -ef "${SCORCH2_GOLD:-}" ] || [ "$file" -ef "${SCORCH2_SYSTEM:-}" ]; then
    refuse "reports: this run would replace its input $file: name another folder"
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
    -*) words+=("$line") ;;
    *) refuse "options: each line is an option and begins with a dash, not: ${line:0:80}" ;;
  esac
done <<< "${SCORCH2_OPTIONS:-}"
first=false
if [ -n "$baseline" ]; then
  words+=("--baseline=$baseline")
  if [ ! -e "$baseline" ]; then # the first run makes it
    first=true
    words+=(--update-baseline)
  fi
fi

mkdir -p -- "$reports" "$(dirname -- "${baseline:-.}")" || refuse "cannot make the folder of the reports"
rm -f -- "${made[@]}" # what an earlier run left is no result of this one
scorch2 "${words[@]}" -- "${SCORCH2_GOLD:-}" "${SCORCH2_SYSTEM:-}"
status=$?
if [ ! -e "$reports/report.json" ]; then
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
  if [ ! "$baseline" -ef "$copy" ] && [ ! "$new" -ef "$copy" ]; then
    cp -- "$new" "$copy"
  fi
  output baseline "$copy"
fi
exit $status
