# Shared by the soak programs: a small world, commands on it, and what may be left when one is disturbed. Sourced. One core,
# because the n-th call must be the same in every run. `kills` uses more.
export SWIFT_BACKTRACE=enable=no LC_ALL=C RECONCILE_THREADS=1
: "${RECONCILE:=$PWD/.build/release/reconcile}"
work=$(mktemp -d "${TMPDIR:-/dev/shm}/reconcile-soak.XXXXXX")
trap 'rm -rf "$work"' EXIT
cc -O2 -o "$work/faults" Tests/Faults/main.c || exit 1
# A sample of three nights. Its inbox stays in place, because the ledger records the files it has read.
"$RECONCILE" demo "$work/demo" --orders 100 --seed 7 >/dev/null || exit 1

# Otherwise, the following would prove nothing.
give_up() { printf '%s: %s\n' "${0##*/}" "$*" >&2; exit 1; }
[ -f "$work/demo/reconcile.json" ] && [ -s "$work/demo/out/latest/SHA256SUMS" ] || give_up 'the demo wrote nothing'

violations=0 hits=0
complain() {
    violations=$((violations + 1))
    printf 'VIOLATION %s %s %s: %s\n' "$scenario" "$mode" "$point" "$1"
    [[ $point = [1-9]* && $point != *\ * ]] && sed -n "${point%+}p" "$work/call"
    grep '^reconcile: \|Fatal error' "$work/said"
    [ -z "${SOAK_FIRST-}" ] || exit 1
}

# reconcile FOLDER WORDS...: a command on the ledger and reports in FOLDER.
on() {
    local folder=$1 command=$2
    shift 2
    "$RECONCILE" "$command" "$@" --config "$work/demo/${config:-reconcile.json}" --ledger "$folder/ledger.sqlite" \
        --output "$folder/out"
}
nights() { local n; for n in "$@"; do on "$at" $(night "$n") &>/dev/null; done; }
night() { printf 'nightly --date 2025-11-1%d --as-of 2025-11-1%dT20:00:00Z' "$1" "$1"; }

# The options about places for every command: $places.
locate() { places=(--config "$work/demo/reconcile.json" --ledger "$at/ledger.sqlite" --output "$at/out"); }

# Restores the state before.
refresh() {
    rm -rf "$at"
    cp -a "$before" "$at"
}

# prepare SCENARIO: $before and $after are its folders, $words the command, $calls how many calls it makes.
prepare() {
    scenario=$1 mode=none point=0
    local at_reports=
    before=$work/$scenario.before after=$work/$scenario.after at=$work/at
    locate
    rm -rf "$before" "$after" "$at"
    mkdir "$at"
    case $scenario in
        first) words=$(night 6) ;;
        second) on "$at" $(night 6) &>/dev/null; words=$(night 7) ;;
        again) nights 6 7 8; words=$(night 8) ;;
        month) nights 6 7 8; words='monthly 2025-10 --close --by li' ;;
        prune) nights 6 7 8; words='prune --older-than 0' ;;
        backup) nights 6 7 8; words="backup $at/copy.sqlite" ;;
        restore)
            nights 6 7
            on "$at" backup "$work/backup.sqlite" &>/dev/null
            on "$at" $(night 8) &>/dev/null
            words="restore $work/backup.sqlite --by Lin" ;;
        demo) words="demo $at/demo --orders 10 --seed 7" places=() ;;
        waive)
            nights 6 7 8
            local id; id=$(sqlite3 "$at/ledger.sqlite" 'SELECT min(id) FROM v_exception_open')
            words="waive $id --by Lin --note checked --as-of 2025-11-19T00:00:00Z" ;;
        release)
            sed 's/feeds: \[/retry: { maxEntries: 1 }, &/' "$work/demo/reconcile.json" >"$work/demo/held.json"
            config=held.json nights 6 7 8
            words="release --held --by Lin --note checked --as-of 2025-11-19T00:00:00Z" ;;
    esac
    cp -a "$at" "$before"
    "$work/faults" -r "$at" -l "$work/call" none 0 "$RECONCILE" $words "${places[@]}" &>"$work/said"
    code=$?
    calls=$(tail -n 1 "$work/call")
    cp -a "$at" "$after"
    cp "$work/call" "$work/list"
    ledger_before=$(ledger "$before") ledger_after=$(ledger "$after")
    look "$before" >"$work/before" || complain "the state before is not whole"
    [ "$scenario" != demo ] || at_reports=$after/demo
    look "${at_reports:-$after}" >"$work/after" || complain "the state after is not whole"
    prove
}

# Checks that the undisturbed command changed something that the judge can see, and ended as it should.
prove() {
    case $code in 0 | 3) ;; *) give_up "$scenario, undisturbed, ended with $code: $(tail -n 1 "$work/said")" ;; esac
    [ "$calls" -gt 0 ] 2>/dev/null || give_up "$scenario, undisturbed, changed no file"
    [ -s "$work/after" ] || give_up "$scenario, undisturbed, left no reports"
    case $scenario in
        again) [ "$ledger_after" != none ] && cmp -s "$work/before" "$work/after" ;;
        demo) [ -f "$after/demo/ledger.sqlite" ] ;;
        backup) [ "$(ledger_file "$after/copy.sqlite")" = "$ledger_before" ] ;;
        *) [ "$ledger_after" != none ] && [ "$ledger_after" != damaged ] && [ "$ledger_after" != "$ledger_before" ] ;;
    esac || give_up "$scenario, undisturbed, did not do its work"
}

# ledger FOLDER: a digest of its ledger's contents; "none" if no run was committed.
ledger() {
    local copy=$work/copy
    rm -rf "$copy"
    mkdir "$copy"
    cp "$1"/ledger.sqlite "$copy" 2>/dev/null || { echo none; return; }
    cp "$1"/ledger.sqlite-{wal,shm,journal} "$copy" 2>/dev/null
    [ "$(sqlite3 "$copy/ledger.sqlite" 'PRAGMA integrity_check' 2>&1)" = ok ] || { echo damaged; return; }
    # A folder's number counts attempts, and prune and restore record the time.
    sqlite3 "$copy/ledger.sqlite" .dump 2>&1 | sed -E -e 's/(nights.2025-1[0-9]-1?[0-9])-[0-9]+/\1/' \
        -e "/^INSERT INTO table_sum VALUES\('(run|upkeep)'/d" \
        -e '/^INSERT INTO upkeep /s/,[0-9]{13},/,/' >"$copy/dump"
    if grep -q '^INSERT INTO run ' "$copy/dump"; then sha256sum <"$copy/dump"; else echo none; fi
}

# look FOLDER: one line for each published date, with the digest of all its files; fails if one is incomplete.
look() {
    local link
    for link in "$1"/out/*; do
        [ -L "$link" ] || continue
        (cd "$link" 2>/dev/null && sha256sum --quiet --strict -c SHA256SUMS >/dev/null 2>&1) || { echo "${link##*/} is not whole"; return 1; }
        printf '%s %s\n' "${link##*/}" "$(sha256sum <"$link/SHA256SUMS")"
    done
}

# files FOLDER: every file with its permissions, except SQLite's shared memory and files that an open ledger leaves behind.
files() { (cd "$1" && find . ! -name '*-shm' ! -name '*-wal' -printf '%p %M %l\n' | sed 's/-[0-9]*\( d\|$\|\/\)/-N\1/' | sort); }

# strike MODE N: disturbs the scenario's command at its N-th call, and judges the result.
strike() {
    mode=$1 point=$2
    refresh
    "$work/faults" -r "$at" -l "$work/call" "$mode" "$point" "$RECONCILE" $words "${places[@]}" &>"$work/said"
    "judge_${judges[$scenario]:-change}" $?
}

# Commands that change more than ledger and reports have their own judge (upkeep.bash).
declare -A judges=([backup]=backup [restore]=restore [demo]=demo)

judge() { judge_change "$1"; }

judge_end() {
    case $mode:$1 in
        kill:137 | tear:137 | hook:137 | term:143 | KILL:137 | TERM:143 | HUP:143 | HUP:129 | INT:130) hits=$((hits + 1)) ;;
        *:0 | *:1 | *:3) [ "$1" = "$code" ] || complain "ended with $1, not $code" ;;
        e*:73 | e*:74 | e*:77) hits=$((hits + 1)) ;;
        *KiB:73 | *KiB:74 | read-only:77) ;;
        *) complain "ended with $1" ;;
    esac
}

judge_change() {
    local ended=$1 ledger line
    judge_end "$ended"
    ledger=$(ledger "$at")
    [ "$ledger" = "$ledger_before" ] || [ "$ledger" = "$ledger_after" ] || complain "the ledger is neither before nor after: $ledger"
    look "$at" >"$work/now" || complain "$(tail -n 1 "$work/now")"
    while read -r line; do
        grep -qxF "$line" "$work/before" && continue
        grep -qxF "$line" "$work/after" || { complain "published is neither before nor after: $line"; continue; }
        [ "$ledger" = "$ledger_after" ] || complain "published and not in the ledger: $line"
    done <"$work/now"
    while read -r line; do
        grep -q "^${line%% *} " "$work/now" || complain "no more published: $line"
    done <"$work/before"
    if [ "$ended" = "$code" ]; then
        [ "$ledger" = "$ledger_after" ] || complain "ended with $ended, and the ledger is not after"
        cmp -s "$work/now" "$work/after" || complain "ended with $ended, and the reports are not after"
    elif [ "$ledger" = "$ledger_after" ] && [ "$ledger" != "$ledger_before" ]; then
        [ "$scenario" = second ] && go_on
    fi
    on "$at" $words &>"$work/said"
    ended=$?
    [ "$ended" = "$code" ] || complain "the next run ended with $ended, not $code"
    [ "$(ledger "$at")" = "$ledger_after" ] || complain "after the next run the ledger is not after"
    look "$at" >"$work/now" || complain "after the next run: $(tail -n 1 "$work/now")"
    cmp -s "$work/now" "$work/after" || complain "after the next run the reports are not after"
    [ "$(files "$at")" = "$(files "$after")" ] || complain "left over: $(diff <(files "$after") <(files "$at") | grep '^[<>]')"
}

# The ledger contains the night. Its link may be missing: the next night sets it.
go_on() {
    local next=$work/next
    rm -rf "$next"
    cp -a "$at" "$next"
    on "$next" $(night 8) &>"$work/said"
    look "$next" >"$work/now" || complain "after the next night: $(tail -n 1 "$work/now")"
    local line
    while read -r line; do
        [[ $line = latest* ]] || grep -qxF "$line" "$work/now" || complain "after the next night $line is not published"
    done <"$work/after"
}
