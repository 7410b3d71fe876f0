// RulesTests
