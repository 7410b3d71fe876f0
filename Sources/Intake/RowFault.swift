/// Why a row cannot be used.
struct RowFault: Error {
    /// The faulty column; nil if the row as a whole is at fault.
    var column: Column?
    /// What is wrong and what would be right, for the operator.
    var reason: String
    var kind: Reject.Kind

    init(_ column: Column?, _ reason: String, _ kind: Reject.Kind = .other) {
        self.column = column
        self.kind = kind
        self.reason = reason
    }
}
