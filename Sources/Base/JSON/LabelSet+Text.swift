/// As an object of texts, with its names in ascending order and nothing that JSON does not require: `{"server":"3"}`.
extension LabelSet: TextCodable {
    public var text: String {
        var members = Members()
        write(to: &members)
        return members.writer.text
    }

    public init?(text: String) {
        var copy = text
        let read = copy.withUTF8 { LabelSet(json: UnsafeRawBufferPointer($0)) }
        guard let read, read.text == text else { return nil }
        self = read
    }

    /// From an object in any spelling.
    fileprivate init?(json: UnsafeRawBufferPointer) {
        var values: [Value] = []
        var isRight = true
        do {
            try JSONReader.forEachMember(of: json) { key, value in
                guard case .string(let text) = value, LabelSet.isName(key.string) else { return isRight = false }
                values.append(Value(name: key.string, text: text.withUnescaped { Identifier(bytes: $0) }))
            }
        } catch { return nil }
        guard isRight else { return nil }
        self.init(values)
    }
}

extension LabelSet: MemberValue {
    public init?(_ value: JSONValue, of members: inout Members) {
        guard case .object(let bytes) = value else { return nil }
        self.init(text: String(decoding: bytes, as: UTF8.self))
    }

    public func write(to members: inout Members) {
        members.writer.object { writer in
            for value in values {
                writer.key(value.name)
                writer.write(value.text.text)
            }
        }
    }
}
