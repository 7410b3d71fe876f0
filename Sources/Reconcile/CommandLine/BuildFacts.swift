internal import CBuild
internal import Ledger
internal import Rules

/// `reconcile --version --json`.
let buildFacts: JSON = {
    func text(_ words: UnsafePointer<CChar>) -> JSON { .text(String(cString: words)) }
    return .object([
        "version": .text(version), "commit": text(build_commit()), "compiler": text(build_compiler()),
        "schema_version": .number(Ledger.schemaVersion), "rules_version": JSON(RuleSet.version),
        "libraries": .object([
            "glibc": text(running_glibc()), "libxlsxwriter": text(running_xlsxwriter()),
            "openssl": text(running_openssl()), "sqlite": text(running_sqlite()), "zlib": text(running_zlib()),
        ]),
    ])
}()
