// SPDX-License-Identifier: MIT
#include "zarrlib/codec/array_to_array/astype_codec.h"

#include "zarrlib/codec/array_to_array/array_filter.h"

namespace zarr {
namespace {

FilterLoops MakeAstypeLoops(const DataType& dtype, const DataType& astype) {
  return VisitNumber(dtype, [&](auto decoded) {
    return VisitNumber(astype, [](auto encoded) {
      using Decoded = decltype(decoded);
      using Encoded = decltype(encoded);
      return FilterLoops{MakeElementLoop<Decoded, Encoded>(CastLikeNumPy<Encoded, Decoded>),
                         MakeElementLoop<Encoded, Decoded>(CastLikeNumPy<Decoded, Encoded>)};
    });
  });
}

}  // namespace

Codec MakeAsTypeCodec(const CodecSpec& spec) {
  spec.configuration.At("encode_dtype");
  return MakeNumcodecsFilter(spec, {"decode_dtype", "encode_dtype", MakeAstypeLoops});
}

}  // namespace zarr
