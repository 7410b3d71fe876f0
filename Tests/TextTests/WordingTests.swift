import Base
import Testing

@Test func aQuotedTextIsHarmlessAndShort() {
    #expect(quoted("补单 a\u{1B}[31m\n") == "'补单 a\\u{1b}[31m\\u{a}'")
    #expect(quoted(String(repeating: "x", count: 500)).count == 122)
}

@Test func alternativesReadAsASentence() {
    #expect(alternatives([]) == "" && alternatives(["a"]) == "a")
    #expect(alternatives(["a", "b"]) == "a or b" && alternatives(["a", "b", "c"]) == "a, b or c")
}
