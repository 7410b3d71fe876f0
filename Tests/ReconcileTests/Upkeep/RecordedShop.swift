import Base
import Foundation
import Testing

@testable import Ledger

/// The shop that a release has recorded, with its nights, its month and its desk played by this version.
struct RecordedShop {
    private let folder = TestFolder()

    init(_ release: Release) throws {
        if isRecording, release == .this { try record(release) }
        try run("tar -xzf '\(release.path)/shop.tar.gz'")
        // After the last night that is delivered comes one without files, so that the month is over.
        for day in [16, 17, 18, 30] {
            try run("$R nightly --quiet --date 2025-11-\(day) --as-of $(date -ud '2025-11-\(day) 20:00' +%FT%TZ)")
        }
        try run("$R monthly 2025-11 --quiet --apple-report apple.txt --close --by li --accept-unexplained test")
    }

    /// The sample of this version, with a desk and a report of Apple's.
    private func record(_ release: Release) throws {
        try run("$R demo . --orders 300 --seed 7 >/dev/null; rm -rf out ledger.* STORIES.md")
        let users = ["mayWork", "mayLead", "mayGive", "maySearch", "mayWaive"].map { "\($0): [\"li\"]" }
        let configuration = try folder.read("reconcile.json")
        try folder.write(
            configuration.replacing(
                "\n  historyFrom:", with: "\n  desk: { \(users.joined(separator: ", ")) },\n  historyFrom:"),
            to: "reconcile.json")
        try folder.write(
            """
            Start Date\tEnd Date\tVendor Identifier\tQuantity\tExtended Partner Share\tPartner Share Currency\t\
            Sales or Return\tCountry Of Sale\tCustomer Price\tCustomer Currency
            11/02/2025\t11/29/2025\tcoins_300\t40\t840.00\tCNY\tS\tCN\t30.00\tCNY
            Total_Rows\t1
            Total_Amount\t840.00

            """, to: "apple.txt")
        try run(
            "tar --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner -cf - * | gzip -9n >'\(release.path)/shop.tar.gz'"
                + " && rm -rf *")
    }

    @discardableResult
    private func run(_ line: String, _ variables: [String: String] = [:]) throws -> String {
        let own = ["RECONCILE_CONFIG": "reconcile.json"]
        let ended = try Program.shell("set -o pipefail; " + line, in: folder.path, own.merging(variables) { $1 })
        #expect([0, 1, 3].contains(ended.code), "\(line): \(ended.errors)")
        return ended.output
    }

    /// The header of each CSV.
    func columns() throws -> [String] {
        let files = [
            "latest/exceptions.csv", "2025-11/month.csv", "2025-11/month-purchases.csv.gz", "2025-11/month-journal.csv",
        ]
        return try files.map { file in
            let header = try run("gzip -dcf out/\(file) | sed -n 1p").trimmingCharacters(in: .newlines)
            return "\(file.split(separator: "/")[1]): \(header)"
        }
    }

    /// The members of each JSON file and answer, the columns of the ledger's views, and the metrics.
    func members() throws -> [String] {
        var lines: Set<String> = []
        func add(_ name: String, _ text: String, isLines: Bool = false) throws {
            let documents = isLines ? text.split(separator: "\n").map(String.init) : [text]
            #expect(!documents.isEmpty, "\(name)")
            for document in documents { lines.formUnion(try JSON5Reader.read(document).memberLines(name)) }
        }
        for name in ["summary.json", "rejected.jsonl", "retry-manifest.jsonl"] {
            let text = try (16...18).map { try folder.read("out/2025-11-\($0)/\(name)") }
            if name == "summary.json" {
                try text.forEach { try add(name, $0) }
            } else {
                try add(name, text.joined(), isLines: true)
            }
        }
        try add("month.json", folder.read("out/2025-11/month.json"))
        let ids = try run(
            "cut -d , -f 10,12 out/latest/exceptions.csv | tail -n +2 | tr ',; ' '\\n' | sort -u | sed -n 1,300p")
        try add(
            "lookup",
            run(
                "$R lookup --json -- unknown-1 MK5TTTVWJH \(ids.split(separator: "\n").map { "'\($0)'" }.joined(separator: " "))"
            ))
        try add("find", run("$R find --json --date 2025-11-18"))
        try add("why", run("$R why --json"))
        try add("check", run("$R check --json"))
        try add("verify", run("$R verify --json inbox/transactions-2025-11-18.jsonl"), isLines: true)
        for (name, text) in try deskRecords() { try add(name, text, isLines: true) }
        let ledger = try Connection(path: folder.path + "/ledger.sqlite", mode: .readOnly)
        var column = try ledger.prepare(
            "SELECT m.name || '.' || c.name FROM sqlite_schema m, pragma_table_info(m.name) c WHERE m.type = 'view'")
        while try column.step() { lines.insert("view " + column.text(0)) }
        for metric in try folder.read("out/latest/metrics.prom").split(separator: "\n") where !metric.hasPrefix("#") {
            let labels = metric.matches(of: /[{,]([a-z_]+)=/).map { $0.output.1 }.sorted()
            lines.insert("metric \(metric.prefix { $0 != "{" && $0 != " " }) \(labels.joined(separator: " "))")
        }
        return lines.sorted()
    }

    /// What the desk's page and `given` put on record, by the kind of file.
    private func deskRecords() throws -> [(String, String)] {
        let exceptions = try run("cut -d , -f 1,3,12 out/latest/exceptions.csv").split(separator: "\n")
        let lost = try #require(exceptions.first { $0.contains(",paid_not_credited,") }).split(separator: ",")
        let form = "id=\(lost[2])&exception=\(lost[0])&"
        for form in [
            form + "work=take&ticket=T1&comment=mine", form + "decide=waive&key=\(lost[0])&note=ok",
            "find=1&from=2025-11-18",
        ] {
            try run(
                "printf %s '\(form)' | $R desk",
                [
                    "REQUEST_METHOD": "POST", "CONTENT_TYPE": "application/x-www-form-urlencoded",
                    "CONTENT_LENGTH": String(form.utf8.count), "REMOTE_USER": "li", "REMOTE_ADDR": "10.0.0.7",
                    "HTTP_HOST": "desk.example.com", "HTTP_ORIGIN": "https://desk.example.com",
                ])
        }
        try run("$R given \(lost[2]) --by li --note ok")
        return try ["audit", "work", "decisions", "given"].map { ($0, try run("cat desk/\($0)-*.jsonl")) }
    }

    /// The retry entries of all nights: key, then what the work is.
    func retryKeys() throws -> [String] {
        var keys: Set<String> = []
        for day in 16...18 {
            for line in try folder.read("out/2025-11-\(day)/retry-manifest.jsonl").split(separator: "\n") {
                let entry = try JSON5Reader.read(String(line))
                guard case .object(let members) = entry.content else { continue }
                let work = ["key", "action", "bundle_id", "transaction_id", "receipt_id", "account_id", "quantity"].map
                { name in
                    members.first { $0.key == name }?.value.spelling ?? "-"
                }
                keys.insert(work.joined(separator: " "))
            }
        }
        return keys.sorted()
    }
}
