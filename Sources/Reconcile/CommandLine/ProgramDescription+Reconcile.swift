extension ProgramDescription {
    /// This program with the commands that it offers.
    static func reconcile(_ commands: [Command]) -> ProgramDescription {
        ProgramDescription(
            version: Reconcile.version,
            summary: "reconcile App Store purchases with an app backend's orders and credits",
            purpose: """
                reconcile joins an app backend's orders and credits with Apple's transactions
                and the receipts of its clients, and gives every purchase one verdict.
                """,
            description:
                "Every night, joins an app backend's orders and credits with Apple's verified transactions and client receipts, "
                + "gives every purchase exactly one verdict, keeps everything in a ledger (one SQLite file), and "
                + "writes reports and a retry manifest. Results go to standard output, everything else to standard error.",
            commands: commands,
            firstSteps: Array(commands.filter { $0 == .demo || $0 == .initialize }.flatMap(\.examples).prefix(3)).map {
                ($0, $1)
            },
            exitNote: "After any code but 0, 1 and 3 the ledger and the output folder are as they were before the run.",
            environment: [
                ("RECONCILE_CONFIG", "the configuration, if --config is not given"),
                ("RECONCILE_THREADS", "the maximum number of cores; default: all"),
                ("NO_COLOR", "turns colours off if it is set and not empty"),
            ],
            files: [
                ("reconcile.json", "the configuration; 'reconcile init' writes a commented one"),
                ("/usr/share/doc/reconcile", "the documentation, including operations.md, the runbook"),
            ],
            seeAlso: [".BR sqlite3 (1),", ".BR systemd.timer (5)"])
    }
}
