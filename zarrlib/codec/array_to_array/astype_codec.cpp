// SPDX-License-Identifier: MIT
#include "zarrlib/codec/array_to_array/astype_codec.h"

#include "zarrlib/codec/array_to_array/array_filter.h"

namespace zarr {

Codec MakeAsTypeCodec(const CodecSpec& spec) {
  spec.configuration.At("encode_dtype");
  const auto make_loops = [](const DataType& dtype, const DataType& astype) {
    return FilterLoops{MakeCast(dtype, astype), MakeCast(astype, dtype)};
  };
  return MakeNumcodecsFilter(spec, {"decode_dtype", "encode_dtype", make_loops});
}

}  // namespace zarr
