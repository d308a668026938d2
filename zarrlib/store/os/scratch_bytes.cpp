// SPDX-License-Identifier: MIT
#include "zarrlib/store/os/scratch_bytes.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "zarrlib/store/os/value_file.h"

namespace zarr {
namespace {

std::optional<File> MakeFileIn(const std::string& folder) {
#ifdef O_TMPFILE
  File unnamed(Retry([&] { return ::open(folder.c_str(), O_RDWR | O_TMPFILE | O_EXCL | O_CLOEXEC, 0600); }));
  if (unnamed.get() >= 0) return unnamed;
#endif
  std::string path = folder + "/zarr-XXXXXX";
  File named(::mkostemp(path.data(), O_CLOEXEC));
  if (named.get() < 0) return std::nullopt;
  ::unlink(path.c_str());
  return named;
}

/// /var/tmp is for large files: on many systems, /tmp is in memory.
std::optional<File> MakeFile() {
  for (const char* const folder : {static_cast<const char*>(std::getenv("TMPDIR")), "/var/tmp", "/tmp"}) {
    if (!folder || *folder == '\0') continue;
    if (auto file = MakeFileIn(folder)) return file;
  }
  return std::nullopt;
}

/// Returns the size that files of this process may have. A signal would end it if one became larger.
std::uint64_t GetMaxFileSize() {
  rlimit limit{};
  return ::getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY ? limit.rlim_cur : UINT64_MAX;
}

}  // namespace

ScratchBytes::~ScratchBytes() {
  if (map_) ::munmap(map_, static_cast<std::size_t>(file_size_));
}

void ScratchBytes::Append(ByteSpan bytes) {
  if (!file_ && !has_no_file_ && memory_.size() + bytes.size() > kMostInMemory) MoveToFile();
  if (file_ && WriteToFile(bytes)) return;
  if (file_) MoveToMemory();
  memory_.insert(memory_.end(), bytes.begin(), bytes.end());
}

void ScratchBytes::MoveToFile() {
  file_ = MakeFile();
  const bool is_moved = file_ && WriteToFile(memory_);
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
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t count = Retry([&] {
      return ::pwrite(file_->get(), bytes.data() + done, bytes.size() - done, static_cast<off_t>(file_size_ + done));
    });
    if (count <= 0) return false;
    done += static_cast<std::size_t>(count);
  }
  file_size_ += bytes.size();
  return true;
}

ByteSpan ScratchBytes::Map() {
  if (file_ && !map_) {
    void* const map = ::mmap(nullptr, static_cast<std::size_t>(file_size_), PROT_READ, MAP_SHARED, file_->get(), 0);
    map == MAP_FAILED ? MoveToMemory() : void(map_ = map);
  }
  if (!file_) return memory_;
  return {static_cast<const std::byte*>(map_), static_cast<std::size_t>(file_size_)};
}

void ScratchBytes::DropPages() const {
  if (map_) ::madvise(map_, static_cast<std::size_t>(file_size_), MADV_DONTNEED);
}

}  // namespace zarr
