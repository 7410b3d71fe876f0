// AppStoreTests
