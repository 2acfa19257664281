# Completion for bash, of both programs: they know their words themselves, see "triquetra complete".
_triquetra() {
  local cur words cword line word quote=
  _get_comp_words_by_ref -n =: cur words cword
  # Readline takes the quote for its own: what it wants is what stands behind.
  if [[ $cur == [\'\"]* ]]; then quote=${cur:0:1} cur=${cur:1}; fi
  COMPREPLY=()
  while IFS= read -r line; do
    case $line in
      :FILE*) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$cur"); return ;;
      :FOLDER*) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -d -- "$cur"); return ;;
    esac
    word=${line%%$'\t'*}
    # JSON is one word for the program only in quotes.
    [[ -z $quote && $word == *[\{\"]* ]] && word="'$word'"
    COMPREPLY+=("$word")
  done < <("${words[0]}" complete "${words[@]:1:cword-1}" "$cur" 2>/dev/null)
  # Outside of quotes it takes what stands behind = and : for a word of its own.
  if [[ -n $quote ]]; then return; fi
  if [[ $cur == *=* ]]; then COMPREPLY=("${COMPREPLY[@]#"${cur%"${cur##*=}"}"}"); fi
  __ltrim_colon_completions "$cur"
}
complete -F _triquetra triquetra triquetrad
