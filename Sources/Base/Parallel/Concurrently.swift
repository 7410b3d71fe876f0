internal import Synchronization

/// Runs `count` independent pieces of work on up to `threads` cores. The results are in the order of the pieces,
/// whichever finished first.
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

/// Maps each of `0..<count`, in pieces of `piece` elements, on up to `threads` cores.
@inlinable
public func concurrentMap<Result: Sendable>(
    threads: Int, _ count: Int, atOnce piece: Int = 1 << 14, _ transform: @Sendable (Int) -> Result
) -> [Result] {
    concurrentMap(threads: threads, count, atOnce: piece) { places, add in
        for place in places { add(transform(place)) }
    }
}

/// The same for work that handles many elements at once: `fill` must call `add` exactly once for each place, in order.
@inlinable
public func concurrentMap<Result: Sendable>(
    threads: Int, _ count: Int, atOnce piece: Int = 1 << 14,
    _ fill: @Sendable (_ places: Range<Int>, _ add: (Result) -> Void) -> Void
) -> [Result] {
    var none: [Result] = []
    none.reserveCapacity(count)
    let joined = OrderedReducer<[Result], [Result]>(into: none) { $0 += $1 }
    _ = concurrently(threads: threads, (count + piece - 1) / piece) { number in
        let places = number * piece..<min(count, (number + 1) * piece)
        var results: [Result] = []
        results.reserveCapacity(places.count)
        fill(places) { results.append($0) }
        precondition(results.count == places.count, "not one result for each place")
        joined.add(results, at: number)
    }
    return joined.result().whole
}

/// The elements of `0..<count` for which `isWanted` is true, ascending, found on up to `threads` cores.
@inlinable
public func concurrentFilter(
    threads: Int, _ count: Int, atOnce piece: Int = 1 << 14, _ isWanted: @Sendable (Int) -> Bool
) -> [Int] {
    concurrently(threads: threads, (count + piece - 1) / piece) { number in
        (number * piece..<min(count, (number + 1) * piece)).filter(isWanted)
    }.flatMap { $0 }
}
