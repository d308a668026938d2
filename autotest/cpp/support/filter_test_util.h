// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string_view>
#include <variant>
#include <vector>

#include "autotest/cpp/support/array_codec_test_util.h"
#include "autotest/cpp/support/codec_test_util.h"

/// Helpers for the tests of array-to-array and array-to-bytes codecs that compute with elements.
namespace zarr::test {

using codec_test::ExactBuffer;
using codec_test::FromHex;

using Filter = std::shared_ptr<const ResolvedArrayToArray>;
using ArrayCodec = std::shared_ptr<const ResolvedArrayToBytes>;

inline Filter ResolveFilter(std::string_view name, std::string_view configuration, const ChunkSpec& spec) {
  return std::get<std::shared_ptr<const ArrayToArrayCodec>>(MakeCodec(NamedCodec(name, configuration)))->Resolve(spec);
}

inline ArrayCodec ResolveArrayCodec(std::string_view name, std::string_view configuration, const ChunkSpec& spec) {
  return std::get<std::shared_ptr<const ArrayToBytesCodec>>(MakeCodec(NamedCodec(name, configuration)))->Resolve(spec);
}

/// A chunk whose fill value is defined.
template <typename T>
ChunkSpec WithFill(ChunkSpec spec, T value) {
  spec.fill_value = {BytesOf({value}), true};
  return spec;
}

template <typename T>
std::vector<T> CastAll(const std::vector<double>& values) {
  return std::vector<T>(values.begin(), values.end());
}

/// Run the functions of a filter on buffers that end where their memory ends. `To` has the size of the elements that
/// the function gives.
template <typename To, typename From>
std::vector<To> EncodeTo(const Filter& filter, const std::vector<From>& decoded) {
  const ExactBuffer in(BytesOf(decoded));
  const ExactBuffer out(decoded.size() * sizeof(To));
  filter->Encode(in.span(), out.span());
  return ValuesOf<To>(out.span());
}
template <typename To, typename From>
std::vector<To> DecodeTo(const Filter& filter, const std::vector<From>& encoded) {
  const ExactBuffer in(BytesOf(encoded));
  const ExactBuffer out(encoded.size() * sizeof(To));
  filter->Decode(in.span(), out.span());
  return ValuesOf<To>(out.span());
}

/// Returns the elements that are stored as these bytes, in little-endian byte order.
template <typename T>
std::vector<T> DecodeStored(std::string_view hex) {
  return FromLittleEndian<T>(FromHex(hex));
}

inline std::vector<std::string> DecodeStrings(const ResolvedArrayToBytes& codec, ByteSpan encoded) {
  const ExactBuffer in(encoded);
  VariableChunk chunk;
  codec.DecodeVariable(in.span(), &chunk);
  return {chunk.elements.begin(), chunk.elements.end()};
}

inline Bytes EncodeStrings(const ResolvedArrayToBytes& codec, const std::vector<std::string>& strings) {
  const std::vector<std::string_view> views(strings.begin(), strings.end());
  Bytes encoded = ToBytes("to be replaced");
  codec.EncodeVariable(views, &encoded);
  return encoded;
}

inline Bytes EncodeChunk(const ResolvedArrayToBytes& codec, ByteSpan decoded) {
  const ExactBuffer in(decoded);
  Bytes encoded = ToBytes("to be replaced");
  codec.Encode(in.span(), &encoded);
  return encoded;
}

inline Bytes DecodeChunk(const ResolvedArrayToBytes& codec, ByteSpan encoded, std::size_t size) {
  const ExactBuffer in(encoded);
  const ExactBuffer out(size);
  codec.Decode(in.span(), out.span());
  return Bytes(out.span().begin(), out.span().end());
}

}  // namespace zarr::test
