// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "driver/create/references/reference_output.h"
#include "driver/create/references/reference_sink.h"

namespace gdal_zarr {

/// Writes kerchunk references to a folder of Parquet files, in the layout that ParquetReferences reads. Memory does not
/// depend on the number of chunks: a file of 10,000 references is written when it is complete.
class ParquetReferencesWriter final : public ReferenceSink {
 public:
  explicit ParquetReferencesWriter(const std::string& path);

  void PutDocument(const std::string& key, std::string_view json) override;
  void BeginArray(const std::string& path, const zarr::ArrayMetadata& metadata) override;
  void PutChunk(const zarr::Shape& index, const SourceBlock& block) override;
  void Finish() override;

 private:
  void MakeFolders(const std::string& array);
  void WriteFile(const std::string& name, zarr::ByteSpan bytes);
  /// Writes the rows of the file that is not complete, if there are any.
  void WriteRecords();

  ReferenceOutput output_;
  ReferenceUrls urls_;
  std::string metadata_;  // the members of the document `.zmetadata`
  std::string array_;
  zarr::Shape grid_;
  std::uint64_t chunk_count_ = 0;
  std::uint64_t record_ = 0;  // the number of the file with the rows below
  std::vector<std::optional<std::string>> paths_;
  std::vector<std::int64_t> offsets_;
  std::vector<std::int64_t> sizes_;
  std::vector<std::optional<std::string>> values_;
};

}  // namespace gdal_zarr
