#!/usr/bin/env python3
"""Runs one night in stages on one machine: what an engine does on a cluster, by ordinary processes and files.
The program judges; this script only moves lines. docs/spec/cluster.md defines the stages and the lines."""
import argparse, array, ctypes, fcntl, hashlib, json, os, shutil, subprocess, sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

parser = argparse.ArgumentParser(description=__doc__, epilog="Other options, such as --date, go to 'cluster plan'.")
for name, default in (("config", None), ("lake", None), ("parts", "8"), ("program", "reconcile")):
    parser.add_argument("--" + name, default=default, required=default is None)
options, others = parser.parse_known_args()
lake, pool = Path(options.lake).absolute(), ThreadPoolExecutor(os.cpu_count())
scratch = lake / "scratch"
planned, based = ["--plan", scratch / "plan.json"], ["--basis", scratch / "basis.json"]

def stage(*words, stdin=os.devnull, stdout):
    with open(scratch / stdin, "rb") as source, open(scratch / stdout, "wb") as target:
        code = subprocess.run([options.program, "cluster", *words], stdin=source, stdout=target).returncode
    return code if code in (0, 3) else sys.exit(code)

def load(name):
    """The content of a JSON file, and its digest, which the header of every stream names."""
    text = (scratch / name).read_bytes()
    return json.loads(text), hashlib.sha256(text).hexdigest()

def lines(*names):
    """The lines of streams, each as its columns: sum, kind, keys, object. A stream without an end was cut."""
    for name in names:
        with open(scratch / name, "rb") as file:
            next(file)  # the header
            for line in file:
                if line.startswith(b"end\t"):
                    break
                yield line.split(b"\t", 3)
            else:
                sys.exit(65)

class Stream:
    """Writes a stream under a header of its own. Its end adds up the first column of its lines."""
    def __init__(self, name, kind, digest, lines=()):
        self.file, self.count, self.sum = open(scratch / name, "wb"), 0, 0
        self.file.write(f"reconcile-wire 5 {kind} {digest}\n".encode())
        for line in lines:
            self.write(line)
    def write(self, line):
        self.file.write(b"\t".join(line))
        self.count, self.sum = self.count + 1, self.sum + int(line[0])
    def end(self):
        self.file.write(f"end\t{self.count}\t{ctypes.c_int64(self.sum).value}\n".encode())
        self.file.close()

def evidence(basis, tonight):
    """The evidence of all nights before, tonight's files that count, and the exceptions to follow."""
    files = [f"{night['folder']}/{file['delivery']}" for night in basis["plan"]["folders"] for file in night["deliveries"]]
    files += [f"{tonight}/{number}" for number in basis["deliveries"]]
    return (line for line in lines(*(f"../evidence/{file}" for file in files), "entries") if line[1] != b"taken")

def tie(basis, tonight):
    """The bundle of each key, and how many keys there are with what sum."""
    pairs, plan = array.array("q", sum(basis["ties"], [])), basis["plan"]
    for line in evidence(basis, tonight):
        own, _, token = line[2].partition(b";")
        keys = [int(key) for key in own.split(b",")]
        if token and plan["tiesTokens"] and int(token) not in plan["crowdedKeys"]:
            keys.append(int(token))
        for key in keys[1:] or keys:
            pairs.extend((keys[0], key))
    pairs.extend((0x5EC04C11E0E4D001, len(pairs) // 2))  # the end
    (scratch / "pairs").write_bytes(pairs)
    stage("tie", stdin="pairs", stdout="bundles")
    bundles = array.array("q", (scratch / "bundles").read_bytes())
    return dict(zip(bundles[:-4:2], bundles[1:-4:2])), f"{bundles[-3]},{bundles[-2]}"

def judge(tonight):
    """Ties and judges all evidence under basis.json. The findings are in scratch; returns what tie counted."""
    basis, digest = load("basis.json")
    bundle, keys = tie(basis, tonight)
    parts = [Stream(f"part-{number}", "evidence", digest) for number in range(int(options.parts))]
    carriers, wanted = Stream("carriers", "evidence", digest), {}
    for line in evidence(basis, tonight):
        own, _, token = line[2].partition(b";")
        part = parts[bundle[int(own.partition(b",")[0])] % len(parts)]
        part.write(line)
        if basis["plan"]["needsOwners"] and (token or line[1] == b"order"):
            carriers.write(line)
            wanted.setdefault(b";" + token, set()).add(part)
    carriers.end()
    stage("owners", *based, stdin="carriers", stdout="owners")
    for line in lines("owners"):
        for part in wanted[line[2]]:
            part.write(line)
    list(map(Stream.end, parts))
    list(pool.map(lambda n: stage("judge", *based, stdin=f"part-{n}", stdout=f"found-{n}"), range(len(parts))))
    Stream("findings", "findings", digest, lines(*(f"found-{n}" for n in range(len(parts))))).end()
    return keys

for folder in (lake / "evidence", scratch):
    folder.mkdir(parents=True, exist_ok=True)
fcntl.flock(lock := open(lake / "lock", "w"), fcntl.LOCK_EX)  # waits for another run
stage("plan", "--config", options.config, *others, stdout="plan.json")
plan, digest = load("plan.json")
if plan["isDone"]:
    sys.exit(stage("publish", *planned, stdout="/dev/stdout"))
for name in set(os.listdir(lake / "evidence")) - {night["folder"] for night in plan["folders"]}:
    shutil.rmtree(lake / "evidence" / name)  # taken by a night that was not published
tonight = f"{plan['date']}-{digest[:16]}"
(lake / "evidence" / tonight).mkdir()
files = {file["number"]: f"../evidence/{tonight}/{file['number']}" for file in plan["files"]}
list(pool.map(lambda n: stage("take", *planned, f"--delivery={n}", stdout=files[n]), files))
stage("take", *planned, "--entries", stdout="entries")
taken = (line for line in lines(*files.values(), "entries") if line[1] in (b"taken", b"entry"))
Stream("taken", "evidence", digest, taken).end()
stage("basis", *planned, stdin="taken", stdout="basis.json")
keys = judge(tonight)
stage("basis", *based, stdin="findings", stdout="again.json")
if load("again.json") != load("basis.json"):  # the desk gave goods by orders of other cases: they belong together
    (scratch / "again.json").rename(scratch / "basis.json")
    keys = judge(tonight)
os.sync()
sys.exit(stage("publish", *based, "--evidence", tonight, "--keys=" + keys, stdin="findings", stdout="/dev/stdout"))
