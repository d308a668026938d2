// SPDX-License-Identifier: MIT
#include "driver/create/references/tiff_directory.h"

#include <cpl_vsi.h>

#include <algorithm>
#include <utility>

#include "zarrlib/base/error.h"

namespace gdal_zarr {
namespace {

constexpr std::uint64_t kMostEntries = 4096;
constexpr std::uint64_t kMostBytesOfTag = 1 << 16;
constexpr std::uint64_t kSliceLength = 1 << 14;

/// Returns the size of an integer of a type of TIFF, or 0 for other types.
std::size_t GetIntegerSize(unsigned type) {
  switch (type) {
    case 1:  // BYTE
    case 7:  // UNDEFINED
      return 1;
    case 3:  // SHORT
      return 2;
    case 4:   // LONG
    case 13:  // IFD
      return 4;
    case 16:  // LONG8
    case 18:  // IFD8
      return 8;
    default:
      return 0;
  }
}

}  // namespace

TiffDirectory::TiffDirectory(std::string path, std::uint64_t offset) : path_(std::move(path)) {
  file_.reset(VSIFOpenL(path_.c_str(), "rb"));
  if (!file_) throw zarr::Error(zarr::ErrorKind::kIo, path_, "", "", "the file cannot be opened");
  const zarr::Bytes header = Read(0, 4);
  const std::string_view order = zarr::AsText(header).substr(0, 2);
  is_big_ = order == "MM";
  const std::uint64_t version = Decode(header.data() + 2, 2);
  if ((order != "II" && order != "MM") || (version != 42 && version != 43)) Fail("this is no TIFF file");
  ReadEntries(offset, version == 43);
}

void TiffDirectory::Fail(const std::string& message) const {
  throw zarr::Error(zarr::ErrorKind::kCorrupt, path_, "", "", message);
}

zarr::Bytes TiffDirectory::Read(std::uint64_t offset, std::uint64_t length) const {
  zarr::Bytes bytes(static_cast<std::size_t>(length));
  const bool is_read = VSIFSeekL(file_.get(), offset, SEEK_SET) == 0 &&
                       VSIFReadL(bytes.data(), 1, bytes.size(), file_.get()) == bytes.size();
  if (!is_read) {
    throw zarr::Error(
        zarr::ErrorKind::kIo, path_, "", "",
        std::to_string(length) + " bytes at the position " + std::to_string(offset) + " of the file cannot be read");
  }
  return bytes;
}

std::uint64_t TiffDirectory::Decode(const std::byte* bytes, std::size_t size) const {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < size; ++i) {
    value = value << 8 | std::to_integer<std::uint64_t>(bytes[is_big_ ? i : size - 1 - i]);
  }
  return value;
}

void TiffDirectory::ReadEntries(std::uint64_t offset, bool is_bigtiff) {
  const std::size_t count_size = is_bigtiff ? 8 : 2;
  const std::size_t word = is_bigtiff ? 8 : 4;  // the size of a count, and of an offset
  const std::size_t entry_size = 4 + 2 * word;
  const std::uint64_t count = Decode(Read(offset, count_size).data(), count_size);
  if (count > kMostEntries) Fail(zarr::FormatExpectedGot("at most 4096 tags", std::to_string(count)));
  const zarr::Bytes table = Read(offset + count_size, count * entry_size);
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::byte* at = table.data() + i * entry_size;
    Entry entry{static_cast<unsigned>(Decode(at + 2, 2)), Decode(at + 4, word), 0};
    const std::size_t size = GetIntegerSize(entry.type);
    const bool is_here = size > 0 && entry.count <= word / size;
    entry.offset = is_here ? offset + count_size + i * entry_size + 4 + word : Decode(at + 4 + word, word);
    entries_.emplace(static_cast<std::uint16_t>(Decode(at, 2)), entry);
  }
}

std::uint64_t TiffDirectory::Count(TiffTag tag) const {
  const auto entry = entries_.find(static_cast<std::uint16_t>(tag));
  return entry == entries_.end() ? 0 : entry->second.count;
}

const TiffDirectory::Slice& TiffDirectory::ReadSlice(std::uint16_t tag, const Entry& entry, std::uint64_t index) const {
  Slice& slice = slices_[tag];
  if (index >= slice.first && index - slice.first < slice.values.size()) return slice;
  const std::size_t size = GetIntegerSize(entry.type);
  slice.first = index - index % kSliceLength;
  const std::uint64_t count = std::min(kSliceLength, entry.count - slice.first);
  const zarr::Bytes bytes = Read(entry.offset + slice.first * size, count * size);
  slice.values.resize(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < slice.values.size(); ++i) slice.values[i] = Decode(bytes.data() + i * size, size);
  return slice;
}

std::uint64_t TiffDirectory::Get(TiffTag tag, std::uint64_t index, std::uint64_t absent) const {
  const auto number = static_cast<std::uint16_t>(tag);
  const auto entry = entries_.find(number);
  if (entry == entries_.end()) return absent;
  if (GetIntegerSize(entry->second.type) == 0 || index >= entry->second.count) {
    Fail("tag " + std::to_string(number) + ": " +
         zarr::FormatExpectedGot(
             "at least " + std::to_string(index + 1) + " integers",
             std::to_string(entry->second.count) + " values of type " + std::to_string(entry->second.type)));
  }
  const Slice& slice = ReadSlice(number, entry->second, index);
  return slice.values[static_cast<std::size_t>(index - slice.first)];
}

std::string TiffDirectory::GetBytes(TiffTag tag) const {
  const auto entry = entries_.find(static_cast<std::uint16_t>(tag));
  if (entry == entries_.end()) return "";
  if (GetIntegerSize(entry->second.type) != 1 || entry->second.count > kMostBytesOfTag) {
    Fail("tag " + std::to_string(static_cast<int>(tag)) + ": expected at most 65536 bytes");
  }
  return std::string(zarr::AsText(Read(entry->second.offset, entry->second.count)));
}

}  // namespace gdal_zarr
