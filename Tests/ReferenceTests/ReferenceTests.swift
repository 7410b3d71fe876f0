// ReferenceTests
