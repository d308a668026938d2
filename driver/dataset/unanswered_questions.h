// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>

#include "driver/gdal/gdal_compat.h"
#include "driver/gdal/gdal_error.h"

namespace gdal_zarr {

/// Records requests for metadata of an object (such as its georeferencing in a remote store) that failed. GDAL's
/// copying ignores such failures, and would create a raster without georeferencing, or bands without coordinates.
/// Therefore the next read of values fails too, unless the same request has succeeded in between. Thread-safe.
class UnansweredQuestions {
 public:
  /// Records whether a request, identified by one bit, was answered.
  void Note(unsigned question, bool answered) {
    if (answered) {
      if ((questions_.load(std::memory_order_relaxed) & question) != 0) questions_.fetch_and(~question);
    } else {
      questions_.fetch_or(question);
    }
  }
  /// Returns true if no request failed. Otherwise calls `ask` to repeat the requests; it reports a failure to GDAL and
  /// returns false. If `ask` succeeds, reports once that a request had failed.
  template <typename Ask>
  bool CheckBeforeReading(const Ask& ask) {
    if (questions_.load(std::memory_order_relaxed) == 0) return true;
    if (!ask()) return false;
    questions_.store(0);
    CPLError(
        CE_Failure, CPLE_FileIO,
        "A program that reads these values has asked for their place, their CRS or their metadata, which could not be "
        "read then. They can be read now: ask again");
    return false;
  }

 private:
  std::atomic<unsigned> questions_{0};
};

}  // namespace gdal_zarr
