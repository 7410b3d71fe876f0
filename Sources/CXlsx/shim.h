#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>
#include <xlsxwriter.h>

/// glibc's `cookie_io_functions_t` and `fopencookie` (fopencookie(3)), which its headers show only to those who define
/// _GNU_SOURCE before anything else; a module cannot.
struct reconcile_stream {
    ssize_t (*read)(void *cookie, char *bytes, size_t count);
    ssize_t (*write)(void *cookie, const char *bytes, size_t count);
    int (*seek)(void *cookie, int64_t *position, int whence);
    int (*close)(void *cookie);
};
FILE *reconcile_open_stream(void *cookie, const char *mode, struct reconcile_stream stream) __asm__("fopencookie");
