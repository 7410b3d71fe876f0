#!/usr/bin/env bash
# How fast signed transactions are read, compared with libcrypto's own speed and Apple's Python verifier.
# usage: Benchmarks/signatures.sh [TRANSACTIONS] [PROGRAM] [TURNS]     100000 of them, .build/release/reconcile, 5
# The transactions are generated and signed with test certificates. Runs alternate, so a busy machine slows down all of them
# equally; medians are compared. Needs Debian's time, openssl, and Benchmarks/peers/install.
set -euo pipefail
count=${1:-100000}
program=${2:-}
turns=${3:-5}
. "$(dirname "${BASH_SOURCE[0]}")/common.bash"
need_generator
need_peers
cores=$(nproc)

# With --settled, each purchase has a transaction, and none is from the sandbox, which Apple's library would refuse.
generate "$count" night --settled
"$python" "$peers/sign.py" night/inbox/transactions-2025-11-18.jsonl "$count" signed.jws
mkdir signature backend
ln signed.jws signature/transactions-2025-11-18.jsonl
ln night/inbox/transactions-2025-11-18.jsonl backend/transactions-2025-11-18.jsonl
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

intake() { # TRUST: adds to TRUST.seconds what a dry run spends on reading its feed of transactions, as its log says
    rm -rf preview
    measure "$1" "$program" nightly --config "$1.json" --date 2025-11-18 --as-of 2025-11-20T00:00:00Z --dry-run \
        --preview preview --verbose
    # A transaction that does not verify would be an exception.
    ! grep -q invalid_transaction preview/exceptions.csv || { echo 'signatures.sh: some do not verify' >&2; exit 1; }
    awk '/^read: / { print $2 }' "$1.err" >>"$1.seconds"
}

# Verifications a second, on all cores at once.
libcrypto() { openssl speed -seconds 3 -multi "$cores" ecdsap256 2>/dev/null | awk '/nistp256/ { print $NF }'; }

for ((turn = 0; turn < turns; turn++)); do
    libcrypto >>libcrypto.rate
    intake signature
    intake backend
done
awk -v n="$count" -v cores="$cores" -v signed="$(median signature.seconds)" -v decoded="$(median backend.seconds)" \
    -v limit="$(median libcrypto.rate)" 'BEGIN {
        printf "openssl speed ecdsap256, %d at once: %d verifications a second\n", cores, limit
        printf "intake of %d signed transactions: %.3f s, %d a second, %.2f of it (must be 0.85, aim 0.92)\n",
            n, signed, n / signed, n / signed / limit
        printf "intake of the same, decoded: %.3f s; so the signatures alone: %d a second, %.2f of it\n",
            decoded, n / (signed - decoded), n / (signed - decoded) / limit
    }'
"$python" "$peers/peer_apple_jws.py" signed.jws $((count < 2000 ? count : 2000))
