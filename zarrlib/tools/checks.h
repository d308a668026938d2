#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "zarrlib/array/array.h"
#include "zarrlib/tools/findings.h"

/// The parts of `check`, each of which adds what it finds.
namespace zarr::tools {

/// Decodes all stored chunks of an array, inner chunks one by one, and names those outside of its grid. Returns how
/// many chunks (shards) it has decoded. Memory: an inner chunk or, without shards, a chunk for each thread.
std::size_t CheckChunks(const Array& array, Findings* findings);

/// The lengths of the dimensions that the arrays of one group have in common, by name.
class DimensionCheck {
 public:
  /// `above` is the check of the group that holds this one, or null.
  explicit DimensionCheck(const DimensionCheck* above) : above_(above) {}

  void Add(const Array& array);
  /// To be called when all arrays of this group, and of those above, have been added. `levels` says that the group
  /// holds, or is in, a pyramid, whose dimensions have one name and several lengths.
  void Finish(bool levels, Findings* findings) const;

 private:
  struct Use {
    std::string path;
    std::uint64_t length;
  };
  struct Dimension {
    std::vector<Use> uses;
    std::optional<Use> coordinates;  ///< The one-dimensional array of the dimension's name.
  };
  const Use* FindAbove(const std::string& name) const;

  const DimensionCheck* above_;
  std::map<std::string, Dimension> dimensions_;
};

/// What processes that were killed have left in a local store: temporary files, and folders of an interrupted reshard.
/// With `remove`, temporary files that have not been written to for an hour are removed, and named to `out`.
void CheckLeftovers(const Store& store, bool remove, std::ostream& out, Findings* findings);

}  // namespace zarr::tools
