/// Settings of the desk's page. See docs/spec/interfaces.md#desk.
public struct DeskSettings: Sendable, Equatable {
    /// The folder for the records of look-ups, absolute.
    public var folder: String
    /// Whether a person at this machine may use the page without a login, to try it.
    public var allowsAnonymous = false
    /// The users who see masked accounts and tokens.
    public var masked: Set<String> = []
    /// What one question to the page may use.
    public var limits = Limits()
    /// The users who may record on the page that they gave goods by hand.
    public var givers: Set<String> = []
    /// The users who may search for purchases without a whole id, and so see other customers' purchases.
    public var searchers: Set<String> = []

    /// The users who may see the queue, and take cases in hand.
    public var workers: Set<String> = []
    /// Those of them who may also hand over and give back what another one has in hand.
    public var leads: Set<String> = []

    /// The users who may decide on the page, by what they decide: `waive`, `release`, `gap`.
    public var deciders: [String: Set<String>] = [:]
    /// The users who may ask Apple from the page.
    public var appleAskers: Set<String> = []
    /// How often each of them may ask in an hour.
    public var asksPerHour = 10
    /// What needs a second person: any of these, and `given`.
    public var twoPersons: Set<String> = []

    /// What one question to the page may use. See docs/spec/interfaces.md#desk-limits.
    public struct Limits: Sendable, Equatable {
        /// Memory in MB.
        public var megabytes = 512
        /// Processor time in seconds.
        public var seconds = 10
        /// The size of the answer in MB.
        public var outputMegabytes = 2

        public init() {}
    }
}
