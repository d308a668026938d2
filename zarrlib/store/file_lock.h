// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "zarrlib/store/store.h"

namespace zarr {

/// The answer to `LockFile`.
struct FileLockResult {
  LockResult result;
  std::string fault;  ///< The reason for which the file cannot be locked, so that `result` holds no lock; "" if it can.
};

/// Does the work of Store::Lock for the document in the file at `path`, with locks of the system on ranges of bytes of
/// that file: one byte, beyond the end of most files, for each value. The bytes themselves are not touched, and nothing
/// is added to the folder. The system ends the locks of a process with the process.
///
/// Documents are replaced by other files. Only a holder of the lock of all values replaces one, and a thread that got
/// its lock on a file that has been replaced meanwhile tries again on the new one.
FileLockResult LockDocumentFile(const std::string& path, std::string_view value, bool waits);

}  // namespace zarr
