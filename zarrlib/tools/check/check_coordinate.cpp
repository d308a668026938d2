// SPDX-License-Identifier: MIT
#include <string>

#include "zarrlib/array/read/stored_chunks.h"
#include "zarrlib/metadata/node_path.h"
#include "zarrlib/tools/check/checks.h"

namespace zarr::tools {
namespace {

bool IsCoordinate(const Array& array) {
  const auto& names = array.metadata().dimension_names;
  return array.rank() == 1 && names.size() == 1 && names[0] && *names[0] == NodeName(array.path());
}

struct StoredPart {
  std::uint64_t chunks = 0;
  std::uint64_t values = 0;
};

StoredPart FindStoredPart(const Array& array) {
  const ChunkAxis& axis = array.metadata().chunk_grid.axis(0);
  StoredPart stored;
  ForEachExistingChunk(array, {{0}, {axis.chunk_count()}}, [&](const Shape& index) {
    ++stored.chunks;
    stored.values += axis.At(index[0]).live;
  });
  return stored;
}

}  // namespace

void CheckCoordinate(const Array& array, Findings* findings) {
  if (!IsCoordinate(array)) return;
  StoredPart stored;
  try {
    stored = FindStoredPart(array);
  } catch (const Error&) {
    return;  // errors of the chunks are reported where they are read
  }
  const std::uint64_t missing = array.shape()[0] - stored.values;
  if (missing <= 1) return;
  const std::uint64_t chunks = array.metadata().chunk_grid.axis(0).chunk_count();
  findings->Add(StoreRule("coordinate-missing"), array.path(),
                "of this coordinate variable, " + std::to_string(chunks - stored.chunks) + " of " +
                    std::to_string(chunks) + " chunks are not stored: " + std::to_string(missing) +
                    " values read as the fill value");
}

}  // namespace zarr::tools
