// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstring>
#include <unordered_map>

#include "zarrlib/base/error.h"
#include "zarrlib/store/icechunk/flat/flat_object.h"

namespace zarr {
namespace {

using Kind = FlatType::Kind;

constexpr std::size_t kTableAlignment = 8;  // so that equal tables have equal vtables
constexpr std::size_t kOffsetSize = 4;

bool IsInline(const FlatType& type) {
  return type.kind == Kind::kNumber || type.kind == Kind::kStruct;
}

std::size_t Align(std::size_t position, std::size_t alignment) {
  return (position + alignment - 1) / alignment * alignment;
}

}  // namespace

/// Writes tables from the front to the back: each is followed by what its offsets lead to. Equal vtables are written
/// once.
class FlatSaver {
 public:
  Bytes Save(const FlatObject& root, std::string_view identifier) {
    AppendNumber(0, kOffsetSize);
    Append(identifier);
    SaveTable(root, 0);
    return std::move(out_);
  }

 private:
  void CheckSize() const {
    if (out_.size() > INT32_MAX) throw Error(ErrorKind::kLimitExceeded, "a FlatBuffer would be larger than 2 GB");
  }

  void PutNumber(std::size_t position, std::uint64_t value, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i, value >>= 8) out_[position + i] = static_cast<std::byte>(value & 255);
  }
  void AppendNumber(std::uint64_t value, std::size_t size) {
    out_.resize(out_.size() + size);
    PutNumber(out_.size() - size, value, size);
  }
  void Append(std::string_view bytes) {
    const ByteSpan span = AsBytes(bytes);
    out_.insert(out_.end(), span.begin(), span.end());
  }
  void Pad(std::size_t alignment, std::size_t ahead = 0) {
    const std::size_t begin = Align(out_.size() + ahead, alignment) - ahead;
    out_.resize(begin, std::byte{0});
  }
  /// Makes the offset at a position lead to the end.
  void PutOffset(std::size_t position) {
    CheckSize();
    PutNumber(position, out_.size() - position, kOffsetSize);
  }

  /// Writes a table, to which the offset at `from` leads.
  void SaveTable(const FlatObject& object, std::size_t from) {
    const auto& types = object.schema_->fields;
    std::vector<std::uint16_t> offsets(types.size());  // of fields in the table; 0 if absent
    std::size_t size = kOffsetSize;
    std::size_t count = 0;
    for (unsigned i = 0; i < types.size(); ++i) {
      if (!object.Has(i)) continue;
      size = Align(size, IsInline(types[i]) ? types[i].alignment : kOffsetSize);
      offsets[i] = static_cast<std::uint16_t>(size);
      size += IsInline(types[i]) ? types[i].size : kOffsetSize;
      count = i + 1;
    }
    offsets.resize(count);
    const std::size_t vtable = SaveVtable(offsets, size);
    Pad(kTableAlignment);
    PutOffset(from);
    const std::size_t begin = out_.size();
    out_.resize(begin + size, std::byte{0});
    PutNumber(begin, begin - vtable, kOffsetSize);
    for (unsigned i = 0; i < count; ++i) {
      if (offsets[i] > 0) SaveField(object, i, begin + offsets[i]);
    }
  }

  std::size_t SaveVtable(const std::vector<std::uint16_t>& offsets, std::size_t table_size) {
    std::string vtable;
    const auto add = [&vtable](std::size_t number) {
      vtable += static_cast<char>(number & 255);
      vtable += static_cast<char>(number >> 8);
    };
    add(2 * sizeof(std::uint16_t) + offsets.size() * sizeof(std::uint16_t));
    add(table_size);
    for (const std::uint16_t offset : offsets) add(offset);
    const auto found = vtables_.find(vtable);
    if (found != vtables_.end()) return found->second;
    Pad(2);
    const std::size_t begin = out_.size();
    Append(vtable);
    return vtables_.emplace(std::move(vtable), begin).first->second;
  }

  void SaveField(const FlatObject& object, unsigned field, std::size_t at) {
    const FlatType& type = object.schema_->fields[field];
    const FlatObject::Field& value = object.fields_[field];
    switch (type.kind) {
      case Kind::kNumber:
        PutNumber(at, std::get<std::uint64_t>(value), type.size);
        break;
      case Kind::kStruct: {
        const std::string& bytes = std::get<std::string>(value);
        std::memcpy(out_.data() + at, bytes.data(), std::min<std::size_t>(bytes.size(), type.size));
        break;
      }
      case Kind::kText:
        SaveText(std::get<std::string>(value), at);
        break;
      case Kind::kVector:
        SaveVector(std::get<std::string>(value), type, at);
        break;
      case Kind::kTexts:
        SaveTexts(std::get<std::vector<std::string>>(value), at);
        break;
      case Kind::kTables:
        SaveTables(std::get<std::vector<FlatObject>>(value), at);
        break;
      case Kind::kTable:
      case Kind::kUnion:
        SaveTable(std::get<std::vector<FlatObject>>(value).front(), at);
        break;
    }
  }

  void SaveText(const std::string& text, std::size_t from) {
    Pad(kOffsetSize);
    PutOffset(from);
    AppendNumber(text.size(), kOffsetSize);
    Append(text);
    AppendNumber(0, 1);
  }

  void SaveVector(const std::string& bytes, const FlatType& type, std::size_t from) {
    Pad(std::max<std::size_t>(type.alignment, kOffsetSize), kOffsetSize);
    PutOffset(from);
    AppendNumber(bytes.size() / type.size, kOffsetSize);
    Append(bytes);
  }

  /// Starts a vector of offsets. Returns the position of the first one.
  std::size_t SaveOffsets(std::size_t count, std::size_t from) {
    Pad(kOffsetSize);
    PutOffset(from);
    AppendNumber(count, kOffsetSize);
    const std::size_t begin = out_.size();
    out_.resize(begin + count * kOffsetSize, std::byte{0});
    return begin;
  }

  void SaveTexts(const std::vector<std::string>& texts, std::size_t from) {
    const std::size_t begin = SaveOffsets(texts.size(), from);
    for (std::size_t i = 0; i < texts.size(); ++i) SaveText(texts[i], begin + i * kOffsetSize);
  }

  void SaveTables(const std::vector<FlatObject>& tables, std::size_t from) {
    const std::size_t begin = SaveOffsets(tables.size(), from);
    for (std::size_t i = 0; i < tables.size(); ++i) SaveTable(tables[i], begin + i * kOffsetSize);
  }

  Bytes out_;
  std::unordered_map<std::string, std::size_t> vtables_;
};

Bytes FlatObject::Save(std::string_view identifier) const {
  return FlatSaver().Save(*this, identifier);
}

}  // namespace zarr
