// SPDX-License-Identifier: MIT
#include "driver/stores/kerchunk/reference_records.h"

#include <algorithm>

#include "zarrlib/base/base64.h"
#include "zarrlib/base/bytes.h"
#include "zarrlib/base/error.h"

namespace gdal_zarr {
namespace {

class IntegerSink final : public ColumnSink {
 public:
  IntegerSink(std::uint64_t most, PackedIntegers* integers) : most_(most), integers_(*integers) {}
  bool is_done() const override { return integers_.size() >= most_; }
  void AddNull() override { integers_.Append(0); }
  void AddInteger(std::int64_t value) override {
    if (value < 0) {
      throw zarr::Error(zarr::ErrorKind::kCorrupt,
                        zarr::FormatExpectedGot("a number of bytes in row " + std::to_string(integers_.size()),
                                                std::to_string(value)));
    }
    integers_.Append(static_cast<std::uint64_t>(value));
  }

 private:
  std::uint64_t most_;
  PackedIntegers& integers_;
};

class StringSink final : public ColumnSink {
 public:
  StringSink(std::uint64_t most, PackedIntegers* numbers, PackedStrings* strings)
      : most_(most), numbers_(*numbers), strings_(*strings) {}
  bool is_done() const override { return numbers_.size() >= most_; }
  void AddNull() override { numbers_.Append(0); }
  void AddBytes(std::string_view value, std::uint64_t* note) override {
    if (value.empty()) return AddNull();
    std::uint64_t number = note ? *note : 0;
    if (number == 0) number = strings_.Add(value);
    if (note) *note = number;
    numbers_.Append(number);
  }

 private:
  std::uint64_t most_;
  PackedIntegers& numbers_;
  PackedStrings& strings_;
};

class FirstString final : public ColumnSink {
 public:
  const std::string& text() const { return text_; }
  bool is_done() const override { return !text_.empty(); }
  void AddNull() override {}
  void AddBytes(std::string_view value, std::uint64_t*) override { text_ = value; }

 private:
  std::string text_;
};

}  // namespace

ReferenceRecords::ReferenceRecords(const ParquetSource& source, std::uint64_t most) {
  const ParquetFile file(source);
  if (!file.HasColumn("path") && !file.HasColumn("raw")) {
    throw zarr::Error(zarr::ErrorKind::kCorrupt,
                      zarr::FormatExpectedGot("a Parquet file with a column path or raw", "other columns"));
  }
  size_ = std::min(file.row_count(), most);
  const auto read_integers = [&](const char* name, PackedIntegers* integers) {
    IntegerSink sink(size_, integers);
    if (file.HasColumn(name)) file.ReadColumn(name, &sink);
    integers->Finish();
  };
  const auto read_strings = [&](const char* name, PackedIntegers* numbers) {
    StringSink sink(size_, numbers, &strings_);
    if (file.HasColumn(name)) file.ReadColumn(name, &sink);
    numbers->Finish();
  };
  read_strings("path", &paths_);
  read_integers("offset", &offsets_);
  read_integers("size", &sizes_);
  read_strings("raw", &values_);
  strings_.Finish();
}

std::optional<Reference> ReferenceRecords::Find(std::uint64_t row) const {
  Reference reference;
  if (const std::uint64_t value = values_.Get(row)) {
    reference.inline_value = strings_.Get(value);
    if (!reference.inline_value->starts_with(kBase64)) return reference;
    const auto bytes = zarr::DecodeBase64(std::string_view(*reference.inline_value).substr(kBase64.size()));
    if (!bytes) throw zarr::Error(zarr::ErrorKind::kCorrupt, "the bytes after \"base64:\" are not base64");
    reference.inline_value = std::string(zarr::AsText(*bytes));
    return reference;
  }
  const std::uint64_t path = paths_.Get(row);
  if (path == 0) return std::nullopt;
  reference.url = strings_.Get(path);
  reference.offset = offsets_.Get(row);
  const std::uint64_t size = sizes_.Get(row);
  if (reference.offset > 0 || size > 0) reference.length = size;
  return reference;
}

std::size_t ReferenceRecords::memory_size() const {
  return sizeof(*this) + paths_.memory_size() + values_.memory_size() + offsets_.memory_size() + sizes_.memory_size() +
         strings_.memory_size();
}

std::string FindFirstPath(const ParquetSource& source) {
  const ParquetFile file(source);
  FirstString sink;
  if (file.HasColumn("path")) file.ReadColumn("path", &sink);
  return sink.text();
}

}  // namespace gdal_zarr
