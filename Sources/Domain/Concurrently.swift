internal import Dispatch
internal import Synchronization

/// What independent pieces of work come to, done on up to `threads` cores; in the order given, whoever finished first.
public func concurrently<Result: Sendable>(
    threads: Int, _ count: Int, _ work: @Sendable (Int) -> Result
) -> [Result] {
    if threads < 2 || count < 2 { return (0..<count).map(work) }
    let results = Mutex([Result?](repeating: nil, count: count))
    let next = Atomic<Int>(0)
    DispatchQueue.concurrentPerform(iterations: min(threads, count)) { _ in
        while true {
            let number = next.wrappingAdd(1, ordering: .relaxed).oldValue
            if number >= count { return }
            let result = work(number)
            results.withLock { $0[number] = result }
        }
    }
    return results.withLock { $0.map { $0! } }
}

/// One result an element of `0..<count`, worked out in pieces on up to `threads` cores.
@inlinable
public func concurrentMap<Result: Sendable>(
    threads: Int, _ count: Int, atOnce piece: Int = 1 << 16, _ transform: @Sendable (Int) -> Result
) -> [Result] {
    [Result](unsafeUninitializedCapacity: count) { buffer, initialized in
        // Of ten million results nobody wants a second copy.
        nonisolated(unsafe) let results = buffer  // each place is written once, by whoever has its piece
        _ = concurrently(threads: threads, (count + piece - 1) / piece) { number in
            for place in number * piece..<min(count, (number + 1) * piece) {
                results.initializeElement(at: place, to: transform(place))
            }
        }
        initialized = count
    }
}
