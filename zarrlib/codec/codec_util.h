// SPDX-License-Identifier: MIT
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
#include "zarrlib/metadata/codec_names.h"

/// Helpers for codecs: optional members of a configuration, and bounds.
namespace zarr {

/// Returns the member `name` as an integer within [low, high]; `fallback` if it is absent.
inline std::int64_t GetIntegerOption(const CodecSpec& spec, std::string_view name, std::int64_t low, std::int64_t high,
                                     std::int64_t fallback) {
  const std::optional<JsonNode> member = FindOption(spec, name);
  return member ? member->AsIntegerIn(low, high) : fallback;
}

/// Throws Error(corrupt) for members that are not among `known`, for codecs whose specification requires it.
inline void RefuseOtherMembers(const JsonNode& object, std::initializer_list<std::string_view> known) {
  if (object.IsNull()) return;
  for (const auto& [name, member] : object.GetMembers()) {
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      member.Fail(ErrorKind::kCorrupt, "unknown member " + JsonNode::MakeString(name).GetExcerpt());
    }
  }
}

/// Returns a bound on the encoded size that holds for any sensible encoder: twice the decoded bytes plus 64 KiB. For
/// bytes that are already compressed it is only slightly above their size: otherwise the bound would double with each
/// codec of a list.
inline SizeBound GetCompressedBound(SizeBound decoded) {
  constexpr std::uint64_t kSlack = 64 * 1024;
  constexpr std::uint64_t kMax = std::numeric_limits<std::uint64_t>::max();
  if (!decoded.bytes) return {};
  const std::uint64_t more = decoded.compressed ? *decoded.bytes / 64 : *decoded.bytes;
  return {*decoded.bytes > (kMax - kSlack) / 2 ? kMax : *decoded.bytes + more + kSlack, false, true};
}

/// Returns true if the bytes after the end of a compressed stream may be ignored: some writers pad values with zeros.
inline bool IsPadding(ByteSpan rest) {
  return std::all_of(rest.begin(), rest.end(), [](std::byte b) { return b == std::byte{0}; });
}

/// Throws Error(limit_exceeded) at the first codec beyond Limit::kCodecs.
inline void CheckCodecCount(std::span<const CodecSpec> specs) {
  const std::uint64_t limit = GetLimit(Limit::kCodecs);
  if (specs.size() <= limit) return;
  specs[static_cast<std::size_t>(limit)].configuration.Fail(
      ErrorKind::kLimitExceeded,
      FormatExpectedGot(FormatAtMost(Limit::kCodecs, "codecs"), std::to_string(specs.size())));
}

/// Decodes to `out`, which grows as needed: in proportion to the encoded bytes, and not to the size that the metadata
/// promise. Returns the number of decoded bytes, or nullopt if there are more than `limit`, or the bytes claim so.
///
/// If this uses much memory, waits for a share of it in `share`, unless `share` already holds one; the caller keeps the
/// share.
std::optional<std::size_t> DecodeGrowing(const BytesToBytesCodec& codec, ByteSpan encoded, std::uint64_t limit,
                                         Bytes* out, MemoryShare* share);

}  // namespace zarr
