// IntakeTests
