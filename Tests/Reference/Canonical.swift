internal import Domain

/// The content of one version as a text. Its bytes decide which version is current where nothing else does. READINGS 1.
///
/// It consists of the fields in the order written here, each as text (money as minor units and currency code, instants
/// as milliseconds, nil as nothing), joined by U+001F. Source and marks are not content.
func canonical(_ fields: [String?]) -> [UInt8] { Array(fields.map { $0 ?? "" }.joined(separator: "\u{1F}").utf8) }

extension Order {
    var canonicalBytes: [UInt8] {
        canonical([
            id.text, account.text, product.text, "\(quantity)", amount.map { "\($0.minor)" }, amount?.currency.text,
            token?.text, transaction?.text, bundle?.text, status.rawValue, createdAt.digits, updatedAt?.digits,
        ])
    }
}

extension Credit {
    var canonicalBytes: [UInt8] {
        canonical([
            id.text, order?.text, transaction?.text, account.text, product?.text, quantity.map { "\($0)" },
            kind.rawValue, origin.rawValue, creditedAt.digits,
        ])
    }
}

extension Transaction {
    var canonicalBytes: [UInt8] {
        canonical([
            id.text, original?.text, line?.text, bundle?.text, product.text, purchasedAt.digits, expiresAt?.digits,
            signedAt?.digits, token?.text, price.map { "\($0.thousandths)" }, price?.currency.text, "\(quantity)",
            type.map { "\($0)" }, "\(environment)", "\(ownership)", "\(isUpgraded)", storefront?.text,
            revocation?.at.digits, revocation.map { "\($0.type)" }, revocation?.reason.map { "\($0)" },
            revocation?.percentage.map { "\($0)" }, "\(proof)", "\(failure)", "\(isFromReceipt)",
            reason.map { $0 == .purchase ? "0" : "1" },
        ])
    }
}

extension Receipt {
    var canonicalBytes: [UInt8] {
        canonical([
            id, content.hex, account.text, order?.text, transaction?.text, product?.text, receivedAt.digits,
            verifyStatus.map { "\($0)" }, isRetryable.map { "\($0)" }, "\(proof)",
        ])
    }
}

extension Instant {
    var digits: String { String(milliseconds) }
}
