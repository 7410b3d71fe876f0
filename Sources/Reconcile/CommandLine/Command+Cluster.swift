extension Command {
    static let cluster = Command(
        name: "cluster", summary: "run one stage of a night that several machines share",
        description:
            "A night as a chain of processes that exchange lines, for an engine such as Apache Spark. The scripts in "
            + "contrib/ call the stages; docs/use/cluster.md says who needs them.",
        operands: Operands(
            synopsis: "plan|take|basis|tie|owners|judge|publish [FILE]", noun: "stage", count: 1...2),
        options: Option.configuration + [.asOf, .date, .plan, .delivery, .entries, .basis, .keys, .evidence],
        examples: ["cluster plan --config reconcile.json --date 2025-11-18": "what to read, on standard output"],
        endings: [
            .inputRefused: "a stream was cut, or a required feed's file was refused",
            .internalError: "sums differ: something was lost or doubled; nothing was published",
            .busy: "another run is using the ledger, or has changed it since the plan",
            .configuration: "among others: another program or plan wrote the stream",
        ])
}
