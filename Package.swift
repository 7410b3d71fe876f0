// swift-tools-version: 6.2
import PackageDescription

// Intake, Matching and Rules exchange Domain values and never import each other. Engine joins the pure ones into use cases,
// Reconcile joins those with files, ledger and reports. What they offer is `public`: what is
// `package` the compiler inlines into another module only where it and its type are `@usableFromInline` as well, whatever is
// `@inlinable`; and no product of this package is a library.
// `scripts/modules --check`, a part of `scripts/lint`, holds every import against this list.

let strict: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("ExistentialAny"),
]

enum Optimized { case forUse, inTestsToo, never }

/// The optimizer takes most of the time of a build. The suite spends most of its time in modules that are optimized for it
/// too; those that are never optimized run for moments. scripts/demo and scripts/desk optimize nothing.
func settings(_ optimized: Optimized) -> [SwiftSetting] {
    switch optimized {
    case .inTestsToo where Context.environment["RECONCILE_PLAIN"] != nil: strict
    case .forUse: strict
    case .inTestsToo: strict + [.unsafeFlags(["-O"], .when(configuration: .debug))]
    case .never: strict + [.unsafeFlags(["-Onone"], .when(configuration: .release))]
    }
}

/// A module of ours.
func module(
    _ name: String, _ dependencies: [Target.Dependency] = [], embedding: [String] = [], optimized: Optimized = .forUse
) -> Target {
    .target(
        name: name, dependencies: dependencies, resources: embedding.map { .embedInCode($0) },
        swiftSettings: settings(optimized))
}

/// A C library of Debian's, mapped for Swift.
func system(_ name: String, pkgConfig: String? = nil, apt package: String) -> Target {
    .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([package])])
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(name: name, dependencies: dependencies, swiftSettings: strict)
}

let package = Package(
    name: "reconcile",
    products: [
        .executable(name: "reconcile", targets: ["Reconcile"]),
        // The only program that speaks to a network. `reconcile fetch` and `reconcile ask` start it.
        .executable(name: "reconcile-fetch", targets: ["ReconcileFetch"]),
    ],
    targets: [
        system("CSQLite", pkgConfig: "sqlite3", apt: "libsqlite3-dev"),
        system("CXlsx", apt: "libxlsxwriter-dev"),
        system("CCrypto", pkgConfig: "libcrypto", apt: "libssl-dev"),
        system("CZlib", pkgConfig: "zlib", apt: "zlib1g-dev"),
        system("CMalloc", apt: "libc6-dev"),
        system("CSpawn", apt: "libc6-dev"),
        system("CCurl", pkgConfig: "libcurl", apt: "libcurl4-openssl-dev"),
        // Larger files that are part of the program.
        .target(name: "CResources", exclude: ["page.css", "search.js", "names.json"]),
        // What the program was built from. scripts/build knows the commit and the compiler; other builds say "unknown".
        .target(
            name: "CBuild", dependencies: ["CSQLite", "CXlsx", "CCrypto", "CZlib"],
            cSettings: ["RECONCILE_COMMIT", "RECONCILE_COMPILER"].compactMap { name in
                Context.environment[name].map { .define(name, to: "\"\($0)\"") }
            }),

        module("Domain", optimized: .inTestsToo),
        module("Base", ["Domain", "CCrypto"], optimized: .inTestsToo),
        module(
            "AppStore", ["Domain", "Base", "CCrypto"],
            embedding: ["AppleIncRootCertificate", "AppleRootCA-G2", "AppleRootCA-G3"].map { "Resources/\($0).cer" },
            optimized: .inTestsToo),
        module("Intake", ["Domain", "Base", "AppStore", "CZlib"], optimized: .inTestsToo),
        module("Matching", ["Domain", "Base"], optimized: .inTestsToo),
        module("Rules", ["Domain"], optimized: .inTestsToo),
        module("Engine", ["Domain", "Base", "Matching", "Rules"], embedding: ["Resources/countries.txt"]),
        module(
            "Ledger", ["Domain", "Engine", "Base", "Matching", "CSQLite"],
            embedding: ["tables", "indexes", "views"].map { "Resources/\($0).sql" }),
        module("Reports", ["Domain", "Engine", "Base", "CXlsx", "CZlib", "CResources"]),
        module("CGI"),
        // The sample world of `reconcile demo`.
        module(
            "Demo", ["Console", "Domain", "Base"], embedding: ["Resources/stories.md", "Resources/unreported.md"]),
        // Command line, output and configuration of the programs.
        module("Console", ["Domain", "Base", "Intake", "CResources"]),
        // Proposes a configuration from samples of the shop's files.
        module("Discovery", ["Domain", "Base", "AppStore", "Intake", "CResources"], optimized: .never),
        module("Fetch", ["Console", "Base", "Domain", "Engine", "Intake", "CCrypto"], optimized: .never),
        .executableTarget(
            name: "ReconcileFetch",
            dependencies: ["Console", "Domain", "Fetch", "Base", "CCurl"],
            swiftSettings: settings(.never)),
        .executableTarget(
            name: "Reconcile",
            dependencies: [
                "CGI", "Domain", "Engine", "Base", "AppStore", "Ledger", "Intake", "Fetch", "Matching", "Rules",
                "Reports", "Demo", "Discovery", "Console", "CBuild", "CMalloc", "CSpawn",
            ],
            swiftSettings: settings(.never)),

        .target(
            name: "Reference", dependencies: ["Domain"], path: "Tests/Reference",
            exclude: ["NOTATION.md", "READINGS.md"],
            swiftSettings: strict),
        // Signs transactions and receipts for tests, as Apple does.
        .target(name: "Signing", dependencies: ["CCrypto"], path: "Tests/Signing", swiftSettings: strict),
        // Starts scripts/apple-stand-in for a test.
        .target(name: "StandIn", path: "Tests/StandIn", swiftSettings: strict),
        // Lets a command's system calls go wrong: what FaultTests and scripts/soak.d disturb runs with.
        .executableTarget(name: "Faults", path: "Tests/Faults"),
        // Makes the nights that Benchmarks/*.sh measure.
        .executableTarget(
            name: "SampleVolume", dependencies: ["Console", "Demo", "Domain", "Base"], path: "Benchmarks/Volume",
            swiftSettings: strict),
        // What Benchmarks/workbook.sh times.
        .executableTarget(name: "WorkbookBenchmark", dependencies: ["Reports"], path: "Benchmarks/Workbook"),
        tests("CGITests", ["CGI"]),
        tests("ReferenceTests", ["Reference", "Domain"]),
        tests("DomainTests", ["Domain", "Engine", "Base", "Reference"]),
        tests("SQLiteTests", ["Ledger"]),
        tests("XlsxTests", ["Reports"]),
        tests("DemoTests", ["Console", "Demo", "Domain"]),
        tests("TextTests", ["Base", "Domain"]),
        tests("JSONTests", ["Base", "Domain", "Reference"]),
        tests("WireTests", ["Engine", "Domain", "Base"]),
        tests(
            "AppStoreTests", ["AppStore", "Domain", "Base", "CCrypto", "Console", "Reconcile", "Reference", "Signing"]),
        tests("IntakeTests", ["Intake", "AppStore", "Domain", "Base", "Reference", "CZlib"]),
        tests("ExceptionsTests", ["Engine", "Domain"]),
        tests(
            "EngineTests",
            ["Engine", "Matching", "Rules", "Reference", "Domain", "Base"]),
        tests("DiscoveryTests", ["Discovery", "Intake", "Domain", "Base", "Signing"]),
        tests("LedgerTests", ["Ledger", "Engine", "Domain", "Base", "Reference"]),
        tests("MatchingTests", ["Matching", "Domain", "Reference"]),
        tests("RulesTests", ["Rules", "Matching", "Domain", "Reference"]),
        tests("FinanceTests", ["Engine", "Domain", "Matching", "Rules", "Reference"]),
        tests("ReportsTests", ["Reports", "Domain", "Engine", "Base"]),
        tests("HTTPTests", ["ReconcileFetch", "Fetch", "StandIn"]),
        tests("AppleAPITests", ["Fetch", "Domain", "Base", "CCrypto"]),
        tests("FetchTests", ["Fetch", "Console", "Domain"]),
        tests("SettingsTests", ["Console", "Domain", "Base", "Intake"]),
        tests("ConsoleTests", ["Console", "Domain", "Base"]),
        tests(
            "ReconcileTests",
            [
                "Reconcile", "Console", "Base", "Demo", "Domain", "Engine", "Intake", "Ledger", "Matching", "Reports",
                "Reference", "Rules", "Signing", "StandIn",
            ]),
    ],
    swiftLanguageModes: [.v6],
    cLanguageStandard: .gnu2x
)
