internal import Glibc

/// A day's notifications without a signed payload. No night can read them, and the rest of the day need not wait for
/// them, so they are kept for a person, byte for byte. See docs/spec/app-store.md#apple-unsigned.
struct UnsignedItems {
    private var items: Set<[UInt8]> = []
    private static let most = 100

    var count: Int { items.count }

    /// - Throws: `AppleError` where they are too many for an answer of Apple's.
    mutating func add(_ item: UnsafeRawBufferPointer) throws(AppleError) {
        items.insert(Array(item))
        if count > Self.most { throw tooMany("more than \(Self.most)") }
    }

    /// - Parameter signed: how many notifications of the day have a signed payload.
    /// - Throws: `AppleError` where most of the day has none.
    func check(against signed: Int) throws(AppleError) {
        if count > signed { throw tooMany("\(count) of \(count + signed)") }
    }

    private func tooMany(_ what: String) -> AppleError {
        let first = String(decoding: items.first?.prefix(500) ?? [], as: UTF8.self)
        return .senseless("\(what) notifications of a day have no signed payload. One begins with \(quoted(first))")
    }

    /// Writes them beside the file of the day, a line feed after each. A day without such items has no such file.
    func publish(beside day: String) throws(Failure) {
        let path = Self.path(beside: day)
        guard !items.isEmpty else {
            unlink(path)
            return
        }
        var file = try AtomicFile(path)
        for item in items.ordered(by: { $0.lexicographicallyPrecedes($1) }) {
            try file.write(item + [UInt8(ascii: "\n")])
        }
        try file.publish()
    }

    /// The hidden file, which no feed matches, that belongs to the file of a day.
    static func path(beside day: String) -> String {
        folderOf(day) + "/." + (day.split(separator: "/").last ?? "") + ".unsigned"
    }
}
