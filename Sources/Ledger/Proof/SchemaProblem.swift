/// One way in which the objects of a ledger's schema are not those that this program creates. Objects are named by kind
/// and name, such as `table run`.
public enum SchemaProblem: Hashable, Sendable {
    /// A table, index, trigger or view of this program is missing or was changed.
    case damaged(String)
    /// Something else added an object. An index that is not unique is harmless: it can neither change nor refuse rows.
    case foreign(String, isHarmless: Bool)
}

extension SchemaProblem: CustomStringConvertible {
    public var description: String {
        switch self {
        case .damaged(let object): "the \(object) is missing or was changed"
        case .foreign(let object, _): "the \(object) was not created by reconcile"
        }
    }
}
