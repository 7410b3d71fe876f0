/// What `init` writes, `examples/reconcile.json`: every setting, its default and its meaning.
public let sampleConfiguration = String(decoding: PackageResources.reconcile_json, as: UTF8.self)

/// The sample's `reconcile.json`. Settings that it leaves out have their defaults.
public let demoConfiguration = String(decoding: PackageResources.demo_json, as: UTF8.self)
