// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "zarrlib/array/array.h"
#include "zarrlib/store/store.h"
#include "zarrlib/tools/progress.h"

namespace zarr::tools {

/// Copies values of a store to another one, byte for byte. Values that an earlier run has copied are compared, not
/// trusted.
class ValueCopier {
 public:
  /// `resumed` is true if an earlier run may have copied some of the values.
  ValueCopier(std::shared_ptr<const Store> from, std::shared_ptr<Store> to, bool resumed)
      : from_(std::move(from)), to_(std::move(to)), resumed_(resumed) {}

  /// Copies a value, if it exists.
  void Copy(const std::string& key) const;

  /// Copies the stored chunks of an array, as many at a time as the source supports, limited to 512 MiB of decoded
  /// size. Throws Interrupted if InterruptWatch has recorded a signal.
  void CopyChunks(const Array& array, Progress* progress) const;

 private:
  /// Removes chunks that an earlier run has copied, and that the source no longer has.
  void EraseStale(const Array& array) const;
  void CopyAll(const std::vector<std::string>& keys, std::size_t width, Progress* progress) const;

  std::shared_ptr<const Store> from_;
  std::shared_ptr<Store> to_;
  bool resumed_;
};

}  // namespace zarr::tools
