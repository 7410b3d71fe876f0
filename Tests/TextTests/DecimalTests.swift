import Base
import Testing

@Test(
    arguments: [
        ("0", 2, 0), ("1", 2, 100), ("0.01", 6, 10_000), ("100000.00", 2, 10_000_000), ("1.5", 3, 1500), ("5", 0, 5),
        ("1.000", 2, 100), ("1.00000000", 0, 1), ("007.10", 2, 710), ("10000000000000.00", 2, 1_000_000_000_000_000),
    ] as [(String, Int, Int64)])
func aPlainDecimalIsExact(_ text: String, _ decimals: Int, _ value: Int64) {
    #expect(Parse.decimal(text, exponent: decimals) == value)
}

@Test(arguments: [
    "", ".", "1.", ".5", "--1", "+1", "1,5", "12abc", "1e3", "0x1p3", "nan", "1.2.3", " 1", "1 ", "1.001", "٣", "１",
    "10000000000000.01", "99999999999999999999999999",
])
func whatIsNoPlainDecimalIsNil(_ text: String) {
    #expect(Parse.decimal(text, exponent: 2) == nil)
}
