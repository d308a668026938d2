// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <ctime>
#include <string>
#include <vector>

#include "zarrlib/base/bytes.h"

namespace zarr {

/// In place of a number of four bytes: it is in a field of ZIP64.
inline constexpr std::uint32_t kIn64 = 0xFFFFFFFF;
/// The extra field with the numbers of ZIP64.
inline constexpr std::uint16_t kExtra64 = 1;

/// A file in a ZIP archive (APPNOTE.TXT of PKWARE, version 6.3), neither deflated nor encrypted.
struct ZipEntry {
  std::string name;          ///< In UTF-8, with "/" between folders; at most 65535 bytes.
  std::uint64_t size = 0;    ///< The size of the file.
  std::uint64_t offset = 0;  ///< The offset of the local header in the archive; the file follows it.
  std::uint32_t crc = 0;     ///< The CRC-32 of the file.
};

/// Date and time as stored in ZIP archives: local time since 1980, in steps of two seconds.
struct ZipTime {
  std::uint16_t date = 0;
  std::uint16_t time = 0;
};
ZipTime ToZipTime(std::time_t time);

/// Makes the header that precedes a file.
Bytes MakeZipLocalHeader(const ZipEntry& entry, const ZipTime& time);
std::uint64_t GetZipLocalHeaderSize(const ZipEntry& entry);

/// The directory at the end of an archive, from which readers find the files: a record for each file, in the order in
/// which they are added, and the end record. Records have ZIP64 fields where a number needs them.
class ZipDirectory {
 public:
  explicit ZipDirectory(const ZipTime& time) : time_(time) {}

  void Add(const ZipEntry& entry);
  /// Returns the whole directory, which belongs at `offset` in the archive. Call this once.
  Bytes Finish(std::uint64_t offset);

 private:
  ZipTime time_;
  std::uint64_t count_ = 0;
  Bytes bytes_;
};

}  // namespace zarr
