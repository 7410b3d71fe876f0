/// The surroundings of `reconcile-fetch`: its only access to the clock, the environment, the network and the streams.
public struct FetchContext {
    public var variables: [String: String]
    /// The working folder, absolute.
    public var folder: String
    public var transport: any Transport
    /// Time and chance.
    public var surroundings: Surroundings
    public var output: Output
    public var log: Log

    public init(
        variables: [String: String], folder: String, transport: any Transport, surroundings: Surroundings,
        output: Output, log: Log
    ) {
        self.variables = variables
        self.folder = folder
        self.transport = transport
        self.surroundings = surroundings
        self.output = output
        self.log = log
    }

    var now: Instant { surroundings.now() }
}
