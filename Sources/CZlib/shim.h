#include <zlib.h>

/// `inflateInit2` is a macro: 15 + 16 reads gzip streams only.
static inline int reconcile_inflate_init_gzip(z_stream *stream) { return inflateInit2(stream, 15 + 16); }
