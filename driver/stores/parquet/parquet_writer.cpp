// SPDX-License-Identifier: MIT
#include "driver/stores/parquet/parquet_writer.h"

#include <algorithm>
#include <climits>
#include <memory>
#include <string_view>
#include <utility>

#include "driver/stores/parquet/compact_writer.h"
#include "driver/stores/parquet/parquet_errors.h"
#include "driver/stores/parquet/parquet_metadata.h"
#include "zarrlib/codec/codec_registry.h"

namespace gdal_zarr {
namespace {

using Numbers = std::vector<std::int64_t>;
using Strings = std::vector<std::optional<std::string>>;

constexpr int kRequired = 0;
constexpr int kOptionalField = 1;
constexpr int kUtf8 = 0;

/// The place of a column in the file.
struct Placed {
  std::int64_t offset = 0;
  std::int64_t stored_size = 0;  // with the header of the page
  std::int64_t plain_size = 0;
  ParquetCodec codec = ParquetCodec::kNone;
};

bool HasNumbers(const ParquetOutputColumn& column) {
  return std::holds_alternative<Numbers>(column.values);
}

std::size_t CountRows(const ParquetOutputColumn& column) {
  return std::visit([](const auto& values) { return values.size(); }, column.values);
}

template <typename T>
void AppendInteger(T value, zarr::Bytes* out) {
  out->resize(out->size() + sizeof(T));
  zarr::WriteLittleEndian(out->data() + out->size() - sizeof(T), value);
}

void AppendBytes(std::string_view text, zarr::Bytes* out) {
  const zarr::ByteSpan bytes = zarr::AsBytes(text);
  out->insert(out->end(), bytes.begin(), bytes.end());
}

/// Appends which values are present, as runs of the hybrid encoding RLE.
void AppendLevels(const Strings& strings, zarr::Bytes* out) {
  zarr::Bytes runs;
  for (std::size_t begin = 0; begin < strings.size();) {
    std::size_t end = begin;
    while (end < strings.size() && strings[end].has_value() == strings[begin].has_value()) ++end;
    AppendVarint((end - begin) << 1, &runs);
    runs.push_back(std::byte{strings[begin].has_value()});
    begin = end;
  }
  AppendInteger(static_cast<std::uint32_t>(runs.size()), out);
  out->insert(out->end(), runs.begin(), runs.end());
}

zarr::Bytes MakePage(const ParquetOutputColumn& column) {
  zarr::Bytes page;
  if (const auto* numbers = std::get_if<Numbers>(&column.values)) {
    for (const std::int64_t number : *numbers) AppendInteger(number, &page);
    return page;
  }
  const Strings& strings = std::get<Strings>(column.values);
  AppendLevels(strings, &page);
  for (const std::optional<std::string>& string : strings) {
    if (!string) continue;
    CheckAtMost(page.size() + string->size(), INT_MAX, "bytes in a page of references");
    AppendInteger(static_cast<std::uint32_t>(string->size()), &page);
    AppendBytes(*string, &page);
  }
  return page;
}

/// Returns nullopt if this build does not have the codec.
std::optional<zarr::Bytes> Compress(const zarr::Bytes& page) {
  try {
    const auto codec =
        std::get<std::shared_ptr<const zarr::BytesToBytesCodec>>(zarr::MakeCodec({"zstd", zarr::JsonNode()}));
    zarr::Bytes stored;
    codec->Encode(page, 1, &stored);
    return stored;
  } catch (const zarr::Error& error) {
    if (error.kind() != zarr::ErrorKind::kUnsupported) throw;
    return std::nullopt;
  }
}

Placed AppendColumn(const ParquetOutputColumn& column, zarr::Bytes* file) {
  Placed placed{static_cast<std::int64_t>(file->size())};
  const zarr::Bytes page = MakePage(column);
  const std::optional<zarr::Bytes> compressed = Compress(page);
  const zarr::Bytes& stored = compressed ? *compressed : page;
  if (compressed) placed.codec = ParquetCodec::kZstd;
  CompactWriter header(file);
  header.PutI32(1, static_cast<std::int64_t>(ParquetPageType::kData));
  header.PutI32(2, static_cast<std::int64_t>(page.size()));
  header.PutI32(3, static_cast<std::int64_t>(stored.size()));
  CompactWriter data = header.PutStruct(5);
  data.PutI32(1, static_cast<std::int64_t>(CountRows(column)));
  data.PutI32(2, static_cast<std::int64_t>(ParquetEncoding::kPlain));
  data.PutI32(3, static_cast<std::int64_t>(ParquetEncoding::kRle));
  data.PutI32(4, static_cast<std::int64_t>(ParquetEncoding::kRle));
  data.End();
  header.End();
  const auto header_size = static_cast<std::int64_t>(file->size()) - placed.offset;
  file->insert(file->end(), stored.begin(), stored.end());
  placed.stored_size = header_size + static_cast<std::int64_t>(stored.size());
  placed.plain_size = header_size + static_cast<std::int64_t>(page.size());
  return placed;
}

void AppendSchema(std::span<const ParquetOutputColumn> columns, CompactWriter* metadata, zarr::Bytes* file) {
  metadata->PutList(2, CompactWriter::ItemType::kStruct, columns.size() + 1);
  CompactWriter root(file);
  root.PutString(4, "schema");
  root.PutI32(5, static_cast<std::int64_t>(columns.size()));
  root.End();
  for (const ParquetOutputColumn& column : columns) {
    CompactWriter element(file);
    const bool has_numbers = HasNumbers(column);
    element.PutI32(1, static_cast<std::int64_t>(has_numbers ? ParquetType::kInt64 : ParquetType::kByteArray));
    element.PutI32(3, has_numbers ? kRequired : kOptionalField);
    element.PutString(4, column.name);
    if (column.is_text) element.PutI32(6, kUtf8);
    element.End();
  }
}

void AppendColumnChunk(const ParquetOutputColumn& column, const Placed& placed, zarr::Bytes* file) {
  CompactWriter chunk(file);
  chunk.PutI64(2, placed.offset);
  CompactWriter metadata = chunk.PutStruct(3);
  metadata.PutI32(1, static_cast<std::int64_t>(HasNumbers(column) ? ParquetType::kInt64 : ParquetType::kByteArray));
  metadata.PutList(2, CompactWriter::ItemType::kI32, 2);
  metadata.AppendItem(static_cast<std::int64_t>(ParquetEncoding::kPlain));
  metadata.AppendItem(static_cast<std::int64_t>(ParquetEncoding::kRle));
  metadata.PutList(3, CompactWriter::ItemType::kString, 1);
  metadata.AppendItem(std::string_view(column.name));
  metadata.PutI32(4, static_cast<std::int64_t>(placed.codec));
  metadata.PutI64(5, static_cast<std::int64_t>(CountRows(column)));
  metadata.PutI64(6, placed.plain_size);
  metadata.PutI64(7, placed.stored_size);
  metadata.PutI64(9, placed.offset);
  metadata.End();
  chunk.End();
}

void AppendMetadata(std::span<const ParquetOutputColumn> columns, const std::vector<Placed>& placed,
                    zarr::Bytes* file) {
  const auto rows = static_cast<std::int64_t>(columns.empty() ? 0 : CountRows(columns.front()));
  std::int64_t size = 0;
  for (const Placed& column : placed) size += column.plain_size;
  CompactWriter metadata(file);
  metadata.PutI32(1, 1);
  AppendSchema(columns, &metadata, file);
  metadata.PutI64(3, rows);
  metadata.PutList(4, CompactWriter::ItemType::kStruct, 1);
  CompactWriter group(file);
  group.PutList(1, CompactWriter::ItemType::kStruct, columns.size());
  for (std::size_t i = 0; i < columns.size(); ++i) AppendColumnChunk(columns[i], placed[i], file);
  group.PutI64(2, size);
  group.PutI64(3, rows);
  group.End();
  metadata.PutString(6, "zarrlib");
  metadata.End();
}

}  // namespace

zarr::Bytes MakeParquetFile(std::span<const ParquetOutputColumn> columns) {
  zarr::Bytes file = zarr::ToBytes(kParquetMagic);
  std::vector<Placed> placed;
  for (const ParquetOutputColumn& column : columns) placed.push_back(AppendColumn(column, &file));
  const std::size_t begin = file.size();
  AppendMetadata(columns, placed, &file);
  AppendInteger(static_cast<std::uint32_t>(file.size() - begin), &file);
  AppendBytes(kParquetMagic, &file);
  return file;
}

}  // namespace gdal_zarr
