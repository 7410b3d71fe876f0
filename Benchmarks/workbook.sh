#!/usr/bin/env bash
# Writes a workbook of 100 000 rows and 10 columns, compared with XlsxWriter from PyPI, in turn. Medians.
# usage: Benchmarks/workbook.sh [TURNS]     5
# Needs Debian's time, and Benchmarks/peers/install.
set -euo pipefail
turns=${1:-5}
program=
. "$(dirname "${BASH_SOURCE[0]}")/common.bash"
need_peers
"$root/scripts/build" WorkbookBenchmark
for ((turn = 0; turn < turns; turn++)); do
    measure ours "$root/.build/release/WorkbookBenchmark" ours.xlsx
    measure xlsxwriter "$python" "$peers/peer_xlsxwriter.py" xlsxwriter.xlsx
done
awk -v ours="$(median ours.runs)" -v peer="$(median xlsxwriter.runs)" -v size="$(stat -c %s ours.xlsx)" \
    -v peers="$(stat -c %s xlsxwriter.xlsx)" 'BEGIN {
        printf "ours %.2f s, %d kB; XlsxWriter %.2f s, %d kB; ratio %.2f\n", ours, size / 1000, peer, peers / 1000, ours / peer }'
