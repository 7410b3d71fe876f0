internal import CResources
internal import Foundation

/// The frame of a self-contained page. It loads nothing, sends nothing, and runs no script but its own; its content
/// security policy enforces this.
struct HTMLPage {
    var title: String
    var language: Language
    /// The page's script; nil for a page without scripts.
    var script: String?
    /// Whether the page may send a form, to its own server.
    var hasForm = false

    /// Everything before the content of the body.
    var head: String {
        var html = HTML()
        html.tag("html", [("lang", language.rawValue)])
        html.tag("meta", [("charset", "utf-8")])
        html.tag("meta", [("http-equiv", "Content-Security-Policy"), ("content", policy)])
        html.tag("meta", [("name", "viewport"), ("content", "width=device-width, initial-scale=1")])
        html.tag("meta", [("name", "color-scheme"), ("content", "light dark")])
        html.tag("meta", [("name", "referrer"), ("content", hasForm ? "same-origin" : "no-referrer")])
        html.element("title", title)
        return "<!DOCTYPE html>\n" + html.source + "<style>" + pageStyle + "</style>\n<body>\n<main>\n"
    }

    /// Everything after the content of the body.
    var foot: String {
        "</main>\n" + (script.map { "<script>" + $0 + "</script>\n" } ?? "") + "</body>\n</html>\n"
    }

    /// The page's content security policy.
    var policy: String {
        let scripts = script.map { " script-src '" + Self.hash($0) + "';" } ?? ""
        return "default-src 'none'; style-src '\(Self.hash(pageStyle))';\(scripts) base-uri 'none'; form-action "
            + (hasForm ? "'self'" : "'none'")
    }

    /// The hash by which a content security policy allows a script or style.
    private static func hash(_ source: String) -> String {
        "sha256-" + Data(SHA256.digest(of: source).bytes).base64EncodedString()
    }
}

/// The style of all pages: light and dark, for desktop, phone and paper.
let pageStyle = String(String(cString: page_style()).dropLast())

/// Texts that only pages use, at `page.…` in the templates.
enum PageLabel: String, TextName {
    case worth, carried, rest, search, searchHint, noScript, searchNote, searchLabels, told, nothingFound, found
}

extension Texts {
    func page(_ label: PageLabel, _ values: String...) -> String { filled(word("page." + label.name), values) }
}
