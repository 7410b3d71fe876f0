internal import Base
public import Domain
public import Engine

/// The screen that text is written for.
public struct Screen: Sendable {
    /// Its width; at least 40.
    public var columns: Int
    /// Whether it shows colours.
    public var isColored: Bool

    /// A screen of at least 40 columns.
    public init(columns: Int, isColored: Bool) {
        self.columns = max(40, columns)
        self.isColored = isColored
    }
}

extension LookupAnswer {
    /// The answer for a terminal. No line is wider than the screen, and untrusted text is escaped.
    public func text(zone: Zone, texts: Texts, screen: Screen) -> String {
        var page = ScreenPage(screen: screen)
        page.title(shownIdentifier)
        for paragraph in introduction(zone: zone, texts: texts) { page.paragraph(paragraph) }
        for found in near { page.pair(texts.lookup(.kind, found.kind.rawValue), found.id) }
        for subject in shownInFull { page.add(LookupWording(subject, zone: zone, texts: texts), zone, texts) }
        if !shownBriefly.isEmpty {
            page.section(texts.lookup(.settled))
            for subject in shownBriefly {
                let line = subject.brief(zone: zone, texts)
                page.pair(line.label, line.text, labelWidth: 19)
            }
        }
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

    init(screen: Screen) { self.screen = screen }

    mutating func blank() { text += "\n" }

    mutating func title(_ title: String) { line(paint(cut(display(title), to: screen.columns), .bold)) }

    mutating func paragraph(_ words: String, style: ScreenStyle? = nil) {
        for part in wrapped(display(words), to: screen.columns) { line(paint(part, style)) }
    }

    /// A label, with its value beside it.
    mutating func pair(_ label: String, _ words: String, labelWidth: Int = 18) {
        let parts = wrapped(display(words), to: screen.columns - labelWidth - 3)
        let label = cut(display(label), to: labelWidth)
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
    mutating func add(_ words: LookupWording, _ zone: Zone, _ texts: Texts) {
        blank()
        paragraph(words.title(texts), style: .bold)
        paragraph(words.safetyLine(texts), style: words.isNotNeeded ? .bold : words.isSafe ? .green : .red)
        blank()
        for line in words.advice { pair(line.label, line.text) }
        section(texts.lookup(.facts))
        for line in words.facts { pair(line.label, line.text) }
        section(texts.lookup(.timeline, zone.name))
        for moment in words.timeline {
            pair(moment.time, moment.what, labelWidth: 19)
            for source in moment.sources { pair("", source, labelWidth: 19) }
        }
        if !words.exception.isEmpty {
            section(words.exception)
            for line in words.history { pair(line.label, line.text) }
        }
        if !words.retries.isEmpty {
            section(texts.lookup(.retry))
            for line in words.retries { pair(line.label, line.text) }
        }
    }

    mutating func section(_ title: String) {
        blank()
        paragraph(title, style: .bold)
    }
}
