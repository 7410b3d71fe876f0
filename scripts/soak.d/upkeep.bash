# Judges of commands that create files other than ledger and reports. Sourced.

# The ledger is unchanged; the copy does not exist, or is complete.
judge_backup() {
    local ended=$1 left
    judge_end "$ended"
    [ "$(ledger "$at")" = "$ledger_before" ] || complain 'the ledger is not as before'
    look "$at" >"$work/now" && cmp -s "$work/now" "$work/before" || complain 'the reports are not as before'
    if [ -e "$at/copy.sqlite" ]; then
        [ "$(ledger_file "$at/copy.sqlite")" = "$ledger_before" ] || complain 'the copy is not the ledger'
        rm "$at/copy.sqlite"
    elif [ "$ended" = 0 ]; then
        complain 'ended with 0, and there is no copy'
    fi
    on "$at" backup "$at/copy.sqlite" &>"$work/said" || complain 'the next backup fails'
    [ "$(ledger_file "$at/copy.sqlite")" = "$ledger_before" ] || complain 'the next copy is not the ledger'
    [ "$(files "$at")" = "$(files "$after")" ] || complain "left over: $(diff <(files "$after") <(files "$at") | grep '^[<>]')"
}

# There is a ledger at any time: the previous one or the restored one. The one that was set aside is complete.
judge_restore() {
    local ended=$1 found aside
    judge_end "$ended"
    found=$(ledger "$at")
    [ "$found" = "$ledger_before" ] || [ "$found" = "$ledger_after" ] || complain "the ledger is neither before nor after: $found"
    [ "$ended" != 0 ] || [ "$found" = "$ledger_after" ] || complain 'ended with 0, and the ledger is not the backup'
    look "$at" >"$work/now" && cmp -s "$work/now" "$work/before" || complain 'the reports are not as before'
    on "$at" restore "$work/backup.sqlite" --by Lin &>"$work/said" || complain 'the next restore fails'
    [ "$(ledger "$at")" = "$ledger_after" ] || complain 'after the next restore the ledger is not the backup'
    for aside in "$at"/ledger.sqlite.before-*; do
        case $aside in *-wal | *-shm) continue ;; esac
        found=$(ledger_file "$aside")
        [ "$found" = "$ledger_before" ] || [ "$found" = "$ledger_after" ] || complain "what was set aside is neither: $found"
    done
    [ -z "$(find "$at" -name '*.restored*')" ] || complain "left over: $(find "$at" -name '*.restored*')"
}

# A demo that fails leaves nothing behind. One that is killed leaves files that must be removed first. A new demo then has
# the same result as an undisturbed one.
judge_demo() {
    local ended=$1 left
    judge_end "$ended"
    left=$(find "$at" -mindepth 2 | head -n 1)
    case $mode:$point:$ended in
        *:0) look "$at/demo" >"$work/now" && cmp -s "$work/now" "$work/after" || complain 'ended with 0, and is not whole' ;;
        kill:* | tear:* | *+:*) ;;
        *) [ -z "$left" ] || complain "a demo that failed leaves $left" ;;
    esac
    rm -rf "$at/demo"
    "$RECONCILE" $words &>"$work/said" || complain 'the next demo fails'
    look "$at/demo" >"$work/now" && cmp -s "$work/now" "$work/after" || complain 'the next demo is another'
}

# The digest of a ledger that is a single file of any name.
ledger_file() {
    local folder=$work/file
    rm -rf "$folder"
    mkdir "$folder"
    cp "$1" "$folder/ledger.sqlite"
    ledger "$folder"
}
