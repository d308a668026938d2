// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace zarr {

class Array;

/// The arrays of a hierarchy that have been opened and are still in use, by path. Thread-safe.
class OpenArrays {
 public:
  /// With `keeps`, arrays that are not in use are cached within bounds.
  explicit OpenArrays(bool keeps) : keeps_(keeps) {}

  /// Returns null if there is no such array.
  std::shared_ptr<const Array> Find(std::string_view path) const;
  /// Returns true if an array at the path is in use or kept.
  bool Has(std::string_view path) const;
  /// Returns true if an array at the path or below it is in use or kept.
  bool HasIn(std::string_view path) const;
  /// Changes whenever an array is dropped.
  std::uint64_t drops() const;
  /// Adds an array whose metadata were read while `drops()` had that value. Returns it, or the array that another
  /// thread has added in the meantime; null if an array has been dropped since, so that its metadata may be old ones.
  std::shared_ptr<const Array> Add(std::string_view path, const std::shared_ptr<const Array>& array,
                                   std::uint64_t drops);
  /// Makes the next opening of the array read its metadata again. Does not allocate.
  void Drop(const std::string& path);
  /// Like Drop, for all arrays at and below a path.
  void DropIn(std::string_view path);
  /// Like Drop, for all arrays directly in a group.
  void DropChildren(std::string_view group);

 private:
  const bool keeps_;
  mutable std::mutex mutex_;
  std::uint64_t drops_ = 0;
  std::unordered_map<std::string, std::weak_ptr<const Array>> arrays_;
  std::vector<std::shared_ptr<const Array>> kept_;
  std::size_t kept_fill_bytes_ = 0;  // size of the fill values of `kept_`
};

}  // namespace zarr
