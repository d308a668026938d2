#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <string>

#include "zarrlib/base/bytes.h"

namespace zarr {

/// A file in a ZIP archive, as the archive's table of contents tells of it (APPNOTE.TXT of PKWARE, version 6.3).
struct ZipFile {
  std::uint64_t size = 0;
  std::uint64_t stored_size = 0;  ///< Of its bytes in the archive.
  std::uint64_t offset = 0;       ///< Of the local header, in the archive.
  std::uint32_t crc = 0;          ///< Crc32 of the file.
  std::uint16_t method = 0;       ///< How it is compressed; 0: it is not.
  bool encrypted = false;
  mutable std::atomic<std::uint64_t> data{0};  ///< Where its bytes begin in the archive, once that is known.
};

/// All files by name, with "/" between folders. Of those that were added under one name, the last: nothing in an
/// archive can be replaced, and who writes a value again adds another.
using ZipFiles = std::map<std::string, ZipFile, std::less<>>;

/// Where the table of contents is.
struct ZipIndexPlace {
  ByteRange range;          ///< In the archive.
  std::uint64_t shift = 0;  ///< What has to be added to the offsets in it: bytes that were put before the archive.
};

/// At most what stands behind the table of contents.
inline constexpr std::uint64_t kZipEndSize = 22 + 65535 + 20 + 56;

/// From the last `kZipEndSize` bytes of an archive of that size, or all of a smaller one. Throws Error(corrupt) if it
/// is no archive, or one of several parts.
ZipIndexPlace FindZipIndex(ByteSpan end, std::uint64_t archive_size);

/// From the bytes that FindZipIndex tells. Throws Error(corrupt).
ZipFiles ParseZipIndex(ByteSpan bytes, const ZipIndexPlace& place);

/// How many bytes of a local header come before the file's, from the header's first `kZipHeaderSize`. Throws
/// Error(corrupt) if it is none.
inline constexpr std::uint64_t kZipHeaderSize = 30;
std::uint64_t ZipHeaderLength(ByteSpan header);

}  // namespace zarr
