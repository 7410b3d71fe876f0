#!/usr/bin/env bash
# Makes a night of ORDERS orders with their credits, Apple transactions and receipts, some 2 % of them with a problem: the same
# bytes every time. Reconcile it with --date 2025-11-18 --as-of 2025-11-20T00:00:00Z.
# usage: Benchmarks/night.sh ORDERS FOLDER     FOLDER is made
set -euo pipefail
usage='usage: Benchmarks/night.sh ORDERS FOLDER'
orders=${1:?$usage}
folder=${2:?$usage}
mkdir -p "$folder/inbox"
cat >"$folder/reconcile.json" <<'END'
{
  app: { bundleIDs: ["com.example.game"], environment: "Production", appAccountToken: "order" },
  ledger: "ledger.sqlite", output: "out", timeZone: "UTC",
  feeds: [
    { kind: "orders", path: "inbox/orders-{date}.csv", required: true },
    { kind: "credits", path: "inbox/credits-{date}.csv", required: true },
    { kind: "transactions", path: "inbox/transactions-{date}.jsonl", required: true, trust: "backend" },
    { kind: "receipts", path: "inbox/receipts-{date}.jsonl" },
  ],
  retry: { maxEntries: 100000000 },
}
END
awk -v orders="$orders" -v inbox="$folder/inbox/" '
# From 0 to below n. Lehmer, 1951: every awk counts alike up to 2^53.
function chance(n) { seed = seed * 48271 % 2147483647; return seed % n }
function hex(digits, text) { for (text = ""; length(text) < digits; ) text = text sprintf("%04x", chance(65536)); return text }
function two(n) { return sprintf("%02d", n) }
# Milliseconds since the first of November 2025.
function iso(at, s) {
    s = int(at / 1000)
    return "2025-11-" two(1 + int(s / 86400)) "T" two(int(s / 3600) % 24) ":" two(int(s / 60) % 60) ":" two(s % 60) \
        "." sprintf("%03d", at % 1000) "Z"
}
function credit(kind, later) {
    printf "CR%.0f,%s,%s,%s,1,%s,%s\n", 5000000000 + credits++, order, transaction, account, kind, iso(at + later) >credit_file
}
BEGIN {
    seed = 20251118
    split("USD EUR CNY AUD GBP BRL", currencies, " ")
    split("USA DEU CHN AUS GBR BRA", storefronts, " ")
    for (i = 0; i < 64; i++) for (stub[i] = ""; length(stub[i]) < 196; ) stub[i] = stub[i] hex(4)
    order_file = inbox "orders-2025-11-18.csv"; credit_file = inbox "credits-2025-11-18.csv"
    transaction_file = inbox "transactions-2025-11-18.jsonl"; receipt_file = inbox "receipts-2025-11-18.jsonl"
    print "order_id,account_id,product_id,amount_minor,currency,app_account_token,status,created_at" >order_file
    print "credit_id,order_id,transaction_id,account_id,quantity,kind,credited_at" >credit_file
    for (i = 0; i < orders; i++) {
        at = int(i * 17 * 86400000 / orders); delay = 500 + chance(60000)
        order = sprintf("ORD%.0f", 1000000000 + i)
        # No two alike, and in no order.
        transaction = sprintf("%.0f", (chance(10) < 3 ? 2000000000000000 : 440000000000000) + i * 7919 % orders * 1000 + i)
        account = "acct" 1000000 + chance(int(orders / 3) + 1)
        pack = chance(200); product = "com.example.game.pack" pack
        place = 1 + chance(6); amount = (pack % 40 + 1) * 100 - 1 + place * 10
        token = hex(8) "-" hex(4) "-4" substr(hex(4), 2) "-" hex(4) "-" hex(12)
        problem = chance(1000)
        unpaid = problem >= 6 && problem < 14
        lost = problem < 6 || problem >= 10 && problem < 14
        refunded = problem >= 14 && problem < 24
        reversed = problem >= 14 && problem < 19
        print order "," account "," product "," amount "," currencies[place] "," token "," \
            (lost ? "pending" : reversed ? "refunded" : "paid") "," iso(at) >order_file
        if (!lost) credit("credit", delay)
        if (problem >= 24 && problem < 28) credit("credit", delay + 5000)
        if (reversed) credit("reversal", delay + 3600000)
        if (!unpaid) print "{\"transactionId\":\"" transaction "\",\"originalTransactionId\":\"" transaction \
            "\",\"bundleId\":\"com.example.game\",\"productId\":\"" product "\",\"purchaseDate\":" sprintf("%.0f", 1761955200000 + at) \
            ",\"originalPurchaseDate\":" sprintf("%.0f", 1761955200000 + at) ",\"quantity\":1,\"type\":\"Consumable\"," \
            (chance(10) < 7 ? "\"appAccountToken\":\"" token "\"," : "") "\"inAppOwnershipType\":\"PURCHASED\",\"signedDate\":" \
            sprintf("%.0f", 1761955200400 + at) ",\"environment\":\"" (problem == 30 ? "Sandbox" : "Production") \
            "\",\"transactionReason\":\"PURCHASE\",\"storefront\":\"" storefronts[place] "\",\"storefrontId\":\"143441\",\"price\":" \
            amount * 10 + (problem >= 28 && problem < 30 ? 990 : 0) ",\"currency\":\"" currencies[place] "\"" \
            (refunded ? sprintf(",\"revocationDate\":%.0f,\"revocationReason\":0", 1761955200000 + at + 3000000) : "") "}" >transaction_file
        print "{\"received_at\":\"" iso(at + int(delay / 2)) "\",\"account_id\":\"" account "\",\"order_id\":" \
            (chance(50) == 0 ? "null" : "\"" order "\"") ",\"transaction_id\":\"" transaction "\",\"product_id\":\"" product \
            "\",\"receipt_data\":\"" stub[chance(64)] "\",\"verify_status\":" (problem == 30 ? 21007 : 0) "}" >receipt_file
    }
}'
