#pragma once

#include <ctime>
#include <string>

#include "zarrlib/store/posix_file.h"
#include "zarrlib/store/store.h"

namespace zarr {

/// The stamp of a file by what the system tells of it. The inode tells apart files of one size that were written within
/// one tick of the file system's clock; the time at which the inode was changed, which nobody can set, those whose
/// other times were set by who copied them. A file that was changed within the last ticks may be so again with the same
/// times. `Status` is a `struct stat`, of whatever width.
template <typename Status>
VersionStamp FileStamp(const Status& status) {
  constexpr std::int64_t kTick = 20'000'000;  // longer than those of all kernels
  constexpr std::int64_t kSecond = 1'000'000'000;
  const std::int64_t changed = Nanoseconds(status.st_ctim);
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  // Some file systems count in seconds, FAT in two of them.
  const std::int64_t step = changed % kSecond == 0 ? 2 * kSecond + kTick : kTick;
  return {static_cast<std::uint64_t>(status.st_size), Nanoseconds(status.st_mtim),
          std::to_string(status.st_dev) + ":" + std::to_string(status.st_ino) + ":" + std::to_string(changed),
          Nanoseconds(now) - changed > step};
}

}  // namespace zarr
