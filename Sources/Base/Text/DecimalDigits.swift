extension [UInt8] {
    public mutating func append(decimal number: Int64) {
        var rest = number.magnitude
        if number < 0 { append(UInt8(ascii: "-")) }
        withUnsafeTemporaryAllocation(byteCount: 20, alignment: 1) { memory in
            var place = 20
            repeat {
                place -= 1
                memory[place] = 0x30 + UInt8(truncatingIfNeeded: rest % 10)
                rest /= 10
            } while rest > 0
            append(contentsOf: UnsafeRawBufferPointer(rebasing: memory[place...]))
        }
    }
}
