// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "zarrlib/codec/codec_util.h"

/// Code shared by the codecs whose chunks are images. They only decode.
namespace zarr {

/// Returns true if two shapes are equal, ignoring axes of length 1.
inline bool AreAlikeShapes(const Shape& a, const Shape& b) {
  const auto skip = [](const Shape& shape, std::size_t i) {
    while (i < shape.size() && shape[i] == 1) ++i;
    return i;
  };
  std::size_t i = skip(a, 0);
  std::size_t k = skip(b, 0);
  while (i < a.size() && k < b.size() && a[i] == b[k]) {
    i = skip(a, i + 1);
    k = skip(b, k + 1);
  }
  return i == a.size() && k == b.size();
}

class ResolvedImage : public ResolvedArrayToBytes {
 public:
  explicit ResolvedImage(const ChunkSpec& chunk) : chunk_(chunk) {}

  std::optional<std::uint64_t> encoded_size() const override { return std::nullopt; }
  std::optional<std::uint64_t> max_encoded_size() const override {
    return GetCompressedBound({chunk_.byte_size(), true}).bytes;
  }
  void Encode(ByteSpan, Bytes*) const override {
    throw Error(ErrorKind::kUnsupported, "images cannot be encoded: the codec is for reading only");
  }

 protected:
  const ChunkSpec& chunk() const { return chunk_; }
  /// Throws Error(corrupt) unless an image of this shape is a whole chunk.
  void CheckImageShape(const Shape& image) const {
    if (AreAlikeShapes(image, chunk_.shape)) return;
    throw Error(ErrorKind::kCorrupt,
                FormatExpectedGot("an image of shape " + ToString(chunk_.shape), "shape " + ToString(image)));
  }

 private:
  ChunkSpec chunk_;
};

/// Throws Error(unsupported), at the codec's configuration, for elements that are not bytes.
inline void CheckElementsAreBytes(const DataType& type, const JsonNode& place) {
  const bool is_number = type.kind == DataType::Kind::kUint || type.kind == DataType::Kind::kInt;
  if (is_number && type.size == 1 && type.bits == 0) return;
  place.Fail(ErrorKind::kUnsupported, FormatExpectedGot("integers of 8 bits", "data type \"" + type.name + "\""));
}

}  // namespace zarr
