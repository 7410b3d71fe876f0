/// Country codes of ISO 3166-1. Transactions name their storefront by three letters, financial reports their country by
/// two.
enum Countries {
    /// The two letters, by the three. The resource has three letters followed by two. ISO has no code
    /// for Kosovo; XKX and XK are what most use, and Apple's storefront is XKS.
    static let twoLetters: [String: String] = Dictionary(
        uniqueKeysWithValues: String(decoding: PackageResources.countries_txt, as: UTF8.self).split(
            whereSeparator: \.isWhitespace
        ).map { (String($0.prefix(3)), String($0.suffix(2))) })
}
