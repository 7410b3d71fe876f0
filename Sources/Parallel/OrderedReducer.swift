internal import Synchronization

/// What pieces of work come to, joined in their order as they become ready.
///
/// Whoever brings a part while another joins leaves it there and works on. Memory of parts that are joined serves the next ones.
public final class OrderedReducer<Part: Sendable, Whole: Sendable>: Sendable {
    private struct State {
        /// Brought, and not joined yet.
        var parts: [Int: Part] = [:]
        /// How many are joined.
        var count = 0
        var isJoining = false

        /// The next part in order; where it is not there yet joining is over for now.
        mutating func next() -> Part? {
            let next = parts.removeValue(forKey: count)
            if next == nil { isJoining = false } else { count += 1 }
            return next
        }
    }
    private let state = Mutex(State())
    private let whole: Mutex<Whole>
    private let join: @Sendable (inout Whole, Part) -> Void

    public init(into whole: sending Whole, _ join: @escaping @Sendable (inout Whole, Part) -> Void) {
        self.whole = Mutex(whole)
        self.join = join
    }

    /// - Parameter number: of the part, from 0.
    public func add(_ part: Part, at number: Int) {
        let (isMine, isCrowded) = state.withLock { state in
            state.parts[number] = part
            defer { state.isJoining = true }
            return (!state.isJoining, state.parts.count > Self.partsMax)
        }
        // Who only waits holds the work back where joining does not keep up.
        guard isMine || isCrowded else { return }
        whole.withLock { whole in
            guard isMine else { return }
            while let next = state.withLock({ $0.next() }) { join(&whole, next) }
        }
    }

    private static var partsMax: Int { 32 }

    /// What the parts came to, and how many were joined: all that were brought, if none is missing among them.
    public func result() -> (whole: Whole, count: Int) {
        (whole.withLock { $0 }, state.withLock { $0.count })
    }
}
