// SPDX-License-Identifier: MIT
#include "zarrlib/codec/codec_pipeline.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "zarrlib/base/limits.h"
#include "zarrlib/base/strided_copy.h"
#include "zarrlib/codec/codec_util.h"

namespace zarr {
namespace {

constexpr std::uint64_t kMaxChunkSize = std::uint64_t{1} << 47;

[[noreturn]] void FailSize(std::uint64_t expected, const std::string& got) {
  throw Error(ErrorKind::kCorrupt, FormatExpectedGot(std::to_string(expected) + " bytes", got));
}

const char* GetKindName(const Codec& codec) {
  constexpr std::array kNames = {"array to array", "array to bytes", "bytes to bytes"};
  return kNames[codec.index()];
}

/// Sets the bound for a shard that is followed by other codecs.
void LimitWholeShard(SizeBound* bound) {
  const std::uint64_t limit = GetLimit(Limit::kWholeShard);
  bound->bytes = std::min(bound->bytes.value_or(limit), limit);
}

/// Throws if elements may be missing and the codec does not support that. Only codecs that keep elements unchanged, or
/// contain codecs that handle missing elements, support it.
void CheckMissing(const DataType& type, const CodecSpec& codec) {
  constexpr std::array<std::string_view, 4> kTakeMissing = {"transpose", "reshape", "optional", kShardingName};
  if (type.optional_depth == 0 || std::find(kTakeMissing.begin(), kTakeMissing.end(), codec.name) != kTakeMissing.end())
    return;
  codec.configuration.Fail(
      ErrorKind::kUnsupported,
      FormatExpectedGot("the codec \"optional\" first for data type \"optional\"", "\"" + codec.name + "\""));
}

/// Limit on the total size of all arrays and values that the codecs of a chunk produce, as a multiple of the largest
/// chunk. Each codec whose output is as large as its input takes as long as the first, for a chunk that may be only a
/// few stored bytes.
constexpr std::uint64_t kMaxPasses = 4;

void CheckWork(std::uint64_t bytes) {
  if (bytes / kMaxPasses <= GetLimit(Limit::kChunk)) return;
  throw Error(ErrorKind::kLimitExceeded,
              FormatExpectedGot(FormatAtMost(Limit::kChunk, "bytes") + ", " + std::to_string(kMaxPasses) +
                                    " times over, from all codecs of a chunk",
                                "more"));
}

constexpr std::size_t kArrayToBytes = 1;
constexpr std::size_t kBytesToBytes = 2;

}  // namespace

// --- decoding ----------------------------------------------------------------------------------------------------

ByteSpan ResolvedPipeline::DecodeStep(std::size_t step, ByteSpan encoded, std::uint64_t unknown_limit,
                                      MutableByteSpan direct, ScratchBuffer* scratch, MemoryShare* share) const {
  const BytesToBytesCodec& codec = *bytes_to_bytes_[step];
  const SizeBound& bound = bounds_[step];
  if (const auto view = codec.DecodeView(encoded)) {
    if (bound.exact && view->size() != *bound.bytes) FailSize(*bound.bytes, std::to_string(view->size()));
    return *view;
  }
  if (!bound.exact) {
    const std::uint64_t limit = bound.bytes.value_or(unknown_limit);
    const auto size = DecodeGrowing(codec, encoded, limit, &scratch->bytes(), share);
    if (!size) {
      const bool known = bound.bytes && !(inner_chunk_shape_ && limit == GetLimit(Limit::kWholeShard));
      throw Error(known ? ErrorKind::kCorrupt : ErrorKind::kLimitExceeded,
                  FormatExpectedGot("at most " + std::to_string(limit) + " bytes", "more"));
    }
    return ByteSpan(scratch->bytes()).first(*size);
  }
  MutableByteSpan out = direct;
  if (out.empty() || out.size() != *bound.bytes) {
    scratch->bytes().resize(static_cast<std::size_t>(*bound.bytes));
    out = scratch->span();
  }
  const auto size = codec.Decode(encoded, out);
  if (size != *bound.bytes) FailSize(*bound.bytes, size ? std::to_string(*size) : "more");
  return out;
}

ByteSpan ResolvedPipeline::DecodeBytes(ByteSpan encoded, MutableByteSpan direct, std::span<ScratchBuffer, 2> scratch,
                                       MemoryShare* share) const {
  const std::uint64_t unknown_limit =
      GetMaxUnknownSize(encoded.size());  // for all steps together, based on the stored size
  std::uint64_t work = array_work_;
  std::size_t unused = 0;  // the index of the scratch buffer that does not contain `encoded`
  for (std::size_t step = bytes_to_bytes_.size(); step-- > 0;) {
    try {
      encoded =
          DecodeStep(step, encoded, unknown_limit, step == 0 ? direct : MutableByteSpan(), &scratch[unused], share);
      CheckWork(work += encoded.size());
      if (encoded.data() == scratch[unused].bytes().data()) unused = 1 - unused;
    } catch (const Error& error) {
      throw error.Within(names_[array_to_array_.size() + 1 + step]);
    }
  }
  return encoded;
}

MutableByteSpan ResolvedPipeline::ChooseBuffer(std::size_t level, MutableByteSpan out,
                                               std::span<ScratchBuffer, 2> scratch) const {
  const std::size_t steps_left = level - leading_permutations_;
  const std::uint64_t size = level == 0 ? decoded_.byte_size() : array_to_array_[level - 1]->encoded().byte_size();
  if (steps_left % 2 == 0 && (steps_left == 0 || size == out.size())) return out;
  ScratchBuffer& buffer = scratch[steps_left % 2];
  buffer.bytes().resize(ToMemorySize(size));
  return buffer.span();
}

void ResolvedPipeline::DecodeArrays(ByteSpan elements, MutableByteSpan out, std::span<ScratchBuffer, 2> scratch) const {
  for (std::size_t level = array_to_array_.size(); level-- > leading_permutations_;) {
    const MutableByteSpan decoded = ChooseBuffer(level, out, scratch);
    try {
      array_to_array_[level]->Decode(elements, decoded);
    } catch (const Error& error) {
      throw error.Within(names_[level]);
    }
    elements = decoded;
  }
}

void ResolvedPipeline::Decode(ByteSpan encoded, MutableByteSpan out) const {
  CheckWork(array_work_);
  std::array<ScratchBuffer, 2> arrays;
  ByteSpan elements;
  {
    MemoryShare share;
    std::array<ScratchBuffer, 2> scratch;
    const bool has_arrays = array_to_array_.size() > leading_permutations_;
    const bool direct = !has_arrays && array_to_bytes_->is_copy();
    const ByteSpan bytes = DecodeBytes(encoded, direct ? out : MutableByteSpan(), scratch, &share);
    if (!bytes.empty() && bytes.data() == out.data()) return;
    const MutableByteSpan decoded = ChooseBuffer(array_to_array_.size(), out, arrays);
    try {
      array_to_bytes_->Decode(bytes, decoded);
    } catch (const Error& error) {
      throw error.Within(names_[array_to_array_.size()]);
    }
    elements = decoded;
  }
  DecodeArrays(elements, out, arrays);
}

bool ResolvedPipeline::has_parts() const {
  return array_to_array_.size() == leading_permutations_ && array_to_bytes_->is_copy() && bytes_to_bytes_.size() == 1 &&
         bytes_to_bytes_[0]->has_parts() && bounds_[0].bytes;
}

std::optional<ByteRange> ResolvedPipeline::ReadPart(const EncodedValue& value, const ByteRange& wanted,
                                                    std::uint64_t most, Bytes* part) const {
  if (!has_parts()) return std::nullopt;
  try {
    return bytes_to_bytes_[0]->ReadPart(value, *bounds_[0].bytes, wanted, most, part);
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::kIo) throw;
    throw error.Within(names_.back());
  }
}

void ResolvedPipeline::DecodePart(ByteSpan part, MutableByteSpan out) const {
  std::optional<std::size_t> size;
  try {
    size = bytes_to_bytes_[0]->Decode(part, out);
  } catch (const Error& error) {
    throw error.Within(names_.back());
  }
  if (size == out.size()) return;
  const std::string got = size ? std::to_string(*size) : "more";
  throw Error(ErrorKind::kCorrupt, FormatExpectedGot(std::to_string(out.size()) + " bytes", got)).Within(names_.back());
}

void ResolvedPipeline::DecodeVariable(ByteSpan encoded, VariableChunk* out) const {
  std::array<ScratchBuffer, 2> scratch;
  const ByteSpan bytes = DecodeBytes(encoded, {}, scratch, &out->share);
  try {
    array_to_bytes_->DecodeVariable(bytes, out);
  } catch (const Error& error) {
    throw error.Within(names_[array_to_array_.size()]);
  }
}

// --- encoding ----------------------------------------------------------------------------------------------------

void ResolvedPipeline::EncodeBytes(std::size_t first, Bytes* encoded) const {
  const std::size_t item_size = decoded_.data_type.variable() ? 1 : decoded_.data_type.size;
  ScratchBuffer scratch;
  for (std::size_t step = first; step < bytes_to_bytes_.size(); ++step) {
    std::swap(scratch.bytes(), *encoded);
    bytes_to_bytes_[step]->Encode(scratch.span(), item_size, encoded);
  }
}

ByteSpan ResolvedPipeline::EncodeFrom(std::size_t first, ByteSpan elements, Bytes* encoded) const {
  ScratchBuffer current;
  for (std::size_t i = first; i < array_to_array_.size(); ++i) {
    ScratchBuffer next(array_to_array_[i]->encoded().byte_size());
    array_to_array_[i]->Encode(elements, next.span());
    std::swap(current.bytes(), next.bytes());
    elements = current.span();
  }
  if (!array_to_bytes_->is_copy()) {
    array_to_bytes_->Encode(elements, encoded);
    EncodeBytes(0, encoded);
  } else if (!bytes_to_bytes_.empty()) {
    bytes_to_bytes_[0]->Encode(elements, decoded_.data_type.size, encoded);
    EncodeBytes(1, encoded);
  } else if (first < array_to_array_.size()) {
    std::swap(current.bytes(), *encoded);
  } else {
    return elements;
  }
  return *encoded;
}

void ResolvedPipeline::Encode(ByteSpan decoded, Bytes* encoded) const {
  const ByteSpan bytes = EncodeFrom(0, decoded, encoded);
  if (bytes.data() != encoded->data()) encoded->assign(bytes.begin(), bytes.end());
}

ByteSpan ResolvedPipeline::EncodeLaidOut(ByteSpan elements, Bytes* encoded) const {
  return EncodeFrom(leading_permutations_, elements, encoded);
}

void ResolvedPipeline::EncodeVariable(std::span<const std::string_view> decoded, Bytes* encoded) const {
  // Only transposes support variable-length elements, and they are all folded into the layout.
  std::vector<std::string_view> ordered(decoded.size());
  Strides strides = GetContiguousStrides(decoded_.shape, sizeof(std::string_view));
  Strides target = layout_;
  for (std::ptrdiff_t& stride : target) stride *= static_cast<std::ptrdiff_t>(sizeof(std::string_view));
  StridedCopy(reinterpret_cast<const std::byte*>(decoded.data()), strides, decoded_.shape, sizeof(std::string_view),
              {reinterpret_cast<std::byte*>(ordered.data()), target, nullptr});
  EncodeLaidOutVariable(ordered, encoded);
}

void ResolvedPipeline::EncodeLaidOutVariable(std::span<const std::string_view> elements, Bytes* encoded) const {
  array_to_bytes_->EncodeVariable(elements, encoded);
  EncodeBytes(0, encoded);
}

std::uint64_t ResolvedPipeline::largest_array() const {
  std::uint64_t largest = decoded_.byte_size();
  for (const auto& codec : array_to_array_) largest = std::max<std::uint64_t>(largest, codec->encoded().byte_size());
  return largest;
}

// --- properties --------------------------------------------------------------------------------------------------

std::optional<std::uint64_t> ResolvedPipeline::encoded_size() const {
  return bounds_.back().exact ? bounds_.back().bytes : std::nullopt;
}

bool ResolvedPipeline::is_copy() const {
  return array_to_array_.size() == leading_permutations_ && array_to_bytes_->is_copy() && bytes_to_bytes_.empty();
}

const Shape* ResolvedPipeline::inner_chunk_shape() const {
  return inner_chunk_shape_ ? &*inner_chunk_shape_ : nullptr;
}

// --- making ------------------------------------------------------------------------------------------------------

std::shared_ptr<const CodecPipeline> CodecPipeline::Make(std::span<const CodecSpec> specs, bool implicit_bytes,
                                                         CodecFactory make) {
  auto pipeline = std::make_shared<CodecPipeline>();
  std::size_t stage = 0;
  const auto add_bytes = [&](const JsonNode& place) {
    const CodecSpec bytes{"bytes", JsonNode::MakeObject({{"endian", JsonNode::MakeString("little", place)}}, place)};
    pipeline->codecs_.push_back({make(bytes), bytes});
    stage = kArrayToBytes;
  };
  CheckCodecCount(specs);
  for (const CodecSpec& spec : specs) {
    Codec codec = make(spec);
    if (codec.index() == kBytesToBytes && stage < kArrayToBytes && implicit_bytes) add_bytes(spec.configuration);
    const bool in_order = codec.index() == kBytesToBytes ? stage >= kArrayToBytes : stage == 0;
    if (!in_order) {
      const std::string expected = stage == 0 ? "an array-to-bytes codec first" : "a bytes-to-bytes codec";
      spec.configuration.Fail(implicit_bytes ? ErrorKind::kUnsupported : ErrorKind::kCorrupt,
                              FormatExpectedGot(expected, spec.name + " (" + GetKindName(codec) + ")"));
    }
    stage = std::max(stage, codec.index());
    pipeline->codecs_.push_back({std::move(codec), spec});
  }
  if (stage == 0) {
    const JsonNode place = specs.empty() ? JsonNode() : specs.back().configuration;
    if (!implicit_bytes) place.Fail(ErrorKind::kCorrupt, FormatExpectedGot("an array-to-bytes codec", "none"));
    add_bytes(place);
  }
  return pipeline;
}

std::shared_ptr<const ResolvedPipeline> CodecPipeline::Resolve(const ChunkSpec& spec) const {
  const auto count = ComputeCheckedProduct(spec.shape);
  const auto size = count ? MultiplyChecked(*count, std::max<std::uint64_t>(spec.data_type.size, 1)) : std::nullopt;
  if (!size || *size > kMaxChunkSize) {
    throw Error(ErrorKind::kLimitExceeded,
                FormatExpectedGot("a chunk of at most 2^47 bytes", "shape " + ToString(spec.shape)));
  }
  auto resolved = std::make_shared<ResolvedPipeline>();
  resolved->decoded_ = spec;
  ChunkSpec current = spec;
  for (const Named& named : codecs_) {
    resolved->names_.push_back(named.spec.name);
    if (named.codec.index() != kBytesToBytes) CheckMissing(current.data_type, named.spec);
    if (const auto* array_to_array = std::get_if<std::shared_ptr<const ArrayToArrayCodec>>(&named.codec)) {
      resolved->array_to_array_.push_back((*array_to_array)->Resolve(current));
      current = resolved->array_to_array_.back()->encoded();
    } else if (const auto* array_to_bytes = std::get_if<std::shared_ptr<const ArrayToBytesCodec>>(&named.codec)) {
      resolved->array_to_bytes_ = (*array_to_bytes)->Resolve(current);
      const ResolvedArrayToBytes& codec = *resolved->array_to_bytes_;
      resolved->bounds_.push_back({codec.max_encoded_size(), codec.encoded_size().has_value()});
      if (codec.inner_chunk_shape() && &named != &codecs_.back()) LimitWholeShard(&resolved->bounds_.back());
    } else {
      const auto& codec = std::get<std::shared_ptr<const BytesToBytesCodec>>(named.codec);
      resolved->bytes_to_bytes_.push_back(codec);
      resolved->bounds_.push_back(codec->GetEncodedSize(resolved->bounds_.back()));
    }
  }
  resolved->Fold();
  return resolved;
}

void ResolvedPipeline::Fold() {
  while (leading_permutations_ < array_to_array_.size() && array_to_array_[leading_permutations_]->permutation()) {
    ++leading_permutations_;
  }
  if (!decoded_.data_type.variable()) {
    for (std::size_t i = leading_permutations_; i < array_to_array_.size(); ++i) {
      array_work_ += array_to_array_[i]->encoded().byte_size();
    }
  }
  const std::size_t rank = decoded_.shape.size();
  axes_.Resize(rank);
  for (std::size_t i = 0; i < rank; ++i) axes_[i] = i;
  for (std::size_t k = 0; k < leading_permutations_; ++k) {
    const auto& order = *array_to_array_[k]->permutation();
    const Shape before = axes_;
    for (std::size_t i = 0; i < rank; ++i) axes_[i] = before[order[i]];
  }
  const ChunkSpec& inner =
      leading_permutations_ == 0 ? decoded_ : array_to_array_[leading_permutations_ - 1]->encoded();
  const Strides strides =
      GetContiguousStrides(inner.shape, decoded_.data_type.variable() ? 1 : decoded_.data_type.size);
  layout_.Resize(rank);
  for (std::size_t i = 0; i < rank; ++i) layout_[axes_[i]] = strides[i];
  const Shape* inner_chunk = array_to_bytes_->inner_chunk_shape();
  const bool elementwise = std::all_of(array_to_array_.begin() + static_cast<std::ptrdiff_t>(leading_permutations_),
                                       array_to_array_.end(), [](const auto& codec) { return codec->elementwise(); });
  if (!inner_chunk || !elementwise) return;
  inner_chunk_shape_.emplace(rank);
  for (std::size_t i = 0; i < rank; ++i) (*inner_chunk_shape_)[axes_[i]] = (*inner_chunk)[i];
  partial_encoder_ = MakePartialEncoder();
}

}  // namespace zarr
