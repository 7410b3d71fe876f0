// swift-tools-version: 6.2
import PackageDescription

// Intake, Matching, Rules, Exceptions and Finance exchange Domain and ReportData values and never import each other. Engine joins
// the pure ones into use cases, Reconcile joins those with files, ledger and reports. What they offer is `public`: what is
// `package` the compiler inlines into another module only where it and its type are `@usableFromInline` as well, whatever is
// `@inlinable`; and no product of this package is a library.
// `swift build --explicit-target-dependency-import-check error` makes the compiler hold that line.

let strict: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("ExistentialAny"),
]

/// A module of ours.
func module(_ name: String, _ dependencies: [Target.Dependency] = [], embedding: [String] = []) -> Target {
    .target(
        name: name, dependencies: dependencies, resources: embedding.map { .embedInCode($0) }, swiftSettings: strict)
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
        system("CCurl", pkgConfig: "libcurl", apt: "libcurl4-openssl-dev"),

        module("Parallel"),
        module("Domain"),
        module("ReportData", ["Domain"]),
        module("Digest", ["Domain", "CCrypto"]),
        module("SQLite", ["CSQLite"]),
        module("Xlsx", ["Domain", "Text", "CXlsx"]),
        module("Text", ["Domain"]),
        module("JSON", ["Domain", "Text"]),
        module("AppStore", ["Domain", "Digest", "Text", "JSON", "CCrypto"]),
        module("Intake", ["Domain", "Parallel", "Digest", "Text", "JSON", "AppStore", "CZlib"]),
        module("Matching", ["Domain", "Parallel"]),
        module("Rules", ["Domain"]),
        module("Exceptions", ["Domain", "ReportData", "Digest", "JSON"]),
        module("Finance", ["Domain", "ReportData", "Text"]),
        module("Engine", ["Domain", "ReportData", "Parallel", "Matching", "Rules", "Exceptions", "Finance"]),
        module(
            "Ledger",
            [
                "Domain", "ReportData", "Parallel", "Digest", "Text", "JSON", "SQLite", "Matching", "Exceptions",
                "Engine",
            ]),
        module(
            "Reports", ["Domain", "ReportData", "Parallel", "Digest", "Text", "JSON", "Xlsx", "CZlib"],
            embedding: ["Resources/en.json", "Resources/zh-Hans.json", "Resources/layout.json"]),
        module("CGI"),
        // The lines that the stages of a night exchange on a cluster.
        module("Wire", ["Domain", "ReportData", "Text", "JSON", "Matching", "Exceptions", "Engine"]),
        // The sample world of `reconcile demo`.
        module("Demo", ["Console", "Domain", "JSON"]),
        module("Console", ["Domain", "Parallel", "Text", "JSON"]),
        module("Settings", ["Console", "Domain", "Text", "JSON", "Intake"]),
        module("HTTP", ["AppleAPI", "CCurl"]),
        module("AppleAPI", ["Domain", "Text", "JSON", "CCrypto"]),
        module(
            "Fetch",
            [
                "AppleAPI", "Console", "Digest", "Domain", "Finance", "Intake", "JSON", "Parallel", "Settings", "Text",
            ]),
        .executableTarget(
            name: "ReconcileFetch",
            dependencies: ["AppleAPI", "Console", "Domain", "Fetch", "HTTP", "Parallel", "Settings", "Text"],
            swiftSettings: strict),
        .executableTarget(
            name: "Reconcile",
            dependencies: [
                "CGI", "Domain", "ReportData", "Parallel", "Digest", "Text", "JSON", "AppStore", "SQLite", "Intake",
                "Engine",
                "Exceptions", "Fetch", "Ledger", "Matching", "Rules", "Finance", "Reports", "Demo", "Settings",
                "Console", "Wire", "CMalloc",
            ],
            swiftSettings: strict),

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
            name: "SampleVolume", dependencies: ["Console", "Demo", "Domain", "Parallel"], path: "Benchmarks/Volume",
            swiftSettings: strict),
        // What Benchmarks/workbook.sh times.
        .executableTarget(name: "WorkbookBenchmark", dependencies: ["Xlsx"], path: "Benchmarks/Workbook"),
        tests("CGITests", ["CGI"]),
        tests("ReferenceTests", ["Reference", "Domain"]),
        tests("DomainTests", ["Domain", "ReportData", "Parallel"]),
        tests("SQLiteTests", ["SQLite"]),
        tests("XlsxTests", ["Xlsx"]),
        tests("DemoTests", ["Console", "Demo", "Domain"]),
        tests("TextTests", ["Text", "Domain"]),
        tests("JSONTests", ["JSON", "Domain"]),
        tests("WireTests", ["Wire", "Domain"]),
        tests("AppStoreTests", ["AppStore", "Domain", "Digest", "Text", "CCrypto", "Console", "Reconcile", "Signing"]),
        tests("IntakeTests", ["Intake", "AppStore", "Domain", "Digest", "Reference", "CZlib"]),
        tests("ExceptionsTests", ["Exceptions", "Domain", "ReportData"]),
        tests(
            "EngineTests",
            ["Engine", "Exceptions", "Matching", "Rules", "Reference", "Domain", "ReportData", "Parallel"]),
        tests(
            "LedgerTests", ["Ledger", "Engine", "Exceptions", "Domain", "ReportData", "JSON", "Parallel", "SQLite"]),
        tests("MatchingTests", ["Matching", "Domain", "Reference"]),
        tests("RulesTests", ["Rules", "Matching", "Domain", "Reference"]),
        tests("FinanceTests", ["Finance", "Domain", "ReportData", "Matching", "Rules", "Reference"]),
        tests("ReportsTests", ["Reports", "Domain", "ReportData", "Text", "Xlsx"]),
        tests("HTTPTests", ["HTTP", "AppleAPI", "StandIn"]),
        tests("AppleAPITests", ["AppleAPI", "Domain", "JSON", "CCrypto"]),
        tests("FetchTests", ["Fetch", "AppleAPI", "Console", "Domain", "Settings"]),
        tests("SettingsTests", ["Settings", "Domain", "Text", "JSON", "Intake"]),
        tests("ConsoleTests", ["Console", "Domain", "Parallel", "Text"]),
        tests(
            "ReconcileTests",
            [
                "Reconcile", "Console", "Digest", "Settings", "Demo", "Domain", "ReportData", "Parallel", "Engine",
                "Exceptions", "Intake", "Text", "JSON", "Ledger", "Reports", "SQLite", "Reference", "Signing",
                "StandIn",
            ]),
    ],
    swiftLanguageModes: [.v6]
)
