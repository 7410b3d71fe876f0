public import Domain
internal import Glibc

/// A file that matches a feed.
public struct FoundFile: Hashable, Sendable {
    /// Which feed: its index in the configuration.
    public var feed: Int
    public var path: String
    /// For people: relative to the configuration's folder where it lies below.
    public var name: String
    /// Its `{date}`, else the business date of the run.
    public var fileDate: BusinessDate
    public var isDated: Bool
    /// Its name, or its folder's, is no UTF-8: `path` shows it, and opens nothing.
    public var hasForeignName = false

    public init(feed: Int, path: String, name: String, fileDate: BusinessDate, isDated: Bool) {
        self.feed = feed
        self.path = path
        self.name = name
        self.fileDate = fileDate
        self.isDated = isDated
    }
}

/// Every file that matches a feed and is dated up to `date` (one without a date is of `date`), sorted by date, feed, name.
///
/// A folder that is not there holds no files. `*` stands for any part of one name but a leading point, as in a shell,
/// so that files on their way in (`.orders.csv.x7Qw`) are left alone. Throws where a folder cannot be listed.
public func findFiles(
    of feeds: [Feed], base: String, through date: BusinessDate
) throws(IntakeError) -> [FoundFile] {
    var found: [FoundFile] = []
    // A doubled slash in the configuration's path must not give its files other names: they would be unknown.
    let prefix = base.split(separator: "/").map { "/" + $0 }.joined() + "/"
    for (index, feed) in feeds.enumerated() {
        for match in try matches(of: feed.path) where (match.date ?? date) <= date {
            let path = match.text
            var file = FoundFile(
                feed: index, path: path, name: path.hasPrefix(prefix) ? String(path.dropFirst(prefix.count)) : path,
                fileDate: match.date ?? date, isDated: match.date != nil)
            file.hasForeignName = String(validating: match.path, as: UTF8.self) == nil
            found.append(file)
        }
    }
    // By the bytes of the name: a locale must not change the order.
    return found.sorted {
        ($0.fileDate, $0.feed) == ($1.fileDate, $1.feed)
            ? $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) : ($0.fileDate, $0.feed) < ($1.fileDate, $1.feed)
    }
}

extension Feed {
    /// Whether a file of that name, as `FoundFile` has it, matches the feed's path.
    public func matches(_ file: String) -> Bool {
        let pattern = path.split(separator: "/")
        let names = file.split(separator: "/")
        // A name below the configuration's folder has only the end of the path.
        guard names.count <= pattern.count, !file.hasPrefix("/") || names.count == pattern.count else { return false }
        var date: BusinessDate?
        for (component, name) in zip(pattern.suffix(names.count), names) {
            guard let found = NamePattern(component).match(Array(name.utf8), date: date) else { return false }
            date = found
        }
        return true
    }
}

/// A path so far, and the date in it.
private struct Match {
    /// As the file system has it, which need not be UTF-8.
    var path: [UInt8]
    var date: BusinessDate?

    /// For people.
    var text: String { String(decoding: path, as: UTF8.self) }

    /// As C functions take it.
    var cString: [CChar] { path.map { CChar(bitPattern: $0) } + [0] }

    func appending(_ name: some Sequence<UInt8>, date: BusinessDate?) -> Match {
        Match(path: path + [UInt8(ascii: "/")] + name, date: date)
    }
}

private func matches(of pattern: String) throws(IntakeError) -> [Match] {
    var found = [Match(path: [], date: nil)]
    for component in pattern.split(separator: "/") {
        var next: [Match] = []
        for match in found {
            guard component.contains("*") || component.contains("{date}") else {
                next.append(match.appending(component.utf8, date: match.date))
                continue
            }
            let pattern = NamePattern(component)
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

/// The names in a folder, without `.` and `..`; none where it is not there.
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

/// One component of a path with `*` and `{date}` in it.
struct NamePattern {
    private enum Piece: Equatable {
        case byte(UInt8), any, date
    }
    private var pieces: [Piece] = []

    init(_ text: Substring) {
        var rest = text.utf8[...]
        while let byte = rest.first {
            if rest.starts(with: "{date}".utf8) {
                pieces.append(.date)
                rest = rest.dropFirst(6)
            } else {
                pieces.append(byte == UInt8(ascii: "*") ? .any : .byte(byte))
                rest = rest.dropFirst()
            }
        }
    }

    /// The date known after `name`, `date` being the one found before; no value at all where the name does not match.
    func match(_ bytes: [UInt8], date: BusinessDate?) -> BusinessDate?? {
        if bytes.first == UInt8(ascii: "."), pieces.first == .any { return nil }
        return match(bytes[...], pieces[...], date)
    }

    private func match(
        _ bytes: ArraySlice<UInt8>, _ pieces: ArraySlice<Piece>, _ date: BusinessDate?
    ) -> BusinessDate?? {
        switch pieces.first {
        case nil: return bytes.isEmpty ? .some(date) : nil
        case .byte(let byte): return bytes.first == byte ? match(bytes.dropFirst(), pieces.dropFirst(), date) : nil
        case .any:
            for start in bytes.startIndex...bytes.endIndex {
                if let found = match(bytes[start...], pieces.dropFirst(), date) { return found }
            }
            return nil
        case .date:
            guard let found = BusinessDate(String(decoding: bytes.prefix(10), as: UTF8.self)), date ?? found == found
            else { return nil }
            return match(bytes.dropFirst(10), pieces.dropFirst(), found)
        }
    }
}

/// The system's words for an error number.
func errorText(_ number: Int32) -> String { String(cString: strerror(number)) }
