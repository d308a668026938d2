# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# Completion of zarrkit's commands, options, folders and archives for bash. What there is to choose from is read from its help, so
# that it is always that of the installed version.

_zarrkit() {
  local word=${COMP_WORDS[COMP_CWORD]} command=1 help
  COMPREPLY=()
  help=$("${COMP_WORDS[0]}" --help 2>/dev/null) || return
  while [ "$command" -lt "$COMP_CWORD" ] && [ "${COMP_WORDS[command]}" = --quiet ]; do command=$((command + 1)); done
  if [ "$COMP_CWORD" -eq "$command" ]; then
    mapfile -t COMPREPLY < <(compgen -W "$(_zarrkit_commands <<<"$help") --help --version --quiet" -- "$word")
  elif [ "${COMP_WORDS[command]}" = help ]; then
    mapfile -t COMPREPLY < <(compgen -W "$(_zarrkit_commands <<<"$help")" -- "$word")
  elif [[ $word == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$(_zarrkit_options "${COMP_WORDS[command]}" <<<"$help") --quiet --help" -- "$word")
  else
    compopt -o filenames
    mapfile -t COMPREPLY < <(compgen -d -- "$word"; compgen -f -X '!*.zip' -- "$word")
  fi
}

_zarrkit_commands() {
  grep -oE '^  zarrkit [a-z]+' | sed 's/.* //' | sort -u
}

# The options that stand in the paragraphs of a command.
_zarrkit_options() {
  awk -v command="$1" '/^  zarrkit /{inside = ($2 == command)} /^[^ ]/{inside = 0} inside' | grep -oE -- '--[a-z][a-z-]*' | sort -u
}

complete -F _zarrkit zarrkit
