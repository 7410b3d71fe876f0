#!/usr/bin/env bash
# How fast signed transactions are taken in, beside libcrypto's own speed and Apple's Python verifier.
# usage: Benchmarks/signatures.sh BENCH_FOLDER [TRANSACTIONS] [PROGRAM]     100000 of them, .build/release/reconcile
# BENCH_FOLDER holds generate.py, sign_transactions.py and peer_apple_jws.py (Python packages: see its README).
# Runs alternate, so that a busy machine slows all alike; the medians of five are compared.
set -euo pipefail
usage='usage: Benchmarks/signatures.sh BENCH_FOLDER [TRANSACTIONS] [PROGRAM]'
bench=$(cd "${1:?$usage}" && pwd)
count=${2:-100000}
program=$(realpath "${3:-$(dirname "${BASH_SOURCE[0]}")/../.build/release/reconcile}")
cores=$(nproc)
export SWIFT_BACKTRACE=enable=no

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 "$bench/generate.py" $((count * 11 / 10)) night >/dev/null
mkdir inbox
python3 "$bench/sign_transactions.py" "$count" night/inbox/transactions-2025-11-18.jsonl signed.jws
ln signed.jws inbox/transactions-2025-11-18.jsonl
cat >reconcile.json <<'END'
{
  app: { bundleIDs: ["com.example.game"], environment: "Production" },
  ledger: "ledger.sqlite", output: "out", timeZone: "UTC", trustedRoots: ["signed.jws.root.der"],
  feeds: [{ kind: "transactions", path: "inbox/transactions-{date}.jsonl", required: true, trust: "signature" }],
  retry: { enabled: false },
}
END

median() { sort -g | awk '{ value[NR] = $1 } END { print value[int((NR + 1) / 2)] }'; }

night() { # seconds of a dry run: all is read and judged, nothing kept
    local start=$EPOCHREALTIME code=0
    "$program" nightly --config reconcile.json --date 2025-11-18 --as-of 2025-11-20T00:00:00Z --dry-run \
        --quiet >night.out 2>night.log || code=$?
    [ "$code" -eq 0 ] || [ "$code" -eq 3 ] || { cat night.log >&2; return 1; }
    awk -v from="$start" -v to="$EPOCHREALTIME" 'BEGIN { print to - from }'
}

# Verifications a second, all cores at once.
libcrypto() { openssl speed -seconds 3 -multi "$cores" ecdsap256 2>/dev/null | awk '/nistp256/ { print $NF }'; }

for turn in 1 2 3 4 5; do
    night >>night.seconds
    libcrypto >>libcrypto.rate
done
ours=$(median <night.seconds | awk -v n="$count" '{ print int(n / $1) }')
theirs=$(median <libcrypto.rate)
echo "reconcile nightly, whole run: $ours signed transactions a second"
echo "openssl speed ecdsap256, $cores at once: $theirs verifications a second"
awk -v a="$ours" -v b="$theirs" 'BEGIN { printf "ratio: %.2f (must be 0.80, aim 0.92)\n", a / b }'
head -n 5000 signed.jws >part.jws
cp signed.jws.root.der part.jws.root.der
python3 "$bench/peer_apple_jws.py" part.jws
