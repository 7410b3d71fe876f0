#!/usr/bin/env python3
"""Runs one night on Apache Spark. Spark moves lines; the program reconcile judges them.

    spark-submit reconcile_spark.py --config reconcile.json --lake s3a://bucket/reconcile --date 2025-11-18

Needs pyspark >= 3.5.2 and pyarrow. docs/use/cluster.md says who needs this; docs/spec/cluster.md defines stages and lines.
Every stage is written to Parquet before the next one reads it, so a task that runs again reads the same rows.
"""
import argparse, hashlib, json, os, subprocess, sys, tempfile

import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

PAIRS_END = 0x5EC04C11E0E4D001
EVIDENCE = "delivery int, kind string, keys array<bigint>, token bigint, sum bigint, line binary"


def signed(number):
    return (number & (1 << 64) - 1 ^ 1 << 63) - (1 << 63)


class Filter:
    """One call of `reconcile cluster`: feeds it, reads it to its end, and fails unless it ended well."""

    def __init__(self, program, words, feed=None):
        self.complaints = tempfile.TemporaryFile()
        environment = {**os.environ, "RECONCILE_THREADS": "1", "SWIFT_BACKTRACE": "enable=no"}
        # The input is a file, so that the program is read only when it has read everything: no pipe can block.
        self.input = tempfile.TemporaryFile()
        if feed:
            feed(self.input.write)
        self.input.seek(0)
        self.process = subprocess.Popen([program, "cluster", *words], stdin=self.input, stdout=subprocess.PIPE,
                                        stderr=self.complaints, env=environment)

    def blocks(self, size=1 << 24):
        while block := self.process.stdout.read(size):
            yield block
        code = self.process.wait()
        if code != 0:
            self.complaints.seek(0)
            raise RuntimeError(f"{self.process.args[2]} ended with {code}: {self.complaints.read()[-2000:]}")

    def lines(self):
        """Blocks of whole lines between header and end. Without an end, the output was cut."""
        rest, has_header, has_end = b"", False, False
        for block in self.blocks():
            rest += block
            if not has_header:
                header, found, rest = rest.partition(b"\n")
                if not found:
                    rest = header
                    continue
                has_header = True
            end = rest.rfind(b"\n") + 1
            whole, rest = rest[:end], rest[end:]
            last = whole.rfind(b"\n", 0, -1) + 1
            if whole[last:].startswith(b"end\t"):
                whole, has_end = whole[:last], True
            if whole:
                yield whole
        if not has_end or rest:
            raise RuntimeError(f"the output of {self.process.args[2]} was cut")


def parsed(block):
    """The columns of lines: kind, keys, the token's key, sum, and the line itself."""
    lines = pa.array(block.split(b"\n")[:-1], pa.binary())
    text = lines.cast(pa.string())
    columns = pc.split_pattern(text, "\t", max_splits=3)
    column = lambda number: pc.list_element(columns, number)
    keys = pc.split_pattern(pc.binary_join_element_wise(column(2), "", ";"), ";", max_splits=2)
    own, token = pc.list_element(keys, 0), pc.list_element(keys, 1)
    empty = pa.scalar(None, pa.string())
    own = pc.split_pattern(pc.if_else(pc.equal(own, ""), empty, own), ",").cast(pa.list_(pa.int64()))
    token = pc.if_else(pc.equal(token, ""), empty, token).cast(pa.int64())
    return column(1), own, token, column(0).cast(pa.int64()), lines


def feeding(kind, digest, batches):
    """Writes the lines of batches as one stream."""
    def feed(write):
        count, total = 0, 0
        write(b"reconcile-wire 1 %s %s\n" % (kind.encode(), digest.encode()))
        for batch in batches:
            if batch.num_rows:
                count += batch.num_rows
                total += sum(batch.column("sum").to_pylist())
                write(b"\n".join(batch.column("line").to_pylist()))
                write(b"\n")
        write(b"end\t%d\t%d\n" % (count, signed(total)))
    return feed


def local(name):
    """A file that the driver has shipped."""
    from pyspark import SparkFiles
    return SparkFiles.get(name)


def taking(program, plan):
    def take(batches):
        for batch in batches:
            for number in batch.column(0).to_pylist():
                words = ["take", "--plan", local(plan), "--delivery", str(number)]
                for block in Filter(local(program), words).lines():
                    kind, keys, token, total, lines = parsed(block)
                    delivery = pa.array([number] * len(lines), pa.int32())
                    yield pa.RecordBatch.from_arrays(
                        [delivery, kind, keys, token, total, lines],
                        names=["delivery", "kind", "keys", "token", "sum", "line"])
    return take


def pairing(ties_tokens, crowded):
    def pair(batches):
        for batch in batches:
            first, second = [], []
            for keys, token in zip(batch.column("keys").to_pylist(), batch.column("token").to_pylist()):
                if ties_tokens and token is not None and token not in crowded:
                    keys = keys + [token]
                for key in keys[1:] or keys:
                    first.append(keys[0])
                    second.append(key)
            yield pa.RecordBatch.from_arrays([pa.array(first, pa.int64()), pa.array(second, pa.int64())], names=["a", "b"])
    return pair


def tying(program):
    def tie(batches):
        def feed(write):
            count = 0
            for batch in batches:
                table = [x for pair in zip(batch.column(0).to_pylist(), batch.column(1).to_pylist()) for x in pair]
                write(pa.array(table, pa.int64()).buffers()[1].to_pybytes()[:8 * len(table)])
                count += batch.num_rows
            write(pa.array([signed(PAIRS_END), count], pa.int64()).buffers()[1].to_pybytes()[:16])
        output = b"".join(Filter(local(program), ["tie"], feed).blocks())
        numbers = pa.Array.from_buffers(pa.int64(), len(output) // 8, [None, pa.py_buffer(output)])
        count = len(numbers) // 2 - 2
        if count < 0 or numbers[2 * count].as_py() != signed(PAIRS_END) or numbers[2 * count + 1].as_py() != count:
            raise RuntimeError("the output of tie was cut")
        even = pa.array(range(0, 2 * count, 2), pa.int64())
        yield pa.RecordBatch.from_arrays(
            [numbers.take(even), numbers.take(pc.add(even, 1)), pa.nulls(count, pa.string())],
            names=["key", "bundle", "total"])
        yield pa.RecordBatch.from_arrays(
            [pa.array([None], pa.int64()), pa.array([None], pa.int64()),
             pa.array([f"{count},{numbers[2 * count + 2].as_py()}"])], names=["key", "bundle", "total"])
    return tie


def filtering(program, words, kind, basis, digest):
    """Lines in, lines out: `owners` and `judge`."""
    def run(batches):
        stage = Filter(local(program), [*words, "--basis", local(basis)], feeding(kind, digest, batches))
        for block in stage.lines():
            kinds, _, token, total, lines = parsed(block)
            yield pa.RecordBatch.from_arrays([token, total, lines], names=["token", "sum", "line"])
    return run


class Night:
    def __init__(self, options):
        self.options = options
        self.spark = (SparkSession.builder.appName("reconcile " + (options.date or ""))
                      .config("spark.sql.parquet.compression.codec", "zstd")
                      .config("spark.hadoop.mapreduce.fileoutputcommitter.algorithm.version", "1")
                      .getOrCreate())
        self.spark.sparkContext.setLogLevel("ERROR")
        self.folder = tempfile.mkdtemp(prefix="reconcile-")
        self.program = self.ship(options.program)

    def ship(self, path):
        self.spark.sparkContext.addFile(path)
        return os.path.basename(path)

    def call(self, *words, feed=None, to=None):
        """Runs a stage on the driver. Its output is a file."""
        path = os.path.join(self.folder, to or "output")
        source = os.path.join(self.folder, "input")
        with open(source, "wb") as file:
            if feed:
                feed(file.write)
        with open(source, "rb") as file, open(path, "wb") as target:
            code = subprocess.run([self.options.program, "cluster", *words], stdin=file, stdout=target).returncode
        if code not in (0, 3):
            sys.exit(code)
        return path, code

    def keep(self, frame, name):
        """Writes a stage's rows, and reads them back."""
        path = f"{self.options.lake}/{name}"
        frame.write.mode("overwrite").parquet(path)
        return self.spark.read.parquet(path)

    def named(self, path, kind):
        """Gives a file a name of its own, because a shipped file cannot be replaced."""
        with open(path, "rb") as file:
            digest = hashlib.sha256(file.read()).hexdigest()
        name = os.path.join(self.folder, f"{kind}-{digest[:16]}.json")
        os.rename(path, name)
        with open(name, "rb") as file:
            return name, digest, json.load(file)

    def run(self):
        moment = [f"--{name}={value}" for name, value in (("date", self.options.date), ("as-of", self.options.as_of))
                  if value]
        path, digest, plan = self.named(self.call("plan", "--config", self.options.config, *moment)[0], "plan")
        planned = ["--plan", path]
        if plan["isDone"]:
            return self.call("publish", *planned)[1]
        folder = f"{plan['date']}-{digest[:16]}"
        self.scratch = f"scratch/{folder}"
        numbers = [(file["number"],) for file in plan["files"]]
        files = self.spark.createDataFrame(numbers, "number int").repartition(max(1, len(numbers)), "number")
        tonight = self.keep(files.mapInArrow(taking(self.program, self.ship(path)), EVIDENCE), f"evidence/{folder}")
        entries, _ = self.call("take", *planned, "--entries", to="entries")
        blocks = [block for block in self.lines_of(entries)]
        taken = [row.line for row in tonight.where("kind = 'taken'").select("line").collect()]
        lines = taken + [line for block in blocks for line in block.split(b"\n")[:-1]]
        basis, _ = self.call("basis", *planned, feed=self.feed(lines, "evidence", digest))
        self.followed = self.spark.createDataFrame(
            [(0, *row) for block in blocks for row in zip(*(column.to_pylist() for column in parsed(block)))], EVIDENCE)
        keys, basis, mark, content = self.judge(basis, tonight)
        again, _ = self.call("basis", "--basis", basis, feed=self.findings(mark), to="again")
        if hashlib.sha256(open(again, "rb").read()).hexdigest() != mark:
            # The desk gave goods by orders of other cases: they belong together.
            keys, basis, mark, content = self.judge(again, tonight)
        code = self.call("publish", "--basis", basis, "--evidence", folder, "--keys=" + keys, feed=self.findings(mark))[1]
        self.sweep()
        return code

    def lines_of(self, path):
        with open(path, "rb") as file:
            lines = file.read().split(b"\n")
        if not lines[-2].startswith(b"end\t"):
            sys.exit(65)
        if lines[1:-2]:
            yield b"\n".join(lines[1:-2]) + b"\n"

    def feed(self, lines, kind, digest):
        total = [int(line[:line.index(b"\t")]) for line in lines]
        batch = pa.RecordBatch.from_arrays([pa.array(total, pa.int64()), pa.array(lines, pa.binary())], names=["sum", "line"])
        return feeding(kind, digest, [batch])

    def judge(self, path, tonight):
        """Ties and judges all evidence under a basis."""
        path, digest, basis = self.named(path, "basis")
        plan, shipped, parts = basis["plan"], self.ship(path), self.options.parts
        counts = tonight.where(F.col("delivery").isin(basis["deliveries"])).where("kind <> 'taken'")
        rows = counts.unionByName(self.followed)
        for night in plan["folders"]:
            past = self.spark.read.parquet(f"{self.options.lake}/evidence/{night['folder']}").where("kind <> 'taken'")
            rows = rows.unionByName(past.where(F.col("delivery").isin([sum["delivery"] for sum in night["deliveries"]])))
        pairs = self.keep(rows.select("keys", "token").mapInArrow(
            pairing(plan["tiesTokens"], set(plan["crowdedKeys"])), "a bigint, b bigint"), f"{self.scratch}/pairs")
        if basis["ties"]:
            pairs = pairs.union(self.spark.createDataFrame([tuple(pair) for pair in basis["ties"]], "a bigint, b bigint"))
        tied = self.keep(pairs.coalesce(1).mapInArrow(tying(self.program), "key bigint, bundle bigint, total string"),
                         f"{self.scratch}/bundles")
        keys = tied.where("total is not null").first().total
        routed = rows.withColumn("key", F.col("keys")[0]).join(
            tied.where("total is null").select("key", "bundle"), "key").select("bundle", "token", "sum", "line", "kind")
        judged = routed.select("bundle", "sum", "line")
        if plan["needsOwners"]:
            carriers = routed.where("kind = 'order' or token is not null").select("sum", "line").coalesce(1)
            owners = self.keep(carriers.mapInArrow(
                filtering(self.program, ["owners"], "evidence", shipped, digest),
                "token bigint, sum bigint, line binary"), f"{self.scratch}/owners")
            wanted = routed.where("token is not null").select("token", "bundle").distinct()
            judged = judged.unionByName(owners.join(wanted, "token").select("bundle", "sum", "line"))
        found = judged.repartition(parts, F.pmod("bundle", F.lit(parts))).select("sum", "line").mapInArrow(
            filtering(self.program, ["judge"], "evidence", shipped, digest), "token bigint, sum bigint, line binary")
        self.found = self.keep(found.select("sum", "line"), f"{self.scratch}/found")
        return keys, path, digest, basis

    def findings(self, digest):
        return self.feed([bytes(row.line) for row in self.found.toLocalIterator()], "findings", digest)

    def sweep(self):
        """Removes what only this night needed."""
        machine = self.spark.sparkContext._jvm
        path = machine.org.apache.hadoop.fs.Path(f"{self.options.lake}/{self.scratch}")
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
