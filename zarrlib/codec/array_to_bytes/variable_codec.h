// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "zarrlib/codec/codec.h"
#include "zarrlib/metadata/array_metadata.h"

/// Base class of the array-to-bytes codecs for variable-length elements.
namespace zarr {

class ResolvedVariable : public ResolvedArrayToBytes {
 public:
  std::optional<std::uint64_t> encoded_size() const override { return std::nullopt; }
  void Decode(ByteSpan, MutableByteSpan) const final { FailFixed(); }
  void Encode(ByteSpan, Bytes*) const final { FailFixed(); }
  void DecodeVariable(ByteSpan encoded, VariableChunk* decoded) const override = 0;
  void EncodeVariable(std::span<const std::string_view> decoded, Bytes* encoded) const override = 0;

 private:
  [[noreturn]] static void FailFixed() {
    throw Error(ErrorKind::kUnsupported, "expected elements of variable length, got elements of fixed size");
  }
};

/// A codec that resolves to a `Resolved`, which is made from the chunk's shape.
template <typename Resolved>
class VariableCodec final : public ArrayToBytesCodec {
 public:
  explicit VariableCodec(JsonNode place) : place_(std::move(place)) {}

  std::shared_ptr<const ResolvedArrayToBytes> Resolve(const ChunkSpec& decoded) const override {
    if (!decoded.data_type.variable()) {
      place_.Fail(ErrorKind::kUnsupported,
                  FormatExpectedGot("elements of variable length", "data type \"" + decoded.data_type.name + "\""));
    }
    return std::make_shared<Resolved>(decoded.shape);
  }

 private:
  JsonNode place_;
};

}  // namespace zarr
