// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "zarrlib/array/array.h"
#include "zarrlib/hierarchy/hierarchy.h"
#include "zarrlib/tools/check/findings.h"
#include "zarrlib/tools/progress.h"

/// The checks of the subcommand `check`. Each adds the problems that it finds to `findings`.
namespace zarr::tools {

/// Decodes all stored chunks of an array (for shards, their inner chunks), and reports chunks outside the grid. Returns
/// the number of decoded chunks (or shards). Needs the memory of one chunk or inner chunk per thread. Advances
/// `progress` by one for each stored chunk.
std::size_t CheckChunks(const Array& array, Findings* findings, Progress* progress);

/// Reports a coordinate variable (one-dimensional, and named like its dimension) with values that are not stored. One
/// value may be missing: since the values of a coordinate differ, it may equal the fill value.
void CheckCoordinate(const Array& array, Findings* findings);

/// Reports an array with overviews that lack what was written to it, as its writers have noted.
void CheckStaleNote(const Array& array, Findings* findings);

/// Compares the overviews that a group declares with what they were made from, in a few spots of each: other programs
/// note nothing. Reports levels with pixels that cannot be right. Methods whose pixels may have any value are left out.
/// Also reports a group of levels that a stopped process has left.
void CheckOverviews(const Hierarchy& hierarchy, const std::string& group, const JsonNode& attributes,
                    Findings* findings);

/// Compares the lengths of the dimensions that arrays of one group share by name.
class DimensionCheck {
 public:
  /// `above` is the check of the parent group; null for the root.
  explicit DimensionCheck(const DimensionCheck* above) : above_(above) {}

  void Add(const Array& array);
  /// Call this when all arrays of this group and its parents were added. `levels` is true if the group is, or is
  /// inside, a pyramid, where dimensions of one name have several lengths.
  void Finish(bool levels, Findings* findings) const;

 private:
  struct Use {
    std::string path;
    std::uint64_t length;
  };
  struct Dimension {
    std::vector<Use> uses;
    std::optional<Use> coordinates;  ///< The one-dimensional array with the name of the dimension.
  };
  const Use* FindAbove(const std::string& name) const;

  const DimensionCheck* above_;
  std::map<std::string, Dimension> dimensions_;
};

/// Reports the files that killed processes have left in a local store at and below a path: temporary files, and folders
/// of an interrupted reshard. With `remove`, removes temporary files that have not been written to for an hour.
void CheckLeftovers(const Store& store, const std::string& path, bool remove, Findings* findings);

}  // namespace zarr::tools
