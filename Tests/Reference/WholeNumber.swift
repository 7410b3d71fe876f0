/// A whole number of any size, not negative: limbs of 32 bits, the lowest first, without zeros at the end.
struct WholeNumber: Comparable {
    private var limbs: [UInt32] = []

    init(_ number: Int) {
        var rest = number
        while rest > 0 {
            limbs.append(UInt32(truncatingIfNeeded: rest))
            rest >>= 32
        }
    }

    static func < (left: Self, right: Self) -> Bool {
        left.limbs.count == right.limbs.count
            ? left.limbs.reversed().lexicographicallyPrecedes(right.limbs.reversed())
            : left.limbs.count < right.limbs.count
    }

    static func + (left: Self, right: Self) -> Self {
        var (sum, carry) = (Self(0), UInt64(0))
        for index in 0..<max(left.limbs.count, right.limbs.count) {
            carry += UInt64(index < left.limbs.count ? left.limbs[index] : 0)
            carry += UInt64(index < right.limbs.count ? right.limbs[index] : 0)
            sum.limbs.append(UInt32(truncatingIfNeeded: carry))
            carry >>= 32
        }
        if carry > 0 { sum.limbs.append(UInt32(carry)) }
        return sum
    }

    static func * (left: Self, right: Self) -> Self {
        var product = Self(0)
        product.limbs = Array(repeating: 0, count: left.limbs.count + right.limbs.count)
        for (place, limb) in left.limbs.enumerated() {
            var carry = UInt64(0)
            for (index, other) in right.limbs.enumerated() {
                carry += UInt64(limb) * UInt64(other) + UInt64(product.limbs[place + index])
                product.limbs[place + index] = UInt32(truncatingIfNeeded: carry)
                carry >>= 32
            }
            product.limbs[place + right.limbs.count] = UInt32(carry)
        }
        while product.limbs.last == 0 { product.limbs.removeLast() }
        return product
    }
}

/// The number of ways to choose some of `all` things, by Pascal's triangle.
struct Choices {
    private var rows: [[WholeNumber]] = [[WholeNumber(1)]]

    /// - Parameter most: the most things that are asked for.
    init(most: Int) {
        for _ in 0..<most {
            let above = rows[rows.count - 1]
            rows.append([WholeNumber(1)] + zip(above, above.dropFirst()).map { $0 + $1 } + [WholeNumber(1)])
        }
    }

    func ways(_ count: Int, of all: Int) -> WholeNumber {
        count < 0 || count > all ? WholeNumber(0) : rows[all][count]
    }
}
