// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <string>
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
