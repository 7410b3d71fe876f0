#include "CBuild.h"
#include <gnu/libc-version.h>
#include <openssl/crypto.h>
#include <sqlite3.h>
#include <xlsxwriter.h>
#include <zlib.h>

// Package.swift defines these two from the environment; scripts/build sets it.
#ifndef RECONCILE_COMMIT
#define RECONCILE_COMMIT "unknown"
#endif
#ifndef RECONCILE_COMPILER
#define RECONCILE_COMPILER "unknown"
#endif

const char *build_commit(void) { return RECONCILE_COMMIT; }
const char *build_compiler(void) { return RECONCILE_COMPILER; }
const char *running_sqlite(void) { return sqlite3_libversion(); }
const char *running_xlsxwriter(void) { return lxw_version(); }
const char *running_openssl(void) { return OpenSSL_version(OPENSSL_VERSION_STRING); }
const char *running_zlib(void) { return zlibVersion(); }
const char *running_glibc(void) { return gnu_get_libc_version(); }
