// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "zarrlib/base/bytes.h"

/// Files as all systems have them. Paths are UTF-8 with "/" between the names. A function that fails returns false,
/// nullopt or a file that is not open, and sets errno. All are thread-safe, and none ends because of a signal.
namespace zarr {

#ifdef _WIN32
using FileHandle = void*;
inline const FileHandle kNoFile = reinterpret_cast<FileHandle>(std::intptr_t{-1});
#else
using FileHandle = int;
inline constexpr FileHandle kNoFile = -1;
#endif

/// An open file, closed when the object goes out of scope.
class File {
 public:
  File() = default;
  explicit File(FileHandle handle) : handle_(handle) {}
  ~File();
  File(File&& other) noexcept : handle_(std::exchange(other.handle_, kNoFile)) {}
  File& operator=(File&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  bool is_open() const { return handle_ != kNoFile; }
  FileHandle get() const { return handle_; }

 private:
  FileHandle handle_ = kNoFile;
};

enum class FileKind { kFile, kFolder, kLink, kOther };

/// The same for all paths to a file. A later file may get the identity of one that was removed.
struct FileIdentity {
  std::uint64_t volume = 0;
  std::uint64_t number = 0;
  friend bool operator==(const FileIdentity&, const FileIdentity&) = default;
};

struct FileStatus {
  FileKind kind = FileKind::kOther;
  std::uint64_t size = 0;
  std::int64_t modified = 0;  ///< Nanoseconds since 1970. Programs may set it.
  std::int64_t changed = 0;   ///< The same, set by the system alone.
  FileIdentity identity;
  std::uint64_t names = 0;  ///< The number of hard links: 0 if the file was removed.
};

enum class Links { kFollow, kKeep };

std::optional<FileStatus> GetStatus(const File& file);
std::optional<FileStatus> GetStatus(const std::string& path, Links links);
/// Returns the nanoseconds since 1970, by the clock that gives files their times.
std::int64_t GetTimeOfFiles();

/// Opens a file, or a folder where the system allows it. Does not wait for the writer of a named pipe.
File OpenToRead(const std::string& path);
/// Opens a file for reading and writing, which some systems require for locks.
File OpenToLock(const std::string& path);
/// Like OpenToLock; creates the file if it is absent. A link at the end of the path is an error.
File OpenOrMake(const std::string& path);
/// Creates a file for reading and writing. EEXIST if the name exists, even as a link.
File MakeFile(const std::string& path);
/// Creates a file without a name in a folder. `GiveName` gives it one. ENOTSUP if the system or the file system has no
/// such files.
File MakeUnnamedFile(const std::string& folder);
/// Creates a file that no other process can open, and that is removed when it is closed.
File MakeScratchFile(const std::string& folder);

/// Reads up to `buffer.size()` bytes. Returns the number of bytes read, 0 at the end of the file, or -1.
std::int64_t ReadAt(const File& file, std::uint64_t offset, MutableByteSpan buffer);
/// Writes all bytes, at the end of a file that this process has made, or at an offset. A signal for too large files
/// (SIGXFSZ) may end the process; see GetMaxFileSize.
bool Append(const File& file, ByteSpan bytes);
bool WriteAt(const File& file, std::uint64_t offset, ByteSpan bytes);
/// Returns the size that files of this process may have.
std::uint64_t GetMaxFileSize();
/// Forces the content of a file to the disk.
bool Sync(const File& file);
/// Forces the names in a folder to the disk.
bool SyncNamesIn(const std::string& folder);
/// Finds failures of earlier writes that some file systems report only when a file is closed. The file stays open.
bool FinishWrites(const File& file);
/// Gives a file the permissions and the owner of the one at `path`, to the extent that the process may set them, and a
/// modification time after that file's. Does nothing if there is none.
void InheritFrom(const std::string& path, const File& file);
/// Returns true if a file is, or may be, on another machine.
bool IsOnNetwork(const File& file);

/// Maps a file into memory, to be read. Returns nullptr on failure.
void* MapFile(const File& file, std::size_t size);
void UnmapFile(void* map, std::size_t size);
/// Gives the memory of a mapped file back to the system. It can still be read.
void DropMappedPages(void* map, std::size_t size);

}  // namespace zarr
