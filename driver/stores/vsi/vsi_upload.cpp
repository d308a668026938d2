// SPDX-License-Identifier: MIT
#include "driver/stores/vsi/vsi_upload.h"

#include <cpl_string.h>
#include <cpl_vsi.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <string_view>

#include "driver/gdal/gdal_error.h"
#include "driver/stores/answer_watch.h"
#include "zarrlib/store/store.h"

namespace gdal_zarr {
namespace {

constexpr const char* kThreads = "4";
constexpr std::uint64_t kBytesOfMebibyte = std::uint64_t{1} << 20;
/// The least that GDAL takes for uploads with several threads.
constexpr std::uint64_t kSmallestPart = 8 * kBytesOfMebibyte;
/// S3 takes no more parts.
constexpr std::uint64_t kMostParts = 10000;

/// How an object store takes large values.
struct PartSizes {
  std::string_view prefix;
  const char* option;        ///< With which users set the size of GDAL's own parts, in mebibytes.
  std::uint64_t most_whole;  ///< Larger values are sent in parts, unless the option is set.
  std::uint64_t usual;       ///< The size of a part, unless the option is set.
};

/// GDAL sends smaller values to S3 as a whole. On Azure, some versions append what is more than 4 MiB, so that readers
/// may see a part of the value.
constexpr PartSizes kStores[] = {{"/vsis3/", "VSIS3_CHUNK_SIZE", 50 * kBytesOfMebibyte, 16 * kBytesOfMebibyte},
                                 {"/vsiaz/", "VSIAZ_CHUNK_SIZE", kSmallestPart, kSmallestPart}};

const PartSizes* FindStore(const std::string& path) {
  const auto found = std::ranges::find_if(kStores, [&](const auto& store) { return path.starts_with(store.prefix); });
  return found == std::end(kStores) ? nullptr : found;
}

/// Returns the size of parts that the user has set, in bytes; 0 if there is none.
std::uint64_t GetChosenPart(const PartSizes& store, const std::string& path) {
  const long number = std::strtol(VSIGetPathSpecificOption(path.c_str(), store.option, "0"), nullptr, 10);
  return number > 0 ? static_cast<std::uint64_t>(number) * kBytesOfMebibyte : 0;
}

std::uint64_t GetPart(const PartSizes& store, const std::string& path, std::uint64_t size) {
  const std::uint64_t chosen = GetChosenPart(store, path);
  return std::max({chosen > 0 ? chosen : store.usual, kSmallestPart, size / kMostParts + 1});
}

bool IsLarge(const PartSizes& store, const std::string& path, std::uint64_t size) {
  const std::uint64_t chosen = GetChosenPart(store, path);
  return size > (chosen > 0 ? chosen : store.most_whole) && size > GetPart(store, path, size);
}

/// Returns true if options are set for this thread alone, such as credentials: GDAL's threads would not have them.
bool HasOptionsOfThread() {
  const CPLStringList options(CPLGetThreadLocalConfigOptions());
  // Set for each of this driver's calls; it does not matter for uploads.
  constexpr std::string_view kOwn = "GDAL_DISABLE_READDIR_ON_OPEN=";
  for (int i = 0; i < options.size(); ++i) {
    if (!std::string_view(options[i]).starts_with(kOwn)) return true;
  }
  return false;
}

/// Returns true if there are objects below a path. GDAL would put the value among them.
bool IsFolder(const std::string& path) {
  const ErrorCollector quiet;
  VSIStatBufL status;
  return VSIStatExL(path.c_str(), &status, VSI_STAT_EXISTS_FLAG | VSI_STAT_NATURE_FLAG) == 0 &&
         VSI_ISDIR(status.st_mode);
}

/// A file in memory that consists of a value, which must outlive it.
class FileOfValue {
 public:
  explicit FileOfValue(zarr::ByteSpan value) : name_("/vsimem/" + zarr::MakeTemporaryName()) {
    // GDAL only reads the bytes.
    auto* const bytes = reinterpret_cast<GByte*>(const_cast<std::byte*>(value.data()));
    file_ = VSIFileFromMemBuffer(name_.c_str(), bytes, value.size(), FALSE);
  }
  ~FileOfValue() {
    if (file_) VSIFCloseL(file_);
    VSIUnlink(name_.c_str());
  }
  FileOfValue(const FileOfValue&) = delete;
  FileOfValue& operator=(const FileOfValue&) = delete;

  const std::string& name() const { return name_; }

 private:
  const std::string name_;
  VSILFILE* file_ = nullptr;
};

}  // namespace

bool CanUploadInParts(const std::string& path, std::uint64_t size) {
  const PartSizes* const store = FindStore(path);
  return store && IsLarge(*store, path, size) && !HasOptionsOfThread() && !IsFolder(path);
}

bool UploadInParts(const std::string& path, zarr::ByteSpan value) {
  const FileOfValue file(value);
  const std::uint64_t part = GetPart(*FindStore(path), path, value.size());
  CPLStringList options;
  options.SetNameValue("SYNC_STRATEGY", "OVERWRITE");
  options.SetNameValue("NUM_THREADS", kThreads);
  options.SetNameValue("CHUNK_SIZE", std::to_string(part).c_str());
  const AnswerWatch watch(path);
  return VSISync(file.name().c_str(), path.c_str(), options.List(), nullptr, nullptr, nullptr) != 0;
}

}  // namespace gdal_zarr
