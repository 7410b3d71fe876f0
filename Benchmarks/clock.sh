#!/usr/bin/env bash
# The clock time of a night in which nothing is kept, and how many processors it has in use, each as a multiple of the
# floor's (floor.cpp) on the same files right after it, so that other work on the machine burdens both. Instructions of one
# thread do not show that two wait for each other; this does. Two shapes of data: orders that stay `paid`, and orders that
# end as `credited`.
# Fails if the time is more than 15 % above the record in clock.txt, or fewer processors are in use by as much. Processors
# differ in what they do fast, so a record of another model is shown and not compared. RECORD=1 records.
# usage: Benchmarks/clock.sh [ORDERS] [TURNS]     200000, 10
set -euo pipefail
orders=${1:-200000}
turns=${2:-10}
program=
"$(dirname "${BASH_SOURCE[0]}")/../scripts/bootstrap" g++ libsimdjson-dev time
. "$(dirname "${BASH_SOURCE[0]}")/common.bash"
[ "$(nproc)" -ge 2 ] || { echo 'clock: needs two processors' >&2; exit 77; }
need_generator
record=$benchmarks/clock.txt

timed() { # NAME COMMAND...: adds "seconds processors" to NAME.runs; code 3 (retry entries are held) is a night like another
    local name=$1 code=0
    shift
    sync # what was written before is not this run's; the night syncs its reports, the floor nothing
    /usr/bin/time -o time.out -f '%e %U %S' "$@" >"$name.out" 2>"$name.err" || code=$?
    [ "$code" -eq 0 ] || [ "$code" -eq 3 ] || { cat "$name.err" >&2; return 1; }
    tail -n 1 time.out | awk '{ print $1, ($2 + $3) / $1 }' >>"$name.runs"
}

g++ -O3 -march=native -std=c++20 "$benchmarks/floor.cpp" -o floor -lsimdjson -lcrypto -lxlsxwriter -lz -pthread
for shape in paid credited; do
    rm -rf night ./*.runs
    if [ "$shape" = paid ]; then generate "$orders" night; else generate "$orders" night --credited; fi
    for ((turn = 0; turn < turns; turn++)); do
        rm -rf preview
        timed ours "$program" nightly --config night/reconcile.json --date 2025-11-18 --as-of 2025-11-20T00:00:00Z --quiet \
            --dry-run --preview preview
        timed floor ./floor night/inbox 2025-11-18 preview
    done
    counts preview >counts.out
    same_counts night "$shape" counts.out
    paste ours.runs floor.runs | awk '{ print $1 / $3, $2 / $4 }' >pairs.runs
    awk -v shape="$shape" -v time="$(median pairs.runs)" -v used="$(median pairs.runs 2)" \
        'BEGIN { printf "%s %.2f %.2f\n", shape, time, used }' >>now
done

model=$(awk -F': ' '/model name/ { print $2; exit }' /proc/cpuinfo)
if [ -n "${RECORD:-}" ]; then { echo "# $model"; cat now; } >"$record"; fi
grep -qxF "# $model" "$record" && compared=1 || compared=0
awk -v compared="$compared" 'NR == FNR { multiple[$1] = $2; used[$1] = $3; next }
    FNR == 1 { printf "%-10s %22s %9s %22s %9s\n", "orders are", "time, of the floor", "recorded", "processors in use, of", "recorded" }
    { slow = compared && ($2 > 1.15 * multiple[$1] || $3 < used[$1] / 1.15); failed += slow
      printf "%-10s %22.2f %9.2f %22.2f %9.2f%s\n", $1, $2, multiple[$1], $3, used[$1], slow ? "  too slow" : "" }
    END { if (!compared) print "recorded on another processor: not compared"; exit failed > 0 }' "$record" now || {
    echo 'clock: more than 15 % worse than the record. Run it again on an idle machine; then find out why, or: RECORD=1 Benchmarks/clock.sh' >&2
    exit 1
}
