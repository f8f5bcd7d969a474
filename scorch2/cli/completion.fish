# Completes the words of scorch2 and conll2json in fish.
function __scorch2_is --description 'Whether the command of the line is the first argument'
    set -l words (commandline -opc)
    set -l command score
    if set -q words[2]; and contains -- $words[2] @COMMANDS@
        set command $words[2]
    end
    test $command = $argv[1]
end
function __scorch2_words --description 'Whether so many words stand before the one that is typed'
    test (count (commandline -opc)) -eq $argv[1]
end
