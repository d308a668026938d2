// SPDX-License-Identifier: MIT
#include "zarrlib/codec/array_to_array/array_filter.h"

#include <algorithm>
#include <string>
#include <utility>

#include "zarrlib/codec/codec_util.h"

namespace zarr {
namespace {

class ResolvedFilter final : public ResolvedArrayToArray {
 public:
  ResolvedFilter(ChunkSpec encoded, FilterLoops loops) : encoded_(std::move(encoded)), loops_(std::move(loops)) {}

  const ChunkSpec& encoded() const override { return encoded_; }
  bool elementwise() const override { return loops_.elementwise; }
  void Encode(ByteSpan decoded, MutableByteSpan encoded) const override { loops_.encode(decoded, encoded); }
  void Decode(ByteSpan encoded, MutableByteSpan decoded) const override { loops_.decode(encoded, decoded); }

 private:
  ChunkSpec encoded_;
  FilterLoops loops_;
};

bool HasByteOrder(std::string_view typestr) {
  return !typestr.empty() && std::string_view("<>|=").find(typestr[0]) != std::string_view::npos;
}

DataType ParseNumPyType(const JsonNode& node) {
  if (HasByteOrder(node.AsString())) return DataType::FromV2(node);
  DataType type = DataType::FromV3(node);
  if (!IsNumber(type)) type = DataType::FromV2(JsonNode::MakeString("=" + node.AsString(), node));
  type.endian = Endian::kLittle;  // the order of the machines that write such names
  return type;
}

bool HasKnownOrder(const DataType& type) {
  return !type.variable() && (type.size == 1 || type.endian);
}

bool IsIntegerType(const DataType& type) {
  return type.kind == DataType::Kind::kInt || type.kind == DataType::Kind::kUint;
}

/// Returns true if a filter has to see the bytes of an array as they are stored, because its elements have another size
/// or byte order, and if it keeps the number of bytes. Bytes that are taken for floats would be lost, as in numcodecs.
bool SeesStoredBytes(const ChunkSpec& array, const DataType& dtype, const DataType& astype) {
  const DataType& type = array.data_type;
  if (!HasKnownOrder(type) || !HasKnownOrder(dtype) || !HasKnownOrder(astype)) return false;
  if (!IsIntegerType(dtype) || !IsIntegerType(astype)) return false;
  const bool same_order = type.size == 1 || dtype.size == 1 || *type.endian == *dtype.endian;
  if (type.size == dtype.size && same_order) return false;
  return dtype.size == astype.size && array.byte_size() % dtype.size == 0;
}

/// Converts bytes between the order in memory and the stored order of a type, which is the same function.
void SwapStored(const DataType& type, MutableByteSpan bytes) {
  SwapBytes(type, type.endian.value_or(Endian::kLittle), bytes.data(), bytes.data(), bytes.size() / type.size);
}

/// Makes a loop that takes stored bytes of an array's type for elements of `from_type`, and makes elements of
/// `to_type`.
ElementLoop MakeLoopOfStored(const DataType& array, const DataType& from_type, const DataType& to_type,
                             ElementLoop loop) {
  return [array, from_type, to_type, loop = std::move(loop)](ByteSpan from, MutableByteSpan to) {
    ScratchBuffer seen(from.size());
    std::ranges::copy(from, seen.span().begin());
    SwapStored(array, seen.span());
    SwapStored(from_type, seen.span());
    loop(seen.span(), to);
    SwapStored(to_type, to);
    SwapStored(array, to);
  };
}

/// Makes a filter of chunks whose stored bytes it takes for elements of another type; the result is again of the
/// array's type, as bytes without a meaning.
std::shared_ptr<const ResolvedArrayToArray> MakeFilterOfStored(const ChunkSpec& decoded, const DataType& dtype,
                                                               const DataType& astype, const FilterLoops& loops) {
  ChunkSpec encoded{decoded.shape, decoded.data_type, MakeZeroFill(decoded.data_type)};
  return std::make_shared<ResolvedFilter>(
      std::move(encoded), FilterLoops{MakeLoopOfStored(decoded.data_type, dtype, astype, loops.encode),
                                      MakeLoopOfStored(decoded.data_type, astype, dtype, loops.decode), false});
}

/// Throws unless the bytes of `array_type` may be read as elements of `dtype`.
void CheckView(const JsonNode& place, const DataType& array_type, const DataType& dtype) {
  const bool same_order = !array_type.endian || !dtype.endian || *array_type.endian == *dtype.endian;
  if (array_type.variable() || array_type.size != dtype.size) {
    place.Fail(ErrorKind::kCorrupt, FormatExpectedGot("an array of data type \"" + dtype.name + "\"",
                                                      "data type \"" + array_type.name + "\""));
  }
  if (dtype.size > 1 && !same_order) {
    place.Fail(ErrorKind::kUnsupported,
               FormatExpectedGot("a filter in the byte order of data type \"" + array_type.name + "\"",
                                 "\"" + dtype.name + "\""));
  }
}

class NumcodecsFilterCodec final : public ArrayToArrayCodec {
 public:
  NumcodecsFilterCodec(const CodecSpec& spec, NumcodecsFilter filter)
      : place_(spec.configuration),
        filter_(std::move(filter)),
        dtype_(ParseNumPyTypeOption(spec, filter_.dtype)),
        astype_(ParseNumPyTypeOption(spec, filter_.astype)) {}

  std::shared_ptr<const ResolvedArrayToArray> Resolve(const ChunkSpec& decoded) const override {
    const DataType dtype = dtype_.value_or(decoded.data_type);
    DataType astype = astype_.value_or(dtype);
    const bool sees_stored = SeesStoredBytes(decoded, dtype, astype);
    if (!sees_stored) CheckView(place_, decoded.data_type, dtype);
    if (!IsNumber(dtype)) {
      place_.Fail(ErrorKind::kUnsupported,
                  FormatExpectedGot("integers, floats or booleans", "data type \"" + dtype.name + "\""));
    }
    try {
      if (sees_stored) return MakeFilterOfStored(decoded, dtype, astype, filter_.make_loops(dtype, astype));
      if (!decoded.data_type.endian) astype.endian.reset();
      return MakeArrayFilter(decoded, astype, filter_.make_loops(dtype, astype), place_);
    } catch (const Error& error) {
      if (!error.pointer().empty()) throw;
      place_.Fail(error.kind(), error.message());
    }
  }

 private:
  JsonNode place_;
  NumcodecsFilter filter_;
  std::optional<DataType> dtype_;
  std::optional<DataType> astype_;
};

}  // namespace

std::shared_ptr<const ResolvedArrayToArray> MakeArrayFilter(const ChunkSpec& decoded, const DataType& type,
                                                            FilterLoops loops, const JsonNode& place) {
  ChunkSpec encoded{decoded.shape, type, MakeZeroFill(type)};
  if (decoded.fill_value.defined) {
    encoded.fill_value.defined = true;
    try {
      loops.encode(decoded.fill_value.bytes, encoded.fill_value.bytes);
    } catch (const Error& error) {
      place.Fail(error.kind(), "the fill value cannot be encoded: " + error.message());
    }
  }
  return std::make_shared<ResolvedFilter>(std::move(encoded), std::move(loops));
}

std::optional<DataType> ParseNumPyTypeOption(const CodecSpec& spec, std::string_view name) {
  const std::optional<JsonNode> member = FindOption(spec, name);
  if (!member) return std::nullopt;
  DataType type = ParseNumPyType(*member);
  if (!IsNumber(type)) {
    member->Fail(ErrorKind::kUnsupported,
                 FormatExpectedGot("a data type of integers, floats or booleans", member->GetExcerpt()));
  }
  return type;
}

Codec MakeNumcodecsFilter(const CodecSpec& spec, NumcodecsFilter filter) {
  return std::make_shared<NumcodecsFilterCodec>(spec, std::move(filter));
}

}  // namespace zarr
