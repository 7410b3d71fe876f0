import Foundation

/// The desk's page of a set-up, asked as a web server asks.
extension DeskFolder {
    /// The response to a form that this user sends; with nil, to a request for the page.
    ///
    /// - Parameter configurations: those of the apps that the page answers for, where there are several.
    func web(
        _ form: String?, by user: String, _ changes: [String: String?] = [:], configurations: [String] = []
    ) throws -> String {
        var variables: [String: String] = [
            "REQUEST_METHOD": form == nil ? "GET" : "POST", "CONTENT_TYPE": "application/x-www-form-urlencoded",
            "CONTENT_LENGTH": String(form?.utf8.count ?? 0), "REMOTE_USER": user, "REMOTE_ADDR": "10.0.0.7",
            "HTTP_HOST": "desk.example.com", "HTTP_ORIGIN": "https://desk.example.com",
        ]
        for (name, value) in changes { variables[name] = value }
        return try run(["desk"] + configurations, variables: variables, input: form ?? "").output
    }
}
