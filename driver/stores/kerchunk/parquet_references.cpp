// SPDX-License-Identifier: MIT
#include "driver/stores/kerchunk/parquet_references.h"

#include <algorithm>
#include <utility>

#include "driver/stores/kerchunk/reference_target.h"
#include "zarrlib/base/limits.h"
#include "zarrlib/base/text.h"
#include "zarrlib/grid/chunk_grid.h"
#include "zarrlib/json/json_cursor.h"
#include "zarrlib/json/json_node.h"
#include "zarrlib/json/json_string.h"
#include "zarrlib/metadata/document_names.h"
#include "zarrlib/store/sorted_listing.h"

namespace gdal_zarr {
namespace {

constexpr std::string_view kFilePrefix = "refs.";
constexpr std::string_view kFileSuffix = ".parq";
/// A file of references seldom is larger, so that one request reads it.
constexpr std::uint64_t kUsualFile = 1 << 20;

/// A Parquet file in a store.
class StoredParquet final : public ParquetSource {
 public:
  /// Returns null if there is no such file.
  static std::unique_ptr<StoredParquet> Open(const zarr::Store& store, const std::string& key) {
    std::unique_ptr<StoredParquet> file(new StoredParquet(store, key));
    return store.GetSuffix(key, kUsualFile, &file->end_, &file->stamp_) ? std::move(file) : nullptr;
  }

  std::uint64_t size() const override { return stamp_.size; }
  void Read(std::uint64_t offset, zarr::MutableByteSpan buffer) const override {
    const std::uint64_t begin = size() - end_.size();
    if (offset >= begin) {
      std::copy_n(end_.data() + (offset - begin), buffer.size(), buffer.data());
      return;
    }
    const zarr::ByteRange range{offset, buffer.size()};
    zarr::VersionStamp stamp;
    const bool is_found = store_.GetRanges(key_, {&range, 1}, {&buffer, 1}, &stamp);
    if (!is_found || !(stamp == stamp_)) {
      throw zarr::Error(zarr::ErrorKind::kIo, store_.name(), key_, "", "the file changed while it was read");
    }
  }

 private:
  StoredParquet(const zarr::Store& store, std::string key) : store_(store), key_(std::move(key)) {}

  const zarr::Store& store_;
  std::string key_;
  zarr::Bytes end_;
  zarr::VersionStamp stamp_;
};

zarr::Shape ReadShape(const zarr::JsonNode& node) {
  zarr::Shape shape;
  for (const zarr::JsonNode& length : node.GetItems()) shape.push_back(length.AsUint64());
  return shape;
}

/// Returns the number of chunks along each axis of a v2 array.
zarr::Shape ReadGridV2(const zarr::JsonNode& document) {
  const zarr::Shape shape = ReadShape(document.At("shape"));
  const zarr::JsonNode chunks = document.At("chunks");
  if (shape.size() != chunks.size()) chunks.FailExpected("as many lengths as in the shape");
  zarr::Shape grid;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const std::uint64_t chunk = chunks[i].AsUint64();
    if (chunk == 0) chunks[i].FailExpected("a length");
    grid.push_back(shape[i] / chunk + (shape[i] % chunk > 0 ? 1 : 0));
  }
  return grid;
}

/// Returns the number of chunks along each axis.
zarr::Shape ReadGrid(const zarr::JsonNode& document, bool is_v3) {
  if (!is_v3) return ReadGridV2(document);
  return zarr::ChunkGrid::FromV3(ReadShape(document.At("shape")), document.At("chunk_grid")).grid_shape();
}

zarr::ChunkKeyEncoding ReadEncoding(const zarr::JsonNode& document, bool is_v3) {
  if (is_v3) return zarr::ChunkKeyEncoding::FromV3(document.At("chunk_key_encoding"));
  const auto separator = document.Find("dimension_separator");
  const bool is_slash = separator && separator->IsString() && separator->AsString() == "/";
  return {zarr::ChunkKeyEncoding::Kind::kV2, is_slash ? '/' : '.', 'c'};
}

/// Returns the number in a name such as "refs.12.parq".
std::optional<std::uint64_t> ParseFileName(std::string_view name) {
  if (!name.starts_with(kFilePrefix) || !name.ends_with(kFileSuffix)) return std::nullopt;
  if (name.size() <= kFilePrefix.size() + kFileSuffix.size()) return std::nullopt;
  name.remove_prefix(kFilePrefix.size());
  name.remove_suffix(kFileSuffix.size());
  return zarr::ParseNumber<std::uint64_t>(name);
}

}  // namespace

/// Visits the rows of an array that refer to values, in order.
class ParquetReferences::Walker {
 public:
  Walker(const ParquetReferences& references, const Array& array)
      : references_(references), array_(array), files_(references.ListRecords(array)), file_(files_.end()) {}

  /// Returns the first of the chunks from `begin` to before `end` that has a reference.
  std::optional<std::uint64_t> Find(std::uint64_t begin, std::uint64_t end) {
    end = std::min(end, array_.chunk_count);
    const std::uint64_t size = references_.record_size_;
    auto file = std::lower_bound(files_.begin(), files_.end(), begin / size);
    for (; file != files_.end() && *file <= (end - 1) / size && begin < end; ++file) {
      if (file != file_ || !records_) records_ = references_.GetRecords(array_, *file);
      file_ = file;
      const std::uint64_t first = *file * size;
      const std::uint64_t rows = records_ ? records_->size() : 0;
      for (std::uint64_t row = std::max(begin, first) - first; row < rows && first + row < end; ++row) {
        if (records_->Has(row)) return first + row;
      }
      // A file that is too short does not show which of the chunks after its last row exist.
      const std::uint64_t last = std::min(first + size, end) - 1;
      if (records_ && last >= begin) references_.CheckHasRow({&array_, last}, *records_);
    }
    return std::nullopt;
  }

 private:
  const ParquetReferences& references_;
  const Array& array_;
  std::vector<std::uint64_t> files_;
  std::vector<std::uint64_t>::iterator file_;  // of the records
  RecordCache::Records records_;
};

ParquetReferences::ParquetReferences(std::shared_ptr<const zarr::Store> folder, zarr::Bytes metadata)
    : folder_(std::move(folder)),
      text_(std::move(metadata)),
      digest_(std::hash<std::string_view>()(zarr::AsText(text_))),
      owner_(RecordCache::MakeOwner()) {
  TakeDocuments();
  host_url_ = FindHost();
}

ParquetReferences::~ParquetReferences() {
  RecordCache::GetShared().EraseOwner(owner_);
}

void ParquetReferences::TakeDocuments() {
  zarr::JsonCursor cursor(zarr::AsText(text_));
  const std::string key(zarr::kV2Consolidated);
  std::string_view name;
  std::string_view record_size;
  cursor.EnterObject();
  while (cursor.ReadNextMember(&name)) {
    if (name != "metadata" || !cursor.IsNextObject()) {
      const std::string_view value = cursor.TakeValue();
      if (name == "record_size") record_size = value;
      continue;
    }
    cursor.EnterObject();
    while (cursor.ReadNextMember(&name)) {
      const auto decoded = zarr::DecodeJsonString("\"" + std::string(name) + "\"");
      const std::string_view document = cursor.TakeValue();
      if (decoded && zarr::IsKey(*decoded)) documents_.insert_or_assign(*decoded, document);
    }
  }
  const auto number = zarr::ParseNumber<std::uint64_t>(record_size);
  if (!cursor.IsAtEnd() || !number || *number == 0) {
    throw zarr::Error(zarr::ErrorKind::kCorrupt, folder_->name(), key, "/record_size",
                      zarr::FormatExpectedGot("a number of rows", std::string(record_size.substr(0, 60))));
  }
  record_size_ = *number;
  for (const auto& [path, document] : documents_) AddArray(path, document);
}

/// An array whose document is not understood may be listed, but its chunks must not count as absent.
void ParquetReferences::AddArray(const std::string& key, std::string_view document) {
  const std::size_t name = key.rfind('/') + 1;  // npos + 1 is 0
  const bool is_v3 = std::string_view(key).substr(name) == zarr::kV3Document;
  if (!is_v3 && std::string_view(key).substr(name) != zarr::kV2Array) return;
  Array array;
  array.folder = key.substr(0, name);
  try {
    const auto node = zarr::JsonNode::Parse(document, folder_->name(), std::string(zarr::kV2Consolidated),
                                            "/metadata/" + zarr::EscapePointerStep(key));
    if (is_v3 && node.At("node_type").AsString() != "array") return;
    array.grid = ReadGrid(node, is_v3);
    array.encoding = ReadEncoding(node, is_v3);
    const auto count = zarr::ComputeCheckedProduct(array.grid);
    if (!count) node.At("shape").FailExpected("fewer than 2^64 chunks");
    array.chunk_count = *count;
  } catch (const zarr::Error& error) {
    array.error = error;
  }
  arrays_.insert_or_assign(array.folder, std::move(array));
}

/// Returns nullopt for a key that is not that of a chunk of an array.
std::optional<ParquetReferences::Row> ParquetReferences::FindRow(std::string_view key) const {
  for (std::size_t end = key.size(); end > 0;) {
    const std::size_t slash = key.rfind('/', end - 1);
    end = slash == std::string_view::npos ? 0 : slash;
    const std::string_view folder = key.substr(0, slash == std::string_view::npos ? 0 : slash + 1);
    const auto found = arrays_.find(folder);
    if (found == arrays_.end()) continue;
    const Array& array = found->second;
    if (array.error) throw *array.error;
    const auto index = array.encoding.Parse(key.substr(folder.size()), array.grid.size());
    if (!index) return std::nullopt;
    std::uint64_t chunk = 0;
    for (std::size_t i = 0; i < index->size(); ++i) {
      if ((*index)[i] >= array.grid[i]) return std::nullopt;
      chunk = chunk * array.grid[i] + (*index)[i];
    }
    return Row{&array, chunk};
  }
  return std::nullopt;
}

std::string ParquetReferences::MakeFileKey(const Array& array, std::uint64_t record) const {
  return array.folder + std::string(kFilePrefix) + std::to_string(record) + std::string(kFileSuffix);
}

RecordCache::Records ParquetReferences::GetRecords(const Array& array, std::uint64_t record) const {
  return RecordCache::GetShared().Get({owner_, MakeFileKey(array, record)}, [&] { return ReadRecords(array, record); });
}

RecordCache::Records ParquetReferences::ReadRecords(const Array& array, std::uint64_t record) const {
  const std::string key = MakeFileKey(array, record);
  const auto file = StoredParquet::Open(*folder_, key);
  if (!file) return nullptr;
  const std::uint64_t begin = record * record_size_;
  try {
    return std::make_shared<const ReferenceRecords>(*file, std::min(record_size_, array.chunk_count - begin));
  } catch (const zarr::Error& error) {
    throw error.At(folder_->name(), key);
  }
}

RecordCache::Records ParquetReferences::GetRecordsOf(const Row& row) const {
  const std::uint64_t record = row.chunk / record_size_;
  RecordCache::Records records = GetRecords(*row.array, record);
  if (records) CheckHasRow(row, *records);
  return records;
}

void ParquetReferences::CheckHasRow(const Row& row, const ReferenceRecords& records) const {
  if (GetRowInFile(row) < records.size()) return;
  throw zarr::Error(zarr::ErrorKind::kCorrupt, folder_->name(), MakeFileKey(*row.array, row.chunk / record_size_), "",
                    zarr::FormatExpectedGot("at least " + std::to_string(GetRowInFile(row) + 1) + " rows",
                                            std::to_string(records.size())));
}

bool ParquetReferences::Has(std::string_view key) const {
  if (documents_.contains(key)) return true;
  const auto row = FindRow(key);
  const auto records = row ? GetRecordsOf(*row) : nullptr;
  return records && records->Has(GetRowInFile(*row));
}

std::optional<Reference> ParquetReferences::Find(std::string_view key) const {
  if (const auto document = documents_.find(key); document != documents_.end()) {
    Reference reference;
    const std::string_view text = document->second;
    const auto decoded = text.starts_with('"') ? zarr::DecodeJsonString(text) : std::nullopt;
    reference.inline_value = decoded.value_or(std::string(text));
    return reference;
  }
  const auto row = FindRow(key);
  const auto records = row ? GetRecordsOf(*row) : nullptr;
  if (!records) return std::nullopt;
  try {
    auto reference = records->Find(GetRowInFile(*row));
    if (reference) reference->folder = row->array->folder;
    return reference;
  } catch (const zarr::Error& error) {
    throw error.At(folder_->name(), MakeFileKey(*row->array, row->chunk / record_size_));
  }
}

/// Returns the numbers of the files that an array may have, in order.
std::vector<std::uint64_t> ParquetReferences::ListRecords(const Array& array) const {
  if (array.chunk_count == 0) return {};
  const std::uint64_t count = (array.chunk_count - 1) / record_size_ + 1;
  std::vector<std::uint64_t> numbers;
  const auto listing = folder_->info().lists ? folder_->List(array.folder) : std::nullopt;
  if (listing) {
    for (const std::string& name : listing->keys) {
      const auto number = ParseFileName(name);
      if (number && *number < count) numbers.push_back(*number);
    }
    std::ranges::sort(numbers);
    return numbers;
  }
  if (count > GetLimit(zarr::Limit::kLooks)) {
    throw zarr::Error(zarr::ErrorKind::kLimitExceeded, folder_->name(), array.folder, "",
                      zarr::FormatExpectedGot(FormatAtMost(zarr::Limit::kLooks, "files in a folder that is not listed"),
                                              std::to_string(count)));
  }
  for (std::uint64_t i = 0; i < count; ++i) numbers.push_back(i);
  return numbers;
}

zarr::Listing ParquetReferences::List(std::string_view prefix) const {
  zarr::Listing listing = zarr::ListSorted(documents_, prefix);
  for (const auto& [folder, array] : arrays_) {
    if (prefix.starts_with(folder)) ListChunks(array, prefix.substr(folder.size()), &listing);
  }
  std::ranges::sort(listing.keys);
  std::ranges::sort(listing.prefixes);
  return listing;
}

/// Lists a folder of an array's keys: "", or with leading indices and a "/" after each of them.
void ParquetReferences::ListChunks(const Array& array, std::string_view below, zarr::Listing* listing) const {
  if (array.error) throw *array.error;
  Walker walker(*this, array);
  const std::string first = array.encoding.Format(zarr::Shape(array.grid.size()));
  const std::string_view letter = std::string_view(first).substr(0, first.find('/') + 1);
  const bool has_letter = array.encoding.kind == zarr::ChunkKeyEncoding::Kind::kDefault && !letter.empty();
  if (has_letter && below.empty()) {
    if (walker.Find(0, array.chunk_count)) listing->prefixes.emplace_back(letter.substr(0, letter.size() - 1));
    return;
  }
  if (has_letter && !below.starts_with(letter)) return;
  std::string_view rest = below.substr(has_letter ? letter.size() : 0);
  std::uint64_t begin = 0;
  std::uint64_t step = array.chunk_count;  // chunks of one index of the axis
  std::size_t axis = 0;
  for (; !rest.empty(); rest.remove_prefix(rest.find('/') + 1), ++axis) {
    const auto index = zarr::ParseNumber<std::uint64_t>(rest.substr(0, rest.find('/')));
    if (axis >= array.grid.size() || array.encoding.separator != '/' || !index || *index >= array.grid[axis]) return;
    step /= array.grid[axis];
    begin += *index * step;
  }
  const bool is_leaf = array.encoding.separator != '/' || axis + 1 >= array.grid.size();
  const std::uint64_t end = begin + step;
  if (!is_leaf) step /= array.grid[axis];
  for (auto chunk = walker.Find(begin, end); chunk; chunk = walker.Find(begin, end)) {
    begin = is_leaf ? *chunk + 1 : *chunk - *chunk % step + step;
    zarr::Shape index(array.grid.size());
    for (std::size_t i = index.size(); i-- > 0; *chunk /= array.grid[i]) index[i] = *chunk % array.grid[i];
    const std::string key = array.encoding.Format(index).substr(below.size());
    if (is_leaf) listing->keys.push_back(key);
    if (!is_leaf) listing->prefixes.push_back(key.substr(0, key.find('/')));
  }
}

/// One file of the largest array shows whether the references lead to another host. Its path represents all.
std::string ParquetReferences::FindHost() const {
  const Array* largest = nullptr;
  for (const auto& [folder, array] : arrays_) {
    if (!array.error && (!largest || array.chunk_count > largest->chunk_count)) largest = &array;
  }
  if (!largest || largest->chunk_count == 0 || folder_->info().is_on_network()) return "";
  try {
    const auto file = StoredParquet::Open(*folder_, MakeFileKey(*largest, 0));
    std::string path = file ? FindFirstPath(*file) : "";
    return LeadsToHost(path) ? path : "";
  } catch (const zarr::Error&) {
    return "";  // reading a chunk reports the error
  }
}

}  // namespace gdal_zarr
