// SPDX-License-Identifier: MIT
#pragma once

#include <sys/types.h>

#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "zarrlib/store/os/posix_file.h"
#include "zarrlib/store/store_locks.h"

namespace zarr {

/// The answer to `FileLocks::Lock`.
struct FileLockResult {
  LockResult result;
  std::string fault;  ///< The reason for which the file cannot be locked, so that `result` holds no lock; "" if it can.
};

/// Does the work of StoreLocks::Lock for documents in files, with locks of the system on ranges of bytes of those
/// files: one byte, beyond the end of most files, for each value. The bytes themselves are not touched, and nothing is
/// added to the folder. The system ends the locks of a process with the process.
///
/// Documents are replaced by other files. Only a holder of the lock of all values replaces one, and a thread that got
/// its lock on a file that has been replaced meanwhile tries again on the new one.
///
/// Files that were locked stay open for the next locks, up to a limit. Thread-safe.
class FileLocks : public std::enable_shared_from_this<FileLocks> {
 public:
  /// An open file that can be locked.
  struct OpenFile {
    std::string path;
    File file{-1};
    dev_t device = 0;
    ino_t inode = 0;
    bool on_network = false;
    pid_t process = 0;  ///< That opened it: the child of a fork would share its locks.
  };

  FileLocks() { files_.reserve(kMaxFiles); }
  FileLockResult Lock(const std::string& path, std::string_view value, bool waits);
  /// Takes back a file that is not locked any more. Takes no memory: a lock ends by it.
  void Give(OpenFile file);

 private:
  /// Gives a file that is open already, or opens it. Its descriptor is -1, and errno is set, if that fails.
  OpenFile Take(const std::string& path);

  static constexpr std::size_t kMaxFiles = 32;

  std::mutex mutex_;
  std::vector<OpenFile> files_;  // the one that was used last comes last
};

}  // namespace zarr
