let january: Int64 = 1_767_225_600_000  // 2026-01-01T00:00:00Z

/// A decoded transaction in which `fields` replace the usual ones or are added to them. An empty value removes a field.
func payload(_ fields: [String: String] = [:]) -> String {
    let usual = [
        "transactionId": "\"2000000000000001\"", "productId": "\"coins_60\"", "bundleId": "\"com.example.game\"",
        "purchaseDate": "\(january)", "signedDate": "\(january + 400)", "environment": "\"Production\"",
    ]
    let all = usual.merging(fields) { $1 }.filter { !$0.value.isEmpty }
    return "{" + all.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",") + "}"
}
