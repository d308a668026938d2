// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "driver/stores/kerchunk/packed_columns.h"
#include "driver/stores/kerchunk/references.h"
#include "driver/stores/parquet/parquet_file.h"

namespace gdal_zarr {

/// The references of one Parquet file, one for each row: its columns path, offset, size and raw, of which some may be
/// missing. Needs about ten bytes of memory for a row, and the differences between the paths. Immutable.
class ReferenceRecords {
 public:
  /// Reads at most `most` rows. Throws the errors of ParquetFile, and Error(corrupt) for a file that does not have
  /// references.
  ReferenceRecords(const ParquetSource& source, std::uint64_t most);

  /// The number of rows.
  std::uint64_t size() const { return size_; }
  /// Returns true if a row refers to a value.
  bool Has(std::uint64_t row) const { return paths_.Get(row) != 0 || values_.Get(row) != 0; }
  /// Returns nullopt for a row without a path and a value. Throws Error(corrupt) for a value that is not base64 though
  /// it begins with "base64:".
  std::optional<Reference> Find(std::uint64_t row) const;
  std::size_t memory_size() const;

 private:
  std::uint64_t size_;
  // The numbers of strings, or 0.
  PackedIntegers paths_;
  PackedIntegers values_;
  PackedIntegers offsets_;
  PackedIntegers sizes_;
  PackedStrings strings_;
};

/// Returns the first path in a Parquet file of references, or "" if there is none.
std::string FindFirstPath(const ParquetSource& source);

}  // namespace gdal_zarr
