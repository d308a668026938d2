// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "zarrlib/base/bytes.h"
#include "zarrlib/base/system/file.h"

namespace zarr {

/// A file that gets its name when it is complete. If the object is destroyed before that, the file and the folders that
/// were created for it are removed. Use each object from one thread only. Errors are Error(io) without a location.
///
/// Where the system supports files without a name, the file has none, so that a killed process leaves no
/// file. Threads that write to one folder also wait less for each other, because the folder is locked only while a file
/// is created in it.
///
/// On other systems, and while it replaces another file, the file has a temporary name and is locked. The lock
/// distinguishes it from the file of a killed process (EraseAbandonedFiles).
class NewFile {
 public:
  enum class Kind {
    kUnnamedIfPossible,
    kFirstInFolder,  ///< Like kUnnamedIfPossible, for a folder that is probably absent.
    kNamed,
  };

  /// Creates a file for `folder`, and the folder too if it is absent. A temporary name is in `temporary_folder`, where
  /// a single listing finds all such files, unless that folder is on another file system or is not writable. A killed
  /// process may leave an empty folder, but no file in it.
  NewFile(std::string folder, std::string temporary_folder, Kind kind);
  ~NewFile();
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  /// Returns true if the folder was absent.
  bool made_folders() const { return !made_folders_.empty(); }

  void Write(ByteSpan value);
  /// Forces the content to the disk.
  void Sync();
  /// Moves the file to `path`, in the same folder. A file that is replaced passes on its permissions and owner, if the
  /// process may set them. Returns false if the system cannot name this unnamed file (this needs /proc): the caller
  /// must then write a file with a temporary name instead.
  [[nodiscard]] bool Become(const std::string& path);
  /// Gives the file this name, in addition to a temporary one. Returns false if another file has that name, and nullopt
  /// if the system cannot name an unnamed file, or if the file system does not support links. When the object is
  /// destroyed, only the temporary name is removed.
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
  void Finish() const;

  const std::string folder_;
  const std::string temporary_folder_;
  std::string name_;                       // the temporary path, while the file has one
  std::vector<std::string> made_folders_;  // the highest first
  bool is_complete_ = false;
  File file_;
};

}  // namespace zarr
