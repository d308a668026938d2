// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

/// Limits of what a store can make a reader or writer do. A size beyond a limit is Error(limit_exceeded), whose text
/// names the limit. Those of `Limit` can be changed; driver/doc/limits.md lists them.
namespace zarr {

enum class Limit : unsigned char {
  kElement,   ///< Bytes of an element. Some elements, such as fill values, are in memory as soon as an array is open.
  kDocument,  ///< Bytes of the metadata document of one node.
  kText,  ///< Bytes of a document that can hold the metadata of all nodes of a store. Its tree takes several times as
          ///< much.
  kJsonValues,    ///< Values of one JSON document.
  kCodecs,        ///< Codecs in one list. More than a few can only be there to multiply the work of decoding.
  kChunk,         ///< Bytes of a chunk, decoded.
  kUnknownChunk,  ///< Bytes of the elements of a chunk if only the content tells them; see GetMaxUnknownSize. Also of a
                  ///< block that its writer has padded beyond the chunk.
  kInnerChunks,   ///< Inner chunks of one shard. The index takes 16 bytes for each, and is read whole.
  kWholeShard,   ///< Bytes of a shard that has to be decoded whole because codecs follow the sharding codec: as stored,
                 ///< and after each of these codecs.
  kKeptOfShard,  ///< Bytes of all inner chunks that a write to part of a shard reads back to store them again.
  kZipIndex,     ///< Bytes of the table of contents of a ZIP archive.
  kLzmaMemory,   ///< Bytes that decoding an LZMA stream takes.
  kLooks,        ///< Chunks that are looked for one by one: in a store that cannot list, or to fill those that are
                 ///< missing.
  kReferenceFile,  ///< Bytes of a file of kerchunk, which stays in memory as it is.
  kReferences,     ///< References that a file of kerchunk generates, and combinations of indices for one template.
  kReferenceKeys,  ///< Bytes of their keys.
  kReferenceWork,  ///< Steps of work for them.
  kDepth,          ///< Segments of the path of a node. Programs that walk through a hierarchy descend as deep.
  kSharedMemory,   ///< Bytes that large chunks take which are decoded at the same time, in all threads of the process
                   ///< (memory_share.h). A chunk that needs more is decoded alone.
  kCoordinates,    ///< Values of an array that is read whole to find a place.
  kCoordinateChunks,  ///< Its chunks.
  kControlPoints,     ///< Ground control points.
  kListedNodes,  ///< Arrays, and groups, that a walk through a hierarchy lists; and folders without metadata that a
                 ///< list of one group looks into for nodes below them, besides one for each of its names.
};

inline constexpr std::size_t kLimitCount = 23;

struct LimitInfo {
  Limit limit;
  std::string_view name;   ///< Under which users set it, such as "ZARR_MAX_CODECS".
  std::uint64_t standard;  ///< The value that it has unless it is set.
  bool is_size;            ///< A number of bytes.
};

/// All limits, in the order of `Limit`.
const std::array<LimitInfo, kLimitCount>& ListLimits();

/// The present value. Thread-safe.
std::uint64_t GetLimit(Limit limit);
/// Sets a limit for all threads of the process. What began before may still take the old value. Thread-safe.
void SetLimit(Limit limit, std::uint64_t value);
/// Describes the present value of a limit, for an error: "at most 64 codecs (ZARR_MAX_CODECS)".
std::string FormatAtMost(Limit limit, std::string_view unit);

/// Elements whose size only the content tells (those of variable length) may take GetLimit(kUnknownChunk), or so many
/// times the stored bytes if that is more. Text and lists of lengths seldom compress better; a file made to exhaust
/// memory does.
inline constexpr std::uint64_t kMaxUnknownRatio = 64;
std::uint64_t GetMaxUnknownSize(std::uint64_t stored);

/// The nesting of objects and arrays in JSON. It bounds the stack of functions that walk through documents, and is not
/// to be changed.
inline constexpr std::size_t kMaxJsonDepth = 200;

/// Chunks below this size take no share of Limit::kSharedMemory: the number of threads limits them.
inline constexpr std::uint64_t kLargeMemory = std::uint64_t{64} << 20;

}  // namespace zarr
