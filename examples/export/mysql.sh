#!/usr/bin/env bash
# Exports orders, credits and Apple's transactions from MySQL (5.7 or later) or MariaDB (10.3 or later) for reconcile, all
# from one snapshot. Tested with MariaDB 10.11.
#
#   mysql.sh [YYYY-MM-DD]     the files of that business date (yesterday), with all rows that changed in its last
#                             three days and since; DAYS=30 mysql.sh for a first export
#
# Copy this file, edit it down to the line "From here on", and run it every night as the user that runs reconcile. Create
# its role once, in a session of the administrator that keeps no history (MYSQL_HISTFILE=/dev/null mysql):
#
#   CREATE USER reconcile_export@'%' IDENTIFIED BY '…';
#   GRANT SELECT ON shop.orders TO reconcile_export@'%';
#   GRANT SELECT ON shop.credits TO reconcile_export@'%';
#   GRANT SELECT ON shop.apple_transactions TO reconcile_export@'%';
#
# Host, user and password are in ~/.my.cnf (chmod 600), never on a command line:
#
#   [client]
#   host=localhost
#   user=reconcile_export
#   password="…"
#
# Each FILE appears at once and complete, after its FILE.totals: rows and sums that the database counted in the same
# snapshot, and the file's SHA-256. After any error the files of before are in place, and the next run needs no cleaning up.
# Exit codes: 0 delivered, 64 wrong arguments, 65 a query failed, or a file does not agree with the database, 69 no
# connection, 73 the inbox cannot be written, 74 the client ended early, or the disk is full, 75 another export is running,
# 78 wrong settings.

: "${INBOX:=/srv/reconcile/inbox}"    # the folder of the feeds
: "${TIME_ZONE:=Asia/Shanghai}"       # as in reconcile.json: decides which day was yesterday
: "${DAYS:=3}"                        # changes of so many days; exports overlap, so that a missed night is harmless
: "${DATABASE:=shop}"

# The three queries, without a semicolon at the end. Each gives the columns of docs/use/feeds.md by these names; write
# NULL AS name for what you do not have. Times must be in UTC: a TIMESTAMP is (the session's time zone is UTC), a DATETIME
# in local time is not, so write  CONVERT_TZ(o.created_at, '+08:00', '+00:00') AS created_at. @since is the instant from which
# changes are wanted, in UTC; for such a DATETIME  o.updated_at >= CONVERT_TZ(@since, '+00:00', '+08:00'). A state that the
# CASE does not know stays as it is; reconcile then lists the row as rejected, with the word.
orders() { cat <<'SQL'
SELECT o.order_no AS order_id, o.user_id AS account_id, o.product_id, o.quantity,
    o.amount,                         -- in major units; from cents: o.cents / 100.0
    o.currency, o.app_account_token, o.apple_transaction_id AS transaction_id,
    CASE o.state WHEN 'new' THEN 'created' WHEN 'done' THEN 'credited' WHEN 'closed' THEN 'cancelled' ELSE o.state END AS status,
    o.created_at, o.updated_at
FROM orders AS o
WHERE o.updated_at >= @since AND (o.channel = 'apple' OR o.channel IS NULL)
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
WHERE c.created_at >= @since AND (o.channel = 'apple' OR o.channel IS NULL)
    AND (c.order_no IS NOT NULL OR c.apple_transaction_id IS NOT NULL)
SQL
}

# One record a row, as Apple signed it (or as JSON, with trust: "backend"). Leave the body empty (:) if they come elsewhere.
transactions() { cat <<'SQL'
SELECT t.signed_transaction AS record FROM apple_transactions AS t WHERE t.received_at >= @since
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
since=$(date -u -d "$date - $DAYS days" +'%F 00:00:00')
if command -v mysql >/dev/null; then client=mysql; else client=mariadb; fi
command -v "$client" >/dev/null || fail 69 'there is no mysql: install mariadb-client or mysql-client'
{ cd "$INBOX" && [ -w . ]; } 2>/dev/null || fail 73 "$INBOX cannot be written: correct INBOX, or run as the user that runs reconcile"
# The client inherits the lock, so that it ends with the last process that may still write.
exec 9<.
flock -n 9 || fail 75 "another export is writing to $INBOX: wait until it has ended"

files=("orders-$date.csv" "credits-$date.csv")
[ -z "$(transactions)" ] || files+=("transactions-$date.jsonl")
for file in "${files[@]}"; do rm -f ".$file.part" ".$file.totals.part"; done
trap 'for file in "${files[@]}"; do rm -f ".$file.part" ".$file.totals.part"; done' EXIT

# The client checks no write, so that its output goes to awk, which writes the files. A line with this token names the next
# file; no row can contain it.
token=$(od -An -N 16 -tx1 /dev/urandom | tr -d ' \n')
row() { # COLUMN...: an expression for the row in CSV
    local column value list=''
    for column; do
        case $column in
            *_at) value="DATE_FORMAT($column, '%Y-%m-%dT%H:%i:%s.%fZ')" ;;
            *) value="CONCAT('\"', REPLACE(CONVERT($column USING utf8mb4), '\"', '\"\"'), '\"')" ;;
        esac
        list+=${list:+, \',\', }"IFNULL($value, '')"
    done
    printf 'CONCAT(%s)' "$list"
}
rows() { # FILE QUERY INSTANT COLUMN...: the statements that write a CSV file, and report instants of a wrong time zone
    local file=$1 query=$2 instant=$3
    shift 3
    cat <<SQL
SELECT '$token .$file.part';
SELECT '$(IFS=,; echo "$*")';
SELECT $(row "$@") FROM ($query
) AS export;
SELECT '$token future $file' FROM ($query
) AS export HAVING MAX($instant) > UTC_TIMESTAMP() + INTERVAL 1 HOUR;
SELECT '$token .$file.totals.part';
SQL
}
statements() {
    cat <<SQL
SELECT '$token connected';
-- Another client's settings do not count.
SET NAMES utf8mb4;
SET time_zone = '+00:00', sql_mode = '', sql_select_limit = DEFAULT, group_concat_max_len = 1000000,
    lock_wait_timeout = 600, @since = '$since';
-- A table without transactions has no snapshot.
SELECT CONCAT('$token engine ', table_name) FROM information_schema.tables
WHERE table_schema = DATABASE() AND table_type = 'BASE TABLE' AND engine <> 'InnoDB';
SET TRANSACTION ISOLATION LEVEL REPEATABLE READ;
START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY;
$(rows "orders-$date.csv" "$(orders)" created_at order_id account_id product_id quantity amount currency app_account_token \
    transaction_id status created_at updated_at)
SELECT CONCAT('"rows": ', IFNULL(SUM(count), 0), ', "amounts": {', IFNULL(GROUP_CONCAT(
    CONCAT(JSON_QUOTE(currency), ': "', amount, '"') ORDER BY currency SEPARATOR ', '), ''), '}')
FROM (SELECT UPPER(CONVERT(currency USING utf8mb4)) AS currency, COUNT(*) AS count, SUM(amount) AS amount FROM ($(orders)
) AS export GROUP BY UPPER(CONVERT(currency USING utf8mb4))) AS totals;
$(rows "credits-$date.csv" "$(credits)" credited_at credit_id order_id transaction_id account_id product_id quantity kind origin \
    credited_at)
SELECT CONCAT('"rows": ', COUNT(*)) FROM ($(credits)
) AS export;
SQL
    [ ${#files[@]} = 2 ] || cat <<SQL
SELECT '$token .transactions-$date.jsonl.part';
SELECT REPLACE(REPLACE(record, '\r', ' '), '\n', ' ') FROM ($(transactions)
) AS export WHERE record IS NOT NULL;
SELECT '$token .transactions-$date.jsonl.totals.part';
SELECT CONCAT('"rows": ', COUNT(record)) FROM ($(transactions)
) AS export;
SQL
    printf "COMMIT;\nSELECT '%s end';\n" "$token"
}
statements | "$client" --default-character-set=utf8mb4 --connect-timeout=20 --batch --raw --skip-column-names --quick \
    --safe-updates=0 "$DATABASE" | LC_ALL=C awk -v token="$token" '
    $1 != token { print >file; next }
    file { close(file); file = "" }
    $2 == "engine" { print $3 ": not an InnoDB table, so that it has no snapshot. Convert it, or grant the role only the tables that it reads"; bad = 1 }
    $2 == "future" { print $3 ": rows are more than an hour ahead of the clock. Convert local times to UTC in the query (CONVERT_TZ)"; bad = 1 }
    $2 ~ /^[.]/ { file = $2; printf "" >file }
    $2 == "connected" { connected = 1 }
    $2 == "end" { ended = 1 }
    END { exit bad ? 65 : ended ? 0 : connected ? 1 : 69 }' >&2
ended=("${PIPESTATUS[@]}")
case ${ended[1]}:${ended[2]} in
    0:0) ;;
    *:65) fail 65 'nothing was delivered (see above)' ;;
    1:69) fail 69 'no connection (see above): is the server up, are host, user and password right in ~/.my.cnf, DATABASE in this script?' ;;
    1:1) fail 65 'nothing was delivered (see above): correct the query at the top of this script, or the grants of the role' ;;
    0:* | 141:*) fail 74 "a file cannot be written (see above): free some space in $INBOX, then run again" ;;
    *) fail 74 "$client was ended early; nothing was delivered: run again" ;;
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
