// SPDX-License-Identifier: MIT
#include "zarrlib/store/files/file_stamp.h"

#include <string>

namespace zarr {

VersionStamp MakeFileStamp(const FileStatus& status) {
  constexpr std::int64_t kTick = 20'000'000;  // longer than the tick of any kernel
  constexpr std::int64_t kSecond = 1'000'000'000;
  // Some file systems count in seconds, FAT in steps of two seconds.
  const std::int64_t step = status.changed % kSecond == 0 ? 2 * kSecond + kTick : kTick;
  return {status.size, status.modified,
          std::to_string(status.identity.volume) + ":" + std::to_string(status.identity.number) + ":" +
              std::to_string(status.changed),
          GetTimeOfFiles() - status.changed > step};
}

}  // namespace zarr
