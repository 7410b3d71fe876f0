// What this program was built from, and the versions of the libraries that it runs with. They are those of the system, so an update
// of the system changes them.

const char *_Nonnull build_commit(void);
const char *_Nonnull build_compiler(void);
const char *_Nonnull running_sqlite(void);
const char *_Nonnull running_xlsxwriter(void);
const char *_Nonnull running_openssl(void);
const char *_Nonnull running_zlib(void);
const char *_Nonnull running_glibc(void);
