#include <sqlite3.h>

/// SQLITE_TRANSIENT is a cast that Swift cannot import: the text is copied before the call returns.
static inline int reconcile_bind_text_copied(sqlite3_stmt *statement, int index, const char *text, int bytes) {
    return sqlite3_bind_text(statement, index, text, bytes, SQLITE_TRANSIENT);
}

/// The same for a blob.
static inline int reconcile_bind_blob_copied(sqlite3_stmt *statement, int index, const void *data, int bytes) {
    return sqlite3_bind_blob(statement, index, data, bytes, SQLITE_TRANSIENT);
}

/// Before the library is first used: no count is kept of its memory, which takes a lock for every allocation.
static inline int reconcile_forgo_statistics(void) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }
