// SPDX-License-Identifier: MIT
#include "zarrlib/codec/array_to_array/reshape_codec.h"

#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace zarr {
namespace {

class ResolvedReshape final : public ResolvedArrayToArray {
 public:
  explicit ResolvedReshape(ChunkSpec encoded) : encoded_(std::move(encoded)) {}

  const ChunkSpec& encoded() const override { return encoded_; }
  void Encode(ByteSpan decoded, MutableByteSpan encoded) const override { Copy(decoded, encoded); }
  void Decode(ByteSpan encoded, MutableByteSpan decoded) const override { Copy(encoded, decoded); }

 private:
  static void Copy(ByteSpan from, MutableByteSpan to) {
    if (!to.empty()) std::memcpy(to.data(), from.data(), to.size());
  }

  ChunkSpec encoded_;
};

/// One item of `shape`.
struct Length {
  enum class Kind { kFixed, kDimensions, kRest };
  Kind kind = Kind::kRest;
  std::uint64_t value = 0;                // for kFixed
  std::vector<std::uint64_t> dimensions;  // for kDimensions
  JsonNode place;
};

Length ReadLength(const JsonNode& item) {
  Length length;
  length.place = item;
  if (item.IsArray()) {
    length.kind = Length::Kind::kDimensions;
    for (const JsonNode& dimension : item.GetItems()) {
      length.dimensions.push_back(static_cast<std::uint64_t>(dimension.AsIntegerIn(0, kMaxRank - 1)));
    }
  } else if (!item.IsInteger() || item.AsDouble() < -1 || item.AsDouble() == 0) {
    item.FailExpected("a length, -1, or a list of dimensions");
  } else if (item.AsDouble() > 0) {
    length.kind = Length::Kind::kFixed;
    length.value = item.AsUint64();
  }
  return length;
}

/// Reads `shape`, and checks what can be checked without a chunk.
std::vector<Length> ReadLengths(const JsonNode& shape) {
  if (!shape.IsArray()) shape.FailExpected("a list");
  std::vector<Length> lengths;
  bool has_rest = false;
  std::optional<std::uint64_t> last;
  for (const JsonNode& item : shape.GetItems()) {
    const Length& length = lengths.emplace_back(ReadLength(item));
    if (length.kind == Length::Kind::kRest) {
      if (has_rest) item.FailExpected("a length or a list of dimensions, since there is a -1 already");
      has_rest = true;
    }
    for (const std::uint64_t dimension : length.dimensions) {
      if (last && dimension <= *last) item.FailExpected("dimensions beyond " + std::to_string(*last));
      last = dimension;
    }
  }
  return lengths;
}

/// Returns the product of `count` lengths from index `first` on. The product of the whole shape must fit into 64 bits.
std::uint64_t ComputePartialProduct(const Shape& shape, std::size_t first, std::size_t count) {
  std::uint64_t product = 1;
  for (std::size_t i = first; i < first + count; ++i) product *= shape[i];
  return product;
}

void CheckFixedSize(const DataType& type, const JsonNode& place) {
  if (!type.variable()) return;
  place.Fail(ErrorKind::kUnsupported, FormatExpectedGot("elements of fixed size", "data type \"" + type.name + "\""));
}

class ReshapeCodec final : public ArrayToArrayCodec {
 public:
  explicit ReshapeCodec(const JsonNode& shape) : place_(shape), lengths_(ReadLengths(shape)) {}

  std::shared_ptr<const ResolvedArrayToArray> Resolve(const ChunkSpec& decoded) const override {
    CheckFixedSize(decoded.data_type, place_);
    const Shape shape = GetEncodedShape(decoded.shape);
    for (std::size_t i = 0; i < lengths_.size(); ++i) CheckDimensions(decoded.shape, shape, i);
    return std::make_shared<ResolvedReshape>(ChunkSpec{shape, decoded.data_type, decoded.fill_value});
  }

 private:
  /// Returns the shape of the encoded chunk, which has as many elements as `decoded`.
  Shape GetEncodedShape(const Shape& decoded) const {
    Shape shape;
    std::optional<std::size_t> rest;
    for (const Length& length : lengths_) {
      if (length.kind == Length::Kind::kRest) rest = shape.size();
      shape.push_back(length.kind == Length::Kind::kFixed ? length.value : ComputeLength(length, decoded));
    }
    const std::uint64_t wanted = ComputeProduct(decoded);
    const std::optional<std::uint64_t> product =
        ComputeCheckedProduct(shape);  // the empty product, if -1 is the only item, is 1
    const bool fits = product && (rest ? *product > 0 && wanted % *product == 0 : *product == wanted);
    if (!fits) place_.FailExpected("a shape for the " + std::to_string(wanted) + " elements of " + ToString(decoded));
    if (rest) shape[*rest] = wanted / *product;
    return shape;
  }

  static std::uint64_t ComputeLength(const Length& length, const Shape& decoded) {
    std::uint64_t product = 1;
    for (const std::uint64_t dimension : length.dimensions) {
      if (dimension >= decoded.size()) {
        length.place.FailExpected("dimensions of " + std::to_string(decoded.size()));
      }
      product *= decoded[dimension];
    }
    return product;
  }

  /// Checks that the dimensions joined by length `i` are adjacent, at the position that dimension `i` has in the
  /// encoded chunk.
  void CheckDimensions(const Shape& decoded, const Shape& encoded, std::size_t i) const {
    const std::vector<std::uint64_t>& dimensions = lengths_[i].dimensions;
    if (dimensions.empty()) return;
    const std::size_t after = dimensions.back() + 1;
    if (ComputePartialProduct(encoded, 0, i) != ComputePartialProduct(decoded, 0, dimensions.front()) ||
        ComputePartialProduct(encoded, i + 1, encoded.size() - i - 1) !=
            ComputePartialProduct(decoded, after, decoded.size() - after)) {
      lengths_[i].place.FailExpected("dimensions of " + ToString(decoded) + " that stand where this one does in " +
                                     ToString(encoded));
    }
  }

  JsonNode place_;
  std::vector<Length> lengths_;
};

class SqueezeCodec final : public ArrayToArrayCodec {
 public:
  explicit SqueezeCodec(JsonNode place) : place_(std::move(place)) {}

  std::shared_ptr<const ResolvedArrayToArray> Resolve(const ChunkSpec& decoded) const override {
    CheckFixedSize(decoded.data_type, place_);
    Shape shape;
    for (const std::uint64_t length : decoded.shape) {
      if (length != 1) shape.push_back(length);
    }
    if (shape.empty() && !decoded.shape.empty()) shape.push_back(1);  // one dimension stays
    return std::make_shared<ResolvedReshape>(ChunkSpec{shape, decoded.data_type, decoded.fill_value});
  }

 private:
  JsonNode place_;
};

}  // namespace

Codec MakeSqueezeCodec(const CodecSpec& spec) {
  return std::shared_ptr<const ArrayToArrayCodec>(std::make_shared<SqueezeCodec>(spec.configuration));
}

Codec MakeReshapeCodec(const CodecSpec& spec) {
  return std::shared_ptr<const ArrayToArrayCodec>(std::make_shared<ReshapeCodec>(spec.configuration.At("shape")));
}

}  // namespace zarr
