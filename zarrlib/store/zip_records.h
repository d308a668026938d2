#pragma once

#include <cstdint>
#include <ctime>
#include <string>
#include <vector>

#include "zarrlib/base/bytes.h"

namespace zarr {

/// A file in a ZIP archive (APPNOTE.TXT of PKWARE, version 6.3), stored as it is: neither deflated nor encrypted.
struct ZipEntry {
  std::string name;          ///< In UTF-8, with "/" between folders; at most 65535 bytes.
  std::uint64_t size = 0;    ///< Of the file.
  std::uint64_t offset = 0;  ///< Of the local header, in the archive; the file stands directly behind it.
  std::uint32_t crc = 0;     ///< Crc32 of the file.
};

/// Date and time as ZIP archives hold them, in local time: to two seconds, from 1980 on.
struct ZipTime {
  std::uint16_t date = 0;
  std::uint16_t time = 0;
};
ZipTime ToZipTime(std::time_t time);

/// What stands before a file.
Bytes ZipLocalHeader(const ZipEntry& entry, const ZipTime& time);
std::uint64_t ZipLocalHeaderSize(const ZipEntry& entry);

/// What stands behind all files, from which readers know them: a record for each, in the order in which they are
/// added, and the end of the archive. Records have the fields of ZIP64 where a number needs them.
class ZipDirectory {
 public:
  explicit ZipDirectory(const ZipTime& time) : time_(time) {}

  void Add(const ZipEntry& entry);
  /// The whole, to be put at `offset` in the archive. To be called once.
  Bytes Finish(std::uint64_t offset);

 private:
  ZipTime time_;
  std::uint64_t count_ = 0;
  Bytes bytes_;
};

}  // namespace zarr
