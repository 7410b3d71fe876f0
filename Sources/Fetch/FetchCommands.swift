/// What `reconcile fetch` takes. `reconcile` shows its help and starts `reconcile-fetch`, which parses the same words.
extension Command {
    public static let fetch = Command(
        name: "fetch", summary: "fetch from Apple what is missing",
        description:
            "Fetches from Apple's notification history every day that the feed of `apple.notifications` lacks, and asks for "
            + "the transactions that the last retry manifest names. With --finance, fetches a financial report of App "
            + "Store Connect instead. A file appears only when it is whole.",
        options: Option.configuration + [.rate, .finance],
        examples: [
            "fetch --config reconcile.json": "before each night",
            "fetch --finance 2025-11 --config reconcile.json": "Apple's report of a fiscal month",
        ],
        endings: [
            .noInput: "with --finance: Apple has no such report yet",
            .unavailable: "Apple could not be asked; a day that is not whole is not there",
            .busy: "another fetch is going on",
            .configuration: "among others: the configuration has no `apple`, or the key cannot be used",
        ])

    /// Asks Apple for `ask`, and prints a line for each answer.
    static let answers = Command(
        name: "answers", summary: "print Apple's answers", description: "For `reconcile ask`.",
        operands: Operands(synopsis: "ID...", noun: "id", count: 1...100), options: Option.configuration, examples: [:],
        isHidden: true)

    /// Tries the configured keys.
    static let online = Command(
        name: "online", summary: "try the keys", description: "For `reconcile check --online`.",
        options: Option.configuration,
        examples: [:], isHidden: true)
}

extension Option {
    public static let rate = Option(
        name: "rate", value: .text("N"), help: "requests a second, at most 1000; default 25, half of Apple's limit")
    public static let finance = Option(
        name: "finance", value: .text("YYYY-MM"), help: "fetch Apple's financial report of that fiscal month")
}
