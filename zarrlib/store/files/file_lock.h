// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "zarrlib/base/system/file.h"
#include "zarrlib/store/store_locks.h"

namespace zarr {

/// The result of `FileLocks::Lock`.
struct FileLockResult {
  LockResult result;
  std::string fault;  ///< Why the file cannot be locked, in which case `result` holds no lock; "" if it can.
};

/// Implements StoreLocks::Lock for documents in files, with system locks on ranges of those files: one number per
/// value. The content is not touched, and no files are added to the folder. The system releases the locks of a process
/// when the process ends. Where the system only locks whole files, the values of a document have one lock.
///
/// Documents are replaced by other files. Only a holder of the lock of all values may replace one. A thread whose
/// locked file has been replaced in the meantime tries again on the new file.
///
/// Files that were locked stay open for later locks, up to a limit. Thread-safe.
class FileLocks : public std::enable_shared_from_this<FileLocks> {
 public:
  /// An open file that can be locked.
  struct OpenFile {
    std::string path;
    File file;
    FileIdentity identity;
    bool on_network = false;
    long process = 0;  ///< The process that opened it: the child of a fork would share its locks.
  };

  FileLocks() { files_.reserve(kMaxFiles); }
  FileLockResult Lock(const std::string& path, std::string_view value, bool waits);
  /// Gives back a file that is no longer locked. Does not allocate, because this releases a lock.
  void Give(OpenFile file);

 private:
  /// Returns a file that is already open, or opens it. On failure it is not open, and errno is set.
  OpenFile Take(const std::string& path);

  static constexpr std::size_t kMaxFiles = 32;

  std::mutex mutex_;
  std::vector<OpenFile> files_;  // the most recently used one comes last
};

}  // namespace zarr
