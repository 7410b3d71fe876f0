#!/usr/bin/env bash
# How many instructions a night executes for each row it reads, stage by stage. Other work on the machine does not affect
# this figure. Fails if a stage or the night is more than 10 % above the record in instructions.txt; RECORD=1 records it.
# usage: Benchmarks/instructions.sh a night of 20000 orders, on one thread, because the order of work matters
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
export SWIFT_BACKTRACE=enable=no SWIFT_DETERMINISTIC_HASHING=1 RECONCILE_THREADS=1
record=$PWD/Benchmarks/instructions.txt
program=$PWD/.build/release/reconcile

scripts/bootstrap valgrind
scripts/build
scripts/build SampleVolume
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
.build/release/SampleVolume 20000 "$work/night" >/dev/null
cd "$work/night"
code=0
valgrind --tool=callgrind --callgrind-out-file=dump --dump-after='*StageClock*note*' "$program" nightly \
    --config reconcile.json --date 2025-11-18 --as-of 2025-11-20T00:00:00Z --verbose >night.out 2>night.log || code=$?
[ "$code" -eq 0 ] || [ "$code" -eq 3 ] || { cat night.log >&2; exit 1; }

# One dump for each stage, in the order of the log, and one for what follows.
rows=$(sed -n 's/^read: .* \([0-9]*\) rows.*/\1/p' night.log)
sed -n 's/^\([a-z-]*\): .* of processor.*/\1/p' night.log >stages
number=0
while read -r stage; do
    number=$((number + 1))
    awk -v stage="$stage" '/^totals:/ { print stage, $2 }' "dump.$number"
done <stages >costs
awk '/^totals:/ { print "end", $2 }' dump >>costs
[ "$(wc -l <costs)" -eq "$((number + 1))" ] && [ "$number" -ge 8 ] ||
    { echo 'instructions: the stages cannot be told apart' >&2; exit 1; }
awk -v rows="$rows" '{ printf "%s %.0f\n", $1, $2 / rows; all += $2 } END { printf "night %.0f\n", all / rows }' costs >now

if [ -n "${RECORD:-}" ]; then cp now "$record"; fi
awk -v rows="$rows" 'NR == FNR { known[$1] = $2; next }
    FNR == 1 { printf "of %d rows, a row:\n%-10s %12s %12s\n", rows, "stage", "instructions", "recorded" }
    # Less than a hundred for each row does not matter.
    { more = $2 > 1.1 * known[$1] && $2 > known[$1] + 100; failed += more }
    { printf "%-10s %12d %12s%s\n", $1, $2, known[$1], more ? "  too many" : "" }
    END { exit failed > 0 }' "$record" now || {
    echo 'instructions: more than 10 % above the record. Find out why, or: RECORD=1 Benchmarks/instructions.sh' >&2
    exit 1
}
