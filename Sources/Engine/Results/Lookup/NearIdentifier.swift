/// A known identifier similar to the one looked up.
public struct NearIdentifier: Hashable, Sendable {
    public var kind: LookupKind
    public var id: String

    public init(kind: LookupKind, id: String) {
        self.kind = kind
        self.id = id
    }
}
