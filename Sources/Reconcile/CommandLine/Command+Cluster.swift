internal import Console
internal import Settings

extension Command {
    static let cluster = Command(
        name: "cluster", summary: "run one stage of a night that several machines share",
        description:
            "A night as a chain of processes that exchange lines, for an engine such as Apache Spark. The scripts in "
            + "contrib/ call the stages; docs/use/cluster.md says who needs them.",
        operands: Operands(
            synopsis: "plan|take|basis|tie|owners|judge|publish [FILE]", noun: "stage", count: 1...2),
        options: Option.configuration + [.asOf, .date, .plan, .delivery, .entries, .basis, .keys, .evidence],
        examples: [
            Example(
                line: "cluster plan --config reconcile.json --date 2025-11-18",
                purpose: "what to read, on standard output")
        ],
        endings: [
            Ending(code: .inputRefused, meaning: "a stream was cut, or a required feed's file was refused"),
            Ending(code: .internalError, meaning: "sums differ: something was lost or doubled; nothing was published"),
            Ending(code: .busy, meaning: "another run is using the ledger, or has changed it since the plan"),
            Ending(code: .configuration, meaning: "among others: another program or plan wrote the stream"),
        ])
}
