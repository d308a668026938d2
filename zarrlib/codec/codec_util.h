#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>
#include <string_view>

#include "zarrlib/base/bytes.h"
#include "zarrlib/base/limits.h"
#include "zarrlib/codec/codec.h"
#include "zarrlib/json/json_node.h"
#include "zarrlib/metadata/array_metadata.h"

/// What the codecs have in common: members of a configuration that may be absent, and bounds.
namespace zarr {

/// The member `name` of a codec's configuration; nothing if there is none, or if it is null. Error(corrupt) if the
/// configuration is neither an object nor null.
inline std::optional<JsonNode> FindOption(const CodecSpec& spec, std::string_view name) {
  if (spec.configuration.IsNull()) return std::nullopt;
  std::optional<JsonNode> member = spec.configuration.Find(name);
  if (member && member->IsNull()) return std::nullopt;
  return member;
}

/// The same, as an integer within [low, high]; `fallback` if there is none.
inline std::int64_t IntegerOption(const CodecSpec& spec, std::string_view name, std::int64_t low, std::int64_t high,
                                  std::int64_t fallback) {
  const std::optional<JsonNode> member = FindOption(spec, name);
  return member ? member->AsIntegerIn(low, high) : fallback;
}

/// Refuses members of a configuration that are not among `known`, where the codec's specification demands it.
inline void RefuseOtherMembers(const JsonNode& object, std::initializer_list<std::string_view> known) {
  if (object.IsNull()) return;
  for (const auto& [name, member] : object.Members()) {
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      member.Fail(ErrorKind::kCorrupt, "unknown member " + JsonNode::MakeString(name).Excerpt());
    }
  }
}

/// A bound on the encoded size that holds for any sensible encoder: twice the decoded bytes and 64 KiB. Of bytes that
/// are compressed already it is a little more than they are: else a list of codecs would allow as many times the chunk
/// as 2 to the power of its length.
inline SizeBound CompressedBound(SizeBound decoded) {
  constexpr std::uint64_t kSlack = 64 * 1024;
  constexpr std::uint64_t kMax = std::numeric_limits<std::uint64_t>::max();
  if (!decoded.bytes) return {};
  const std::uint64_t more = decoded.compressed ? *decoded.bytes / 64 : *decoded.bytes;
  return {*decoded.bytes > (kMax - kSlack) / 2 ? kMax : *decoded.bytes + more + kSlack, false, true};
}

/// What stands behind the end of a compressed stream and means nothing: writers that pad values do so with zeros.
inline bool IsPadding(ByteSpan rest) {
  return std::all_of(rest.begin(), rest.end(), [](std::byte b) { return b == std::byte{0}; });
}

/// Error(limit_exceeded) at the first codec of a list beyond what is taken.
inline void CheckCodecCount(std::span<const CodecSpec> specs) {
  if (specs.size() <= kMaxCodecs) return;
  specs[kMaxCodecs].configuration.Fail(
      ErrorKind::kLimitExceeded,
      ExpectedGot("at most " + std::to_string(kMaxCodecs) + " codecs", std::to_string(specs.size())));
}

/// Decodes to `out`, which grows until it is large enough, and thus with the encoded bytes, not with what metadata
/// promise. Returns the bytes decoded, or nothing if they are more than `limit`, or claim to be. What takes much memory
/// waits for a share of it, unless there is one already; the share stays with the caller.
std::optional<std::size_t> DecodeGrowing(const BytesToBytesCodec& codec, ByteSpan encoded, std::uint64_t limit,
                                         Bytes* out, MemoryShare* share);

}  // namespace zarr
