// SPDX-License-Identifier: MIT
#include "driver/stores/archive_check.h"

#include <cpl_string.h>
#include <cpl_vsi.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "zarrlib/base/fork_safety.h"

namespace gdal_zarr {
namespace {

/// An archive's size and modification time.
using ArchiveState = std::pair<std::uint64_t, std::int64_t>;

/// Archives of which GDAL is known to list the whole content, each with the state in which it was checked.
class KnownArchives {
 public:
  static KnownArchives& GetShared() {
    static auto* const shared = new KnownArchives;
    return *shared;
  }
  bool Has(const std::string& root, const ArchiveState& state) {
    const std::lock_guard lock(mutex_);
    const auto found = states_.find(root);
    return found != states_.end() && found->second == state;
  }
  void Add(const std::string& root, const ArchiveState& state) {
    constexpr std::size_t kMost = 256;
    const std::lock_guard lock(mutex_);
    if (states_.size() >= kMost) states_.clear();
    states_[root] = state;
  }

 private:
  KnownArchives() { zarr::HoldWhileForking(&mutex_); }

  std::mutex mutex_;
  std::map<std::string, ArchiveState> states_;
};

// --- tar ---------------------------------------------------------------------------------------------------------

constexpr std::size_t kBlock = 512;
using Block = std::array<char, kBlock>;

bool IsEmpty(const Block& block) {
  return std::all_of(block.begin(), block.end(), [](char c) { return c == '\0'; });
}

/// Reads the size of the data after a header: octal digits, or a binary number if the size needs more digits.
std::uint64_t GetSize(const Block& header) {
  const std::string_view field(header.data() + 124, 12);
  std::uint64_t size = 0;
  if ((static_cast<unsigned char>(field[0]) & 0x80) != 0) {
    for (const char c : field.substr(4)) size = size << 8 | static_cast<unsigned char>(c);
    return size;
  }
  for (const char c : field) {
    if (c >= '0' && c <= '7') size = size * 8 + static_cast<std::uint64_t>(c - '0');
  }
  return size;
}

/// Reads the name in a header, truncated to the space there. Returns "" if the entry is not a file.
std::string GetFileName(const Block& header) {
  const auto text = [&](std::size_t offset, std::size_t length) {
    const std::string_view field(header.data() + offset, length);
    return std::string(field.substr(0, field.find('\0')));
  };
  const char type = header[156];
  const std::string name = text(0, 100);
  return (type == '0' || type == '\0') && !name.ends_with('/') ? text(345, 155) + "/" + name : "";
}

/// Counts the distinct file names in a tar file. Returns nullopt if it cannot be read to its end.
std::optional<std::uint64_t> CountFilesInTar(const std::string& path) {
  const std::unique_ptr<VSILFILE, int (*)(VSILFILE*)> file(VSIFOpenL(path.c_str(), "rb"), VSIFCloseL);
  if (!file) return std::nullopt;
  std::unordered_set<std::string> names;
  for (std::uint64_t offset = 0;;) {
    Block header;
    if (VSIFSeekL(file.get(), offset, SEEK_SET) != 0) return std::nullopt;
    const std::size_t got = VSIFReadL(header.data(), 1, kBlock, file.get());
    // Some writers omit the empty blocks at the end.
    if (got == 0 && VSIFSeekL(file.get(), 0, SEEK_END) == 0 && VSIFTellL(file.get()) == offset) return names.size();
    if (got != kBlock) return std::nullopt;
    if (IsEmpty(header)) return names.size();
    std::string name = GetFileName(header);
    if (!name.empty()) names.insert(std::move(name));
    const std::uint64_t size = GetSize(header);
    if (size > UINT64_MAX / 4) return std::nullopt;
    offset += kBlock + (size + kBlock - 1) / kBlock * kBlock;
  }
}

bool IsGzipped(const std::string& path) {
  const std::unique_ptr<VSILFILE, int (*)(VSILFILE*)> file(VSIFOpenL(path.c_str(), "rb"), VSIFCloseL);
  std::array<unsigned char, 2> magic{};
  return file && VSIFReadL(magic.data(), 1, 2, file.get()) == 2 && magic[0] == 0x1f && magic[1] == 0x8b;
}

bool KnowsTar(const std::string& archive, const std::string& root) {
  const auto files = CountFilesInTar(IsGzipped(archive) ? "/vsigzip/" + archive : archive);
  if (!files) return false;
  const CPLStringList names(VSIReadDirRecursive(root.c_str()));
  const auto known = std::count_if(names.List(), names.List() + names.size(),
                                   [](const char* name) { return !std::string_view(name).ends_with('/'); });
  return static_cast<std::uint64_t>(known) >= *files;
}

}  // namespace

bool KnowsContent(const std::string& prefix, const std::string& archive, const std::string& root) {
  VSIStatBufL status;
  if (VSIStatL(archive.c_str(), &status) != 0) return false;
  const ArchiveState state{status.st_size, status.st_mtime};
  if (KnownArchives::GetShared().Has(root, state)) return true;
  const CPLStringList names(VSIReadDirEx(root.c_str(), 1));
  if (names.empty() || (prefix == "/vsitar/" && !KnowsTar(archive, root))) return false;
  KnownArchives::GetShared().Add(root, state);
  return true;
}

}  // namespace gdal_zarr
