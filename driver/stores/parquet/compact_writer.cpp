// SPDX-License-Identifier: MIT
#include "driver/stores/parquet/compact_writer.h"

namespace gdal_zarr {
namespace {

constexpr unsigned kBinary = 8;
constexpr unsigned kList = 9;
constexpr unsigned kStruct = 12;

void AppendText(std::string_view text, zarr::Bytes* out) {
  AppendVarint(text.size(), out);
  const zarr::ByteSpan bytes = zarr::AsBytes(text);
  out->insert(out->end(), bytes.begin(), bytes.end());
}

std::uint64_t EncodeZigzag(std::int64_t value) {
  return static_cast<std::uint64_t>(value) << 1 ^ static_cast<std::uint64_t>(value >> 63);
}

}  // namespace

void AppendVarint(std::uint64_t value, zarr::Bytes* out) {
  constexpr std::uint64_t kMore = 0x80;
  for (; value >= kMore; value >>= 7) out->push_back(static_cast<std::byte>(value % kMore | kMore));
  out->push_back(static_cast<std::byte>(value));
}

void CompactWriter::PutHeader(int id, unsigned type) {
  out_.push_back(static_cast<std::byte>(static_cast<unsigned>(id - last_id_) << 4 | type));
  last_id_ = id;
}

void CompactWriter::PutInteger(int id, unsigned type, std::int64_t value) {
  PutHeader(id, type);
  AppendItem(value);
}

void CompactWriter::PutString(int id, std::string_view text) {
  PutHeader(id, kBinary);
  AppendText(text, &out_);
}

CompactWriter CompactWriter::PutStruct(int id) {
  PutHeader(id, kStruct);
  return CompactWriter(&out_);
}

void CompactWriter::PutList(int id, ItemType type, std::size_t count) {
  constexpr std::size_t kLong = 15;  // the count follows the header
  PutHeader(id, kList);
  const std::size_t short_count = count < kLong ? count : kLong;
  out_.push_back(static_cast<std::byte>(short_count << 4 | static_cast<std::size_t>(type)));
  if (count >= kLong) AppendVarint(count, &out_);
}

void CompactWriter::AppendItem(std::int64_t value) {
  AppendVarint(EncodeZigzag(value), &out_);
}

void CompactWriter::AppendItem(std::string_view text) {
  AppendText(text, &out_);
}

void CompactWriter::End() {
  out_.push_back(std::byte{0});
}

}  // namespace gdal_zarr
