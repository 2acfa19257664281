# Completion for fish, of both programs: they know their words themselves, see "triquetra complete".
function __triquetra_complete
    set -l words (commandline -opc)
    # What is open in quotes comes with its quote.
    set -l last (commandline -ct | string replace -r '^[\'"]' '')
    for line in ($words[1] complete $words[2..] "$last" 2>/dev/null)
        switch $line
            case ':FILE*'
                __fish_complete_path "$last"
            case ':FOLDER*'
                __fish_complete_directories "$last"
            case '*'
                echo $line
        end
    end
end
complete -c triquetra -f -a '(__triquetra_complete)'
complete -c triquetrad -f -a '(__triquetra_complete)'
