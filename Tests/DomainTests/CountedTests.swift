import Domain
import Testing

@Test func oneIsSingularAndAllOthersArePlural() {
    #expect([0, 1, 2, 11].map { counted($0, "row", "rows") } == ["0 rows", "1 row", "2 rows", "11 rows"])
    #expect(counted(Int64(1), "row is", "rows are") == "1 row is")
}

@Test func aDifferenceHasACode() {
    let difference = Difference(field: .quantity, left: "2", right: "1")
    #expect(difference.rawValue == "quantity: 2≠1" && Difference(rawValue: "quantity: 2≠1") == difference)
    // An id may contain what separates the values; its code is the same again.
    let odd = Difference(field: .product, left: "a≠: b", right: "c")
    #expect(Difference(rawValue: odd.rawValue)?.rawValue == odd.rawValue)
    for text in ["", "quantity", "quantity: 2", "quality: 2≠1", "≠"] { #expect(Difference(rawValue: text) == nil) }
}
