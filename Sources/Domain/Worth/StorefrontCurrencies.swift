/// The currencies in which App Store storefronts sell. A price of the product list does not apply to a customer who pays in
/// another currency.
enum StorefrontCurrencies {
    /// Whether customers of the storefront pay in that currency. True where the storefront is unknown or not listed here:
    /// then nothing speaks against it.
    ///
    /// - Parameter storefront: three letters, as in Apple's records.
    static func sells(_ storefront: Identifier?, in currency: Currency) -> Bool {
        guard let storefront, let own = table[storefront] else { return true }
        return own.contains(currency)
    }

    private static let table: [Identifier: Set<Currency>] = {
        var table: [Identifier: Set<Currency>] = [:]
        for line in lines.split(separator: "\n") {
            let words = line.split(separator: " ").map(String.init)
            for storefront in words.dropFirst() {
                table[Identifier(storefront), default: []].insert(Currency(words[0])!)
            }
        }
        return table
    }()

    /// A currency, then its storefronts. Where a storefront changed its currency, both are listed.
    private static let lines = """
        AED ARE
        AUD AUS
        BGN BGR
        BRL BRA
        CAD CAN
        CHF CHE
        CLP CHL
        CNY CHN
        COP COL
        CZK CZE
        DKK DNK
        EGP EGY
        EUR AUT BEL BGR BIH CYP DEU ESP EST FIN FRA GRC HRV IRL ITA LTU LUX LVA MLT MNE NLD PRT SRB SVK SVN XKX XKS
        GBP GBR
        HKD HKG
        HRK HRV
        HUF HUN
        IDR IDN
        ILS ISR
        INR IND
        JPY JPN
        KRW KOR
        KZT KAZ
        MXN MEX
        MYR MYS
        NGN NGA
        NOK NOR
        NZD NZL
        PEN PER
        PHP PHL
        PKR PAK
        PLN POL
        QAR QAT
        RON ROU
        RUB RUS
        SAR SAU
        SEK SWE
        SGD SGP
        THB THA
        TRY TUR
        TWD TWN
        TZS TZA
        UAH UKR
        USD ARG CRI ECU KAZ KEN MAC PAN SLV UKR URY USA
        VND VNM
        ZAR ZAF
        """
}
