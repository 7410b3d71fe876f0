internal import CResources

/// What `init` writes, `examples/reconcile.json`: every setting, its default and its meaning.
public let sampleConfiguration = String(cString: sample_configuration())

/// The sample's `reconcile.json`. Settings that it leaves out have their defaults.
public let demoConfiguration = String(cString: demo_configuration())
