internal import CMalloc

/// Returns freed memory to the system. After millions of cases are matched and judged, it is hundreds of MiB, and the
/// writing that follows needs little of it.
func releaseFreedMemory() { _ = malloc_trim(0) }
