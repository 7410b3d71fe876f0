// ReconcileTests
