internal import Dispatch
internal import Synchronization

/// Work that goes on beside this thread's, or is done when it is waited for where only one core may be used.
public final class Background<Value: Sendable>: Sendable {
    private let group = DispatchGroup()
    private let result = Mutex<Result<Value, any Error>?>(nil)
    private let work: @Sendable () throws -> Value

    public init(isBeside: Bool, _ work: @escaping @Sendable () throws -> Value) {
        self.work = work
        guard isBeside else { return }
        DispatchQueue.global().async(group: group) { [self] in
            let outcome = Result { try work() }
            result.withLock { $0 = outcome }
        }
    }

    /// Waits for what the work came to. - Throws: what it threw.
    public func value() throws -> Value {
        group.wait()
        return try result.withLock { $0 }?.get() ?? work()
    }
}

/// Makes pieces, each beside the use of the one before; `use` gets them in order, on this thread.
public func pipelined<Piece: Sendable>(
    threads: Int, _ count: Int, make: @escaping @Sendable (Int) -> Piece, use: (Piece) throws -> Void
) throws {
    var next: Background<Piece>?
    for number in 0..<count {
        let piece = try next?.value() ?? make(number)
        next = number + 1 < count ? Background(isBeside: threads > 1) { make(number + 1) } : nil
        try use(piece)
    }
}

extension Array {
    /// How many pieces of so many elements it makes; the last may be shorter.
    public func pieces(of size: Int) -> Int { (count + size - 1) / size }

    public func piece(_ number: Int, of size: Int) -> ArraySlice<Element> {
        self[number * size..<Swift.min(count, (number + 1) * size)]
    }
}
