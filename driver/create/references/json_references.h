// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>

#include "driver/create/references/reference_output.h"
#include "driver/create/references/reference_sink.h"
#include "driver/gdal/gdal_compat.h"

namespace gdal_zarr {

/// Writes kerchunk references, version 1, to a JSON file. Memory does not depend on the number of chunks.
class JsonReferences final : public ReferenceSink {
 public:
  /// `relative`: local files are named relative to the file's folder, in which they must be.
  JsonReferences(const std::string& path, bool relative);

  void PutDocument(const std::string& key, std::string_view json) override;
  void BeginArray(const std::string& path, const zarr::ArrayMetadata& metadata) override;
  void PutChunk(const zarr::Shape& index, const SourceBlock& block) override;
  void Finish() override;

 private:
  struct CloseFile {
    void operator()(VSILFILE* file) const { VSIFCloseL(file); }
  };
  void Write(std::string_view text);
  [[noreturn]] void FailWrite() const;
  void PutMember(const std::string& key, std::string_view value);

  ReferenceOutput output_;
  std::unique_ptr<VSILFILE, CloseFile> file_;
  ReferenceUrls urls_;
  bool has_members_ = false;
  std::string prefix_;
  zarr::ChunkKeyEncoding encoding_;
};

}  // namespace gdal_zarr
