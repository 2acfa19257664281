# Completion for bash, of both programs: they know their words themselves, see "triquetra complete".
_triquetra() {
  local cur words cword line word
  _get_comp_words_by_ref -n =: cur words cword
  COMPREPLY=()
  while IFS= read -r line; do
    case $line in
      :FILE*) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$cur"); return ;;
      :FOLDER*) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -d -- "$cur"); return ;;
    esac
    word=${line%%$'\t'*}
    # JSON is one word for the program only in quotes.
    [[ $word == *[\{\"]* ]] && word="'$word'"
    COMPREPLY+=("$word")
  done < <("${words[0]}" complete "${words[@]:1:cword-1}" "$cur" 2>/dev/null)
  # Readline takes what stands behind = and : for a word of its own.
  if [[ $cur == *=* ]]; then COMPREPLY=("${COMPREPLY[@]#"${cur%"${cur##*=}"}"}"); fi
  __ltrim_colon_completions "$cur"
}
complete -F _triquetra triquetra triquetrad
