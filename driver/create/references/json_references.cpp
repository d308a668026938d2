// SPDX-License-Identifier: MIT
#include "driver/create/references/json_references.h"

#include <cpl_error.h>
#include <cpl_vsi.h>

#include <cerrno>

#include "zarrlib/base/base64.h"
#include "zarrlib/base/error.h"
#include "zarrlib/store/store.h"

namespace gdal_zarr {
namespace {

std::string Quote(std::string_view text) {
  return zarr::JsonNode::MakeString(text).Dump();
}

}  // namespace

JsonReferences::JsonReferences(const std::string& path, bool relative)
    : output_(path), file_(VSIFOpenL(output_.path().c_str(), "wb")), urls_(relative ? path : "") {
  if (!file_) throw zarr::Error(zarr::ErrorKind::kIo, path, "", "", "the file cannot be created");
  Write(R"({"version":1,"refs":{)");
}

void JsonReferences::FailWrite() const {
  throw zarr::Error(zarr::ErrorKind::kIo, output_.final_path(), "", "",
                    "the references cannot be written: " + std::string(VSIStrerror(errno)));
}

void JsonReferences::Write(std::string_view text) {
  if (VSIFWriteL(text.data(), 1, text.size(), file_.get()) != text.size()) FailWrite();
}

void JsonReferences::PutMember(const std::string& key, std::string_view value) {
  Write((has_members_ ? ",\n" : "\n") + Quote(key) + ":");
  Write(value);
  has_members_ = true;
}

void JsonReferences::PutDocument(const std::string& key, std::string_view json) {
  PutMember(key, Quote(json));
}

void JsonReferences::BeginArray(const std::string& path, const zarr::ArrayMetadata& metadata) {
  prefix_ = path.empty() ? "" : path + "/";
  encoding_ = metadata.chunk_key_encoding;
}

void JsonReferences::PutChunk(const zarr::Shape& index, const SourceBlock& block) {
  const std::string key = prefix_ + encoding_.Format(index);
  if (block.bytes) return PutMember(key, Quote("base64:" + zarr::EncodeBase64(zarr::AsBytes(*block.bytes))));
  PutMember(key, "[" + Quote(urls_.Get(block.path)) + "," + std::to_string(block.offset) + "," +
                     std::to_string(block.length) + "]");
}

void JsonReferences::Finish() {
  Write("\n}}\n");
  if (VSIFCloseL(file_.release()) != 0) FailWrite();
  output_.PutInPlace();
}

}  // namespace gdal_zarr
