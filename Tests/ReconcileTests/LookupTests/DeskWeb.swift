import Foundation

/// The desk's page of a set-up, asked as a web server asks.
extension DeskFolder {
    /// The response to a form that this user sends; with nil, to a request for the page.
    ///
    /// - Parameter configurations: those of the apps that the page answers for, where there are several. A form that confirms or
    ///   withdraws is that of the page as it is now, unless it says what the user has `seen`.
    func web(
        _ form: String?, by user: String, _ changes: [String: String?] = [:], configurations: [String] = []
    ) throws -> String {
        let form = form.map { $0.contains("seen=") ? $0 : $0 + seen(in: $0) }
        var variables: [String: String] = [
            "REQUEST_METHOD": form == nil ? "GET" : "POST", "CONTENT_TYPE": "application/x-www-form-urlencoded",
            "CONTENT_LENGTH": String(form?.utf8.count ?? 0), "REMOTE_USER": user, "REMOTE_ADDR": "10.0.0.7",
            "HTTP_HOST": "desk.example.com", "HTTP_ORIGIN": "https://desk.example.com",
        ]
        for (name, value) in changes { variables[name] = value }
        return try run(["desk"] + configurations, variables: variables, input: form ?? "").output
    }

    /// The field with the time of the record or decision that stands about what the form confirms or withdraws.
    private func seen(in form: String) -> String {
        guard let key = form.firstMatch(of: /&(?:un)?(?:given|key)=([^&]+)/)?.1.removingPercentEncoding,
            form.contains(/confirms=|ungiven=|withdraw=/),
            let files = try? FileManager.default.contentsOfDirectory(atPath: folder.path + "/desk")
        else { return "" }
        let lines = files.filter { $0.hasPrefix("given-") || $0.hasPrefix("decisions-") }.flatMap { file in
            ((try? folder.read("desk/" + file)) ?? "").split(separator: "\n")
        }
        let times = lines.filter { $0.contains(key) }.compactMap { $0.firstMatch(of: /"at":"([^"]+)"/)?.1 }
        return times.max().map { "&seen=" + $0 } ?? ""
    }
}
