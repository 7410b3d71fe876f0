/// Apple's root certificates as published at https://www.apple.com/certificateauthority/, in DER. They are built in, so
/// that nothing on the machine or in the input decides which certificates are trusted.
enum AppleRoots {
    static let all = [
        // Apple Root CA, SHA-256 b0b1730e…: the root of PKCS#7 receipts.
        PackageResources.AppleIncRootCertificate_cer,
        // Apple Root CA - G2, SHA-256 c2b9b042…. No App Store chain is known to end in it; it is included because Apple says
        // to trust all its roots.
        PackageResources.AppleRootCA_G2_cer,
        // Apple Root CA - G3, SHA-256 63343abf…: the root of signed transactions and notifications.
        PackageResources.AppleRootCA_G3_cer,
    ]
}
