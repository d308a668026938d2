// SPDX-License-Identifier: MIT
#include "zarrlib/base/limits.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <limits>
#include <string>

#include "zarrlib/base/error.h"

namespace zarr {
namespace {

constexpr std::uint64_t kMega = std::uint64_t{1} << 20;
constexpr std::uint64_t kGiga = std::uint64_t{1} << 30;

constexpr std::array<LimitInfo, kLimitCount> kLimits{{
    {Limit::kElement, "ZARR_MAX_ELEMENT_SIZE", kMega, true},
    {Limit::kDocument, "ZARR_MAX_DOCUMENT_SIZE", 64 * kMega, true},
    {Limit::kText, "ZARR_MAX_CONSOLIDATED_SIZE", 256 * kMega, true},
    {Limit::kJsonValues, "ZARR_MAX_JSON_VALUES", 4 * kMega, false},
    {Limit::kCodecs, "ZARR_MAX_CODECS", 64, false},
    {Limit::kChunk, "ZARR_MAX_CHUNK_SIZE", 2 * kGiga, true},
    {Limit::kUnknownChunk, "ZARR_MAX_VARIABLE_CHUNK_SIZE", 256 * kMega, true},
    {Limit::kInnerChunks, "ZARR_MAX_INNER_CHUNKS", 4 * kMega, false},
    {Limit::kWholeShard, "ZARR_MAX_WHOLE_SHARD_SIZE", kGiga, true},
    {Limit::kKeptOfShard, "ZARR_MAX_KEPT_SHARD_SIZE", 2 * kGiga, true},
    {Limit::kZipIndex, "ZARR_MAX_ZIP_INDEX_SIZE", 256 * kMega, true},
    {Limit::kLzmaMemory, "ZARR_MAX_LZMA_MEMORY", 512 * kMega, true},
    {Limit::kLooks, "ZARR_MAX_LOOKS", kMega, false},
    {Limit::kReferenceFile, "ZARR_MAX_REFERENCE_FILE_SIZE", kGiga, true},
    {Limit::kReferences, "ZARR_MAX_REFERENCES", 4 * kMega, false},
    {Limit::kReferenceKeys, "ZARR_MAX_REFERENCE_KEYS_SIZE", 256 * kMega, true},
    {Limit::kReferenceWork, "ZARR_MAX_REFERENCE_WORK", 64 * kMega, false},
    {Limit::kDepth, "ZARR_MAX_DEPTH", 256, false},
    {Limit::kSharedMemory, "ZARR_MAX_SHARED_MEMORY", 2 * kGiga, true},
    {Limit::kCoordinates, "ZARR_MAX_COORDINATES", 4 * kMega, false},
    {Limit::kCoordinateChunks, "ZARR_MAX_COORDINATE_CHUNKS", 65536, false},
    {Limit::kControlPoints, "ZARR_MAX_CONTROL_POINTS", 262144, false},
    {Limit::kListedNodes, "ZARR_MAX_LISTED_NODES", 10000, false},
}};

constexpr std::size_t GetIndex(Limit limit) {
  return static_cast<std::size_t>(limit);
}

std::atomic<std::uint64_t>& GetValue(Limit limit) {
  static std::array<std::atomic<std::uint64_t>, kLimitCount>& values = *[] {
    auto* const made = new std::array<std::atomic<std::uint64_t>, kLimitCount>;  // pool threads outlive destructors
    for (const LimitInfo& info : kLimits) (*made)[GetIndex(info.limit)] = info.standard;
    return made;
  }();
  return values[GetIndex(limit)];
}

}  // namespace

const std::array<LimitInfo, kLimitCount>& ListLimits() {
  return kLimits;
}

std::uint64_t GetLimit(Limit limit) {
  return GetValue(limit).load(std::memory_order_relaxed);
}

void SetLimit(Limit limit, std::uint64_t value) {
  GetValue(limit).store(value, std::memory_order_relaxed);
}

std::string FormatAtMost(Limit limit, std::string_view unit) {
  const LimitInfo& info = kLimits[GetIndex(limit)];
  return "at most " + std::to_string(GetLimit(limit)) + " " + std::string(unit) + " (" + std::string(info.name) + ")";
}

std::size_t ToMemorySize(std::uint64_t bytes) {
  constexpr std::uint64_t most = std::numeric_limits<std::size_t>::max() / 2;
  if (bytes <= most) return static_cast<std::size_t>(bytes);
  throw Error(ErrorKind::kLimitExceeded, FormatExpectedGot("at most " + std::to_string(most) +
                                                               " bytes of memory, as much as the process can address",
                                                           std::to_string(bytes)));
}

std::uint64_t GetMaxUnknownSize(std::uint64_t stored) {
  const std::uint64_t by_ratio = stored > UINT64_MAX / kMaxUnknownRatio ? UINT64_MAX : kMaxUnknownRatio * stored;
  return std::max(GetLimit(Limit::kUnknownChunk), by_ratio);
}

}  // namespace zarr
