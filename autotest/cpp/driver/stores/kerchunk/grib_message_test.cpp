// SPDX-License-Identifier: MIT
#include "driver/stores/kerchunk/grib_message.h"

#include <string>
#include <vector>

#include "autotest/cpp/support/test_util.h"

namespace gdal_zarr {
namespace {

using zarr::Bytes;
using zarr::ErrorKind;
using zarr::test::ExpectError;

void Append(std::uint64_t number, std::size_t size, Bytes* bytes) {
  for (std::size_t i = size; i-- > 0;) bytes->push_back(static_cast<std::byte>(number >> (8 * i)));
}

/// A message of GRIB 2 with a section 1 of no content, and a grid of 7 x 5 values.
Bytes MakeGrib2(std::uint64_t grid_template, std::size_t scanning_position, std::uint64_t scanning) {
  Bytes message = zarr::ToBytes("GRIB");
  Append(2, 4, &message);
  Append(200, 8, &message);
  Append(21, 4, &message);
  Append(1, 1, &message);
  message.resize(message.size() + 16);
  Bytes grid;
  Append(80, 4, &grid);
  Append(3, 1, &grid);
  Append(0, 1, &grid);
  Append(35, 4, &grid);
  Append(0, 2, &grid);
  Append(grid_template, 2, &grid);
  grid.resize(80, std::byte{0});
  Bytes size;
  Append(7, 4, &size);
  Append(5, 4, &size);
  std::copy(size.begin(), size.end(), grid.begin() + 30);
  grid[scanning_position] = static_cast<std::byte>(scanning);
  message.insert(message.end(), grid.begin(), grid.end());
  return message;
}

/// A message of GRIB 1 with a grid of 7 x 5 values, or of `columns`.
Bytes MakeGrib1(std::uint64_t type, std::uint64_t scanning, std::uint64_t columns = 7, std::uint64_t flags = 0x80,
                std::uint64_t rows = 5) {
  Bytes message = zarr::ToBytes("GRIB");
  Append(100, 3, &message);
  Append(1, 1, &message);
  Bytes product;
  Append(28, 3, &product);
  product.resize(28, std::byte{0});
  product[7] = static_cast<std::byte>(flags);
  message.insert(message.end(), product.begin(), product.end());
  Bytes grid;
  Append(32, 3, &grid);
  Append(0, 2, &grid);
  Append(type, 1, &grid);
  Append(columns, 2, &grid);
  Append(rows, 2, &grid);
  grid.resize(32, std::byte{0});
  grid[27] = static_cast<std::byte>(scanning);
  message.insert(message.end(), grid.begin(), grid.end());
  return message;
}

TEST(GribMessage, GridsOfGrib2) {
  const std::tuple<std::uint64_t, std::size_t, bool> cases[] = {{0, 71, true},   {1, 71, false},  {10, 59, true},
                                                                {12, 59, false}, {20, 64, true},  {30, 64, true},
                                                                {31, 64, true},  {40, 71, false}, {140, 63, true}};
  for (const auto& [grid_template, position, regular] : cases) {
    const GribGrid grid = ReadGribGrid(MakeGrib2(grid_template, position, 0xA0));
    EXPECT_EQ(grid.columns, 7u) << grid_template;
    EXPECT_EQ(grid.rows, 5u) << grid_template;
    EXPECT_EQ(grid.scanning, 0xA0) << grid_template;
    EXPECT_EQ(grid.regular, regular) << grid_template;
  }
}

TEST(GribMessage, CoordinatesOfTheFirstValue) {
  const auto put = [](std::uint64_t number, std::size_t size, std::size_t position, Bytes* message) {
    Bytes bytes;
    Append(number, size, &bytes);
    std::copy(bytes.begin(), bytes.end(), message->begin() + static_cast<std::ptrdiff_t>(position));
  };
  constexpr std::size_t kGrid2 = 37;
  constexpr std::size_t kGrid1 = 36;
  Bytes lambert = MakeGrib2(30, 64, 0);
  put(0x80000000 + 45500000, 4, kGrid2 + 38, &lambert);
  put(350250000, 4, kGrid2 + 42, &lambert);
  EXPECT_NEAR(ReadGribGrid(lambert).first_latitude, -45.5, 1e-9);
  EXPECT_NEAR(ReadGribGrid(lambert).first_longitude, 350.25, 1e-9);
  Bytes degrees = MakeGrib2(0, 71, 0);
  put(91, 4, kGrid2 + 46, &degrees);
  EXPECT_NEAR(ReadGribGrid(degrees).first_latitude, 91e-6, 1e-12);
  put(1, 4, kGrid2 + 38, &degrees);
  put(2, 4, kGrid2 + 42, &degrees);
  EXPECT_NEAR(ReadGribGrid(degrees).first_latitude, 45.5, 1e-9);
  Bytes old = MakeGrib1(0, 0);
  put(0x800000 + 30500, 3, kGrid1 + 10, &old);
  put(20000, 3, kGrid1 + 13, &old);
  EXPECT_NEAR(ReadGribGrid(old).first_latitude, -30.5, 1e-9);
  EXPECT_NEAR(ReadGribGrid(old).first_longitude, 20, 1e-9);
}

TEST(GribMessage, GridsOfGrib1) {
  for (const auto& [type, regular] : std::vector<std::pair<std::uint64_t, bool>>{{0, true}, {3, true}, {4, false}}) {
    const GribGrid grid = ReadGribGrid(MakeGrib1(type, 0x40));
    EXPECT_EQ(grid.columns, 7u);
    EXPECT_EQ(grid.rows, 5u);
    EXPECT_EQ(grid.scanning, 0x40);
    EXPECT_EQ(grid.regular, regular) << type;
  }
}

TEST(GribMessage, TheFlagsTellTheOrder) {
  const auto indices = [](std::uint8_t scanning) {
    const GribGrid grid = ReadGribGrid(MakeGrib1(0, scanning, 3, 0x80, 2));
    std::vector<std::uint64_t> result;
    for (std::uint64_t i = 0; i < grid.count(); ++i) result.push_back(grid.GetRasterIndex(i));
    return result;
  };
  using Indices = std::vector<std::uint64_t>;
  EXPECT_EQ(indices(0), (Indices{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(indices(GribGrid::kAlongRows), (Indices{3, 4, 5, 0, 1, 2}));
  EXPECT_EQ(indices(GribGrid::kAgainstColumns), (Indices{2, 1, 0, 5, 4, 3}));
  EXPECT_EQ(indices(GribGrid::kByColumn), (Indices{0, 3, 1, 4, 2, 5}));
  EXPECT_EQ(indices(0xE0), (Indices{5, 2, 4, 1, 3, 0}));
}

TEST(GribMessage, SaysWhatItDoesNotRead) {
  const auto refuses = [](const Bytes& message, ErrorKind kind, std::string_view part) {
    ExpectError([&] { ReadGribGrid(message); }, kind, "", part);
  };
  refuses(MakeGrib2(0x1234, 71, 0), ErrorKind::kUnsupported, "grid template 4660");
  refuses(MakeGrib2(0, 71, 0x10), ErrorKind::kUnsupported, "to and fro");
  refuses(MakeGrib1(50, 0), ErrorKind::kUnsupported, "type of grids 50");
  refuses(MakeGrib1(4, 0, 0xFFFF), ErrorKind::kUnsupported, "rows differ in length");
  refuses(MakeGrib1(0, 0, 7, 0x40), ErrorKind::kUnsupported, "do not describe their grids");
  refuses(zarr::ToBytes("GRIB1230"), ErrorKind::kUnsupported, "edition 48");
  refuses(zarr::ToBytes("GRI"), ErrorKind::kCorrupt, "a GRIB message");
  refuses({}, ErrorKind::kCorrupt, "a GRIB message");
}

TEST(GribMessage, EveryLengthAndChangeIsAGridOrAnError) {
  for (const Bytes& whole : {MakeGrib2(0, 71, 0), MakeGrib1(0, 0)}) {
    for (std::size_t i = 0; i < whole.size(); ++i) {
      const Bytes cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(i));
      ExpectError([&] { ReadGribGrid(cut); }, ErrorKind::kCorrupt, "", "");
      for (const unsigned value : {0x00u, 0x01u, 0x80u, 0xFFu}) {
        Bytes damaged = whole;
        damaged[i] = static_cast<std::byte>(value);
        try {
          const GribGrid grid = ReadGribGrid(damaged);
          EXPECT_LT(grid.GetRasterIndex(grid.count() - 1), grid.count());
        } catch (const zarr::Error& error) {
          EXPECT_TRUE(error.kind() == ErrorKind::kCorrupt || error.kind() == ErrorKind::kUnsupported);
        }
      }
    }
  }
}

}  // namespace
}  // namespace gdal_zarr
