/// A description of a purchase as texts, from a form or from options. An empty text is no field.
public struct DescriptionFields: Sendable, Equatable {
    /// What a field must look like. The raw values are those of texts.
    public enum Fault: String, Error, CaseIterable {
        case date, time, within, amount, currency
    }
    public var from = ""
    public var to = ""
    /// One or more, with blanks between them.
    public var time = ""
    /// In minutes.
    public var within = ""
    /// One or more, with commas or blanks between them.
    public var amount = ""
    public var currency = ""
    /// An id, or a name of the product list.
    public var product = ""
    public var storefront = ""
    public var account = ""
    public var ending = ""

    public init() {}

    /// The fields by their names in a form.
    public static var names: [(name: String, path: WritableKeyPath<DescriptionFields, String>)] {
        [
            ("from", \.from), ("to", \.to), ("time", \.time), ("within", \.within), ("amount", \.amount),
            ("currency", \.currency), ("product", \.product), ("storefront", \.storefront), ("begins", \.account),
            ("ends", \.ending),
        ]
    }
}

extension Inquiry {
    /// - Throws: what is wrong with a field.
    public func description(_ fields: DescriptionFields) throws(DescriptionFields.Fault) -> PurchaseDescription {
        var asked = PurchaseDescription()
        func date(_ text: String) throws(DescriptionFields.Fault) -> BusinessDate? {
            if text.isEmpty { return nil }
            guard let date = BusinessDate(text) else { throw .date }
            return date
        }
        let (from, to) = (try date(fields.from), try date(fields.to))
        if let first = from ?? to, let last = to ?? from {
            guard first <= last, last.day - first.day <= DescriptionReader.daysMax else { throw .date }
            asked.days = first...last
        }
        for text in fields.time.split(separator: " ") {
            let parts = text.split(separator: ":").map { Int($0) ?? -1 }
            guard parts.count == 2, 0...29 ~= parts[0], 0...59 ~= parts[1] else { throw .time }
            asked.arounds.append(parts[0] * 60 + parts[1])
        }
        if !fields.within.isEmpty {
            guard let within = Int(fields.within), PurchaseDescription.windows ~= within else { throw .within }
            asked.within = within
        }
        for text in fields.amount.split(whereSeparator: { $0 == " " || $0 == "," }) {
            guard let amount = PurchaseDescription.thousandths(text) else { throw .amount }
            asked.amounts.append(amount)
        }
        for text in fields.currency.split(whereSeparator: { " ,/".contains($0) }) {
            guard let currency = Currency(text.uppercased()), currency.isCurrent else { throw .currency }
            asked.currencies.append(currency)
        }
        if !fields.product.isEmpty {
            asked.products = reader().products(in: fields.product.lowercased())
            if asked.products.isEmpty { asked.products = [Identifier(fields.product)] }
        }
        asked.storefront = fields.storefront.isEmpty ? nil : fields.storefront.uppercased()
        asked.account = fields.account.isEmpty ? nil : fields.account
        asked.ending = fields.ending.isEmpty ? nil : fields.ending
        return asked
    }
}

extension PurchaseDescription {
    /// The same as texts, for a form.
    public var fields: DescriptionFields {
        var fields = DescriptionFields()
        fields.from = days?.lowerBound.text ?? ""
        fields.to = days?.upperBound.text ?? ""
        // Midnight at the end of a day is 24:00.
        fields.time = arounds.map(Self.clock).joined(separator: " ")
        fields.within = arounds.isEmpty ? "" : String(within)
        fields.amount = amountsText
        fields.currency = currencies.map(\.text).joined(separator: " ")
        fields.product = products.map(\.text).joined(separator: " ")
        fields.storefront = storefront ?? ""
        fields.account = account ?? ""
        fields.ending = ending ?? ""
        return fields
    }

    /// `25, 30` or `4.99`
    public var amountsText: String {
        amounts.map { amount in
            // Three decimals, of which zeros at the end are not written.
            let text = decimal(amount, exponent: 3)
            let zeros = text.reversed().prefix { $0 == "0" }.count
            return String(text.dropLast(zeros == 3 ? 4 : zeros))
        }.joined(separator: ", ")
    }

    /// `15:57`; in the night after the date, from 24:00 on.
    public static func clock(_ minute: Int) -> String {
        let minute = max(0, minute)
        return "\(minute / 60 < 10 ? "0" : "")\(minute / 60):" + (minute % 60 < 10 ? "0" : "") + String(minute % 60)
    }
}
