internal import Glibc

/// A file that matches a feed.
public struct FoundFile: Hashable, Sendable, Codable {
    /// The index of its feed in the configuration.
    public var feed: Int
    /// The absolute path.
    public var path: String
    /// The path for display: relative to the configuration's folder if the file is below it.
    public var name: String
    /// The date in its name, or the run's business date if the path has no `{date}`.
    public var fileDate: BusinessDate
    /// Whether the date comes from the name.
    public var isDated: Bool
    /// Whether its name or a folder's name is not UTF-8. `path` is then only for display and cannot be opened.
    public var hasForeignName = false

    /// A file whose name is UTF-8.
    public init(feed: Int, path: String, name: String, fileDate: BusinessDate, isDated: Bool) {
        self.feed = feed
        self.path = path
        self.name = name
        self.fileDate = fileDate
        self.isDated = isDated
    }

    /// The path for display.
    /// - Parameter base: the configuration's folder.
    public static func name(of path: String, base: String) -> String {
        // Ignores doubled slashes. Otherwise files would get other names and would look new.
        let prefix = base.split(separator: "/").map { "/" + $0 }.joined() + "/"
        return path.hasPrefix(prefix) ? String(path.dropFirst(prefix.count)) : path
    }
}

/// All files that match a feed and are dated `date` or earlier, sorted by date, feed and name. A file without a date in
/// its name counts as dated `date`.
///
/// A folder that does not exist contains no files. `*` matches any part of one name except a leading period, as in a
/// shell, so that files still being transferred (`.orders.csv.x7Qw`) are not touched. Nor does a `*` at the end match
/// `.totals`: those files stand beside the files of a feed. Throws if a folder cannot be listed.
///
/// - Parameter base: the configuration's folder; names are relative to it.
public func findFiles(
    of feeds: [Feed], base: String, through date: BusinessDate
) throws(IntakeError) -> [FoundFile] {
    var found: [FoundFile] = []
    for (index, feed) in feeds.enumerated() {
        for match in try matches(of: feed.path) where (match.date ?? date) <= date {
            let path = match.text
            var file = FoundFile(
                feed: index, path: path, name: FoundFile.name(of: path, base: base), fileDate: match.date ?? date,
                isDated: match.date != nil)
            file.hasForeignName = String(validating: match.path, as: UTF8.self) == nil
            found.append(file)
        }
    }
    // Sorted by the bytes of the name, so that a locale cannot change the order.
    return found.sorted {
        ($0.fileDate, $0.feed) == ($1.fileDate, $1.feed)
            ? $0.name.isBefore($1.name) : ($0.fileDate, $0.feed) < ($1.fileDate, $1.feed)
    }
}

extension Feed {
    /// Whether each `{…}` of a path is a date in a known form.
    public static func isPattern(_ path: String) -> Bool {
        path.split(separator: "/").allSatisfy { NamePattern($0).isValid }
    }

    /// The path of the file of a date; nil if the feed's path has a `*`, so that it does not say one.
    public func path(of date: BusinessDate) -> String? {
        var path = ""
        for component in self.path.split(separator: "/") {
            guard let name = NamePattern(component).name(of: date) else { return nil }
            path += "/" + name
        }
        return path
    }

    /// What the files of one part of the feed have in common: the name without its date. Nil if a date has one file only.
    public func part(of file: String, on date: BusinessDate) -> String? {
        if path(of: date) != nil { return nil }
        return path.split(separator: "/").reduce(file) { NamePattern($1).undated($0, date) }
    }

    /// Whether a file with that `FoundFile.name` matches the feed's path.
    public func matches(_ file: String) -> Bool {
        let pattern = path.split(separator: "/")
        let names = file.split(separator: "/")
        // A relative name corresponds to the end of the path.
        guard names.count <= pattern.count, !file.hasPrefix("/") || names.count == pattern.count else { return false }
        var date: BusinessDate?
        for (component, name) in zip(pattern.suffix(names.count), names) {
            guard let found = NamePattern(component).match(Array(name.utf8), date: date) else { return false }
            date = found
        }
        return true
    }
}

/// A path matched so far, and the date found in it.
private struct Match {
    /// The path's bytes, which need not be UTF-8.
    var path: [UInt8]
    var date: BusinessDate?

    /// The path for display.
    var text: String { String(decoding: path, as: UTF8.self) }

    var cString: [CChar] { path.map { CChar(bitPattern: $0) } + [0] }

    func appending(_ name: some Sequence<UInt8>, date: BusinessDate?) -> Match {
        Match(path: path + [UInt8(ascii: "/")] + name, date: date)
    }
}

/// All existing paths that match `pattern`, found folder by folder.
private func matches(of pattern: String) throws(IntakeError) -> [Match] {
    var found = [Match(path: [], date: nil)]
    for component in pattern.split(separator: "/") {
        var next: [Match] = []
        for match in found {
            let pattern = NamePattern(component)
            guard pattern.isOpen else {
                next.append(match.appending(component.utf8, date: match.date))
                continue
            }
            for name in try names(in: match.path.isEmpty ? Match(path: [UInt8(ascii: "/")]) : match) {
                guard let date = pattern.match(name, date: match.date) else { continue }
                next.append(match.appending(name, date: date))
            }
        }
        found = next
    }
    var status = stat()
    return found.filter { lstat($0.cString, &status) == 0 }
}

/// The names in a folder without `.` and `..`; none if the folder does not exist.
private func names(in folder: Match) throws(IntakeError) -> [[UInt8]] {
    guard let directory = opendir(folder.cString) else {
        if errno == ENOENT || errno == ENOTDIR { return [] }
        throw .cannotList(folder: folder.text, reason: errorText(errno))
    }
    defer { closedir(directory) }
    var names: [[UInt8]] = []
    errno = 0
    while let entry = readdir(directory) {
        let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
        if !name.elementsEqual(".".utf8), !name.elementsEqual("..".utf8) { names.append(name) }
    }
    guard errno == 0 else { throw .cannotList(folder: folder.text, reason: errorText(errno)) }
    return names
}

/// One component of a path pattern, which may contain `*`, `{date}` and `{date:yyyyMMdd}`.
struct NamePattern {
    private enum Piece: Equatable {
        case byte(UInt8), any
        case date(DateForm)
    }
    private var pieces: [Piece] = []

    init(_ text: Substring) {
        var rest = text[...]
        while let character = rest.first {
            if character == "{", let end = rest.firstIndex(of: "}"), let form = DateForm(rest[...end]) {
                pieces.append(.date(form))
                rest = rest[rest.index(after: end)...]
                continue
            }
            pieces += character == "*" ? [.any] : String(character).utf8.map { .byte($0) }
            rest = rest.dropFirst()
        }
    }

    var isDated: Bool {
        pieces.contains { piece in
            if case .date = piece { true } else { false }
        }
    }

    /// Whether more than one name can match.
    fileprivate var isOpen: Bool { isDated || pieces.contains(.any) }

    /// The name that matches with a date; nil if several do.
    fileprivate func name(of date: BusinessDate) -> String? {
        var bytes: [UInt8] = []
        for piece in pieces {
            switch piece {
            case .byte(let byte): bytes.append(byte)
            case .any: return nil
            case .date(let form): bytes += form.spelled(date)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The text without the date as this name writes it.
    fileprivate func undated(_ text: String, _ date: BusinessDate) -> String {
        pieces.reduce(text) { text, piece in
            guard case .date(let form) = piece else { return text }
            return text.replacing(String(decoding: form.spelled(date), as: UTF8.self), with: "{date}")
        }
    }

    /// Whether each `{…}` is a date in a known form.
    fileprivate var isValid: Bool {
        !pieces.contains { $0 == .byte(UInt8(ascii: "{")) || $0 == .byte(UInt8(ascii: "}")) }
    }

    /// Matches one file name. Returns the date known so far: `date`, found in earlier components, or the one in this
    /// name. The outer optional is nil if the name does not match or has a different date.
    func match(_ bytes: [UInt8], date: BusinessDate?) -> BusinessDate?? {
        if bytes.first == UInt8(ascii: "."), pieces.first == .any { return nil }
        if bytes.suffix(7).elementsEqual(".totals".utf8), pieces.last == .any { return nil }
        return match(bytes[...], pieces[...], date: date)
    }

    private func match(
        _ bytes: ArraySlice<UInt8>, _ pieces: ArraySlice<Piece>, date: BusinessDate?
    ) -> BusinessDate?? {
        switch pieces.first {
        case nil: return bytes.isEmpty ? .some(date) : nil
        case .byte(let byte):
            return bytes.first == byte ? match(bytes.dropFirst(), pieces.dropFirst(), date: date) : nil
        case .any:
            for start in bytes.startIndex...bytes.endIndex {
                if let found = match(bytes[start...], pieces.dropFirst(), date: date) { return found }
            }
            return nil
        case .date(let form):
            guard let found = form.date(bytes.prefix(form.count)), date ?? found == found else { return nil }
            return match(bytes.dropFirst(form.count), pieces.dropFirst(), date: found)
        }
    }
}

/// How a date is written in a name: `{date}`, or `{date:…}` with `yyyy`, `MM` and `dd` once each and any separators.
private struct DateForm: Equatable {
    private let form: [UInt8]

    init?(_ text: Substring) {
        if text == "{date}" {
            form = Array("yyyy-MM-dd".utf8)
            return
        }
        guard text.hasPrefix("{date:") else { return nil }
        let form = String(text.dropFirst(6).dropLast())
        var rest = form
        for part in ["yyyy", "MM", "dd"] {
            guard let range = rest.firstRange(of: part) else { return nil }
            rest.removeSubrange(range)
        }
        guard !rest.contains(where: { $0.isLetter || $0.isNumber || "*{}".contains($0) }) else { return nil }
        self.form = Array(form.utf8)
    }

    /// How many bytes such a date has.
    var count: Int { form.count }

    func spelled(_ date: BusinessDate) -> [UInt8] {
        var text = String(decoding: form, as: UTF8.self)
        for (part, digits) in zip(["yyyy", "MM", "dd"], date.text.split(separator: "-")) {
            text = text.replacing(part, with: digits)
        }
        return Array(text.utf8)
    }

    /// The date that the bytes are; nil if they are none in this form.
    func date(_ bytes: ArraySlice<UInt8>) -> BusinessDate? {
        let isInForm = zip(bytes, form).allSatisfy { "yMd".utf8.contains($1) ? 0x30...0x39 ~= $0 : $0 == $1 }
        guard bytes.count == form.count, isInForm else { return nil }
        func number(_ letter: Unicode.Scalar) -> Int {
            zip(bytes, form).reduce(0) { $1.1 == UInt8(ascii: letter) ? $0 * 10 + Int($1.0) - 0x30 : $0 }
        }
        return BusinessDate(year: number("y"), month: number("M"), day: number("d"))
    }
}

/// The system's description of an error number.
func errorText(_ number: Int32) -> String { String(cString: strerror(number)) }

extension [Feed] {
    /// Names a file that belongs to two feeds, and the feeds. Nil if every file belongs to one.
    public func overlap(in files: [FoundFile]) -> String? {
        var owners: [String: Int] = [:]
        for file in files {
            guard let other = owners.updateValue(file.feed, forKey: file.path), other != file.feed else { continue }
            return "\(file.name) matches two feeds: \(self[other].name) and \(self[file.feed].name)"
        }
        return nil
    }
}
