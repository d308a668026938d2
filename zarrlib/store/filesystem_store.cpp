// SPDX-License-Identifier: MIT
#include "zarrlib/store/filesystem_store.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

#include "zarrlib/store/file_lock.h"
#include "zarrlib/store/file_stamp.h"
#include "zarrlib/store/filesystem_tree.h"
#include "zarrlib/store/folder_listing.h"
#include "zarrlib/store/new_file.h"

namespace zarr {
namespace {

void CheckRegular(const struct stat& status) {
  if (S_ISREG(status.st_mode)) return;
  throw Error(ErrorKind::kIo, FormatExpectedGot("a file", S_ISDIR(status.st_mode) ? "a folder" : "something else"));
}

// --- reading ----------------------------------------------------------------------------------------------------

/// Opens a value of the store at `root` and gets its status; nothing if there is no such file.
std::optional<File> OpenFile(const std::string& root, const std::string& path, struct stat* status) {
  // Without O_NONBLOCK, opening a named pipe waits for a writer.
  const int flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
  const int descriptor = Retry([&] { return ::open(path.c_str(), flags); });
  if (descriptor < 0) {
    if (!MeansAbsent(errno)) ThrowSystemError("open");
    CheckNoBrokenLink(root, path);
    return std::nullopt;
  }
  File file(descriptor);
  if (::fstat(descriptor, status) != 0) ThrowSystemError("get the status");
  CheckRegular(*status);
  return file;
}

/// Fills the buffer with the bytes from `offset` on.
void ReadAt(const File& file, std::uint64_t offset, MutableByteSpan buffer) {
  std::size_t done = 0;
  while (done < buffer.size()) {
    const ssize_t count = Retry([&] {
      return ::pread(file.get(), buffer.data() + done, buffer.size() - done, static_cast<off_t>(offset + done));
    });
    if (count < 0) ThrowSystemError("read");
    if (count == 0) {
      throw Error(ErrorKind::kIo,
                  FormatExpectedGot(std::to_string(buffer.size()) + " bytes at " + std::to_string(offset),
                                    std::to_string(done) + ": the file was cut while it was read"));
    }
    done += static_cast<std::size_t>(count);
  }
}

/// Replaces the content of `value` by `length` bytes of the file, from `offset` on.
void ReadPiece(const File& file, std::uint64_t offset, std::uint64_t length, Bytes* value) {
  value->clear();  // so that growing copies nothing
  value->resize(static_cast<std::size_t>(length));
  ReadAt(file, offset, *value);
}

class OpenedFile final : public OpenedValue {
 public:
  OpenedFile(File file, VersionStamp stamp) : file_(std::move(file)), stamp_(std::move(stamp)) {}
  const VersionStamp& stamp() const override { return stamp_; }
  void Read(std::uint64_t offset, MutableByteSpan buffer) const override { ReadAt(file_, offset, buffer); }

 private:
  File file_;
  VersionStamp stamp_;
};

// --- writing ----------------------------------------------------------------------------------------------------

/// Forces the names in a folder to the disk.
void SyncFolder(const std::string& folder) {
  const File file(Retry([&] { return ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); }));
  if (file.get() < 0) ThrowSystemError("open the folder");
  // Some network file systems cannot do that, and need not.
  if (Retry([&] { return ::fsync(file.get()); }) != 0 && errno != EINVAL)
    ThrowSystemError("force the folder to the disk");
}

/// Forces the names in a folder to the disk, unless another process has removed the folder.
void SyncExisting(const std::string& folder) {
  if (LookAt(folder)) SyncFolder(folder);
}

/// Writes the file of a value. Returns false if the file could not get its name (see NewFile).
bool Replace(const std::string& root, const std::string& path, ByteSpan value, const FilesystemOptions& options,
             NewFile::Kind kind, bool* made_folders) {
  NewFile file(GetParent(path), root, kind);
  *made_folders |= file.made_folders();
  file.Write(value);
  if (options.sync) file.Sync();
  return file.Become(path);
}

/// Throws Error(not_found) if there is no such folder.
void CheckFolderIsThere(const std::string& folder) {
  if (!LookAt(folder)) throw Error(ErrorKind::kNotFound, FormatExpectedGot("a folder to be renamed", "none"));
}

/// Exchanges two folders in one step. Returns false, with errno, if the file system cannot do that.
bool ExchangeFolders(const std::string& first, const std::string& second) {
#ifdef RENAME_EXCHANGE
  return ::renameat2(AT_FDCWD, first.c_str(), AT_FDCWD, second.c_str(), RENAME_EXCHANGE) == 0;
#else
  errno = ENOSYS;
  return false;
#endif
}

/// Runs `function`. Its errors get the store and the key.
template <typename Function>
auto At(const std::string& root, std::string_view key, const Function& function) {
  try {
    return function();
  } catch (const Error& error) {
    throw error.At(root, key);
  }
}

}  // namespace

FilesystemStore::FilesystemStore(std::string root, const FilesystemOptions& options)
    : name_(std::move(root)),
      options_(options),
      locks_(std::make_shared<FileLocks>()),
      unnamed_files_(options.unnamed_files) {
  if (name_.empty()) name_ = ".";
  while (name_.size() > 1 && name_.back() == '/') name_.pop_back();
  root_ = GetCanonicalPath(name_);
}

std::string FilesystemStore::GetPath(std::string_view key) const {
  return root_ + (root_.back() == '/' ? "" : "/") + std::string(key);
}

StoreCapabilities FilesystemStore::capabilities() const {
  StoreCapabilities capabilities;
  capabilities.list = true;
  capabilities.ranges = true;
  capabilities.suffix_range = true;
  capabilities.write = true;
  capabilities.replace_atomic = true;
  capabilities.rename = true;
  return capabilities;
}

bool FilesystemStore::Get(std::string_view key, Bytes* value, VersionStamp* stamp, std::uint64_t max_size) const {
  CheckKey(key);
  return At(name_, key, [&] {
    struct stat status;
    const auto file = OpenFile(root_, GetPath(key), &status);
    if (!file) return false;
    const auto size = static_cast<std::uint64_t>(status.st_size);
    CheckValueSize(size, max_size);
    ReadPiece(*file, 0, size, value);
    if (stamp != nullptr) *stamp = MakeFileStamp(status);
    return true;
  });
}

bool FilesystemStore::GetRanges(std::string_view key, std::span<const ByteRange> ranges,
                                std::span<const MutableByteSpan> buffers, VersionStamp* stamp) const {
  CheckKey(key);
  return At(name_, key, [&] {
    struct stat status;
    const auto file = OpenFile(root_, GetPath(key), &status);
    if (!file) return false;
    CheckRanges(ranges, buffers, static_cast<std::uint64_t>(status.st_size));
    for (std::size_t i = 0; i < ranges.size(); ++i) ReadAt(*file, ranges[i].offset, buffers[i]);
    if (stamp != nullptr) *stamp = MakeFileStamp(status);
    return true;
  });
}

bool FilesystemStore::GetSuffix(std::string_view key, std::uint64_t length, Bytes* value, VersionStamp* stamp) const {
  CheckKey(key);
  return At(name_, key, [&] {
    struct stat status;
    const auto file = OpenFile(root_, GetPath(key), &status);
    if (!file) return false;
    const auto size = static_cast<std::uint64_t>(status.st_size);
    const std::uint64_t taken = std::min(length, size);
    ReadPiece(*file, size - taken, taken, value);
    if (stamp != nullptr) *stamp = MakeFileStamp(status);
    return true;
  });
}

std::unique_ptr<OpenedValue> FilesystemStore::OpenValue(std::string_view key) const {
  CheckKey(key);
  return At(name_, key, [&]() -> std::unique_ptr<OpenedValue> {
    struct stat status;
    auto file = OpenFile(root_, GetPath(key), &status);
    if (!file) return nullptr;
    return std::make_unique<OpenedFile>(*std::move(file), MakeFileStamp(status));
  });
}

bool FilesystemStore::Exists(std::string_view key) const {
  return GetStamp(key, nullptr);
}

bool FilesystemStore::GetStamp(std::string_view key, VersionStamp* stamp) const {
  CheckKey(key);
  return At(name_, key, [&] {
    struct stat status;
    const std::string path = GetPath(key);
    if (::stat(path.c_str(), &status) != 0) {
      if (!MeansAbsent(errno)) ThrowSystemError("get the status");
      CheckNoBrokenLink(root_, path);
      return false;
    }
    CheckRegular(status);
    if (stamp != nullptr) *stamp = MakeFileStamp(status);
    return true;
  });
}

std::optional<Store::Listing> FilesystemStore::List(std::string_view prefix) const {
  CheckPrefix(prefix);
  return At(name_, prefix, [&] {
    if (LeadsBack(root_, prefix.substr(0, prefix.empty() ? 0 : prefix.size() - 1))) return Listing{};
    return ListShown(GetPath(prefix));
  });
}

void FilesystemStore::Set(std::string_view key, ByteSpan value) {
  CheckKey(key);
  At(name_, key, [&] {
    const std::string path = GetPath(key);
    bool made_folders = false;
    if (!unnamed_files_ || !Replace(root_, path, value, options_, NewFile::Kind::kUnnamedIfPossible, &made_folders)) {
      unnamed_files_ = false;
      Replace(root_, path, value, options_, NewFile::Kind::kNamed, &made_folders);
    }
    if (options_.sync) SyncNames(GetParent(path), made_folders);
  });
}

bool FilesystemStore::SetIfAbsent(std::string_view key, ByteSpan value) {
  CheckKey(key);
  return At(name_, key, [&] {
    const std::string path = GetPath(key);
    NewFile file(GetParent(path), root_, NewFile::Kind::kNamed);
    file.Write(value);
    if (options_.sync) file.Sync();
    const auto linked = file.AddName(path);
    if (!linked) return Store::SetIfAbsent(key, value);
    if (*linked && options_.sync) SyncNames(GetParent(path), file.made_folders());
    return *linked;
  });
}

void FilesystemStore::SyncNames(std::string folder, bool with_parents) const {
  SyncFolder(folder);
  // Always syncs the folders above too: it is not known which of them are new, or are made by another process.
  if (!with_parents) return;
  while (folder.size() > root_.size()) {
    folder = GetParent(folder);
    SyncFolder(folder);
  }
  SyncFolder(GetParent(root_));
}

void FilesystemStore::Erase(std::string_view key) {
  CheckKey(key);
  At(name_, key, [&] {
    const std::string path = GetPath(key);
    if (::unlink(path.c_str()) == 0) {
      if (options_.sync) SyncFolder(GetParent(path));
    } else if (!MeansAbsent(errno)) {
      ThrowSystemError("remove");
    } else {
      CheckNoBrokenLink(root_, path);
    }
  });
}

std::optional<std::vector<Store::Entry>> FilesystemStore::ListEntries(std::string_view prefix) const {
  CheckPrefix(prefix);
  return At(name_, prefix, [&] { return ListFolder(GetPath(prefix)).value_or(std::vector<Entry>()); });
}

std::optional<std::vector<std::string>> FilesystemStore::ListNames(std::string_view prefix, std::size_t most) const {
  CheckPrefix(prefix);
  return zarr::ListNames(GetPath(prefix), most);
}

std::optional<EntryKind> FilesystemStore::GetEntryKind(std::string_view path) const {
  if (!path.empty()) CheckKey(path);
  return At(name_, path, [&] { return LookAt(path.empty() ? root_ : GetPath(path)); });
}

Store::Leftovers FilesystemStore::EraseChosen(std::string_view prefix, const Chooser& choose) {
  CheckPrefix(prefix);
  return At(name_, prefix, [&] {
    const std::string folder = GetPath(prefix.substr(0, prefix.empty() ? 0 : prefix.size() - 1));
    Leftovers leftovers = EraseInFolder(folder, std::string(prefix), choose);
    const bool is_kept =
        prefix.empty() || ::rmdir(folder.c_str()) == 0 || MeansAbsent(errno) || errno == ENOTEMPTY || errno == EEXIST;
    if (!is_kept) ThrowSystemError("remove the folder");
    if (options_.sync) SyncExisting(GetParent(folder));
    return leftovers;
  });
}

std::shared_ptr<void> FilesystemStore::TryHold(std::string_view key) const {
  CheckKey(key);
  return TryHoldFile(GetPath(key));
}

LockResult FilesystemStore::Lock(std::string_view document, std::string_view value, bool waits) const {
  CheckKey(document);
  FileLockResult locked = At(name_, document, [&] { return locks_->Lock(GetPath(document), value, waits); });
  if (locked.fault.empty() && locked.result.has_document) return std::move(locked.result);
  if (!locked.fault.empty()) NoteLockFault(locked.fault);
  LockResult alone = Store::Lock(document, value, waits);
  alone.has_document = locked.result.has_document;
  return alone;
}

std::unique_ptr<StoreLock> FilesystemStore::LockFolder(std::string_view prefix) const {
  CheckPrefix(prefix);
  std::string fault;
  auto lock = zarr::LockFolder(GetPath(prefix), &fault);
  if (lock) return lock;
  NoteLockFault(fault);
  return Store::LockFolder(prefix);
}

void FilesystemStore::NoteLockFault(const std::string& fault) const {
  const std::lock_guard lock(lock_fault_mutex_);
  lock_fault_ = fault;
}

std::string FilesystemStore::lock_fault() const {
  const std::lock_guard lock(lock_fault_mutex_);
  return lock_fault_;
}

void FilesystemStore::EraseAbandoned() {
  At(name_, "", [&] { EraseAbandonedFiles(root_); });
}

void FilesystemStore::RenamePrefix(std::string_view from, std::string_view to) {
  CheckMove(from, to);
  At(name_, from, [&] {
    const std::string source = GetPath(from.substr(0, from.size() - 1));
    const std::string target = GetPath(to.substr(0, to.size() - 1));
    const auto made = MakeFolders(GetParent(target));
    if (::rename(source.c_str(), target.c_str()) == 0) {
      if (!options_.sync) return;
      SyncNames(GetParent(target), !made.empty());
      return SyncFolder(GetParent(source));
    }
    const int error = errno;
    RemoveEmptyFolders(made);
    if (error == ENOENT) CheckFolderIsThere(source);
    errno = error;
    ThrowSystemError("rename the folder");
  });
}

bool FilesystemStore::ExchangePrefixes(std::string_view first, std::string_view second) {
  CheckMove(first, second);
  return At(name_, first, [&] {
    const std::string paths[] = {GetPath(first.substr(0, first.size() - 1)),
                                 GetPath(second.substr(0, second.size() - 1))};
    if (ExchangeFolders(paths[0], paths[1])) {
      if (!options_.sync) return true;
      for (const std::string& path : paths) SyncFolder(GetParent(path));
      return true;
    }
    const bool cannot = errno == ENOSYS || errno == EINVAL || errno == EOPNOTSUPP || errno == EXDEV;
    if (!cannot) ThrowSystemError("exchange the folders");
    return false;
  });
}

std::optional<Store::LinkedFolder> FilesystemStore::FindLinkedFolder(std::string_view path) const {
  CheckKey(path);
  const auto is_link = [](const std::string& at) {
    struct stat status;
    return ::lstat(at.c_str(), &status) == 0 && S_ISLNK(status.st_mode);
  };
  struct stat folder;
  const std::string full = GetPath(path);
  if (!is_link(full) || ::stat(full.c_str(), &folder) != 0 || !S_ISDIR(folder.st_mode)) return std::nullopt;
  LinkedFolder linked{std::to_string(folder.st_dev) + " " + std::to_string(folder.st_ino), 1};
  for (std::size_t end = path.find('/'); end != path.npos; end = path.find('/', end + 1)) {
    if (is_link(GetPath(path.substr(0, end)))) ++linked.links;
  }
  return linked;
}

bool FilesystemStore::LeadsOut(std::string_view prefix) const {
  CheckPrefix(prefix);
  std::error_code error;
  const std::filesystem::path root = std::filesystem::canonical(root_, error);
  const std::filesystem::path folder = std::filesystem::canonical(GetPath(prefix), error);
  if (error) return false;  // the path is absent
  return std::mismatch(root.begin(), root.end(), folder.begin(), folder.end()).first != root.end();
}

}  // namespace zarr
