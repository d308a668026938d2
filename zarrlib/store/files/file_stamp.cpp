// SPDX-License-Identifier: MIT
#include "zarrlib/store/files/file_stamp.h"

#include <array>
#include <charconv>
#include <string>

namespace zarr {
namespace {

/// Joins numbers with colons, in one allocation: this is called for each chunk.
std::string JoinNumbers(std::uint64_t first, std::uint64_t second, std::int64_t third) {
  std::array<char, 64> text;  // three numbers take at most 60 digits and 2 colons
  char* end = std::to_chars(text.data(), text.data() + text.size(), first).ptr;
  *end++ = ':';
  end = std::to_chars(end, text.data() + text.size(), second).ptr;
  *end++ = ':';
  end = std::to_chars(end, text.data() + text.size(), third).ptr;
  return {text.data(), end};
}

}  // namespace

VersionStamp MakeFileStamp(const FileStatus& status) {
  constexpr std::int64_t kTick = 20'000'000;  // longer than the tick of any kernel
  constexpr std::int64_t kSecond = 1'000'000'000;
  // Some file systems count in seconds, FAT in steps of two seconds.
  const std::int64_t step = status.changed % kSecond == 0 ? 2 * kSecond + kTick : kTick;
  return {status.size, status.modified, JoinNumbers(status.identity.volume, status.identity.number, status.changed),
          GetTimeOfFiles() - status.changed > step};
}

}  // namespace zarr
