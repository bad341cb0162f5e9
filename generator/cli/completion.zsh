#compdef %(prog_name)s

%(complete_func)s() {
    local kind key descr
    local -a plain described unfinished response
    (( ! $+commands[%(prog_name)s] )) && return 1

    response=("${(@f)$(env COMP_WORDS="${words[*]}" COMP_CWORD=$((CURRENT-1))         %(complete_var)s=zsh_complete %(prog_name)s 2>/dev/null)}")

    for kind key descr in ${response}; do
        if [[ "$kind" == dir ]]; then
            _path_files -/
        elif [[ "$kind" == file ]]; then
            _path_files -f
        elif [[ "$key" == *[=./] ]]; then
            unfinished+=("$key")
        elif [[ "$descr" == _ ]]; then
            plain+=("$key")
        else
            described+=("$key":"$descr")
        fi
    done

    (( $#described )) && _describe -V unsorted described -U
    (( $#unfinished )) && compadd -U -V unsorted -S '' -a unfinished
    (( $#plain )) && compadd -U -V unsorted -a plain
    return 0
}

if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
    %(complete_func)s "$@"
else
    compdef %(complete_func)s %(prog_name)s
fi
