# What comparisons with the generator's nights share. Sourced: `bench` and `program` are set from the arguments, and the work
# is done in a folder that is removed in the end.
# shellcheck shell=bash
bench=$(cd "$bench" && pwd)
program=$(realpath "${program:-$(dirname "${BASH_SOURCE[0]}")/../.build/release/reconcile}")
export SWIFT_BACKTRACE=enable=no

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

measure() { # NAME COMMAND...: adds "seconds KiB" to NAME.runs; 3 (retry entries held) is a night like another
    local name=$1 code=0
    shift
    sync # what the run before wrote is not this one's
    /usr/bin/time -o time.out -f '%e %M' "$@" >"$name.out" 2>"$name.err" || code=$?
    [ "$code" -eq 0 ] || [ "$code" -eq 3 ] || { cat "$name.err" >&2; return 1; }
    tail -n 1 time.out >>"$name.runs"
}

machine() { # the machine and the program, in a line
    printf '%s, %s cores, %s GiB; %s; SQLite %s' "$(awk -F': ' '/model name/ { print $2; exit }' /proc/cpuinfo)" "$(nproc)" \
        "$(awk '/MemTotal/ { printf "%.0f", $2 / 1048576 }' /proc/meminfo)" "$("$program" --version | head -n 1)" \
        "$(sqlite3 --version | cut -d' ' -f1)"
}
