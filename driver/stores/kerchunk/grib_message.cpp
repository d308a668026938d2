// SPDX-License-Identifier: MIT
#include "driver/stores/kerchunk/grib_message.h"

#include <algorithm>
#include <array>
#include <string>

#include "zarrlib/base/error.h"

namespace gdal_zarr {
namespace {

using zarr::ByteSpan;
using zarr::Error;
using zarr::ErrorKind;

constexpr std::uint8_t kToAndFro = 0x10;

[[noreturn]] void FailTruncated() {
  throw Error(ErrorKind::kCorrupt, "the GRIB message ends before its grid does");
}

/// Returns the bytes of a section, from its first byte on.
ByteSpan GetSection(ByteSpan bytes, std::uint64_t length) {
  if (length > bytes.size()) FailTruncated();
  return bytes.first(static_cast<std::size_t>(length));
}

/// Loads a big-endian number of `size` bytes.
std::uint64_t Load(ByteSpan bytes, std::size_t position, std::size_t size) {
  if (position + size > bytes.size()) FailTruncated();
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < size; ++i) number = number << 8 | std::to_integer<std::uint64_t>(bytes[position + i]);
  return number;
}

/// Loads a number whose highest bit is its sign.
double LoadSigned(ByteSpan bytes, std::size_t position, std::size_t size) {
  const std::uint64_t number = Load(bytes, position, size);
  const std::uint64_t sign = std::uint64_t{1} << (8 * size - 1);
  const auto magnitude = static_cast<double>(number & (sign - 1));
  return (number & sign) != 0 ? -magnitude : magnitude;
}

// --- GRIB 2 -------------------------------------------------------------------------------------------------------

/// The positions in section 3 of the scanning mode and of the first value's coordinates, for each grid template.
struct GridTemplate {
  std::uint64_t number;
  std::size_t scanning_position;
  std::size_t first_position = 0;  ///< 0 if the grid is not regular.
};
constexpr std::size_t kDegreesPosition = 46;
constexpr std::array<GridTemplate, 15> kTemplates = {{{0, 71, kDegreesPosition},
                                                      {1, 71},  // rotated
                                                      {2, 71},
                                                      {3, 71},
                                                      {10, 59, 38},
                                                      {12, 59},
                                                      {20, 64, 38},
                                                      {30, 64, 38},
                                                      {31, 64, 38},
                                                      {40, 71},  // Gaussian
                                                      {41, 71},
                                                      {42, 71},
                                                      {43, 71},
                                                      {90, 63},
                                                      {140, 63, 38}}};

ByteSpan FindGridSection(ByteSpan message) {
  constexpr std::size_t kIndicatorSize = 16;
  constexpr std::uint64_t kGridSection = 3;
  if (message.size() < kIndicatorSize) FailTruncated();
  for (message = message.subspan(kIndicatorSize);;) {
    const std::uint64_t length = Load(message, 0, 4);
    const ByteSpan section = GetSection(message, length);
    if (Load(message, 4, 1) == kGridSection) return section;
    if (length < 5) FailTruncated();
    message = message.subspan(section.size());
  }
}

GribGrid ReadGrid2(ByteSpan message) {
  const ByteSpan section = FindGridSection(message);
  const std::uint64_t number = Load(section, 12, 2);
  const auto* found = std::find_if(kTemplates.begin(), kTemplates.end(),
                                   [number](const GridTemplate& known) { return known.number == number; });
  if (found == kTemplates.end()) {
    throw Error(ErrorKind::kUnsupported, "GRIB's grid template " + std::to_string(number) + " is not supported");
  }
  GribGrid grid{Load(section, 30, 4), Load(section, 34, 4),
                static_cast<std::uint8_t>(Load(section, found->scanning_position, 1)), found->first_position > 0};
  if (!grid.regular) return grid;
  constexpr std::uint64_t kMissing = 0xFFFFFFFF;
  const bool has_unit = found->first_position == kDegreesPosition;  // an angle, and the number of its parts
  const std::uint64_t angle = has_unit ? Load(section, 38, 4) : 0;
  const std::uint64_t parts = has_unit ? Load(section, 42, 4) : 0;
  const bool is_plain = angle == 0 || angle == kMissing || parts == 0 || parts == kMissing;
  const double unit = is_plain ? 1e-6 : static_cast<double>(angle) / static_cast<double>(parts);
  grid.first_latitude = unit * LoadSigned(section, found->first_position, 4);
  grid.first_longitude = unit * LoadSigned(section, found->first_position + 4, 4);
  return grid;
}

// --- GRIB 1 -------------------------------------------------------------------------------------------------------

GribGrid ReadGrid1(ByteSpan message) {
  constexpr std::size_t kIndicatorSize = 8;
  constexpr std::uint64_t kHasGrid = 0x80;
  constexpr std::array<std::uint64_t, 4> kRegular = {0, 1, 3,
                                                     5};         // of latitude and longitude, Mercator, Lambert, polar
  constexpr std::array<std::uint64_t, 3> kOthers = {4, 10, 90};  // Gaussian, rotated, space view
  message = message.subspan(kIndicatorSize);
  const ByteSpan product = GetSection(message, Load(message, 0, 3));
  if ((Load(product, 7, 1) & kHasGrid) == 0) {
    throw Error(ErrorKind::kUnsupported, "GRIB messages that do not describe their grids are not supported");
  }
  message = message.subspan(product.size());
  const ByteSpan section = GetSection(message, Load(message, 0, 3));
  const std::uint64_t type = Load(section, 5, 1);
  const bool regular = std::find(kRegular.begin(), kRegular.end(), type) != kRegular.end();
  if (!regular && std::find(kOthers.begin(), kOthers.end(), type) == kOthers.end()) {
    throw Error(ErrorKind::kUnsupported, "GRIB's type of grids " + std::to_string(type) + " is not supported");
  }
  GribGrid grid{Load(section, 6, 2), Load(section, 8, 2), static_cast<std::uint8_t>(Load(section, 27, 1)), regular};
  constexpr std::uint64_t kMissing = 0xFFFF;
  if (grid.columns == kMissing || grid.rows == kMissing) grid.columns = 0;
  grid.first_latitude = 1e-3 * LoadSigned(section, 10, 3);
  grid.first_longitude = 1e-3 * LoadSigned(section, 13, 3);
  return grid;
}

}  // namespace

std::uint64_t GribGrid::GetRasterIndex(std::uint64_t i) const {
  const std::uint64_t x = (scanning & kAgainstColumns) != 0 ? columns - 1 - GetColumn(i) : GetColumn(i);
  const std::uint64_t y = (scanning & kAlongRows) != 0 ? rows - 1 - GetRow(i) : GetRow(i);
  return y * columns + x;
}

GribGrid ReadGribGrid(ByteSpan message) {
  constexpr std::uint64_t kMostLines = 0x7FFFFFFF;
  if (message.size() < 8 || !zarr::AsText(message).starts_with("GRIB")) {
    throw Error(ErrorKind::kCorrupt, "expected a GRIB message");
  }
  const std::uint64_t edition = Load(message, 7, 1);
  if (edition != 1 && edition != 2) {
    throw Error(ErrorKind::kUnsupported, "GRIB's edition " + std::to_string(edition) + " is not supported");
  }
  const GribGrid grid = edition == 1 ? ReadGrid1(message) : ReadGrid2(message);
  if (grid.columns == 0 || grid.columns > kMostLines || grid.rows == 0 || grid.rows > kMostLines) {
    throw Error(ErrorKind::kUnsupported, "GRIB's grids whose rows differ in length are not supported");
  }
  if ((grid.scanning & kToAndFro) != 0) {
    throw Error(ErrorKind::kUnsupported, "GRIB's grids whose rows go to and fro are not supported");
  }
  return grid;
}

}  // namespace gdal_zarr
