// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "zarrlib/base/bytes.h"
#include "zarrlib/base/system/file.h"

namespace zarr {

/// Bytes that are appended, and then read in any order. Up to 32 MiB are in memory. More are in a temporary file
/// without a name, in $TMPDIR, /var/tmp or /tmp, and take memory only where they are read. They stay in memory if no
/// such file can be made, or if the disk becomes full. Not thread-safe.
class ScratchBytes {
 public:
  static constexpr std::size_t kMostInMemory = std::size_t{32} << 20;

  ScratchBytes() = default;
  ~ScratchBytes();
  ScratchBytes(const ScratchBytes&) = delete;
  ScratchBytes& operator=(const ScratchBytes&) = delete;

  /// Throws std::bad_alloc, and Error(io) if a full disk leaves a file that cannot be read back. Not after `Map`.
  void Append(ByteSpan bytes);
  /// Returns all bytes, which are valid as long as this object. Throws the errors of `Append`.
  ByteSpan Map();
  /// Gives back to the system the memory of bytes in a file that were read. They can still be read.
  void DropPages() const;

  bool is_in_file() const { return file_.has_value(); }

 private:
  void MoveToFile();
  void MoveToMemory();
  bool WriteToFile(ByteSpan bytes);

  Bytes memory_;
  bool has_no_file_ = false;  // because an attempt has failed
  std::optional<File> file_;
  std::uint64_t file_size_ = 0;
  void* map_ = nullptr;
};

}  // namespace zarr
