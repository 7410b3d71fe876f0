// XlsxTests
