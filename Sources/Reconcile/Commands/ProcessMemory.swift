internal import CMalloc

/// Tells the allocator to keep what is freed for what comes next.
///
/// A night reads its files block by block and copies rows by the million. By default glibc gives each such buffer back to
/// the system and takes fresh pages for the next one, which the kernel clears: a third of the time of reading.
/// https://www.gnu.org/software/libc/manual/html_node/Malloc-Tunable-Parameters.html
func keepFreedMemory() {
    // 32 MiB is the most that glibc takes. Where it refuses, the default stays: slower, no more.
    _ = mallopt(M_MMAP_THRESHOLD, 1 << 25)
    _ = mallopt(M_TRIM_THRESHOLD, 1 << 30)
}

/// Gives back what is free after all: behind the matching and judging of millions of cases it is hundreds of MiB, and the
/// writing that follows needs little of it.
func releaseFreedMemory() { _ = malloc_trim(0) }

/// Lets go of a value without taking it apart: the process ends soon, and the system takes its memory back whole. Row by
/// row tens of thousands of exceptions take a tenth of a second.
func leakUntilExit<Value>(_ value: consuming Value) { _ = Unmanaged.passRetained(LeakedValue(value)) }

private final class LeakedValue<Value> {
    private let value: Value
    init(_ value: consuming Value) { self.value = value }
}
