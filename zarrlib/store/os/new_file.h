// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "zarrlib/base/bytes.h"
#include "zarrlib/store/os/posix_file.h"

namespace zarr {

/// A file that takes its name when it is complete. If the object goes out of scope before, nothing is left of the file
/// and of the folders that were made for it.
/// Each object is used by one thread. Errors are Error(io) without a place.
///
/// Where the system has files without a name (O_TMPFILE), this is one: a process that is killed leaves nothing behind.
/// Threads that write to one folder also wait less for each other, because the folder is locked only while a file is
/// made in it. On other systems, and while it replaces another file, the file has a temporary name and is locked: so
/// the file of a killed process can be told from one that is being written (EraseAbandonedFiles).
class NewFile {
 public:
  enum class Kind { kUnnamedIfPossible, kNamed };

  /// Makes a file for `folder`, and the folder too if it is absent. A temporary name is in `temporary_folder`, where
  /// one look finds all such files, unless that folder is on another file system or cannot be written to. A process
  /// that is killed may leave an empty folder, but no file in it.
  NewFile(std::string folder, std::string temporary_folder, Kind kind);
  ~NewFile();
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  /// Whether the folder was absent.
  bool made_folders() const { return !made_folders_.empty(); }

  void Write(ByteSpan value);
  /// Forces the content to the disk.
  void Sync();
  /// Puts the file in the place of the one at `path`, in the same folder, with its permissions and owner as far as the
  /// process may set them. Returns false if the system cannot name this unnamed file (it needs /proc for that): then a
  /// file with a temporary name must be written instead.
  [[nodiscard]] bool Become(const std::string& path);
  /// Gives a named file another name. Returns false if another file has it, and nothing if the file system has no
  /// links. When the object goes out of scope, only the temporary name is removed.
  [[nodiscard]] std::optional<bool> AddName(const std::string& path);

 private:
  bool OpenUnnamed();
  void OpenNamed();
  void MakeFolder();
  template <typename Function>
  bool RetryInFolder(const Function& function);
  bool OpenNamedIn(const std::string& folder);
  bool TakeTemporaryName();
  bool TakeTemporaryNameIn(const std::string& folder);
  void Flush() const;
  bool Link(const std::string& path) const;
  void Inherit(const std::string& path) const;

  const std::string folder_;
  const std::string temporary_folder_;
  std::string name_;                       // the temporary path, while the file has one
  std::vector<std::string> made_folders_;  // the highest first
  bool is_complete_ = false;
  File file_{-1};
};

}  // namespace zarr
