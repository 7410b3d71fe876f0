/// A known identifier similar to the one looked up.
public struct NearIdentifier: Hashable, Sendable {
    /// What it refers to.
    public var kind: LookupKind
    /// The identifier.
    public var id: String

    /// The parameters are the properties of the same names.
    public init(kind: LookupKind, id: String) {
        self.kind = kind
        self.id = id
    }
}
