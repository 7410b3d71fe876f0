import Foundation

/// The places where the value does not conform to the schema. Only the parts of JSON Schema that the project's schemas
/// use are implemented.
func schemaFaults(_ value: Any, _ schema: [String: Any], at place: String = "") -> [String] {
    var faults: [String] = []
    if let types = (schema["type"] as? [String]) ?? (schema["type"] as? String).map({ [$0] }) {
        if !types.contains(where: { isOf($0, value) }) { faults.append("\(place) is no \(types)") }
    }
    if let constant = schema["const"] as? String, value as? String != constant {
        faults.append("\(place) is another")
    }
    if let words = schema["enum"] as? [String], !words.contains(value as? String ?? "") {
        faults.append("\(place) is no word")
    }
    if let pattern = schema["pattern"] as? String, let text = value as? String,
        text.range(of: pattern, options: .regularExpression) == nil
    {
        faults.append("\(place) is no \(pattern)")
    }
    if let least = schema["minimum"] as? Int, let number = value as? Double, number < Double(least) {
        faults.append("\(place) is too small")
    }
    if let most = schema["maximum"] as? Int, let number = value as? Double, number > Double(most) {
        faults.append("\(place) is too large")
    }
    if let items = schema["items"] as? [String: Any], let values = value as? [Any] {
        faults += values.flatMap { schemaFaults($0, items, at: place + "[]") }
    }
    if let object = value as? [String: Any], let members = schema["additionalProperties"] as? [String: Any] {
        let counts = (schema["minProperties"] as? Int ?? 0)...(schema["maxProperties"] as? Int ?? .max)
        if !counts.contains(object.count) { faults.append("\(place) has \(object.count) members") }
        faults += object.flatMap { schemaFaults($0.value, members, at: place + "." + $0.key) }
    }
    if let object = value as? [String: Any], let properties = schema["properties"] as? [String: [String: Any]] {
        for name in schema["required"] as? [String] ?? [] where object[name] == nil {
            faults.append("\(place).\(name) is missing")
        }
        for (name, member) in object {
            guard let property = properties[name] else {
                faults.append("\(place).\(name) is unknown")
                continue
            }
            faults += schemaFaults(member, property, at: place + "." + name)
        }
    }
    return faults
}

private func isOf(_ type: String, _ value: Any) -> Bool {
    switch type {
    case "object": value is [String: Any]
    case "array": value is [Any]
    case "string": value is String
    case "null": value is NSNull
    case "integer": value is Int
    case "number": value is Double
    case "boolean": value is Bool
    default: false
    }
}
