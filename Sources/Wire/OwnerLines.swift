public import Domain
internal import Text

private enum OwnerMember: Int, WireMember {
    case account, isSeveral, token
}

/// Writes the owners of tokens as lines that travel with the evidence.
public struct OwnerLineWriter {
    public var lines: LineWriter

    public init(plan: String) { lines = LineWriter(.evidence, plan: plan) }

    public mutating func write(_ token: Token, _ owner: TokenOwner) {
        lines.line("owner", keys: [], token: token) { line in
            switch owner {
            case .account(let account): line.add("account", account)
            case .several: line.add("is_several", flag: true)
            case .unknown: break
            }
            line.add("token", token)
        }
    }
}

/// Reads the owners of tokens.
public struct OwnerLineReader {
    private var members = Members<OwnerMember>()
    private var cache = IdentifierCache()
    /// The owners read so far.
    public private(set) var owners: [Token: TokenOwner] = [:]

    public init() {}

    /// Reads a line. False if it is of another kind.
    public mutating func read(_ line: WireLine) throws(WireError) -> Bool {
        guard line.kind.isEqual(to: "owner") else { return false }
        try members.read(line)
        let token = try members.whole(members.token(.token), .token)
        let owner: TokenOwner
        if let account = try members.identifier(.account, &cache) {
            owner = .account(account)
        } else {
            owner = try members.flag(.isSeveral) ? .several : .unknown
        }
        guard owners[token] == nil || owners[token] == owner else { throw line.fault("a token has two owners") }
        owners[token] = owner
        return true
    }
}
