import Foundation
import Glibc
import StandIn

/// A shop that asks a stand-in for Apple. It is noon there, whatever the clock says.
final class AppleShop {
    let folder = TestFolder()
    let apple: StandInServer
    /// The hour that began yesterday at ten, in milliseconds.
    let yesterday: Int64
    private let zone: String

    /// - Parameter world: members of the stand-in's world; `AT` in it becomes `yesterday`.
    init(_ world: String = "") throws {
        let now = Int64(Date().timeIntervalSince1970)
        let hour = now / 3600 % 24
        // Etc/GMT-8 is eight hours ahead.
        let ahead = 12 - hour
        zone = "Etc/GMT" + (ahead >= 0 ? "-" : "+") + String(abs(ahead))
        yesterday = (now / 3600 * 3600 - 26 * 3600) * 1000
        apple = try StandInServer(Self.filled(world, yesterday))
        try FileManager.default.createDirectory(
            atPath: folder.path + "/inbox", withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: apple.folder + "/AuthKey.p8", toPath: folder.path + "/key.p8")
        chmod(folder.path + "/key.p8", 0o600)
        try folder.write(configuration, to: "reconcile.json")
    }

    private static func filled(_ world: String, _ at: Int64) -> String {
        "{\"bundle\":\"com.example.game\",\(world.replacing("AT", with: String(at)))\"page\":2}"
    }

    func change(_ world: String) throws { try apple.change(Self.filled(world, yesterday)) }

    /// Yesterday's date there.
    var date: String {
        String(ISO8601DateFormatter().string(from: Date(timeIntervalSince1970: noonYesterday)).prefix(10))
    }

    private var noonYesterday: Double {
        // Ten in the morning there is at most twelve hours from ten in UTC, on the same date or the next.
        let ahead = Double(zone.dropFirst(8)) ?? 0
        return Double(yesterday) / 1000 + (zone.contains("-") ? ahead : -ahead) * 3600
    }

    private var configuration: String {
        """
        { app: { bundleIDs: ["com.example.game"] }, timeZone: "\(zone)", historyFrom: "\(date)",
          grace: { credit: "1m", apple: "1m" }, trustedRoots: ["\(apple.folder)/root.pem"],
          apple: { issuerID: "57246542-96fe-1a63-e053-0824d011072a", keyID: "2X9R4HXF34", key: "key.p8" },
          feeds: [ { kind: "transactions", path: "inbox/apple-{date}.jsonl", required: true },
            { kind: "transactions", path: "inbox/apple-asked-{date}.jsonl" },
            { kind: "order-lookups", path: "inbox/apple-orders-{date}.jsonl" },
            { kind: "acks", path: "inbox/apple-acks-{date}.jsonl" },
            { kind: "orders", path: "inbox/orders-{date}.csv", required: true },
            { kind: "credits", path: "inbox/credits-{date}.csv", required: true } ] }
        """
    }

    /// A transaction's payload, bought at `AT`.
    static func transaction(_ id: Int, environment: String = "Production", more: String = "") -> String {
        """
        {"transactionId":"\(id)","originalTransactionId":"\(id)","productId":"coins_60","purchaseDate":AT,"signedDate":AT,
        "quantity":1,"type":"Consumable","environment":"\(environment)","price":6000,"currency":"CNY",\(more)
        "inAppOwnershipType":"PURCHASED","storefront":"CHN"}
        """
    }

    static func notification(_ id: Int, more: String = "") -> String {
        "{\"at\":AT,\"uuid\":\"\(id)\",\"transaction\":\(transaction(id, more: more))}"
    }

    /// Runs `reconcile` with the words.
    func run(_ words: String, _ variables: [String: String] = [:]) throws -> Ended {
        try Program.shell(
            "\"$R\" \(words) --config reconcile.json", in: folder.path, apple.variables.merging(variables) { $1 })
    }

    /// What a feed could match, by name.
    var inbox: [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path + "/inbox")) ?? []
        return names.filter { !$0.hasPrefix(".") }.sorted()
    }
}
