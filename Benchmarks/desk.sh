#!/usr/bin/env bash
# How fast the desk's page answers, through a web server: one request after the other, four at once, and every 50 ms while a
# night of 100 000 orders is written into the same ledger. Each request asks for a random order of the ledger. The command's search
# for an amount in a day, and in a week, of the 30 days of the ledger comes first. Prints Markdown.
# usage: Benchmarks/desk.sh [PURCHASES] [PROGRAM]     1000000, .build/release/reconcile
# 10 M need 25 GB of disk and some minutes. Needs Debian's time, sqlite3, lighttpd and python3.
set -euo pipefail
size=${1:-1000000}
program=${2:-}
. "$(dirname "${BASH_SOURCE[0]}")/common.bash"
need_generator
[ -x /usr/sbin/lighttpd ] || { echo 'desk.sh: needs Debian'\''s package lighttpd' >&2; exit 1; }

generate "$size" night
generate 100000 more --date 2025-11-19 --seed 8
ln -s "$program" reconcile
sed '0,/{/s//{ desk: { anonymous: true },/' night/reconcile.json >night/desk.json
night() { # FOLDER DATE NOW: the command of a night into the one ledger
    words=(nice -n 10 "$program" nightly --config "$1/reconcile.json" --date "$2" --as-of "$3" --quiet
        --ledger "$work/night/ledger.sqlite" --output "$work/night/out")
}
night night 2025-11-18 2025-11-20T00:00:00Z
code=0
"${words[@]}" >/dev/null 2>night.err || code=$?
[ $code = 0 ] || [ $code = 3 ] || { cat night.err >&2; exit 1; } # 3, where retry entries are held, is a night like another
cat night/ledger.sqlite >/dev/null # as after a day of look-ups

port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
cat >lighttpd.conf <<END
server.bind = "127.0.0.1"
server.port = $port
server.document-root = "$work"
server.modules = ( "mod_alias", "mod_cgi", "mod_setenv" )
alias.url = ( "/desk" => "$root/packaging/desk/reconcile-desk" )
cgi.assign = ( "" => "" )
setenv.set-environment = ( "RECONCILE_CONFIG" => "$work/night/desk.json", "PATH" => "$work:/usr/bin:/bin" )
END
/usr/sbin/lighttpd -D -f lighttpd.conf >lighttpd.log 2>&1 &
server=$!
trap 'kill $server 2>/dev/null || true; rm -rf "$work"' EXIT
sleep 1

cat >ask.py <<'END'
import concurrent.futures, random, statistics, subprocess, sys, time, urllib.request
port, size, night = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
find_command = [night[3], "find", "--config", "night/desk.json", "--ledger", "night/ledger.sqlite", "--amount", "25.00"]

def ask(_=None):
    order = f"ORD8{random.randrange(size):013d}"
    start = time.monotonic()
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/desk", f"id={order}".encode()) as response:
        page = response.read().decode()
    assert f"<h1>{order}</h1>" in page and "No record" not in page, order
    return (time.monotonic() - start) * 1000

def find(*words):
    start = time.monotonic()
    code = subprocess.run(find_command + list(words), stdout=subprocess.DEVNULL).returncode
    assert code in (0, 1), code  # 1: no purchase fits
    return (time.monotonic() - start) * 1000

def line(what, times, rate=""):
    print(f"| {what} | {len(times)} | {statistics.median(times):.0f} | {sorted(times)[len(times) * 9 // 10]:.0f} | {rate} |")

print("| requests | number | median, ms | p90, ms | a second |\n|---|---|---|---|---|")
line("a search of a day", [find("--date", f"2025-10-{day}", "--around", "15:57") for day in range(12, 32)])
line("a search of a week", [find("--since", f"2025-10-{day}", "--until", f"2025-10-{day + 6}") for day in range(12, 26)])
line("one after the other", [ask() for _ in range(300)])
start = time.monotonic()
with concurrent.futures.ThreadPoolExecutor(4) as pool:
    times = list(pool.map(ask, range(600)))
line("four at once", times, f"{600 / (time.monotonic() - start):.0f}")
writer = subprocess.Popen(night, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
times = []
while writer.poll() is None:
    times.append(ask())
    time.sleep(0.05)
line("every 50 ms while a night is written", times)
if writer.returncode not in (0, 3):
    sys.exit(writer.stderr.read().decode())
END
printf '%s. %s. A ledger of %s purchases of 30 days.\n\n' "$(date -u '+%F %H:%M UTC')" "$(machine)" "$size"
night more 2025-11-19 2025-11-21T00:00:00Z
python3 ask.py "$port" "$size" "${words[@]}"
