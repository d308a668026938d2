// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "zarrlib/base/bytes.h"

/// A writer of TIFF files for tests, which also writes wrong files.
namespace zarr::test {

/// Tags that are 0 are left out.
struct TiffImage {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::uint32_t samples = 1;
  std::uint32_t bits = 8;
  std::uint32_t sample_format = 0;
  std::uint32_t planar_configuration = 0;
  std::uint32_t photometric = 1;
  std::uint32_t compression = 1;
  std::uint32_t predictor = 0;
  std::uint32_t rows_per_strip = 0;
  std::uint32_t tile_width = 0;
  std::uint32_t tile_height = 0;
  std::uint32_t depth = 0;
  std::vector<Bytes> pieces;  // strips or tiles, as they are stored

  std::map<std::uint16_t, std::vector<std::uint32_t>> Tags() const;
};

inline std::map<std::uint16_t, std::vector<std::uint32_t>> TiffImage::Tags() const {
  std::map<std::uint16_t, std::vector<std::uint32_t>> tags;
  const auto add = [&](std::uint16_t tag, std::uint32_t value, std::size_t count = 1) {
    if (value != 0) tags[tag] = std::vector<std::uint32_t>(count, value);
  };
  add(256, width);
  add(257, height);
  add(258, bits, samples);
  add(259, compression);
  tags[262] = {photometric};
  add(277, samples);
  add(278, rows_per_strip);
  add(284, planar_configuration);
  add(317, predictor);
  add(322, tile_width);
  add(323, tile_height);
  add(339, sample_format, samples);
  add(32997, depth);
  return tags;
}

/// Writes classic TIFF: a header, and for each image its pieces, the values that do not fit into the directory, and the
/// directory.
class TiffWriter {
 public:
  explicit TiffWriter(bool big_endian = false) : big_endian_(big_endian) {
    bytes_ = ToBytes(big_endian ? "MM" : "II");
    Append(42, 2);
    Append(0, 4);
  }

  void Add(const TiffImage& image) {
    auto tags = image.Tags();
    auto& offsets = tags[image.tile_width > 0 ? 324 : 273];
    auto& sizes = tags[image.tile_width > 0 ? 325 : 279];
    for (const Bytes& piece : image.pieces) {
      offsets.push_back(static_cast<std::uint32_t>(bytes_.size()));
      sizes.push_back(static_cast<std::uint32_t>(piece.size()));
      bytes_.insert(bytes_.end(), piece.begin(), piece.end());
    }
    std::map<std::uint16_t, std::size_t> places;
    for (const auto& [tag, values] : tags) {
      if (values.size() <= 1) continue;
      places[tag] = bytes_.size();
      for (const std::uint32_t value : values) Append(value, 4);
    }
    Put(bytes_.size(), 4, link_);
    Append(tags.size(), 2);
    for (const auto& [tag, values] : tags) {
      Append(tag, 2);
      Append(4, 2);  // LONG
      Append(values.size(), 4);
      Append(places.count(tag) > 0 ? places[tag] : values.empty() ? 0 : values[0], 4);
    }
    link_ = bytes_.size();
    Append(0, 4);
  }

  const Bytes& bytes() const { return bytes_; }

 private:
  void Append(std::uint64_t value, std::size_t size) {
    bytes_.resize(bytes_.size() + size);
    Put(value, size, bytes_.size() - size);
  }
  void Put(std::uint64_t value, std::size_t size, std::size_t place) {
    for (std::size_t i = 0; i < size; ++i) {
      bytes_[place + i] = static_cast<std::byte>(value >> 8 * (big_endian_ ? size - 1 - i : i));
    }
  }

  bool big_endian_;
  Bytes bytes_;
  std::size_t link_ = 4;  // where the place of the next directory is written
};

inline Bytes TiffOf(const TiffImage& image, bool big_endian = false) {
  TiffWriter writer(big_endian);
  writer.Add(image);
  return writer.bytes();
}

}  // namespace zarr::test

/// TIFF files written by GDAL 3.6.2, in hexadecimal.
namespace zarr::codec_test::tiff_vectors {

// 18 x 5 of uint16, 37 times the index modulo 1000: big-endian, tiles of 16 x 16, LZW, predictor 2.
constexpr std::string_view kLzw =
    "4d4d002a00000008000d010000030000000100120000010100030000000100050000010200030000000100100000010300030000000100"
    "050000010600030000000100010000011500030000000100010000011c00030000000100010000013d0003000000010002000001420003"
    "00000001001000000143000300000001001000000144000400000002000000aa0145000300000002004d00470153000300000001000100"
    "0000000000000000b2000000ff800020425004120d058441e150984809350c85c45f83d88424024c8ac46331901b9a271b8d4860a024c4"
    "82331f9140a552b964b65d2f984c665339a4d66d379c4e6753b9e4f67d3fa05040101080008a00012bf5160084426150b8642c0202823f"
    "9b30d8a45610034e411f83f8b476160227411fa8d8f494000184095fcdb934b65d2f984c665339a4d66d379c4e6753b9e42a02";
// 8 x 8 of three uint8, all 200, 100, 50: one strip, JPEG, YCbCr.
constexpr std::string_view kJpeg =
    "49492a00080000000e000001030001000000080000000101030001000000080000000201030003000000b6000000030103000100000007"
    "00000006010300010000000600000011010400010000008001000015010300010000000300000016010300010000000800000017010400"
    "01000000840000001c01030001000000010000005301030003000000bc0000005b0107008e000000f20000001202030002000000020002"
    "001402050006000000c2000000000000000800080008000100010001000000000001000000ff000000010000008000000001000000ff00"
    "0000010000008000000001000000ff00000001000000ffd8ffdb0043000302020302020303030304030304050805050404050a07070608"
    "0c0a0c0c0b0a0b0b0d0e12100d0e110e0b0b1016101113141515150c0f171816141812141514ffdb00430103040405040509050509140d"
    "0b0d1414141414141414141414141414141414141414141414141414141414141414141414141414141414141414141414141414ffd9ff"
    "d8ffc00011080008000803012200021101031101ffc4001500010100000000000000000000000000000004ffc400141001000000000000"
    "00000000000000000000ffc4001501010100000000000000000000000000000708ffc40014110100000000000000000000000000000000"
    "ffda000c03010002110311003f0090007a907fffd9";

}  // namespace zarr::codec_test::tiff_vectors
