// SPDX-License-Identifier: MIT
#pragma once

#include <zfp.h>

namespace zarr {

/// The functions of libzfp that are used here, under their own names. The library is loaded on first use, in a way that
/// it uses its own symbols. Other libraries loaded by a program (such as libcfitsio) also have functions called
/// `stream_open` and `stream_flush`, which would otherwise be called instead, even by libzfp itself.
struct ZfpLibrary {
  decltype(&::stream_open) stream_open;
  decltype(&::stream_close) stream_close;
  const std::size_t* stream_word_bits;
  decltype(&::zfp_field_alloc) zfp_field_alloc;
  decltype(&::zfp_field_free) zfp_field_free;
  decltype(&::zfp_field_set_pointer) zfp_field_set_pointer;
  decltype(&::zfp_field_set_type) zfp_field_set_type;
  decltype(&::zfp_stream_open) zfp_stream_open;
  decltype(&::zfp_stream_close) zfp_stream_close;
  decltype(&::zfp_stream_maximum_size) zfp_stream_maximum_size;
  decltype(&::zfp_stream_set_bit_stream) zfp_stream_set_bit_stream;
  decltype(&::zfp_stream_set_accuracy) zfp_stream_set_accuracy;
  decltype(&::zfp_stream_set_params) zfp_stream_set_params;
  decltype(&::zfp_stream_set_precision) zfp_stream_set_precision;
  decltype(&::zfp_stream_set_rate) zfp_stream_set_rate;
  decltype(&::zfp_stream_set_reversible) zfp_stream_set_reversible;
  decltype(&::zfp_read_header) zfp_read_header;
  decltype(&::zfp_write_header) zfp_write_header;
  decltype(&::zfp_compress) zfp_compress;
  decltype(&::zfp_decompress) zfp_decompress;
};

/// Returns the functions of the library, which is loaded at the first call. Thread-safe. Throws Error(unsupported) if
/// the library cannot be loaded.
const ZfpLibrary& GetZfpLibrary();

}  // namespace zarr
