/// The screen that text is written for.
public struct Screen: Sendable {
    /// Its width; at least 40.
    public var columns: Int
    public var isColored: Bool

    public init(columns: Int, isColored: Bool) {
        self.columns = max(40, columns)
        self.isColored = isColored
    }
}

/// The answers for a terminal.
public func lookupText(_ answers: [LookupAnswer], zone: Zone, texts: Texts, screen: Screen) -> String {
    answers.eachOnce.map { $0.text(zone: zone, texts: texts, screen: screen) }.joined(separator: "\n")
}

extension LookupAnswer {
    /// The answer for a terminal. No line is wider than the screen, and untrusted text is escaped.
    public func text(zone: Zone, texts: Texts, screen: Screen) -> String {
        var page = ScreenPage(screen: screen)
        if !identifier.isEmpty { page.title(shownIdentifier) }
        for paragraph in introduction(zone: zone, texts: texts) { page.paragraph(paragraph) }
        for found in near {
            page.pair(LabelledText(label: texts.lookup(.kind, code: found.kind.rawValue), text: found.id))
        }
        for subject in shownInFull {
            let orders = possibleOrders(of: subject)
            page.add(LookupWording(subject, possibleOrders: orders, zone: zone, texts: texts))
        }
        if list?.purchases.isEmpty == false {
            // A terminal is narrow: the id and what is decided come before the product.
            page.blank()
            if !subjects.isEmpty { page.paragraph(texts.lookup(.unownedList), style: .bold) }
            for row in listRows(zone: zone, texts: texts) {
                let said = row.cells[1...5].filter { !$0.isEmpty }.joined(separator: texts.label(.clauseSeparator))
                page.pair(LabelledText(label: row.cells[0], text: row.id, sources: [said]), labelWidth: 19)
            }
        }
        if let settled = settled(zone: zone, texts: texts) { page.add(settled) }
        if subjectsMore > 0 {
            page.blank()
            page.paragraph(texts.lookup(.subjectsMore, String(subjectsMore)))
        }
        return page.text
    }
}

/// Builds the lines of a screen from top to bottom.
struct ScreenPage {
    let screen: Screen
    private(set) var text = ""

    mutating func blank() { text += "\n" }

    mutating func title(_ title: String) { line(paint(cut(display(title), to: screen.columns), .bold)) }

    /// - Parameter indent: of the first line; the others have two blanks more if it has any.
    mutating func paragraph(_ words: String, style: ScreenStyle? = nil, indent: Int = 0) {
        let (first, rest) = (
            String(repeating: " ", count: indent), String(repeating: " ", count: indent > 0 ? indent + 2 : 0)
        )
        for (index, part) in wrapped(display(words), to: screen.columns - displayWidth(rest)).enumerated() {
            line((index == 0 ? first : rest) + paint(part, style))
        }
    }

    mutating func table(_ table: TextTable) { text += table.rendered(columnsMax: screen.columns) }

    /// A label, with its text beside it and its sources below.
    mutating func pair(_ pair: LabelledText, labelWidth: Int = 18) {
        let parts = ([pair.text] + pair.sources).flatMap { wrapped(display($0), to: screen.columns - labelWidth - 3) }
        let label = cut(display(pair.label), to: labelWidth)
        for (index, part) in parts.enumerated() {
            let left = index == 0 ? label : ""
            line("  " + left + String(repeating: " ", count: labelWidth + 1 - displayWidth(left)) + part)
        }
    }

    private mutating func line(_ line: String) { text += line + "\n" }

    func paint(_ text: String, _ style: ScreenStyle?) -> String {
        guard screen.isColored, let style else { return text }
        return "\u{1B}[" + style.rawValue + "m" + text + "\u{1B}[0m"
    }
}

/// Styles. Colour never carries information that the words do not.
enum ScreenStyle: String {
    case bold = "1", green = "1;32", red = "1;31"
}

extension ScreenPage {
    mutating func add(_ words: LookupWording) {
        blank()
        paragraph(words.title, style: .bold)
        paragraph(words.safetyLine, style: words.isPlainYes ? .green : words.isSafe || words.isNotNeeded ? .bold : .red)
        for caution in words.cautions { paragraph(caution, style: .red) }
        blank()
        for line in words.advice { pair(line) }
        for section in words.sections { add(section) }
    }

    mutating func add(_ section: LookupWording.Section) {
        blank()
        paragraph(section.heading, style: .bold)
        for line in section.lines { pair(line, labelWidth: section.labelWidth) }
    }
}
