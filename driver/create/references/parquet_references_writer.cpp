// SPDX-License-Identifier: MIT
#include "driver/create/references/parquet_references_writer.h"

#include <cpl_vsi.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string_view>
#include <utility>

#include "driver/stores/parquet/parquet_writer.h"
#include "zarrlib/base/error.h"
#include "zarrlib/store/store.h"

namespace gdal_zarr {
namespace {

constexpr std::uint64_t kRecordSize = 10'000;  // as kerchunk's own writer
constexpr const char* kDocument = ".zmetadata";

void MakeFolder(const std::string& path) {
  constexpr int kMode = 0777;
  VSIStatBufL status;
  if (VSIMkdir(path.c_str(), kMode) == 0 || VSIStatL(path.c_str(), &status) == 0) return;
  throw zarr::Error(zarr::ErrorKind::kIo, path, "", "", "the folder cannot be created");
}

}  // namespace

ParquetReferencesWriter::ParquetReferencesWriter(const std::string& path) : output_(path, kDocument), urls_("") {
  MakeFolder(output_.path());
}

void ParquetReferencesWriter::PutDocument(const std::string& key, std::string_view json) {
  metadata_ += (metadata_.empty() ? "\n" : ",\n") + zarr::JsonNode::MakeString(key).Dump() + ":";
  metadata_ += zarr::JsonNode::Parse(json, output_.path(), key).Dump();
}

void ParquetReferencesWriter::MakeFolders(const std::string& array) {
  for (std::size_t slash = array.find('/'); slash != std::string::npos; slash = array.find('/', slash + 1)) {
    MakeFolder(output_.path() + "/" + array.substr(0, slash));
  }
  if (!array.empty()) MakeFolder(output_.path() + "/" + array);
}

void ParquetReferencesWriter::BeginArray(const std::string& path, const zarr::ArrayMetadata& metadata) {
  WriteRecords();
  array_ = path;
  grid_ = metadata.chunk_grid.grid_shape();
  chunk_count_ = zarr::ComputeProduct(grid_);
  MakeFolders(path);
}

void ParquetReferencesWriter::PutChunk(const zarr::Shape& index, const SourceBlock& block) {
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < index.size(); ++i) number = number * grid_[i] + index[i];
  if (!paths_.empty() && number / kRecordSize != record_) WriteRecords();
  record_ = number / kRecordSize;
  const auto rows = static_cast<std::size_t>(std::min(kRecordSize, chunk_count_ - record_ * kRecordSize));
  paths_.resize(rows);
  offsets_.resize(rows);
  sizes_.resize(rows);
  values_.resize(rows);
  const auto row = static_cast<std::size_t>(number % kRecordSize);
  if (block.bytes) {
    values_[row] = *block.bytes;
    return;
  }
  paths_[row] = urls_.Get(block.path);
  offsets_[row] = static_cast<std::int64_t>(block.offset);
  sizes_[row] = static_cast<std::int64_t>(block.length);
}

void ParquetReferencesWriter::WriteFile(const std::string& name, zarr::ByteSpan bytes) {
  const std::string path = output_.path() + "/" + name;
  VSILFILE* const file = VSIFOpenL(path.c_str(), "wb");
  const bool is_written = file && VSIFWriteL(bytes.data(), 1, bytes.size(), file) == bytes.size();
  const bool is_closed = file && VSIFCloseL(file) == 0;
  if (!is_written || !is_closed) throw zarr::Error(zarr::ErrorKind::kIo, path, "", "", "the file cannot be written");
}

void ParquetReferencesWriter::WriteRecords() {
  if (paths_.empty()) return;
  std::array<ParquetOutputColumn, 4> columns = {ParquetOutputColumn{"path", std::exchange(paths_, {}), true},
                                                ParquetOutputColumn{"offset", std::exchange(offsets_, {})},
                                                ParquetOutputColumn{"size", std::exchange(sizes_, {})},
                                                ParquetOutputColumn{"raw", std::exchange(values_, {})}};
  WriteFile(zarr::JoinKey(array_, "refs." + std::to_string(record_) + ".parq"), MakeParquetFile(columns));
}

void ParquetReferencesWriter::Finish() {
  WriteRecords();
  const std::string text =
      R"({"metadata":{)" + metadata_ + "\n" + R"(},"record_size":)" + std::to_string(kRecordSize) + "}\n";
  WriteFile(kDocument, zarr::AsBytes(text));
  output_.PutInPlace();
}

}  // namespace gdal_zarr
