internal import CMalloc

/// Makes the allocator keep freed memory for later allocations.
///
/// A night reads its files block by block and copies rows by the million. By default, glibc returns each such buffer to
/// the system and takes fresh pages for the next one, which the kernel has to clear. That is a third of the time of
/// reading. https://www.gnu.org/software/libc/manual/html_node/Malloc-Tunable-Parameters.html
func keepFreedMemory() {
    // 32 MiB is the highest threshold that glibc accepts. If it refuses, the default stays, which is only slower.
    _ = mallopt(M_MMAP_THRESHOLD, 1 << 25)
    _ = mallopt(M_TRIM_THRESHOLD, 1 << 30)
}

/// Returns freed memory to the system. After millions of cases are matched and judged, it is hundreds of MiB, and the
/// writing that follows needs little of it.
func releaseFreedMemory() { _ = malloc_trim(0) }

/// Keeps a value until the process ends, instead of freeing it part by part: the system takes back all memory at once.
/// Freeing tens of thousands of exceptions takes a tenth of a second.
func leakUntilExit<Value>(_ value: consuming Value) { _ = Unmanaged.passRetained(LeakedValue(value)) }

private final class LeakedValue<Value> {
    private let value: Value
    init(_ value: consuming Value) { self.value = value }
}
