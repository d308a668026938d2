// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <string>

#include "zarrlib/base/bytes.h"

namespace zarr {

/// A file in a ZIP archive, as described in the archive's table of contents (APPNOTE.TXT of PKWARE, version 6.3).
struct ZipFile {
  std::uint64_t size = 0;
  std::uint64_t stored_size = 0;  ///< The number of its bytes in the archive.
  std::uint64_t offset = 0;       ///< The offset of the local header in the archive.
  std::uint32_t crc = 0;          ///< The CRC-32 of the file.
  std::uint16_t method = 0;       ///< The compression method; 0: none.
  bool encrypted = false;
  mutable std::atomic<std::uint64_t> data{0};  ///< The offset of its bytes in the archive, once it is known.
};

/// All files by name, with "/" between folders. If several have the same name, the last one counts: entries in an
/// archive cannot be replaced, so a new value is added under the same name.
using ZipFiles = std::map<std::string, ZipFile, std::less<>>;

/// The location of the table of contents.
struct ZipIndexPlace {
  ByteRange range;  ///< In the archive.
  std::uint64_t shift =
      0;  ///< The number of bytes before the archive, which must be added to the offsets in the table.
};

/// The maximum size of the records after the table of contents.
inline constexpr std::uint64_t kZipEndSize = 22 + 65535 + 20 + 56;

/// Finds the table of contents from the last `kZipEndSize` bytes of an archive of that size, or from all bytes of a
/// smaller one. Throws Error(corrupt) if it is not an archive, or is one of several parts.
ZipIndexPlace FindZipIndex(ByteSpan end, std::uint64_t archive_size);

/// Parses the bytes of the table of contents. Throws Error(corrupt).
ZipFiles ParseZipIndex(ByteSpan bytes, const ZipIndexPlace& place);

/// Returns the number of bytes from the start of a local header to the file, read from the first `kZipHeaderSize` bytes
/// of the header. Throws Error(corrupt) if it is not a header.
inline constexpr std::uint64_t kZipHeaderSize = 30;
std::uint64_t GetZipHeaderLength(ByteSpan header);

}  // namespace zarr
