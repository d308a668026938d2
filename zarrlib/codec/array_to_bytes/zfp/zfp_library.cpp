// SPDX-License-Identifier: MIT
#include "zarrlib/codec/array_to_bytes/zfp/zfp_library.h"

#include <string>

#include "zarrlib/base/error.h"
#include "zarrlib/base/system/shared_library.h"

namespace zarr {
namespace {

template <typename Function>
void Take(const SharedLibrary& library, const char* name, Function* function) {
  if (library.Find(name, function)) return;
  throw Error(ErrorKind::kUnsupported, std::string(ZARR_ZFP_LIBRARY) + " has no function " + name);
}

ZfpLibrary Load() {
  const SharedLibrary library = SharedLibrary::Load(ZARR_ZFP_LIBRARY);
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
