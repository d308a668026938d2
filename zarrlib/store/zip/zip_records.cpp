// SPDX-License-Identifier: MIT
#include "zarrlib/store/zip/zip_records.h"

#include <algorithm>
#include <utility>

#include "zarrlib/base/system/local_time.h"

namespace zarr {
namespace {

constexpr std::uint16_t kShortIn64 = 0xFFFF;           // kIn64 for numbers of two bytes
constexpr std::uint16_t kVersion = 20;                 // 2.0
constexpr std::uint16_t kVersionOf64 = 45;             // 4.5
constexpr std::uint16_t kUnix = 3 << 8;                // Unix attributes
constexpr std::uint32_t kAttributes = 0100644u << 16;  // a file that everyone may read
constexpr std::uint16_t kUtf8 = 1 << 11;
constexpr std::uint64_t kLocalHeaderSize = 30;
constexpr std::uint64_t kEnd64Size = 56;

template <typename T>
void Put(Bytes* bytes, T value) {
  const std::size_t size = bytes->size();
  bytes->resize(size + sizeof(T));
  WriteLittleEndian(bytes->data() + size, value);
}

void Put(Bytes* bytes, ByteSpan more) {
  bytes->insert(bytes->end(), more.begin(), more.end());
}

bool Needs64(std::uint64_t number) {
  return number >= kIn64;
}

/// Returns the number, or kIn64 if it is in another field.
std::uint32_t SaturateTo32(std::uint64_t number) {
  return Needs64(number) ? kIn64 : static_cast<std::uint32_t>(number);
}

std::uint16_t SaturateTo16(std::uint64_t number) {
  return number >= kShortIn64 ? kShortIn64 : static_cast<std::uint16_t>(number);
}

/// Writes the fields that headers and the records of the directory share, from the version to the length of the name.
void PutCommon(Bytes* bytes, const ZipEntry& entry, const ZipTime& time, bool in64) {
  const bool ascii = std::all_of(entry.name.begin(), entry.name.end(), [](char c) { return (c & 0x80) == 0; });
  Put(bytes, in64 ? kVersionOf64 : kVersion);
  Put(bytes, ascii ? std::uint16_t{0} : kUtf8);
  Put(bytes, std::uint16_t{0});  // not compressed
  Put(bytes, time.time);
  Put(bytes, time.date);
  Put(bytes, entry.crc);
  Put(bytes, SaturateTo32(entry.size));  // the decoded size
  Put(bytes, SaturateTo32(entry.size));
  Put(bytes, static_cast<std::uint16_t>(entry.name.size()));
}

/// Writes the extra field with the ZIP64 numbers, if there are any.
void PutExtra64(Bytes* bytes, const std::vector<std::uint64_t>& numbers) {
  if (numbers.empty()) return;
  Put(bytes, kExtra64);
  Put(bytes, static_cast<std::uint16_t>(numbers.size() * sizeof(std::uint64_t)));
  for (const std::uint64_t number : numbers) Put(bytes, number);
}

std::uint16_t GetExtra64Size(const std::vector<std::uint64_t>& numbers) {
  return static_cast<std::uint16_t>(numbers.empty() ? 0 : 4 + numbers.size() * sizeof(std::uint64_t));
}

std::vector<std::uint64_t> GetSizesIn64(const ZipEntry& entry) {
  if (!Needs64(entry.size)) return {};
  return {entry.size, entry.size};
}

}  // namespace

ZipTime ToZipTime(std::time_t time) {
  const std::tm parts = GetLocalTime(time);
  const int year = std::clamp(parts.tm_year - 80, 0, 127);
  return {static_cast<std::uint16_t>(year << 9 | (parts.tm_mon + 1) << 5 | parts.tm_mday),
          static_cast<std::uint16_t>(parts.tm_hour << 11 | parts.tm_min << 5 | parts.tm_sec / 2)};
}

std::uint64_t GetZipLocalHeaderSize(const ZipEntry& entry) {
  return kLocalHeaderSize + entry.name.size() + GetExtra64Size(GetSizesIn64(entry));
}

Bytes MakeZipLocalHeader(const ZipEntry& entry, const ZipTime& time) {
  const std::vector<std::uint64_t> numbers = GetSizesIn64(entry);
  Bytes bytes;
  bytes.reserve(GetZipLocalHeaderSize(entry));
  Put(&bytes, std::uint32_t{0x04034b50});
  PutCommon(&bytes, entry, time, !numbers.empty());
  Put(&bytes, GetExtra64Size(numbers));
  Put(&bytes, AsBytes(entry.name));
  PutExtra64(&bytes, numbers);
  return bytes;
}

void ZipDirectory::Add(const ZipEntry& entry) {
  std::vector<std::uint64_t> numbers = GetSizesIn64(entry);
  if (Needs64(entry.offset)) numbers.push_back(entry.offset);
  const bool in64 = !numbers.empty();
  Put(&bytes_, std::uint32_t{0x02014b50});
  Put(&bytes_, static_cast<std::uint16_t>(kUnix | (in64 ? kVersionOf64 : kVersion)));
  PutCommon(&bytes_, entry, time_, in64);
  Put(&bytes_, GetExtra64Size(numbers));
  Put(&bytes_, std::uint16_t{0});  // no comment
  Put(&bytes_, std::uint16_t{0});  // on the first disk
  Put(&bytes_, std::uint16_t{0});  // not known to be text
  Put(&bytes_, kAttributes);
  Put(&bytes_, SaturateTo32(entry.offset));
  Put(&bytes_, AsBytes(entry.name));
  PutExtra64(&bytes_, numbers);
  ++count_;
}

Bytes ZipDirectory::Finish(std::uint64_t offset) {
  const std::uint64_t size = bytes_.size();
  if (count_ >= kShortIn64 || Needs64(size) || Needs64(offset)) {
    Put(&bytes_, std::uint32_t{0x06064b50});
    Put(&bytes_, kEnd64Size - 12);  // without this number and the preceding signature
    Put(&bytes_, static_cast<std::uint16_t>(kUnix | kVersionOf64));
    Put(&bytes_, kVersionOf64);
    Put(&bytes_, std::uint64_t{0});  // two disk numbers
    for (const std::uint64_t number : {count_, count_, size, offset}) Put(&bytes_, number);
    Put(&bytes_, std::uint32_t{0x07064b50});  // the locator of the record above
    Put(&bytes_, std::uint32_t{0});
    Put(&bytes_, offset + size);
    Put(&bytes_, std::uint32_t{1});  // disk
  }
  Put(&bytes_, std::uint32_t{0x06054b50});
  Put(&bytes_, std::uint32_t{0});  // two disk numbers
  Put(&bytes_, SaturateTo16(count_));
  Put(&bytes_, SaturateTo16(count_));
  Put(&bytes_, SaturateTo32(size));
  Put(&bytes_, SaturateTo32(offset));
  Put(&bytes_, std::uint16_t{0});  // no comment
  return std::exchange(bytes_, {});
}

}  // namespace zarr
