#pragma once

#include <optional>
#include <string>

#include "zarrlib/base/bytes.h"
#include "zarrlib/store/posix_file.h"

namespace zarr {

/// A file that is being written, to take its name when it is complete; if this goes out of scope before, nothing is
/// left of it. Each object is used by one thread. Errors are Error(io), without a place.
///
/// Where the system has files without a name (O_TMPFILE), it is one of those: a process that is killed leaves none
/// behind, and threads that write to one folder wait less for each other, because a folder is locked for as long as a
/// file is made in it. Else, and while it takes the place of another file, it has a temporary name, and is locked: what
/// a process inner chunks that is killed then can be told from what is being written (EraseAbandonedFiles).
class NewFile {
 public:
  enum class Kind { kUnnamedIfPossible, kNamed };

  /// In `folder`, which is made if need be. A temporary name is one in `temporary_folder`, where all such files are
  /// found by one look, unless that is on another file system or cannot be written to.
  NewFile(std::string folder, std::string temporary_folder, Kind kind);
  ~NewFile();
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  /// Whether the folder was not there.
  bool made_folders() const { return made_folders_; }

  void Write(ByteSpan value);
  /// Forces the content to the disk.
  void Sync();
  /// Takes the place of what is at `path`, in the same folder, and its permissions and owner, as far as the process may
  /// give them. False if the system gives this unnamed file no name (it takes /proc for that): then it must be written
  /// again as a named one.
  [[nodiscard]] bool Become(const std::string& path);
  /// For a named file: takes a name that no other file has. False if one has it; nothing if the file system has no
  /// links. Only the temporary name goes when this goes out of scope.
  [[nodiscard]] std::optional<bool> AddName(const std::string& path) const;

 private:
  bool OpenUnnamed();
  void OpenNamed();
  void MakeFolder();
  bool OpenNamedIn(const std::string& folder);
  bool TakeTemporaryName();
  bool TakeTemporaryNameIn(const std::string& folder);
  void Flush() const;
  bool Link(const std::string& path) const;
  void Inherit(const std::string& path) const;

  const std::string folder_;
  const std::string temporary_folder_;
  std::string name_;  // path of the file while it has a temporary name
  bool made_folders_ = false;
  File file_{-1};
};

}  // namespace zarr
