// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "driver/gdal/gdal_compat.h"
#include "zarrlib/base/bytes.h"
#include "zarrlib/metadata/data_type.h"

namespace gdal_zarr {

/// Tags of TIFF 6.0, of its supplements, and of GDAL.
enum class TiffTag : std::uint16_t {
  kWidth = 256,
  kHeight = 257,
  kBitsPerSample = 258,
  kCompression = 259,
  kPhotometric = 262,
  kFillOrder = 266,
  kStripOffsets = 273,
  kSamplesPerPixel = 277,
  kRowsPerStrip = 278,
  kStripByteCounts = 279,
  kPlanarConfiguration = 284,
  kPredictor = 317,
  kTileWidth = 322,
  kTileLength = 323,
  kTileOffsets = 324,
  kTileByteCounts = 325,
  kSampleFormat = 339,
  kJpegTables = 347,
};

/// One image file directory of a TIFF or BigTIFF file. Only the parts that are requested are read, so that its memory
/// does not depend on the number of blocks. Not thread-safe. All functions throw zarr::Error: corrupt for a damaged
/// file, io.
class TiffDirectory {
 public:
  /// `offset` is the position of the directory in the file.
  TiffDirectory(std::string path, std::uint64_t offset);

  const std::string& path() const { return path_; }
  zarr::Endian endian() const { return is_big_ ? zarr::Endian::kBig : zarr::Endian::kLittle; }
  bool Has(TiffTag tag) const { return entries_.contains(static_cast<std::uint16_t>(tag)); }
  /// Returns the number of values of a tag; 0 if it is absent.
  std::uint64_t Count(TiffTag tag) const;
  /// Returns one of the values of a tag, which must be integers. Returns `absent` if the tag is absent.
  std::uint64_t Get(TiffTag tag, std::uint64_t index = 0, std::uint64_t absent = 0) const;
  /// Returns the bytes of a tag with at most 64 KiB; empty if it is absent.
  std::string GetBytes(TiffTag tag) const;

 private:
  struct Entry {
    unsigned type = 0;
    std::uint64_t count = 0;
    std::uint64_t offset = 0;  // of the values in the file
  };
  /// Values of a tag that were read last.
  struct Slice {
    std::uint64_t first = 0;
    std::vector<std::uint64_t> values;
  };
  struct CloseFile {
    void operator()(VSILFILE* file) const { VSIFCloseL(file); }
  };

  [[noreturn]] void Fail(const std::string& message) const;
  zarr::Bytes Read(std::uint64_t offset, std::uint64_t length) const;
  std::uint64_t Decode(const std::byte* bytes, std::size_t size) const;
  void ReadEntries(std::uint64_t offset, bool is_bigtiff);
  const Slice& ReadSlice(std::uint16_t tag, const Entry& entry, std::uint64_t index) const;

  std::string path_;
  std::unique_ptr<VSILFILE, CloseFile> file_;
  bool is_big_ = false;
  std::map<std::uint16_t, Entry> entries_;
  mutable std::map<std::uint16_t, Slice> slices_;
};

}  // namespace gdal_zarr
