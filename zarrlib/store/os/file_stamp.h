// SPDX-License-Identifier: MIT
#pragma once

#include <ctime>
#include <string>

#include "zarrlib/store/os/posix_file.h"
#include "zarrlib/store/store.h"

namespace zarr {

/// Makes the stamp of a file from its status. The inode distinguishes files of equal size that were written within one
/// tick of the file system's clock. The change time, which no process can set, distinguishes files whose other times
/// were set when they were copied. A file that was changed within the last ticks may change again without another time,
/// so its stamp is not settled. `Status` is a `struct stat` of any width.
template <typename Status>
VersionStamp MakeFileStamp(const Status& status) {
  constexpr std::int64_t kTick = 20'000'000;  // longer than the tick of any kernel
  constexpr std::int64_t kSecond = 1'000'000'000;
  const std::int64_t changed = GetNanoseconds(status.st_ctim);
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  // Some file systems count in seconds, FAT in steps of two seconds.
  const std::int64_t step = changed % kSecond == 0 ? 2 * kSecond + kTick : kTick;
  return {static_cast<std::uint64_t>(status.st_size), GetNanoseconds(status.st_mtim),
          std::to_string(status.st_dev) + ":" + std::to_string(status.st_ino) + ":" + std::to_string(changed),
          GetNanoseconds(now) - changed > step};
}

}  // namespace zarr
