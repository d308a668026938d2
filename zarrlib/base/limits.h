// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

/// Limits on the work and memory that a store can demand of a reader or writer. A size beyond a limit is
/// Error(limit_exceeded), whose text names the limit. The values of `Limit` can be changed; driver/doc/limits.md lists
/// them.
namespace zarr {

enum class Limit : unsigned char {
  kElement,   ///< Bytes of an element. Some elements, such as fill values, are in memory as soon as an array is open.
  kDocument,  ///< Bytes of one node's metadata document.
  kText,  ///< Bytes of a document that can hold the metadata of all nodes of a store. Its tree takes several times as
          ///< much.
  kJsonValues,     ///< Values of one JSON document.
  kCodecs,         ///< Codecs in one list. More than a few can only serve to multiply the work of decoding.
  kChunk,          ///< Bytes of a decoded chunk.
  kUnknownChunk,   ///< Bytes of the elements of a chunk if only its content determines the size; see GetMaxUnknownSize.
                   ///< Also bytes of a block that its writer has padded beyond the chunk.
  kInnerChunks,    ///< Inner chunks of one shard. The index takes 16 bytes for each, and is read as a whole.
  kWholeShard,     ///< Bytes of a shard that must be decoded as a whole because codecs follow the sharding codec: as
                   ///< stored, and after each of these codecs.
  kKeptOfShard,    ///< Bytes of all inner chunks that a partial write of a shard reads back and stores again.
  kZipIndex,       ///< Bytes of the table of contents of a ZIP archive.
  kLzmaMemory,     ///< Bytes of memory that decoding an LZMA stream uses.
  kLooks,          ///< Chunks that are looked up one by one: in a store that cannot list, or to fill missing ones.
  kReferenceFile,  ///< Bytes of a kerchunk file, which stays in memory as it is.
  kReferences,     ///< References that a kerchunk file generates, and combinations of indices for one template.
  kReferenceKeys,  ///< Total size of the keys of these references, in bytes.
  kReferenceWork,  ///< Steps of work to generate these references.
  kDepth,          ///< Segments of a node's path. Programs that walk through a hierarchy descend to the same depth.
  kSharedMemory,   ///< Bytes used by large chunks that are decoded at the same time, in all threads of the process
                   ///< (memory_share.h). A chunk that needs more is decoded alone.
  kCoordinates,    ///< Values of a coordinate array, which is read as a whole to find georeferencing.
  kCoordinateChunks,  ///< Chunks of a coordinate array.
  kControlPoints,     ///< Ground control points.
  kListedNodes,       ///< Arrays, and groups, that a walk through a hierarchy lists. Also folders without metadata that
                      ///< listing one group searches for nodes, in addition to one folder for each of its names.
};

inline constexpr std::size_t kLimitCount = 23;

struct LimitInfo {
  Limit limit;
  std::string_view name;   ///< The name under which users set it, such as "ZARR_MAX_CODECS".
  std::uint64_t standard;  ///< The default value.
  bool is_size;            ///< True for a number of bytes.
};

/// Returns all limits, in the order of `Limit`.
const std::array<LimitInfo, kLimitCount>& ListLimits();

/// Returns the current value of a limit. Thread-safe.
std::uint64_t GetLimit(Limit limit);
/// Sets a limit for all threads of the process. Operations that have already started may still use the old value.
/// Thread-safe.
void SetLimit(Limit limit, std::uint64_t value);
/// Describes the current value of a limit for an error message: "at most 64 codecs (ZARR_MAX_CODECS)".
std::string FormatAtMost(Limit limit, std::string_view unit);

/// Returns a number of bytes as a size of memory. Throws Error(limit_exceeded) if it is more than the process can
/// address, which only happens on systems of 32 bits: there, memory must not be taken for a size that was cut off.
std::size_t ToMemorySize(std::uint64_t bytes);

/// Ratio that limits the size of variable-length elements, which only the content determines. They may use
/// GetLimit(kUnknownChunk), or this many times the stored bytes if that is more. Text and lists of lengths seldom
/// compress better; a file made to exhaust memory does.
inline constexpr std::uint64_t kMaxUnknownRatio = 64;
std::uint64_t GetMaxUnknownSize(std::uint64_t stored);

/// Maximum nesting of objects and arrays in JSON. It bounds the stack of functions that walk through documents, and
/// must not be changed.
inline constexpr std::size_t kMaxJsonDepth = 200;

/// Chunks below this size do not count towards Limit::kSharedMemory: the number of threads limits them.
inline constexpr std::uint64_t kLargeMemory = std::uint64_t{64} << 20;

}  // namespace zarr
