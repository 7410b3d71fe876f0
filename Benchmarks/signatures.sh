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
python3 "$bench/sign_transactions.py" "$count" night/inbox/transactions-2025-11-18.jsonl signed.jws
mkdir signature backend
ln signed.jws signature/transactions-2025-11-18.jsonl
head -n "$count" night/inbox/transactions-2025-11-18.jsonl >backend/transactions-2025-11-18.jsonl
for trust in signature backend; do
    cat >$trust.json <<END
{
  app: { bundleIDs: ["com.example.game"], environment: "Production" },
  ledger: "ledger.sqlite", output: "out", timeZone: "UTC", trustedRoots: ["signed.jws.root.der"],
  feeds: [{ kind: "transactions", path: "$trust/transactions-{date}.jsonl", required: true, trust: "$trust" }],
  retry: { enabled: false },
}
END
done

median() { sort -g | awk '{ value[NR] = $1 } END { print value[int((NR + 1) / 2)] }'; }

intake() { # seconds that a dry run spends on reading one feed of transactions, as its log says
    local code=0
    "$program" nightly --config "$1.json" --date 2025-11-18 --as-of 2025-11-20T00:00:00Z --dry-run \
        --verbose >night.out 2>night.log || code=$?
    [ "$code" -eq 0 ] || [ "$code" -eq 3 ] || { cat night.log >&2; return 1; }
    awk '/^read: / { print $2 }' night.log
}

# Verifications a second, all cores at once.
libcrypto() { openssl speed -seconds 3 -multi "$cores" ecdsap256 2>/dev/null | awk '/nistp256/ { print $NF }'; }

for turn in 1 2 3 4 5; do
    libcrypto >>libcrypto.rate
    intake signature >>signature.seconds
    intake backend >>backend.seconds
done
head -n 2000 signed.jws >part.jws
cp signed.jws.root.der part.jws.root.der
awk -v n="$count" -v cores="$cores" -v signed="$(median <signature.seconds)" -v decoded="$(median <backend.seconds)" \
    -v limit="$(median <libcrypto.rate)" 'BEGIN {
        printf "openssl speed ecdsap256, %d at once: %d verifications a second\n", cores, limit
        printf "intake of %d signed transactions: %.3f s, %d a second, %.2f of it (must be 0.80, aim 0.92)\n",
            n, signed, n / signed, n / signed / limit
        printf "intake of the same, decoded: %.3f s; so the signatures alone: %d a second, %.2f of it\n",
            decoded, n / (signed - decoded), n / (signed - decoded) / limit
    }'
python3 "$bench/peer_apple_jws.py" part.jws
