/** What makes a shell ask us what could follow. The shell runs whatever stands at the beginning of the line, so that a path works too. */
export const SCRIPTS = {
  bash: `# retake completion bash
# To have it in every shell:  retake completion bash > ~/.local/share/bash-completion/completions/retake
_retake() {
  COMPREPLY=()
  local line paths=
  while IFS= read -r line; do
    if [ -z "$paths" ]; then paths=$line; else COMPREPLY+=("$line"); fi
  done < <("\${1/#\\~/$HOME}" __complete bash "\${COMP_LINE:0:COMP_POINT}" "$2" 2>/dev/null)
  case $paths in
    files) compopt -o default 2>/dev/null ;;
    directories) compopt -o dirnames 2>/dev/null ;;
  esac
  return 0
}
complete -o nosort -F _retake retake 2>/dev/null || complete -F _retake retake
`,
  zsh: `#compdef retake
# retake completion zsh
# To have it in every shell:  retake completion zsh > "\${fpath[1]}/_retake"
_retake() {
  local answer line
  local -a before lines found shown
  before=("\${(@Q)words[2,CURRENT-1]}")
  answer="$("\${(Q)words[1]/#\\~/$HOME}" __complete zsh "\${(Q)PREFIX}" "\${before[@]}" 2>/dev/null)" || return 1
  lines=("\${(@f)answer}")
  case $lines[1] in
    files) _files; return ;;
    directories) _files -/; return ;;
  esac
  shift lines
  (( $#lines )) || return 1
  for line in "\${lines[@]}"; do
    found+=("\${line%%$'\\t'*}")
    if [[ $line == *$'\\t' ]]; then shown+=("\${line%$'\\t'}"); else shown+=("\${line/$'\\t'/  -- }"); fi
  done
  compadd -l -V retake -d shown -a found
}
if [[ \${funcstack[1]} == _retake ]]; then _retake "$@"; else compdef _retake retake; fi
`,
  fish: `# retake completion fish
# To have it in every shell:  retake completion fish > ~/.config/fish/completions/retake.fish
function __retake_complete
  set -l before (commandline -opc)
  set -l current (commandline -ct)
  set -l program $before[1]
  set -e before[1]
  set -l lines ($program __complete fish "$current" $before 2>/dev/null)
  switch "$lines[1]"
    case files
      __fish_complete_path "$current"
    case directories
      __fish_complete_directories "$current"
    case '*'
      set -e lines[1]
      string join \\n -- $lines
  end
end
complete -c retake -e
complete -c retake -f -k -a '(__retake_complete)'
`,
} as const;

export type Shell = keyof typeof SCRIPTS;

export const SHELLS = Object.keys(SCRIPTS) as readonly Shell[];
