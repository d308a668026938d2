// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>

#include "driver/gdal/gdal_compat.h"
#include "driver/gdal/gdal_error.h"

namespace gdal_zarr {

/// The questions about an object that a failure has left without an answer, such as the one for its place on a network.
/// GDAL's copying passes over such an answer, and would make a raster without a place, or bands without coordinates. So
/// the next read of values is an error too, unless the same question was answered in between. Thread-safe.
class UnansweredQuestions {
 public:
  /// Notes whether a question, one bit, has been answered.
  void Note(unsigned question, bool answered) {
    if (answered) {
      if ((questions_.load(std::memory_order_relaxed) & question) != 0) questions_.fetch_and(~question);
    } else {
      questions_.fetch_or(question);
    }
  }
  /// Returns true if no question is open. Otherwise asks again by `ask`, which reports a failure to GDAL and returns
  /// false then; if it succeeds, reports that a question was left open, once.
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
