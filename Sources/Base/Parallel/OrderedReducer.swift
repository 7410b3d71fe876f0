internal import Synchronization

/// Joins the results of numbered pieces of work in the order of their numbers, as soon as they are ready.
///
/// A thread that adds a part while another thread is joining leaves the part there and goes on with its work. At most
/// `partsMax` parts pile up; beyond that, threads wait for the joining thread. So memory stays bounded, and the memory
/// of joined parts can be used again.
public final class OrderedReducer<Part: Sendable, Whole: Sendable>: Sendable {
    private struct State {
        /// Added, but not joined yet, by number.
        var parts: [Int: Part] = [:]
        /// How many parts are joined.
        var count = 0
        var isJoining = false

        /// The next part in order. If it has not arrived, joining stops until a thread adds it.
        mutating func next() -> Part? {
            let next = parts.removeValue(forKey: count)
            if next == nil { isJoining = false } else { count += 1 }
            return next
        }
    }
    private let state = Mutex(State())
    private let whole: Mutex<Whole>
    private let join: @Sendable (inout Whole, Part) -> Void

    /// - Parameters:
    ///   - whole: what the parts are joined to.
    ///   - join: adds one part to the whole; called with the parts in order, one at a time.
    public init(into whole: sending Whole, _ join: @escaping @Sendable (inout Whole, Part) -> Void) {
        self.whole = Mutex(whole)
        self.join = join
    }

    /// Adds a part and joins all that are ready, unless another thread is joining.
    ///
    /// - Parameter number: the part's number, from 0.
    public func add(_ part: Part, at number: Int) {
        let (isMine, isCrowded) = state.withLock { state in
            state.parts[number] = part
            defer { state.isJoining = true }
            return (!state.isJoining, state.parts.count > Self.partsMax)
        }
        // A thread that is only waiting for the lock slows the work down to the pace of joining.
        guard isMine || isCrowded else { return }
        whole.withLock { whole in
            guard isMine else { return }
            while let next = state.withLock({ $0.next() }) { join(&whole, next) }
        }
    }

    private static var partsMax: Int { 32 }

    /// The whole, and how many parts were joined. Call it when all parts were added; if one is missing, those after it
    /// are not in the whole.
    public func result() -> (whole: Whole, count: Int) {
        (whole.withLock { $0 }, state.withLock { $0.count })
    }
}
