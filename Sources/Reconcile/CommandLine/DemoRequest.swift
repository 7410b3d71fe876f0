internal import Console

/// The checked arguments of `reconcile demo`.
struct DemoRequest: Equatable {
    /// The directory as typed.
    var directory: String
    var orders: Int
    var seed: UInt64

    init(_ invocation: Invocation) throws(Failure) {
        directory = invocation.operands.first ?? "demo-night"
        orders = try invocation.count(.orders, in: 1...10_000_000) ?? 2000
        seed = UInt64(try invocation.count(.seed, in: 0...Int.max) ?? 1)
    }
}
