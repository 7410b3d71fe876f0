#!/usr/bin/env bash
# A workbook of 100 000 rows of 10 columns beside PyPI's XlsxWriter (python3 -m pip install xlsxwriter), in turn: medians.
# usage: Benchmarks/workbook.sh [TURNS]     5
set -euo pipefail
turns=${1:-5}
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"
swift build -c release --product WorkbookBenchmark >&2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
for ((turn = 0; turn < turns; turn++)); do
    /usr/bin/time -a -o ours -f %e "$root/.build/release/WorkbookBenchmark" ours.xlsx
    /usr/bin/time -a -o peers -f %e python3 "$root/Benchmarks/workbook.py" peers.xlsx
done
paste <(sort -g ours) <(sort -g peers) | awk -v middle=$(((turns + 1) / 2)) -v ours="$(stat -c %s ours.xlsx)" \
    -v peers="$(stat -c %s peers.xlsx)" 'NR == middle {
        printf "ours %.2f s, %d kB; XlsxWriter %.2f s, %d kB; ratio %.2f\n", $1, ours / 1000, $2, peers / 1000, $1 / $2 }'
