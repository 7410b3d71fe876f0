internal import CResources

/// What `init` writes, `examples/reconcile.json`: the usual settings, with their defaults and meanings.
public let sampleConfiguration = String(cString: sample_configuration())

/// The sample's `reconcile.json`. Settings that it leaves out have their defaults.
public let demoConfiguration = String(cString: demo_configuration())
