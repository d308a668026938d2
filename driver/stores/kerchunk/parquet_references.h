// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "driver/stores/kerchunk/record_cache.h"
#include "driver/stores/kerchunk/references.h"
#include "zarrlib/base/bytes.h"
#include "zarrlib/base/error.h"
#include "zarrlib/base/shape.h"
#include "zarrlib/metadata/chunk_key_encoding.h"
#include "zarrlib/store/store.h"

namespace gdal_zarr {

/// A folder of kerchunk references in Parquet. Its document `.zmetadata` is {"metadata": {}, "record_size": n} and has
/// the metadata documents of all nodes. The references to the chunks of an array, in C order, are the rows of its files
/// `refs.0.parq`, `refs.1.parq` and so on, of which each has n rows.
///
/// A file is read when one of its chunks is needed, and kept in RecordCache. If there is no such file, its chunks are
/// absent; any other failure is an error. Safe for any number of threads.
class ParquetReferences final : public References {
 public:
  /// `metadata` is the text of `.zmetadata` in the folder. Throws Error(corrupt) if it does not have the form above.
  ParquetReferences(std::shared_ptr<const zarr::Store> folder, zarr::Bytes metadata);
  ~ParquetReferences() override;

  std::size_t digest() const override { return digest_; }
  const std::string& host_url() const override { return host_url_; }
  bool Has(std::string_view key) const override;
  std::optional<Reference> Find(std::string_view key) const override;
  /// Listing an array reads all of its files.
  zarr::Listing List(std::string_view prefix) const override;

 private:
  /// The grid of an array, which determines the numbers of its chunks.
  struct Array {
    std::string folder;  // "" or ends in "/"
    zarr::Shape grid;    // in chunks
    std::uint64_t chunk_count = 0;
    zarr::ChunkKeyEncoding encoding;
    std::optional<zarr::Error> error;  // why chunks cannot be found
  };
  /// The position of a chunk's reference.
  struct Row {
    const Array* array;
    std::uint64_t chunk;
  };
  class Walker;

  void TakeDocuments();
  void AddArray(const std::string& key, std::string_view document);
  std::optional<Row> FindRow(std::string_view key) const;
  std::uint64_t GetRowInFile(const Row& row) const { return row.chunk % record_size_; }
  std::string MakeFileKey(const Array& array, std::uint64_t record) const;
  /// Returns null if there is no such file.
  RecordCache::Records GetRecords(const Array& array, std::uint64_t record) const;
  RecordCache::Records ReadRecords(const Array& array, std::uint64_t record) const;
  /// Like GetRecords, for the file with a row, which must be long enough.
  RecordCache::Records GetRecordsOf(const Row& row) const;
  void CheckHasRow(const Row& row, const ReferenceRecords& records) const;
  std::vector<std::uint64_t> ListRecords(const Array& array) const;
  void ListChunks(const Array& array, std::string_view below, zarr::Listing* listing) const;
  std::string FindHost() const;

  const std::shared_ptr<const zarr::Store> folder_;
  const zarr::Bytes text_;
  const std::size_t digest_;
  const std::uint64_t owner_;
  std::uint64_t record_size_ = 0;
  std::map<std::string, std::string_view, std::less<>> documents_;
  std::map<std::string, Array, std::less<>> arrays_;  // by folder
  std::string host_url_;
};

}  // namespace gdal_zarr
