// SPDX-License-Identifier: MIT
#include "zarrlib/store/icechunk/flat/flat_object.h"

#include <algorithm>

#include "zarrlib/base/error.h"

namespace zarr {
namespace {

using Kind = FlatType::Kind;

std::uint64_t LoadNumber(ByteSpan bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) value = value << 8 | std::to_integer<std::uint64_t>(bytes[i]);
  return value;
}

}  // namespace

/// Loads tables. What they share must not multiply the memory, so that all parts together are bounded by the size of
/// the buffer.
class FlatLoader {
 public:
  explicit FlatLoader(ByteSpan buffer) : left_(2 * std::uint64_t{buffer.size()}) {}

  FlatObject Load(const FlatTable& table, const FlatSchema& schema) {
    Spend(table.size());
    if (table.HasFieldsFrom(static_cast<unsigned>(schema.fields.size()))) {
      FailUnknown(std::string(schema.name) + " has a field that this version does not know");
    }
    FlatObject object(schema);
    for (unsigned i = 0; i < schema.fields.size(); ++i) LoadField(table, i, &object);
    return object;
  }

 private:
  [[noreturn]] static void FailUnknown(const std::string& what) {
    throw Error(ErrorKind::kUnsupported, what + ", and which a change would lose");
  }

  void Spend(std::uint64_t size) {
    if (size > left_) throw Error(ErrorKind::kCorrupt, "tables of the FlatBuffer share their contents");
    left_ -= size;
  }

  void LoadField(const FlatTable& table, unsigned i, FlatObject* object) {
    const FlatType& type = object->schema_->fields[i];
    switch (type.kind) {
      case Kind::kNumber:
        if (const auto found = table.FindStruct(i, type.size)) object->SetNumber(i, LoadNumber(*found));
        break;
      case Kind::kStruct:
        if (const auto found = table.FindStruct(i, type.size)) object->SetBytes(i, *found);
        break;
      case Kind::kText:
        LoadBytes(table.FindVector(i, 1), i, object);
        break;
      case Kind::kVector:
        LoadBytes(table.FindVector(i, type.size), i, object);
        break;
      case Kind::kTexts:
        LoadTexts(table.FindVector(i, 4), i, object);
        break;
      case Kind::kTables:
        LoadTables(table.FindVector(i, 4), i, object);
        break;
      case Kind::kTable:
        if (const auto found = table.FindTable(i)) object->tables(i).push_back(Load(*found, object->schema_of(i)));
        break;
      case Kind::kUnion:
        LoadUnion(table.FindTable(i), i, object);
        break;
    }
  }

  void LoadBytes(const std::optional<FlatVector>& vector, unsigned i, FlatObject* object) {
    if (!vector) return;
    Spend(vector->bytes().size());
    object->SetBytes(i, vector->bytes());
  }

  void LoadTexts(const std::optional<FlatVector>& vector, unsigned i, FlatObject* object) {
    if (!vector) return;
    std::vector<std::string>& texts = object->texts(i);
    for (std::size_t j = 0; j < vector->size; ++j) {
      const std::string_view text = vector->text(j);
      Spend(4 + text.size());
      texts.emplace_back(text);
    }
  }

  void LoadTables(const std::optional<FlatVector>& vector, unsigned i, FlatObject* object) {
    if (!vector) return;
    std::vector<FlatObject>& tables = object->tables(i);
    for (std::size_t j = 0; j < vector->size; ++j) {
      tables.push_back(Load(FlatTable::OpenItem(*vector, j), object->schema_of(i)));
    }
  }

  void LoadUnion(const std::optional<FlatTable>& table, unsigned i, FlatObject* object) {
    if (!table) return;
    const auto schemas = object->schema_->fields[i].schemas;
    const std::uint64_t type = object->number(i - 1);
    if (type < 1 || type > schemas.size()) {
      FailUnknown(std::string(object->schema_->name) + " has type " + std::to_string(type) + ", which is unknown");
    }
    object->tables(i).push_back(Load(*table, *schemas[static_cast<std::size_t>(type) - 1]));
  }

  std::uint64_t left_;
};

FlatObject FlatObject::Load(ByteSpan buffer, const FlatSchema& schema) {
  return FlatLoader(buffer).Load(FlatTable::OpenRoot(buffer), schema);
}

std::uint64_t FlatObject::number(unsigned field) const {
  const std::uint64_t* const value = std::get_if<std::uint64_t>(&fields_[field]);
  return value ? *value : 0;
}

std::string_view FlatObject::bytes(unsigned field) const {
  const std::string* const value = std::get_if<std::string>(&fields_[field]);
  return value ? std::string_view(*value) : std::string_view();
}

template <typename T>
T& FlatObject::Get(unsigned field) {
  if (!Has(field)) fields_[field] = T();
  return std::get<T>(fields_[field]);
}

std::vector<std::string>& FlatObject::texts(unsigned field) {
  return Get<std::vector<std::string>>(field);
}

std::vector<FlatObject>& FlatObject::tables(unsigned field) {
  return Get<std::vector<FlatObject>>(field);
}

FlatObject& FlatObject::table(unsigned field) {
  std::vector<FlatObject>& found = tables(field);
  return found.empty() ? found.emplace_back(schema_of(field)) : found.front();
}

FlatObject& FlatObject::MakeUnion(unsigned field, std::uint8_t type) {
  SetNumber(field - 1, type);
  Clear(field);
  return tables(field).emplace_back(*schema_->fields[field].schemas[type - 1]);
}

}  // namespace zarr
