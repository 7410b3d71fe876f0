#!/usr/bin/env python3
"""Runs one night on Apache Spark. Spark moves lines; the program reconcile judges them.

    spark-submit reconcile_spark.py --config reconcile.json --lake s3a://bucket/reconcile --date 2025-11-18

Needs pyspark >= 3.5.2 and pyarrow. docs/use/cluster.md says who needs this; docs/spec/cluster.md defines stages and lines.
Every stage is written to Parquet before the next one reads it, so a task that runs again reads the same rows.
"""
import argparse, contextlib, hashlib, json, os, subprocess, sys, tempfile, time

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

PAIRS_END = 0x5EC04C11E0E4D001
LINES = "token bigint, sum bigint, line binary"
EVIDENCE = "delivery int, kind string, keys array<bigint>, token bigint, sum bigint, line binary"


def signed(number):
    return (number & (1 << 64) - 1 ^ 1 << 63) - (1 << 63)


class Filter:
    """One call of `reconcile cluster`: feeds it, reads it to its end, and fails unless it ended well."""

    def __init__(self, program, words, feed=lambda write: None):
        self.complaints = tempfile.TemporaryFile()
        self.process = subprocess.Popen(
            [program, "cluster", *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.complaints,
            env={**os.environ, "RECONCILE_THREADS": "1", "SWIFT_BACKTRACE": "enable=no"})
        # No stage writes before it has read everything. If one reads less, its exit code says why.
        with contextlib.suppress(BrokenPipeError), self.process.stdin as pipe:
            feed(pipe.write)

    def blocks(self, size=1 << 24):
        while block := self.process.stdout.read(size):
            yield block
        code = self.process.wait()
        if code != 0:
            self.complaints.seek(0)
            raise RuntimeError(f"{self.process.args[2]} ended with {code}: {self.complaints.read()[-2000:]}")

    def lines(self):
        """Blocks of whole lines between header and end, each without its last line feed."""
        rest, is_whole = b"", False
        self.process.stdout.readline()
        for block in self.blocks():
            block, _, rest = (rest + block).rpartition(b"\n")
            before, _, last = block.rpartition(b"\n")
            if last.startswith(b"end\t"):
                block, is_whole = before, True
            if block:
                yield block
        if not is_whole or rest:
            raise RuntimeError(f"the output of {self.process.args[2]} was cut")


def parsed(block):
    """The columns of lines: kind, keys, the token's key, sum, and the line itself."""
    lines = pc.split_pattern(pa.array([block], pa.binary()), "\n").flatten()
    columns = pc.split_pattern(pc.binary_slice(lines, 0, 256), "\t", max_splits=3)
    if pc.min(pc.list_value_length(columns)).as_py() < 4:  # Some keys are longer
        columns = pc.split_pattern(lines, "\t", max_splits=3)
    columns = columns.cast(pa.list_(pa.string()))
    column = lambda number: pc.list_element(columns, number)
    keys = pc.split_pattern(pc.binary_join_element_wise(column(2), "", ";"), ";", max_splits=2)
    own, token = pc.list_element(keys, 0), pc.list_element(keys, 1)
    empty = pa.scalar(None, pa.string())
    own = pc.split_pattern(pc.if_else(pc.equal(own, ""), empty, own), ",").cast(pa.list_(pa.int64()))
    token = pc.if_else(pc.equal(token, ""), empty, token).cast(pa.int64())
    return column(1), own, token, column(0).cast(pa.int64()), lines


def feeding(kind, digest, blocks):
    """Writes blocks of lines as one stream. Each comes with the number and the sum of its lines."""
    def feed(write):
        count, total = 0, 0
        write(b"reconcile-wire 5 %s %s\n" % (kind.encode(), digest.encode()))
        for lines, number, sums in blocks:
            count, total = count + number, total + sums
            write(lines)
            write(b"\n")
        write(b"end\t%d\t%d\n" % (count, signed(total)))
    return feed


def blocks(batches):
    for batch in batches:
        if batch.num_rows:
            lines = pa.ListArray.from_arrays([0, batch.num_rows], batch.column("line"))
            total = batch.column("sum").to_numpy().sum()  # Modulo 2^64
            yield pc.binary_join(lines, b"\n")[0].as_buffer(), batch.num_rows, int(total)


def local(name):
    """A file that the driver has shipped."""
    from pyspark import SparkFiles
    return SparkFiles.get(name)


def taking(program, plan, numbers):
    def take(batches):
        for batch in batches:
            for index in batch.column(0).to_pylist():
                number = numbers[index]
                words = ["take", "--plan", local(plan), "--delivery", str(number)]
                for block in Filter(local(program), words).lines():
                    kind, keys, token, total, lines = parsed(block)
                    delivery = pa.array([number] * len(lines), pa.int32())
                    yield pa.RecordBatch.from_pydict({"delivery": delivery, "kind": kind, "keys": keys, "token": token,
                                                      "sum": total, "line": lines})
    return take


def pairing(ties_tokens, crowded):
    """The pairs of keys that belong together, as bytes: the first key of each row with each of its others."""
    def pair(batches):
        for batch in batches:
            keys, tokens = batch.column("keys"), batch.column("token")
            lengths, values = pc.list_value_length(keys).to_numpy(), keys.flatten().to_numpy()
            starts = np.cumsum(lengths) - lengths
            tied = pc.and_(tokens.is_valid(), pc.invert(pc.is_in(tokens, pa.array(crowded, pa.int64()))))
            tied = tied.to_numpy(False) & ties_tokens
            kept = np.ones(len(values), bool)
            kept[starts[tied | (lengths > 1)]] = False  # Only a key that stands alone is paired with itself
            pairs = [np.column_stack((np.repeat(values[starts], lengths), values))[kept],
                     np.column_stack((values[starts[tied]], tokens.filter(pa.array(tied)).to_numpy()))]
            yield pa.RecordBatch.from_pydict({"pairs": [np.concatenate(pairs).tobytes()]})
    return pair


def tying(program):
    def tie(batches):
        def feed(write):
            count = 0
            for batch in batches:
                for pairs in batch.column("pairs"):
                    write(pairs.as_buffer())
                    count += len(pairs.as_buffer()) // 16
            write(np.array([PAIRS_END, count]).tobytes())
        output = b"".join(Filter(local(program), ["tie"], feed).blocks())
        bundles = np.frombuffer(output, np.int64).reshape(-1, 2)
        count = len(bundles) - 2
        if count < 0 or bundles[count].tolist() != [PAIRS_END, count]:
            raise RuntimeError("the output of tie was cut")
        for start in range(0, count, 1 << 16):
            rows = bundles[start:min(start + (1 << 16), count)]
            yield pa.RecordBatch.from_pydict({"key": rows[:, 0].copy(), "bundle": rows[:, 1].copy(),
                                              "total": pa.nulls(len(rows), pa.string())})
        none = pa.nulls(1, pa.int64())
        yield pa.RecordBatch.from_pydict({"key": none, "bundle": none, "total": [f"{count},{bundles[-1][0]}"]})
    return tie


def filtering(program, name, basis, digest):
    """Lines in, lines out: `owners` and `judge`."""
    def run(batches):
        stage = Filter(local(program), [name, "--basis", local(basis)], feeding("evidence", digest, blocks(batches)))
        for block in stage.lines():
            _, _, token, total, lines = parsed(block)
            yield pa.RecordBatch.from_pydict({"token": token, "sum": total, "line": lines})
    return run


class Night:
    def __init__(self, options):
        self.options, self.began = options, time.monotonic()
        self.spark = (SparkSession.builder.appName("reconcile " + options.date)
                      .config("spark.sql.parquet.compression.codec", "zstd")
                      .config("spark.hadoop.mapreduce.fileoutputcommitter.algorithm.version", "1")
                      .config("spark.sql.join.preferSortMergeJoin", "false")
                      # Arrow's own pool returns freed memory at once, and most time would go into getting it again.
                      .config("spark.executorEnv.ARROW_DEFAULT_MEMORY_POOL", "system")
                      .getOrCreate())
        self.spark.sparkContext.setLogLevel("ERROR")
        self.folder, self.program = tempfile.TemporaryDirectory(prefix="reconcile-"), self.ship(options.program)
        self.note("start")

    def note(self, stage):
        print(f"{stage}: done after {time.monotonic() - self.began:.1f} s", file=sys.stderr)

    def ship(self, path):
        self.spark.sparkContext.addFile(path)
        return os.path.basename(path)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def call(self, *words, source=os.devnull, to="output"):
        """Runs a stage on the driver. Its output is a file."""
        with open(source, "rb") as file, open(self.path(to), "wb") as target:
            code = subprocess.run([self.options.program, "cluster", *words], stdin=file, stdout=target).returncode
        if code not in (0, 3):
            sys.exit(code)
        self.note(words[0])
        return self.path(to), code

    def stream(self, kind, digest, lines):
        """Writes lines as a file that a stage on the driver can read."""
        with open(self.path(kind), "wb") as file:
            feeding(kind, digest, ((line, 1, int(line[:line.index(b"\t")])) for line in lines))(file.write)
        return self.path(kind)

    def keep(self, frame, name):
        """Writes a stage's rows, and reads them back."""
        path = f"{self.options.lake}/{name}"
        frame.write.mode("overwrite").parquet(path)
        self.note(name)
        return self.spark.read.parquet(path)

    def named(self, path, kind):
        """Gives a file a name of its own, because a shipped file cannot be replaced."""
        with open(path, "rb") as file:
            content = file.read()
        digest = hashlib.sha256(content).hexdigest()
        name = self.path(f"{kind}-{digest[:16]}.json")
        os.rename(path, name)
        return name, digest, json.loads(content)

    def run(self):
        moment = [("date", self.options.date), ("as-of", self.options.as_of)]
        moment = [f"--{name}={value}" for name, value in moment if value]
        path, digest, plan = self.named(self.call("plan", "--config", self.options.config, *moment)[0], "plan")
        planned = ["--plan", path]
        if plan["isDone"]:
            return self.call("publish", *planned)[1]
        self.night = f"{plan['date']}-{digest[:16]}"
        numbers = [file["number"] for file in plan["files"]]
        files = self.spark.range(0, len(numbers), 1, max(1, len(numbers)))  # One task a file
        tonight = self.keep(files.mapInArrow(taking(self.program, self.ship(path), numbers), EVIDENCE),
                            f"evidence/{self.night}")
        with open(self.call("take", *planned, "--entries", to="entries")[0], "rb") as file:
            entries = file.read().split(b"\n")[1:-1]
        if not entries or not entries.pop().startswith(b"end\t"):
            sys.exit(65)
        taken = [row.line for row in tonight.where("kind = 'taken'").select("line").collect()]
        basis, _ = self.call("basis", *planned, source=self.stream("evidence", digest, taken + entries))
        self.followed = entries and self.spark.createDataFrame(
            [(0, *row) for row in zip(*(column.to_pylist() for column in parsed(b"\n".join(entries))))], EVIDENCE)
        keys, basis, digest, findings = self.judge(basis)
        again, _ = self.call("basis", "--basis", basis, source=findings)
        with open(again, "rb") as file:
            if hashlib.sha256(file.read()).hexdigest() != digest:
                # The desk gave goods by orders of other cases: they belong together.
                keys, basis, digest, findings = self.judge(again)
        code = self.call("publish", "--basis", basis, "--evidence", self.night, "--keys=" + keys, source=findings)[1]
        self.sweep()
        return code

    def judge(self, path):
        """Ties and judges all evidence under a basis."""
        path, digest, basis = self.named(path, "basis")
        plan, shipped, scratch = basis["plan"], self.ship(path), f"scratch/{self.night}"
        folders = [night["folder"] for night in plan["folders"]] + [self.night]
        deliveries = [each["delivery"] for night in plan["folders"] for each in night["deliveries"]] + basis["deliveries"]
        rows = self.spark.read.schema(EVIDENCE).parquet(*[f"{self.options.lake}/evidence/{name}" for name in folders])
        rows = rows.where(F.col("delivery").isin(deliveries)).where("kind <> 'taken'")
        if self.followed:
            rows = rows.unionByName(self.followed)
        pairs = rows.select("keys", "token").mapInArrow(
            pairing(plan["tiesTokens"], plan["crowdedKeys"]), "pairs binary")
        if basis["ties"]:
            ties = bytearray(np.array(basis["ties"]).tobytes())
            pairs = pairs.union(self.spark.createDataFrame([(ties,)], "pairs binary"))
        tied = pairs.repartition(1).mapInArrow(tying(self.program), "key bigint, bundle bigint, total string")
        tied = self.keep(tied, f"{scratch}/bundles")
        keys = tied.where("total is not null").first().total
        bundles = tied.where("total is null").select("key", "bundle")
        routed = rows.withColumn("key", F.col("keys")[0]).join(bundles, "key")
        judged = routed.select("bundle", "sum", "line")
        if plan["needsOwners"]:
            carriers = rows.where("kind = 'order' or token is not null").select("sum", "line").repartition(1)
            owners = self.keep(carriers.mapInArrow(filtering(self.program, "owners", shipped, digest), LINES),
                               f"{scratch}/owners")
            wanted = routed.where("token is not null").select("token", "bundle").distinct()
            judged = judged.unionByName(owners.join(wanted, "token").select("bundle", "sum", "line"))
        found = judged.repartition(self.options.parts, "bundle").select("sum", "line").mapInArrow(
            filtering(self.program, "judge", shipped, digest), LINES)
        found = self.keep(found.select("line"), f"{scratch}/found")
        return keys, path, digest, self.stream("findings", digest, (row.line for row in found.toLocalIterator()))

    def sweep(self):
        """Removes what only this night needed."""
        machine = self.spark.sparkContext._jvm
        path = machine.org.apache.hadoop.fs.Path(f"{self.options.lake}/scratch/{self.night}")
        path.getFileSystem(self.spark.sparkContext._jsc.hadoopConfiguration()).delete(path, True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    for name, default in (("config", None), ("lake", None), ("date", ""), ("as-of", ""), ("program", "/usr/bin/reconcile")):
        parser.add_argument("--" + name, default=default, required=default is None)
    parser.add_argument("--parts", type=int, default=16)
    night = Night(parser.parse_args())
    code = night.run()
    night.spark.stop()
    sys.exit(code)
