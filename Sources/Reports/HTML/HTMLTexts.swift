/// Texts that only pages use, at `page.…` in the templates.
enum PageLabel: String, TextName {
    case worth, carried, rest, search, searchHint, noScript, searchNote, told, nothingFound, found
}

extension Texts {
    func page(_ label: PageLabel, _ values: String...) -> String { filled(word("page." + label.name), values) }
}
