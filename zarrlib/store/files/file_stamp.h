// SPDX-License-Identifier: MIT
#pragma once

#include "zarrlib/base/system/file.h"
#include "zarrlib/store/store.h"

namespace zarr {

/// Makes the stamp of a file from its status. The identity distinguishes files of equal size that were written within
/// one tick of the file system's clock. The change time, which no process can set, distinguishes files whose other
/// times were set when they were copied. A file that was changed within the last ticks may change again without another
/// time, so its stamp is not settled. Thread-safe.
VersionStamp MakeFileStamp(const FileStatus& status);

}  // namespace zarr
