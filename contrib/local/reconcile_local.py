#!/usr/bin/env python3
"""Runs one night in stages on one machine: what an engine does on a cluster, by ordinary processes and files.
The program judges; this script only moves lines. docs/spec/cluster.md defines the stages and the lines."""
import argparse, array, fcntl, hashlib, json, os, shutil, subprocess, sys
from concurrent.futures import ThreadPoolExecutor

parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
for name, default in (("config", None), ("lake", None), ("date", ""), ("as-of", ""), ("program", "reconcile")):
    parser.add_argument("--" + name, default=default, required=default is None)
parser.add_argument("--parts", type=int, default=8)
options = parser.parse_args()
lake, scratch = os.path.abspath(options.lake), os.path.abspath(options.lake) + "/scratch"
PAIRS_END = 0x5EC04C11E0E4D001

def stage(*words, stdin=os.devnull, stdout):
    with open(stdin, "rb") as source, open(stdout, "wb") as target:
        code = subprocess.run([options.program, "cluster", *words], stdin=source, stdout=target).returncode
    return code if code in (0, 3) else sys.exit(code)

def each(function, numbers):
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(function, numbers))

def load(name):
    with open(f"{scratch}/{name}", "rb") as file:
        return json.load(file)

def mark(name):
    with open(f"{scratch}/{name}", "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()

def signed(number):
    return (number & (1 << 64) - 1 ^ 1 << 63) - (1 << 63)

class Stream:
    """A stream that is being written under a header of its own. Its end adds up the first column of its lines."""
    def __init__(self, name, kind, digest):
        self.file, self.count, self.sum = open(f"{scratch}/{name}", "wb"), 0, 0
        self.file.write(b"reconcile-wire 1 %s %s\n" % (kind.encode(), digest.encode()))
    def write(self, line):
        self.file.write(line)
        self.count += 1
        self.sum += int(line[:line.index(b"\t")])
    def end(self):
        self.file.write(b"end\t%d\t%d\n" % (self.count, signed(self.sum)))
        self.file.close()

def lines(name):
    """The lines of a stream between header and end. Without an end it was cut."""
    with open(f"{scratch}/{name}", "rb") as file:
        next(file)
        for line in file:
            if line.startswith(b"end\t"):
                return
            yield line
    sys.exit(65)

def evidence(basis, tonight):
    """The evidence of all nights before, tonight's deliveries that count, and the exceptions to follow."""
    past = [f"{lake}/evidence/{night['folder']}/{each['delivery']}"
            for night in basis["plan"]["folders"] for each in night["deliveries"]]
    for path in past + [f"{tonight}/{number}" for number in basis["deliveries"]]:
        with open(path, "rb") as file:
            yield from file
    yield from lines("entries")

def tie(basis, tonight):
    """The bundle of each key, and how many keys there are with what sum."""
    pairs, plan = array.array("q"), basis["plan"]
    for line in evidence(basis, tonight):
        own, _, token = line.split(b"\t", 3)[2].partition(b";")
        keys = [int(key) for key in own.split(b",")]
        if token and plan["tiesTokens"] and int(token) not in plan["crowdedKeys"]:
            keys.append(int(token))
        for key in keys[1:] or keys:
            pairs.extend((keys[0], key))
    for pair in basis["ties"]:
        pairs.extend(pair)
    pairs.extend((PAIRS_END, len(pairs) // 2))
    with open(scratch + "/pairs", "wb") as file:
        pairs.tofile(file)
    stage("tie", stdin=scratch + "/pairs", stdout=scratch + "/bundles")
    with open(scratch + "/bundles", "rb") as file:
        bundles = array.array("q", file.read())
    count = len(bundles) // 2 - 2
    if bundles[-4:-2].tolist() != [PAIRS_END, count]:
        sys.exit(65)
    return dict(zip(bundles[:-4:2], bundles[1:-4:2])), f"{count},{bundles[-2]}"

def judge(tonight):
    """Ties and judges all evidence under basis.json. The findings are in scratch/findings; returns what tie counted."""
    basis, digest = load("basis.json"), mark("basis.json")
    bundle, keys = tie(basis, tonight)
    parts = [Stream(f"part-{number}", "evidence", digest) for number in range(options.parts)]
    orders, wanted = Stream("orders", "evidence", digest), {}
    for line in evidence(basis, tonight):
        own, _, token = line.split(b"\t", 3)[2].partition(b";")
        number = bundle[int(own.partition(b",")[0])] % options.parts
        parts[number].write(line)
        if basis["plan"]["needsOwners"] and (token or line.split(b"\t", 2)[1] == b"order"):
            orders.write(line)
            wanted.setdefault(b";" + token, set()).add(number)
    orders.end()
    stage("owners", "--basis", scratch + "/basis.json", stdin=scratch + "/orders", stdout=scratch + "/owners")
    for line in lines("owners"):
        for number in wanted[line.split(b"\t", 3)[2]]:
            parts[number].write(line)
    [part.end() for part in parts]
    each(lambda number: stage("judge", "--basis", scratch + "/basis.json", stdin=f"{scratch}/part-{number}",
                              stdout=f"{scratch}/found-{number}"), range(options.parts))
    findings = Stream("findings", "findings", digest)
    for number in range(options.parts):
        for line in lines(f"found-{number}"):
            findings.write(line)
    findings.end()
    return keys

os.makedirs(lake + "/evidence", exist_ok=True)
lock = open(lake + "/lock", "w")
try:
    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
except BlockingIOError:
    sys.exit(75)
shutil.rmtree(scratch, ignore_errors=True)
os.mkdir(scratch)
moment = [f"--{name}={value}" for name, value in (("date", options.date), ("as-of", options.as_of)) if value]
stage("plan", "--config", options.config, *moment, stdout=scratch + "/plan.json")
plan, planned = load("plan.json"), ["--plan", scratch + "/plan.json"]
if plan["isDone"]:
    sys.exit(stage("publish", *planned, stdout="/dev/stdout"))
for name in set(os.listdir(lake + "/evidence")) - {night["folder"] for night in plan["folders"]}:  # taken by a night that was not published
    shutil.rmtree(f"{lake}/evidence/{name}")
folder = f"{plan['date']}-{mark('plan.json')[:16]}"
tonight, numbers = f"{lake}/evidence/{folder}", [file["number"] for file in plan["files"]]
os.mkdir(tonight)
each(lambda number: stage("take", *planned, "--delivery", str(number), stdout=f"{scratch}/take-{number}"), numbers)
stage("take", *planned, "--entries", stdout=scratch + "/entries-plan")
taken = Stream("taken", "evidence", mark("plan.json"))
for number in numbers:
    with open(f"{tonight}/{number}", "wb") as file:
        for line in lines(f"take-{number}"):
            (taken if line.split(b"\t", 2)[1] == b"taken" else file).write(line)
        file.flush()
        os.fsync(file.fileno())
os.rename(scratch + "/entries-plan", scratch + "/entries")
for line in lines("entries"):
    taken.write(line)
taken.end()
stage("basis", *planned, stdin=scratch + "/taken", stdout=scratch + "/basis.json")
keys = judge(tonight)
stage("basis", "--basis", scratch + "/basis.json", stdin=scratch + "/findings", stdout=scratch + "/again.json")
if mark("again.json") != mark("basis.json"):  # the desk gave goods by orders of other cases: they belong together
    os.rename(scratch + "/again.json", scratch + "/basis.json")
    keys = judge(tonight)
os.sync()
sys.exit(stage("publish", "--basis", scratch + "/basis.json", "--evidence", folder, "--keys=" + keys,
               stdin=scratch + "/findings", stdout="/dev/stdout"))
