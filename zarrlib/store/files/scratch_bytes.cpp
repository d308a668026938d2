// SPDX-License-Identifier: MIT
#include "zarrlib/store/files/scratch_bytes.h"

#include <string>

#include "zarrlib/base/system/file_names.h"
#include "zarrlib/store/files/value_file.h"

namespace zarr {
namespace {

File MakeScratchFileSomewhere() {
  for (const std::string& folder : GetTemporaryFolders()) {
    if (File file = MakeScratchFile(folder); file.is_open()) return file;
  }
  return File();
}

}  // namespace

ScratchBytes::~ScratchBytes() {
  if (map_) UnmapFile(map_, static_cast<std::size_t>(file_size_));
}

void ScratchBytes::Append(ByteSpan bytes) {
  if (!file_ && !has_no_file_ && memory_.size() + bytes.size() > kMostInMemory) MoveToFile();
  if (file_ && WriteToFile(bytes)) return;
  if (file_) MoveToMemory();
  memory_.insert(memory_.end(), bytes.begin(), bytes.end());
}

void ScratchBytes::MoveToFile() {
  file_ = MakeScratchFileSomewhere();
  const bool is_moved = file_->is_open() && WriteToFile(memory_);
  if (is_moved) return Bytes().swap(memory_);
  file_.reset();
  file_size_ = 0;
  has_no_file_ = true;
}

void ScratchBytes::MoveToMemory() {
  memory_.resize(static_cast<std::size_t>(file_size_));
  ReadFileAt(*file_, 0, memory_);
  file_.reset();
  file_size_ = 0;
  has_no_file_ = true;
}

/// Returns false if not all bytes could be written; then those before them are still in the file.
bool ScratchBytes::WriteToFile(ByteSpan bytes) {
  if (file_size_ + bytes.size() > GetMaxFileSize()) return false;
  if (!WriteAt(*file_, file_size_, bytes)) return false;
  file_size_ += bytes.size();
  return true;
}

ByteSpan ScratchBytes::Map() {
  if (file_ && !map_) {
    map_ = MapFile(*file_, static_cast<std::size_t>(file_size_));
    if (!map_) MoveToMemory();
  }
  if (!file_) return memory_;
  return {static_cast<const std::byte*>(map_), static_cast<std::size_t>(file_size_)};
}

void ScratchBytes::DropPages() const {
  if (map_) DropMappedPages(map_, static_cast<std::size_t>(file_size_));
}

}  // namespace zarr
