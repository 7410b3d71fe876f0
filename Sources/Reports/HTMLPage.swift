internal import Digest
internal import Domain
internal import Foundation

/// A page that needs nothing but itself: it loads nothing, sends nothing, and runs no script but its own.
struct HTMLPage {
    var title: String
    var language: Language
    /// Without one the page runs none at all.
    var script: String?

    /// All up to the body's contents.
    var head: String {
        var html = HTML()
        html.tag("html", [("lang", language.rawValue)])
        html.tag("meta", [("charset", "utf-8")])
        html.tag("meta", [("http-equiv", "Content-Security-Policy"), ("content", policy)])
        html.tag("meta", [("name", "viewport"), ("content", "width=device-width, initial-scale=1")])
        html.tag("meta", [("name", "color-scheme"), ("content", "light dark")])
        html.tag("meta", [("name", "referrer"), ("content", "no-referrer")])
        html.element("title", title)
        return "<!DOCTYPE html>\n" + html.source + "<style>" + pageStyle + "</style>\n<body>\n<main>\n"
    }

    /// All that follows the body's contents.
    var foot: String {
        "</main>\n" + (script.map { "<script>" + $0 + "</script>\n" } ?? "") + "</body>\n</html>\n"
    }

    private var policy: String {
        let scripts = script.map { " script-src '" + Self.hash($0) + "';" } ?? ""
        return "default-src 'none'; style-src '\(Self.hash(pageStyle))';\(scripts) base-uri 'none'; form-action 'none'"
    }

    /// As a content-security policy names what it allows.
    private static func hash(_ source: String) -> String {
        "sha256-" + Data(SHA256.digest(of: source).bytes).base64EncodedString()
    }
}
