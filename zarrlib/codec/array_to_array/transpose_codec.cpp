// SPDX-License-Identifier: MIT
#include "zarrlib/codec/array_to_array/transpose_codec.h"

#include "zarrlib/base/strided_copy.h"

namespace zarr {
namespace {

class ResolvedTranspose final : public ResolvedArrayToArray {
 public:
  ResolvedTranspose(const ChunkSpec& decoded, Shape order) : order_(std::move(order)), encoded_(decoded) {
    const Strides strides = GetContiguousStrides(decoded.shape, decoded.data_type.size);
    decoded_strides_.Resize(order_.size());
    for (std::size_t i = 0; i < order_.size(); ++i) {
      encoded_.shape[i] = decoded.shape[order_[i]];
      decoded_strides_[i] = strides[order_[i]];
    }
    encoded_strides_ = GetContiguousStrides(encoded_.shape, decoded.data_type.size);
  }

  const ChunkSpec& encoded() const override { return encoded_; }
  const PerAxis<std::uint64_t>* permutation() const override { return &order_; }

  void Encode(ByteSpan decoded, MutableByteSpan encoded) const override {
    StridedCopy(decoded.data(), decoded_strides_, encoded_.shape, encoded_.data_type.size,
                {encoded.data(), encoded_strides_, nullptr});
  }
  void Decode(ByteSpan encoded, MutableByteSpan decoded) const override {
    StridedCopy(encoded.data(), encoded_strides_, encoded_.shape, encoded_.data_type.size,
                {decoded.data(), decoded_strides_, nullptr});
  }

 private:
  Shape order_;
  ChunkSpec encoded_;
  Strides decoded_strides_;  // of the decoded chunk, in the order of the encoded chunk's axes
  Strides encoded_strides_;
};

/// Reads `order`, a permutation of `rank` axes.
Shape ReadOrder(const JsonNode& order, std::size_t rank) {
  const std::string expected = "a permutation of 0.." + std::to_string(rank == 0 ? 0 : rank - 1);
  Shape axes(rank);
  if (order.IsString()) {
    if (order.AsString() != "C" && order.AsString() != "F") order.FailExpected(expected);
    for (std::size_t i = 0; i < rank; ++i) axes[i] = order.AsString() == "C" ? i : rank - 1 - i;
    return axes;
  }
  if (!order.IsArray() || order.size() != rank) order.FailExpected(expected);
  PerAxis<std::uint64_t> seen(rank, 0);
  for (std::size_t i = 0; i < rank; ++i) {
    const JsonNode axis = order[i];
    if (!axis.IsInteger() || axis.AsDouble() < 0 || axis.AsDouble() >= static_cast<double>(rank)) {
      order.FailExpected(expected);
    }
    axes[i] = axis.AsUint64();
    if (seen[axes[i]]++ != 0) order.FailExpected(expected);
  }
  return axes;
}

class TransposeCodec final : public ArrayToArrayCodec {
 public:
  explicit TransposeCodec(JsonNode order) : order_(std::move(order)) {}

  std::shared_ptr<const ResolvedArrayToArray> Resolve(const ChunkSpec& decoded) const override {
    return std::make_shared<ResolvedTranspose>(decoded, ReadOrder(order_, decoded.shape.size()));
  }

 private:
  JsonNode order_;
};

}  // namespace

Codec MakeTransposeCodec(const CodecSpec& spec) {
  return std::shared_ptr<const ArrayToArrayCodec>(std::make_shared<TransposeCodec>(spec.configuration.At("order")));
}

}  // namespace zarr
