internal import Synchronization

/// What independent pieces of work come to, done on up to `threads` cores; in the order given, whoever finished first.
public func concurrently<Result: Sendable>(
    threads: Int, _ count: Int, _ work: @Sendable (Int) -> Result
) -> [Result] {
    if threads < 2 || count < 2 { return (0..<count).map(work) }
    let results = Mutex([Result?](repeating: nil, count: count))
    let next = Atomic<Int>(0)
    onThreads(min(threads, count)) {
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
    concurrentMap(threads: threads, count, atOnce: piece) { places, add in
        for place in places { add(transform(place)) }
    }
}

/// The same for work that is done with many elements at once: `fill` is to `add` one result a place, in their order.
@inlinable
public func concurrentMap<Result: Sendable>(
    threads: Int, _ count: Int, atOnce piece: Int = 1 << 16,
    _ fill: @Sendable (_ places: Range<Int>, _ add: (Result) -> Void) -> Void
) -> [Result] {
    [Result](unsafeUninitializedCapacity: count) { buffer, initialized in
        // Of ten million results nobody wants a second copy.
        nonisolated(unsafe) let results = buffer  // pieces do not overlap, and each is held to its own places below
        _ = concurrently(threads: threads, (count + piece - 1) / piece) { number in
            let places = number * piece..<min(count, (number + 1) * piece)
            var next = places.lowerBound
            fill(places) { result in
                precondition(next < places.upperBound, "more results than places")
                results.initializeElement(at: next, to: result)
                next += 1
            }
            precondition(next == places.upperBound, "a place without a result")
        }
        initialized = count
    }
}

/// The elements of `0..<count` that `isWanted`, ascending, found on up to `threads` cores.
@inlinable
public func concurrentFilter(
    threads: Int, _ count: Int, atOnce piece: Int = 1 << 16, _ isWanted: @Sendable (Int) -> Bool
) -> [Int] {
    concurrently(threads: threads, (count + piece - 1) / piece) { number in
        (number * piece..<min(count, (number + 1) * piece)).filter(isWanted)
    }.flatMap { $0 }
}
