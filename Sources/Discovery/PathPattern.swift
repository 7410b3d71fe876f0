/// Files whose names differ only in dates and numbers, and the feed's path for them.
struct PathPattern {
    /// The feed's path.
    var text: String
    /// The absolute paths of the files, in the order of their dates.
    var files: [String] = []
    /// The dates in the names of the files; nil if they have none.
    var dates: [BusinessDate?] = []
    var isDated: Bool { dates.contains { $0 != nil } }

    fileprivate enum Piece: Hashable {
        case text(String)
        /// A date and the signs between its parts.
        case date(BusinessDate, separator: String)
        /// Digits, or a UUID, which differ from file to file.
        case number(String)
    }

    /// The files of each feed.
    /// - Parameter folder: the configuration's.
    static func all(_ files: [String], folder: String) -> [PathPattern] {
        var groups: [String: [(path: String, pieces: [Piece])]] = [:]
        for path in files {
            let pieces = pieces(of: FoundFile.name(of: path, base: folder))
            let skeleton = pieces.map { piece in
                switch piece {
                case .text(let text): text
                case .date(_, let separator): "<" + separator + ">"
                case .number: "#"
                }
            }
            groups[skeleton.joined(), default: []].append((path, pieces))
        }
        return groups.ordered().map { pattern(of: $0.value) }
    }

    private static func pattern(of group: [(path: String, pieces: [Piece])]) -> PathPattern {
        let places = group[0].pieces.indices
        let last = group[0].pieces.lastIndex { $0.date != nil }
        let name =
            places.last { if case .text(let text) = group[0].pieces[$0] { text.contains("/") } else { false } } ?? 0
        var text = ""
        for place in places {
            let own = Set(group.map { $0.pieces[place] })
            switch group[0].pieces[place] {
            case .text(let same): text += same
            case .date(_, let separator):
                let agrees = group.allSatisfy { $0.pieces[place].date == $0.pieces[last!].date }
                text += agrees ? separator == "-" ? "{date}" : "{date:yyyy\(separator)MM\(separator)dd}" : "*"
            case .number(let digits):
                // A long number in a file's name will be another one tomorrow.
                text += own.count > 1 || digits.utf8.count > 2 && place > name ? "*" : digits
            }
        }
        while text.contains("**") { text = text.replacing("**", with: "*") }
        func date(_ pieces: [Piece]) -> BusinessDate? { last.flatMap { pieces[$0].date } }
        let sorted = group.ordered { ($0.pieces.day(at: last), $0.path) < ($1.pieces.day(at: last), $1.path) }
        return PathPattern(text: text, files: sorted.map(\.path), dates: sorted.map { date($0.pieces) })
    }

    /// Divides a path into text, dates and numbers.
    private static func pieces(of path: String) -> [Piece] {
        var pieces: [Piece] = []
        var plain = ""
        func end() {
            if !plain.isEmpty { pieces.append(.text(plain)) }
            plain = ""
        }
        var rest = path[...]
        while let first = rest.first {
            if let match = rest.prefixMatch(of: /[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}/) {
                end()
                pieces.append(.number(String(match.0)))
                rest = rest[match.range.upperBound...]
            } else if let (date, separator, length) = date(in: rest) {
                end()
                pieces.append(.date(date, separator: separator))
                rest = rest.dropFirst(length)
            } else if first.isASCII, first.isNumber {
                end()
                let digits = rest.prefix { $0.isASCII && $0.isNumber }
                pieces.append(.number(String(digits)))
                rest = rest[digits.endIndex...]
            } else {
                plain.append(rest.removeFirst())
            }
        }
        end()
        return pieces
    }

    private static func date(in text: Substring) -> (date: BusinessDate, separator: String, length: Int)? {
        if let match = text.prefixMatch(of: /(\d{4})([\-_.])(\d\d)[\-_.](\d\d)(?!\d)/),
            let date = Profile.date(of: match.1 + match.3 + match.4)
        {
            return (date, String(match.2), 10)
        }
        guard let date = Profile.date(of: text) else { return nil }
        return (date, "", 8)
    }
}

extension [PathPattern.Piece] {
    fileprivate func day(at place: Int?) -> Int32 { place.flatMap { self[$0].date?.day } ?? 0 }
}

extension PathPattern.Piece {
    fileprivate var date: BusinessDate? { if case .date(let date, _) = self { date } else { nil } }
}
