#!/usr/bin/env bash
# Exports orders, credits and Apple's transactions from PostgreSQL (11 or later, tested with 15) for reconcile, all from one
# snapshot.
#
#   postgresql.sh [YYYY-MM-DD]     the files of that business date (yesterday), with all rows that changed in its last
#                                  three days and since; DAYS=30 postgresql.sh for a first export
#
# Copy this file, edit it down to the line "From here on", and run it every night as the user that runs reconcile. Create
# its role once, as the owner of the tables (\password asks for the password, so that no history holds it):
#
#   CREATE ROLE reconcile_export LOGIN;
#   \password reconcile_export
#   ALTER ROLE reconcile_export SET default_transaction_read_only = on;
#   GRANT USAGE ON SCHEMA public TO reconcile_export;
#   GRANT SELECT ON orders, credits, apple_transactions TO reconcile_export;
#
# The password is in ~/.pgpass (chmod 600), as HOST:5432:shop:reconcile_export:PASSWORD. It is never on a command line.
#
# Each FILE appears at once and complete, after its FILE.totals: rows and sums that the database counted in the same
# snapshot, and the file's SHA-256. After any error the files of before are in place, and the next run needs no cleaning up.
# Exit codes: 0 delivered, 64 wrong arguments, 65 a query failed, or a file does not agree with the database, 69 no
# connection, 73 the inbox cannot be written, 74 the client ended early, or the disk is full, 75 another export is running,
# 78 wrong settings.

: "${INBOX:=/srv/reconcile/inbox}"    # the folder of the feeds
: "${TIME_ZONE:=Asia/Shanghai}"       # as in reconcile.json: decides which day was yesterday
: "${DAYS:=3}"                        # changes of so many days; exports overlap, so that a missed night is harmless
export PGHOST="${PGHOST:-localhost}" PGDATABASE="${PGDATABASE:-shop}" PGUSER="${PGUSER:-reconcile_export}"

# The three queries, without a semicolon at the end. Each gives the columns of docs/use/feeds.md by these names; write
# NULL AS name for what you do not have. :since is the instant from which changes are wanted. Instants must be timestamptz:
# for a timestamp in local time, write  o.created_at AT TIME ZONE 'Asia/Shanghai' AS created_at. A state that the CASE does
# not know stays as it is; reconcile then lists the row as rejected, with the word.
orders() { cat <<'SQL'
SELECT o.order_no AS order_id, o.user_id AS account_id, o.product_id, o.quantity,
    o.amount,                         -- in major units; from cents: o.cents / 100.0
    o.currency, o.app_account_token, o.apple_transaction_id AS transaction_id,
    CASE o.state WHEN 'new' THEN 'created' WHEN 'done' THEN 'credited' WHEN 'closed' THEN 'cancelled' ELSE o.state END AS status,
    o.created_at, o.updated_at
FROM orders AS o
WHERE o.updated_at >= :since AND (o.channel = 'apple' OR o.channel IS NULL)
SQL
}

# Only credits of other channels' orders are left out: one whose order is unknown may belong to a purchase of Apple's.
credits() { cat <<'SQL'
SELECT c.id AS credit_id, c.order_no AS order_id, c.apple_transaction_id AS transaction_id, c.user_id AS account_id,
    c.product_id, abs(c.quantity) AS quantity,
    CASE WHEN c.quantity < 0 THEN 'reversal' ELSE 'credit' END AS kind,
    CASE WHEN c.by_desk THEN 'desk' ELSE 'auto' END AS origin,
    c.created_at AS credited_at
FROM credits AS c LEFT JOIN orders AS o ON o.order_no = c.order_no
WHERE c.created_at >= :since AND (o.channel = 'apple' OR o.channel IS NULL)
    AND (c.order_no IS NOT NULL OR c.apple_transaction_id IS NOT NULL)
SQL
}

# One record a row, as Apple signed it (or as JSON, with trust: "backend"). Leave the body empty (:) if they come elsewhere.
transactions() { cat <<'SQL'
SELECT t.signed_transaction AS record FROM apple_transactions AS t WHERE t.received_at >= :since
SQL
}

# From here on, nothing needs to be edited.
set -uo pipefail
umask 077
fail() { printf '%s: %s\n' "${0##*/}" "$2" >&2; exit "$1"; }
[ $# -le 1 ] || fail 64 "usage: [DAYS=3] ${0##*/} [YYYY-MM-DD]"
[ -f "/usr/share/zoneinfo/$TIME_ZONE" ] || fail 78 "TIME_ZONE: there is no time zone $TIME_ZONE; write it as in Asia/Shanghai"
date=${1:-$(date -u -d "$(TZ=$TIME_ZONE date +%F) - 1 day" +%F)}
[ "$(date -u -d "$date" +%F 2>/dev/null)" = "$date" ] || fail 64 "$date is not a date; write YYYY-MM-DD"
[[ $DAYS =~ ^[1-9][0-9]{0,4}$ ]] || fail 78 "DAYS: $DAYS is not a number of days"
# In every time zone, this is before the first of those days begins.
since=$(date -u -d "$date - $DAYS days" +%FT00:00:00Z)
command -v psql >/dev/null || fail 69 'there is no psql: install postgresql-client'
{ cd "$INBOX" && [ -w . ]; } 2>/dev/null || fail 73 "$INBOX cannot be written: correct INBOX, or run as the user that runs reconcile"
# The client inherits the lock, so that it ends with the last process that may still write.
exec 9<.
flock -n 9 || fail 75 "another export is writing to $INBOX: wait until it has ended"

files=("orders-$date.csv" "credits-$date.csv")
[ -z "$(transactions)" ] || files+=("transactions-$date.jsonl")
for file in "${files[@]}"; do rm -f ".$file.part" ".$file.totals.part"; done
trap 'for file in "${files[@]}"; do rm -f ".$file.part" ".$file.totals.part"; done' EXIT

PGCONNECT_TIMEOUT=20 psql -qAtXw -v ON_ERROR_STOP=1 -v since="timestamptz '$since'" -v orders="$(orders)" -v credits="$(credits)" \
    -v transactions="$(transactions)" -v has_transactions="$((${#files[@]} > 2))" -v date="$date" <<'SQL'
-- Another client's settings do not count, and rows that a policy hides from the role are an error.
SET client_encoding = 'UTF8'; SET TIME ZONE 'UTC'; SET DateStyle = 'ISO'; SET lock_timeout = '10min'; SET row_security = off;
BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
SELECT count(*) > 0 AS is_local FROM (
    SELECT to_jsonb(one) AS row FROM (SELECT * FROM (:orders
    ) AS export LIMIT 100) AS one UNION ALL SELECT to_jsonb(one) FROM (SELECT * FROM (:credits
    ) AS export LIMIT 100) AS one) AS first, jsonb_each_text(row)
    WHERE key LIKE '%\_at' AND value !~ '^\d+$|(Z|[+-]\d\d(:?\d\d)?)$' \gset
\if :is_local
    DO $$BEGIN RAISE EXCEPTION 'an instant has no offset from UTC: write  column AT TIME ZONE ''Asia/Shanghai''  in its query'; END$$;
\endif

\set part .orders- :date .csv.part
COPY (SELECT order_id, account_id, product_id, quantity, amount, currency, app_account_token, transaction_id, status, created_at,
    updated_at FROM (:orders
) AS export) TO STDOUT (FORMAT csv, HEADER) \g :part
\set part .orders- :date .csv.totals.part
SELECT concat('"rows": ', coalesce(sum(rows), 0), ', "amounts": {',
    string_agg(to_json(currency)::text || ': "' || amount || '"', ', ' ORDER BY currency) FILTER (WHERE amount IS NOT NULL), '}')
FROM (SELECT upper(currency) AS currency, count(*) AS rows, sum(amount::numeric) AS amount FROM (:orders
) AS export GROUP BY upper(currency)) AS totals \g :part

\set part .credits- :date .csv.part
COPY (SELECT credit_id, order_id, transaction_id, account_id, product_id, quantity, kind, origin, credited_at FROM (:credits
) AS export) TO STDOUT (FORMAT csv, HEADER) \g :part
\set part .credits- :date .csv.totals.part
SELECT '"rows": ' || count(*) FROM (:credits
) AS export \g :part

\if :has_transactions
    -- With these delimiters, no character of a record is quoted.
    \set part .transactions- :date .jsonl.part
    COPY (SELECT translate(record::text, E'\r\n', '  ') FROM (:transactions
    ) AS export WHERE record IS NOT NULL) TO STDOUT (FORMAT csv, DELIMITER E'\x01', QUOTE E'\x02') \g :part
    \set part .transactions- :date .jsonl.totals.part
    SELECT '"rows": ' || count(record) FROM (:transactions
    ) AS export \g :part
\endif
COMMIT;
SQL
case $? in
    0) ;;
    2) fail 69 'no connection, or it was lost: is the server up, are PGHOST, PGDATABASE and PGUSER right, is the password in ~/.pgpass (chmod 600)?' ;;
    3) fail 65 'nothing was delivered (see above): correct the query at the top of this script, the grants of the role, or the disk' ;;
    *) fail 74 'psql was ended early; nothing was delivered: run again' ;;
esac

# Each file has as many rows as the database counted; quotes are balanced at the end of a CSV row. A file without rows says so.
for file in "${files[@]}"; do
    case $file in
        *.csv) rows=$(LC_ALL=C awk '{ quotes += gsub(/"/, "") } quotes % 2 == 0 { rows++ } END { print rows - 1 }' ".$file.part") ;;
        *) rows=$(wc -l <".$file.part"); [ -s ".$file.part" ] || echo >".$file.part" ;;
    esac || fail 74 "$INBOX/.$file.part cannot be read"
    figures=$(cat ".$file.totals.part")
    [[ "$figures," = "\"rows\": $rows,"* && -z $(tail -c 1 ".$file.part") ]] ||
        fail 65 "$file has $rows rows, and the database says ${figures:-nothing}; nothing was delivered: is the disk full?"
    sum=$(sha256sum <".$file.part")
    { printf '{ "date": "%s", %s, "sha256": "%s" }\n' "$date" "$figures" "${sum%% *}" >".$file.totals.part" && sync ".$file.part" ".$file.totals.part"; } ||
        fail 74 "$INBOX/.$file.totals.part cannot be written: is the disk full?"
done
# Totals first: then a file is never there without its own.
for file in "${files[@]}"; do mv -f ".$file.totals.part" "$file.totals" || fail 73 "$INBOX/$file.totals cannot be replaced"; done
for file in "${files[@]}"; do
    mv -f ".$file.part" "$file" || fail 73 "$INBOX/$file cannot be replaced"
    printf '%s  %s\n' "$file" "$(cat "$file.totals")"
done
[ "$DAYS" = 3 ] || printf 'These are all changes since %s. If this is the first export, set historyFrom: "%s"\n' "$since" \
    "$(date -u -d "${since%%[T ]*} + 2 days" +%F)"
