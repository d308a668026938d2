// SPDX-License-Identifier: MIT
#include "driver/stores/zip_archive_writer.h"

#include <cpl_string.h>
#include <cpl_vsi.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include "driver/gdal/gdal_error.h"
#include "driver/gdal/option_values.h"
#include "driver/stores/temporary_folder.h"
#include "zarrlib/metadata/document_names.h"
#include "zarrlib/store/store.h"
#include "zarrlib/store/zip/local_archive_file.h"
#include "zarrlib/store/zip/new_zip_store.h"

namespace gdal_zarr {
namespace {

constexpr std::string_view kZip = "/vsizip/";

[[noreturn]] void Fail(zarr::ErrorKind kind, const std::string& file, const std::string& message) {
  throw zarr::Error(kind, file + ": " + message);
}

bool Exists(const std::string& path) {
  VSIStatBufL status;
  return VSIStatExL(path.c_str(), &status, VSI_STAT_EXISTS_FLAG) == 0;
}

/// For local files, GDAL's result is only reliable if the folder exists. Opening the file shows why it cannot be
/// written.
bool CanWriteInAnyOrder(const std::string& path) {
  return !path.starts_with("/vsi") || VSISupportsRandomWrite(path.c_str(), FALSE);
}

/// A call of GDAL. The reason of a failure is GDAL's message, otherwise the system's.
class Attempt {
 public:
  Attempt() { errno = 0; }
  std::string GetReason() const {
    const int error_number = errno;
    std::string reason = errors_.GetText();
    if (reason.empty() && error_number != 0) reason = VSIStrerror(error_number);
    return reason.empty() ? reason : ": " + reason;
  }
  bool failed() const { return errors_.failed(); }

 private:
  ErrorCollector errors_;
};

std::unique_ptr<zarr::ArchiveFile> MakeArchiveFile(const std::string& target);

/// A file that GDAL writes: the archive itself if `path` equals `target`, otherwise a temporary file that is readable
/// while it is written.
class VsiArchiveFile final : public zarr::ArchiveFile {
 public:
  /// With `elsewhere`, `target` is on a file system that GDAL can only write sequentially.
  VsiArchiveFile(std::string path, std::string target, bool elsewhere = false)
      : path_(std::move(path)), target_(std::move(target)), elsewhere_(elsewhere) {
    const Attempt attempt;
    file_ = VSIFOpenExL(path_.c_str(), path_ == target_ ? "wb" : "wb+", TRUE);
    if (!file_) FailIo("cannot be created", attempt);
  }
  ~VsiArchiveFile() override {
    const ErrorCollector quiet;
    if (file_) VSIFCloseL(file_);
    if (!in_place_) VSIUnlink(path_.c_str());
  }

  void Append(zarr::ByteSpan bytes) override {
    const Attempt attempt;
    if (!std::exchange(at_end_, true) && VSIFSeekL(file_, 0, SEEK_END) != 0) FailIo("cannot be written", attempt);
    if (VSIFWriteL(bytes.data(), 1, bytes.size(), file_) != bytes.size()) FailIo("cannot be written", attempt);
  }
  void ReadAt(std::uint64_t offset, zarr::MutableByteSpan buffer) override {
    const Attempt attempt;
    at_end_ = false;
    if (in_place_ && !file_) file_ = VSIFOpenExL(target_.c_str(), "rb", TRUE);
    if (!file_ || VSIFSeekL(file_, offset, SEEK_SET) != 0 ||
        VSIFReadL(buffer.data(), 1, buffer.size(), file_) != buffer.size()) {
      FailIo("cannot be read back", attempt);
    }
  }
  bool CanBePutInPlace() const override { return !elsewhere_; }
  std::unique_ptr<zarr::ArchiveFile> MakeAnother() override {
    return elsewhere_ ? std::make_unique<VsiArchiveFile>(target_, target_) : MakeArchiveFile(target_);
  }
  void PutInPlace() override {
    const Attempt attempt;
    // Reports data that could not be flushed to disk or sent to a server.
    const bool closed = VSIFCloseL(std::exchange(file_, nullptr)) == 0;
    if (!closed || attempt.failed()) FailIo("cannot be written", attempt);
    if (path_ != target_ && VSIRename(path_.c_str(), target_.c_str()) != 0) FailIo("cannot be put in place", attempt);
    in_place_ = true;
  }

 private:
  /// Does not add a file name: the caller adds the archive's.
  [[noreturn]] void FailIo(const std::string& message, const Attempt& attempt) const {
    throw zarr::Error(zarr::ErrorKind::kIo, (elsewhere_ ? path_ + ": " : "") + message + attempt.GetReason());
  }

  std::string path_;
  std::string target_;
  bool elsewhere_;
  VSILFILE* file_ = nullptr;
  bool at_end_ = true;
  bool in_place_ = false;
};

/// Creates a temporary file in another file system, which is copied to the archive at the end.
std::unique_ptr<zarr::ArchiveFile> MakeFileElsewhere(const std::string& target) {
  const std::string folder = GetFolderForTemporaryFiles();
  if (folder.starts_with("/vsi")) {
    return std::make_unique<VsiArchiveFile>(folder + "/" + zarr::MakeTemporaryName(), target, true);
  }
  return std::make_unique<zarr::LocalArchiveFile>(
      folder, [target] { return std::make_unique<VsiArchiveFile>(target, target); });
}

std::unique_ptr<zarr::ArchiveFile> MakeArchiveFile(const std::string& target) {
  if (!target.starts_with("/vsi")) return std::make_unique<zarr::LocalArchiveFile>(target);
  if (!CanWriteInAnyOrder(target)) return MakeFileElsewhere(target);
  return std::make_unique<VsiArchiveFile>(target.substr(0, target.rfind('/') + 1) + zarr::MakeTemporaryName(), target);
}

/// Returns the end of the archive's name in `path`: a name ending in .zip, before a "/" or at the end of the path.
/// Returns npos if there is none.
std::size_t FindEndOfArchive(std::string_view path) {
  constexpr std::string_view kExtension = ".zip";
  for (std::size_t end = path.find('/'); true; end = path.find('/', end + 1)) {
    const std::string_view name = path.substr(0, end);
    if (name.size() >= kExtension.size() &&
        IsEqualIgnoringCase(name.substr(name.size() - kExtension.size()), kExtension)) {
      return name.size();
    }
    if (end == path.npos) return end;
  }
}

/// Returns the position of the brace that closes the one at the beginning of the path, or npos if there is none.
std::size_t FindClosingBrace(std::string_view path) {
  int open = 0;
  for (std::size_t i = 0; i < path.size(); ++i) {
    open += (path[i] == '{') - (path[i] == '}');
    if (open == 0) return i;
  }
  return path.npos;
}

bool IsMetadata(std::string_view key) {
  constexpr std::array kNames = {zarr::kV3Document,     zarr::kV2Array, zarr::kV2Group,     zarr::kV2Attributes,
                                 zarr::kV2Consolidated, zarr::kV1Array, zarr::kV1Attributes};
  return std::find(kNames.begin(), kNames.end(), key.substr(key.rfind('/') + 1)) != kNames.end();
}

}  // namespace

std::optional<ZipPath> FindZipPath(std::string_view path) {
  if (!path.starts_with(kZip)) return std::nullopt;
  // /vsizip/vsimem/... means /vsizip//vsimem/...: the archive is /vsimem/...
  std::string_view rest = path.substr(kZip.size() - (path.substr(kZip.size()).starts_with("vsi") ? 1 : 0));
  const bool braces = rest.starts_with('{');
  const std::size_t end = braces ? FindClosingBrace(rest) : FindEndOfArchive(rest);
  if (end == rest.npos) return std::nullopt;
  ZipPath result{std::string(braces ? rest.substr(1, end - 1) : rest.substr(0, end)), ""};
  rest.remove_prefix(end + (braces ? 1 : 0));
  while (rest.starts_with('/')) rest.remove_prefix(1);
  result.folder = rest;
  return result;
}

std::optional<ZipPath> SplitZipPath(std::string_view path) {
  auto result = FindZipPath(path);
  if (!result && path.starts_with(kZip)) {
    const bool braces = path.substr(kZip.size()).starts_with('{');
    Fail(zarr::ErrorKind::kInvalidArgument, std::string(path),
         braces ? "a brace is not closed" : "expected the path of an archive whose name ends in .zip");
  }
  return result;
}

std::shared_ptr<zarr::Store> MakeZipStore(const std::string& path) {
  const ZipPath zip = *SplitZipPath(path);
  if (!zip.folder.empty()) zarr::CheckKey(zip.folder);
  if (zip.archive.starts_with(kZip)) {
    Fail(zarr::ErrorKind::kUnsupported, path, "an archive in an archive can be read, but not written");
  }
  if (Exists(zip.archive)) {
    Fail(zarr::ErrorKind::kInvalidArgument, zip.archive,
         "the archive exists already, and archives are written only once, as a whole: remove it first, or give another "
         "name");
  }
  if (!CanWriteInAnyOrder(zip.archive) && !VSISupportsSequentialWrite(zip.archive.c_str(), FALSE)) {
    Fail(zarr::ErrorKind::kReadOnly, zip.archive, "GDAL cannot write there");
  }
  try {
    return std::make_shared<zarr::NewZipStore>(path, zip.folder, MakeArchiveFile(zip.archive), IsMetadata);
  } catch (const zarr::Error& error) {
    throw error.At(zip.archive, "");
  }
}

std::string FindArchiveOfStore(const ZipPath& path) {
  const std::string root = std::string(kZip) + "{" + path.archive + "}";
  std::string_view rest = path.folder;
  for (std::string folder = root; !rest.empty();) {
    const std::string_view name = rest.substr(0, rest.find('/'));
    const CPLStringList names(VSIReadDir(folder.c_str()));
    if (names.empty() && Exists(path.archive)) Fail(zarr::ErrorKind::kIo, path.archive, folder + " cannot be listed");
    if (names.size() > 1 || (names.size() == 1 && name != names[0])) {
      Fail(zarr::ErrorKind::kUnsupported, path.archive,
           "the archive holds more than the store " + path.folder + ", and cannot be changed but as a whole");
    }
    folder += "/" + std::string(name);
    rest.remove_prefix(std::min(rest.size(), name.size() + 1));
  }
  return path.archive;
}

}  // namespace gdal_zarr
