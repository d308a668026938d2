// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace gdal_zarr {

/// A list of non-negative integers in little memory: each block of numbers only stores the differences to its smallest
/// number, with as many bytes as the largest of them needs.
class PackedIntegers {
 public:
  void Append(std::uint64_t value);
  /// Call this after the last number.
  void Finish();

  /// Returns 0 for numbers that were not appended.
  std::uint64_t Get(std::uint64_t index) const;
  std::uint64_t size() const { return size_; }
  std::size_t memory_size() const { return memory_size_; }

 private:
  struct Block {
    std::uint64_t least = 0;
    std::uint8_t width = 0;  // bytes of a difference
    std::unique_ptr<std::byte[]> differences;
  };
  std::vector<Block> blocks_;
  std::vector<std::uint64_t> pending_;  // of the block that is not full
  std::uint64_t size_ = 0;
  std::size_t memory_size_ = 0;
};

/// A list of strings in little memory: most of them store only the difference to the string before. Strings that are
/// equal to the one before, or to one of the first thousands, are stored once.
class PackedStrings {
 public:
  /// Returns the number of a string, which is at least 1. Throws Error(limit_exceeded) if the strings use too much
  /// memory.
  std::uint64_t Add(std::string_view text);
  /// Call this after the last string.
  void Finish();

  /// Returns the string of a number that Add returned.
  std::string Get(std::uint64_t number) const;
  std::size_t memory_size() const { return memory_size_; }

 private:
  std::vector<std::string> groups_;  // each string as the length that it shares, the length of the rest, and the rest
  std::string last_;
  std::uint64_t count_ = 0;
  std::unordered_map<std::string, std::uint64_t> known_;
  std::size_t memory_size_ = 0;
};

}  // namespace gdal_zarr
