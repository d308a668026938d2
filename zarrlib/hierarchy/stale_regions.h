// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "zarrlib/base/shape.h"
#include "zarrlib/json/json_node.h"

namespace zarr {

/// The attribute of an array with overviews that lists the regions in which it has changed since the overviews were
/// computed.
inline constexpr const char* kStaleOverviewsAttribute = "overviews_stale";

/// A region of an array that is not in its overviews yet.
struct StaleRegion {
  std::string id;                   ///< Another one each time the region is noted, so that a note cannot be mistaken.
  Box box;                          ///< In elements of the array.
  std::vector<std::string> levels;  ///< The overviews, relative to the array's group, that lack it; empty for all.
};

/// Returns a new id for a region.
std::string MakeRegionId();

/// The regions of one array. There are few, whatever happens: if there were too many, the closest two are replaced by a
/// region that contains both. A value type.
class StaleRegions {
 public:
  static constexpr std::size_t kMost = 16;

  StaleRegions() = default;
  /// Reads the regions from the attributes of an array of that rank. They may reach beyond the array, which another
  /// process may be making larger. If they cannot be understood, everything counts as stale.
  StaleRegions(const JsonNode& attributes, std::size_t rank);

  const std::vector<StaleRegion>& list() const { return list_; }
  bool empty() const { return list_.empty(); }
  /// Adds a region. If another one contains it, that one gets its id, and the function returns false.
  bool Add(const StaleRegion& region);
  void Remove(const std::string& id);
  /// Removes the levels that have got the regions with these ids. `all` are the levels that there are.
  void RemoveLevels(const std::vector<std::string>& ids, const std::vector<std::string>& levels,
                    const std::vector<std::string>& all);

  /// Returns the attributes with these regions, or without the attribute if there are none.
  JsonNode ApplyTo(const JsonNode& attributes) const;
  /// Returns the regions that an array of that shape has.
  StaleRegions ClipTo(const Shape& shape) const;
  /// Returns the boxes as text for users, such as "0:256,512:768; 0:1,0:768 (ovr_4x/a)".
  std::string ToText() const;

 private:
  void MergeClosest();

  std::vector<StaleRegion> list_;
};

}  // namespace zarr
