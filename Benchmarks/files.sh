#!/bin/bash
# Processor time of notifications in one file each against the same number in one file, in nights of their own ledgers.
# files.sh [COUNT]      needs: openssl, jq
set -euo pipefail
cd "$(dirname "$0")/.."
count=${1:-4000} program=${RECONCILE:-$PWD/.build/release/reconcile} work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" && mkdir -p one/inbox many/inbox

# A chain like Apple's: root, intermediate and leaf with Apple's marks.
certificate() { # NAME ISSUER EXTENSIONS
    openssl ecparam -name prime256v1 -genkey -noout -out "$1.key"
    openssl req -new -key "$1.key" -subj "/CN=$1" -out "$1.csr"
    local signer=(-CA "$2.pem" -CAkey "$2.key" -CAcreateserial)
    [ "$1" = "$2" ] && signer=(-signkey "$1.key")
    openssl x509 -req -in "$1.csr" "${signer[@]}" -days 3650 -extfile <(printf '%b' "$3") -out "$1.pem" 2>/dev/null
}
certificate root root 'basicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign'
certificate middle root 'basicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign\n1.2.840.113635.100.6.2.1=DER:0500'
certificate leaf middle 'basicConstraints=critical,CA:FALSE\nkeyUsage=critical,digitalSignature\n1.2.840.113635.100.6.11.1=DER:0500'

base64url() { base64 -w0 | tr '+/' '-_' | tr -d '='; }
header=$(jq -nc --args '{alg: "ES256", x5c: $ARGS.positional}' \
    "$(openssl x509 -in leaf.pem -outform DER | base64 -w0)" "$(openssl x509 -in middle.pem -outform DER | base64 -w0)" \
    "$(openssl x509 -in root.pem -outform DER | base64 -w0)" | base64url)
sign() { # the payload on standard input
    local input; input=$header.$(base64url)
    # The two numbers of the signature in DER, as 64 bytes.
    printf %s "$input" | openssl dgst -sha256 -sign leaf.key | openssl asn1parse -inform DER |
        awk -F: '/INTEGER/ { printf "%64s", $NF }' | tr ' ' 0 | xxd -r -p | base64url | sed "s/^/$input./"
}
now=1763434860000
for ((i = 0; i < count; i++)); do
    id=$((2000000900000000 + i))
    transaction=$(printf '{"transactionId":"%s","originalTransactionId":"%s","bundleId":"com.example.game","productId":"coins","purchaseDate":%s,"quantity":1,"type":"Consumable","inAppOwnershipType":"PURCHASED","signedDate":%s,"environment":"Production","price":6000,"currency":"CNY"}' \
        $id $id $now $now | sign)
    printf '{"notificationType":"ONE_TIME_CHARGE","notificationUUID":"%s","version":"2.0","signedDate":%s,"data":{"bundleId":"com.example.game","environment":"Production","signedTransactionInfo":"%s"}}' \
        $i $now "$transaction" | sign | sed 's/.*/{"signedPayload":"&"}/;$a\' >"many/inbox/n$i-2025-11-18.json"
done
cat many/inbox/*.json >one/inbox/n-2025-11-18.jsonl
for way in one many; do
    printf '{app:{bundleIDs:["com.example.game"]},timeZone:"UTC",trustedRoots:["../root.pem"],feeds:[{kind:"transactions",path:"inbox/n*-{date}.json*"}]}' >$way/reconcile.json
    for turn in 1 2 3; do
        rm -rf $way/out $way/ledger*
        TIMEFORMAT="$way: %U s user, %S s system"
        time "$program" nightly --config $way/reconcile.json --date 2025-11-18 --as-of 2025-11-18T20:00:00Z --quiet >>log 2>&1
    done
done
