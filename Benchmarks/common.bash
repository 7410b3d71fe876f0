# Shared by the benchmarks. Sourced with `program` set from the arguments, or empty. The work is done in a temporary folder,
# which is removed at the end.
# shellcheck shell=bash
benchmarks=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(dirname "$benchmarks")
program=$(realpath "${program:-$root/.build/release/reconcile}")
peers=$benchmarks/peers
python=$root/.build/peers/bin/python
generator=$root/.build/release/SampleVolume
export SWIFT_BACKTRACE=enable=no PYTHONDONTWRITEBYTECODE=1

[ -x "$program" ] || { echo "$(basename "$0"): $program is missing: run scripts/build" >&2; exit 1; }
[ -x /usr/bin/time ] || { echo "$(basename "$0"): needs Debian's package time" >&2; exit 1; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

need_generator() { "$root/scripts/build" SampleVolume 2>build.err || { cat build.err >&2; exit 1; }; }

need_peers() {
    [ -x "$python" ] || { echo "$(basename "$0"): run Benchmarks/peers/install first" >&2; exit 1; }
}

generate() { # PURCHASES FOLDER [OPTION...]: makes a night; FOLDER/expected holds the counts of its exceptions
    "$generator" "$@" >expected
    mv expected "$2/expected"
}

measure() { # NAME COMMAND...: adds "seconds KiB" to NAME.runs; code 3 (retry entries are held) is a night like another
    local name=$1 code=0
    shift
    sync # what the run before wrote is not this one's
    /usr/bin/time -o time.out -f '%e %M' "$@" >"$name.out" 2>"$name.err" || code=$?
    [ "$code" -eq 0 ] || [ "$code" -eq 3 ] || { cat "$name.err" >&2; return 1; }
    tail -n 1 time.out >>"$name.runs"
}

median() { # FILE [COLUMN]
    sort -g -k "${2:-1},${2:-1}" "$1" |
        awk -v column="${2:-1}" '{ value[NR] = $column } END { print value[int((NR + 1) / 2)] }'
}

counts() { # FOLDER: how many exceptions of each verdict a night's reports hold
    tail -n +2 "$1/exceptions.csv" | cut -d, -f3 | sort | uniq -c | awk '{ print $2, $1 }'
}

same_counts() { # NIGHT WHO FILE: compares the counts in FILE with the generator's
    diff "$1/expected" "$3" >&2 || { echo "$(basename "$0"): the counts of $2 differ from those generated" >&2; exit 1; }
}

machine() { # the machine and the program, in a line
    printf '%s, %s cores, %s GiB; %s; SQLite %s' "$(awk -F': ' '/model name/ { print $2; exit }' /proc/cpuinfo)" "$(nproc)" \
        "$(awk '/MemTotal/ { printf "%.0f", $2 / 1048576 }' /proc/meminfo)" "$("$program" --version | head -n 1)" \
        "$(sqlite3 --version | cut -d' ' -f1)"
}
