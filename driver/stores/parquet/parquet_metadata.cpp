// SPDX-License-Identifier: MIT
#include "driver/stores/parquet/parquet_metadata.h"

#include <algorithm>
#include <optional>

#include "driver/stores/parquet/compact_reader.h"
#include "driver/stores/parquet/parquet_errors.h"

namespace gdal_zarr {
namespace {

// Values of FieldRepetitionType and of ConvertedType.
constexpr std::int64_t kOptional = 1;
constexpr std::int64_t kRepeated = 2;
constexpr std::int64_t kUint32 = 13;

std::uint64_t ReadSize(CompactReader* reader) {
  const std::int64_t value = reader->ReadInteger();
  if (value < 0) FailParquet("a size or an offset in the metadata", std::to_string(value));
  return static_cast<std::uint64_t>(value);
}

ParquetColumn ReadSchemaElement(CompactReader* reader) {
  ParquetColumn column;
  reader->ReadFields([&](std::int64_t id) {
    if (id == 1) column.type = static_cast<ParquetType>(reader->ReadInteger());
    if (id == 3) {
      const std::int64_t repetition = reader->ReadInteger();
      column.is_optional = repetition == kOptional;
      column.is_repeated = repetition == kRepeated;
    }
    if (id == 4) column.name = reader->ReadString();
    if (id == 5) column.child_count = ReadSize(reader);
    if (id == 6) column.is_unsigned = reader->ReadInteger() == kUint32;
  });
  return column;
}

/// Returns the columns that are children of the schema's root.
std::vector<ParquetColumn> ReadSchema(CompactReader* reader) {
  std::vector<ParquetColumn> elements;
  reader->ReadItems([&] { elements.push_back(ReadSchemaElement(reader)); });
  std::vector<ParquetColumn> columns;
  std::uint64_t nested = 0;  // elements that follow and belong to a group below the root
  for (std::size_t i = 1; i < elements.size(); ++i) {
    const bool is_nested = nested > 0;
    if (is_nested) --nested;
    nested += std::min<std::uint64_t>(elements[i].child_count, elements.size());
    if (!is_nested && elements[i].child_count == 0) columns.push_back(elements[i]);
  }
  return columns;
}

void ReadColumnMetadata(CompactReader* reader, ParquetColumnChunk* chunk) {
  std::optional<std::uint64_t> dictionary;
  reader->ReadFields([&](std::int64_t id) {
    if (id == 3) reader->ReadItems([&] { chunk->path.push_back(reader->ReadString()); });
    if (id == 4) chunk->codec = static_cast<ParquetCodec>(reader->ReadInteger());
    if (id == 5) chunk->value_count = ReadSize(reader);
    if (id == 7) chunk->size = ReadSize(reader);
    if (id == 9) chunk->offset = ReadSize(reader);
    if (id == 11) dictionary = ReadSize(reader);
  });
  // Some writers give 0 for a dictionary that does not exist.
  if (dictionary && *dictionary > 0) chunk->offset = std::min(chunk->offset, *dictionary);
}

ParquetRowGroup ReadRowGroup(CompactReader* reader) {
  ParquetRowGroup group;
  const auto read_chunk = [&] {
    ParquetColumnChunk& chunk = group.chunks.emplace_back();
    reader->ReadFields([&](std::int64_t id) {
      if (id == 1) chunk.is_elsewhere = !reader->ReadString().empty() || chunk.is_elsewhere;
      if (id == 3) ReadColumnMetadata(reader, &chunk);
      if (id == 8) chunk.is_elsewhere = true;
    });
  };
  reader->ReadFields([&](std::int64_t id) {
    if (id == 1) reader->ReadItems(read_chunk);
    if (id == 3) group.row_count = ReadSize(reader);
  });
  return group;
}

/// Reads the part of a header that is special to one type of page.
void ReadDataHeader(CompactReader* reader, ParquetPageHeader* header) {
  const bool is_v2 = header->type == ParquetPageType::kDataV2;
  const auto read_encoding = [&] { return static_cast<ParquetEncoding>(reader->ReadInteger()); };
  reader->ReadFields([&](std::int64_t id) {
    if (id == 1) header->value_count = ReadSize(reader);
    if (id == (is_v2 ? 4 : 2)) header->encoding = read_encoding();
    if (header->type == ParquetPageType::kData && id == 3) header->level_encoding = read_encoding();
    if (is_v2 && id == 5) header->definition_size = ReadSize(reader);
    if (is_v2 && id == 6) header->repetition_size = ReadSize(reader);
    if (is_v2 && id == 7) header->is_compressed = reader->ReadBoolean();
  });
}

}  // namespace

const ParquetColumn* ParquetMetadata::FindColumn(std::string_view name) const {
  const auto found = std::ranges::find(columns, name, &ParquetColumn::name);
  return found == columns.end() ? nullptr : &*found;
}

ParquetMetadata ParseParquetMetadata(zarr::ByteSpan bytes) {
  ParquetMetadata metadata;
  CompactReader reader(bytes);
  reader.ReadFields([&](std::int64_t id) {
    if (id == 2) metadata.columns = ReadSchema(&reader);
    if (id == 4) reader.ReadItems([&] { metadata.row_groups.push_back(ReadRowGroup(&reader)); });
  });
  return metadata;
}

ParquetPageHeader ParseParquetPageHeader(zarr::ByteSpan bytes, std::size_t* size) {
  ParquetPageHeader header;
  CompactReader reader(bytes);
  reader.ReadFields([&](std::int64_t id) {
    if (id == 1) header.type = static_cast<ParquetPageType>(reader.ReadInteger());
    if (id == 2) header.decoded_size = ReadSize(&reader);
    if (id == 3) header.stored_size = ReadSize(&reader);
    const bool is_own = (id == 5 && header.type == ParquetPageType::kData) ||
                        (id == 7 && header.type == ParquetPageType::kDictionary) ||
                        (id == 8 && header.type == ParquetPageType::kDataV2);
    if (is_own) ReadDataHeader(&reader, &header);
  });
  *size = reader.position();
  return header;
}

}  // namespace gdal_zarr
