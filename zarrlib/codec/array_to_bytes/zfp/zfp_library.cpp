// SPDX-License-Identifier: MIT
#include "zarrlib/codec/array_to_bytes/zfp/zfp_library.h"

#include <dlfcn.h>

#include <string>

#include "zarrlib/base/error.h"

namespace zarr {
namespace {

// GCC and Clang tell in different ways whether such a sanitizer is in use.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define ZARR_HAS_SANITIZER
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define ZARR_HAS_SANITIZER
#endif
#endif

/// Lets the library find its own symbols first, where the system can do that. Sanitizers take no such libraries.
#if defined(RTLD_DEEPBIND) && !defined(ZARR_HAS_SANITIZER)
constexpr int kFlags = RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND;
#else
constexpr int kFlags = RTLD_NOW | RTLD_LOCAL;
#endif

[[noreturn]] void Fail() {
  const char* const reason = ::dlerror();
  throw Error(ErrorKind::kUnsupported, reason ? reason : "libzfp cannot be loaded");
}

template <typename T>
void Take(void* library, const char* name, T* pointer) {
  void* const symbol = ::dlsym(library, name);
  if (!symbol) Fail();
  *pointer = reinterpret_cast<T>(symbol);
}

ZfpLibrary Load() {
  void* const library = ::dlopen(ZARR_ZFP_LIBRARY, kFlags);  // never closed
  if (!library) Fail();
  ZfpLibrary zfp{};
  Take(library, "stream_open", &zfp.stream_open);
  Take(library, "stream_close", &zfp.stream_close);
  Take(library, "stream_word_bits", &zfp.stream_word_bits);
  Take(library, "zfp_field_alloc", &zfp.zfp_field_alloc);
  Take(library, "zfp_field_free", &zfp.zfp_field_free);
  Take(library, "zfp_field_set_pointer", &zfp.zfp_field_set_pointer);
  Take(library, "zfp_field_set_type", &zfp.zfp_field_set_type);
  Take(library, "zfp_stream_open", &zfp.zfp_stream_open);
  Take(library, "zfp_stream_close", &zfp.zfp_stream_close);
  Take(library, "zfp_stream_maximum_size", &zfp.zfp_stream_maximum_size);
  Take(library, "zfp_stream_set_bit_stream", &zfp.zfp_stream_set_bit_stream);
  Take(library, "zfp_stream_set_accuracy", &zfp.zfp_stream_set_accuracy);
  Take(library, "zfp_stream_set_params", &zfp.zfp_stream_set_params);
  Take(library, "zfp_stream_set_precision", &zfp.zfp_stream_set_precision);
  Take(library, "zfp_stream_set_rate", &zfp.zfp_stream_set_rate);
  Take(library, "zfp_stream_set_reversible", &zfp.zfp_stream_set_reversible);
  Take(library, "zfp_read_header", &zfp.zfp_read_header);
  Take(library, "zfp_write_header", &zfp.zfp_write_header);
  Take(library, "zfp_compress", &zfp.zfp_compress);
  Take(library, "zfp_decompress", &zfp.zfp_decompress);
  return zfp;
}

}  // namespace

const ZfpLibrary& GetZfpLibrary() {
  static const ZfpLibrary zfp = Load();
  return zfp;
}

}  // namespace zarr
