// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "zarrlib/base/bytes.h"
#include "zarrlib/store/icechunk/flat/flat_buffer.h"

namespace zarr {

struct FlatSchema;

/// The type of a field of a table.
struct FlatType {
  enum class Kind : std::uint8_t {
    kNumber,
    kStruct,
    kText,
    kVector,  ///< Of numbers or structs.
    kTexts,
    kTable,
    kTables,
    kUnion,  ///< A table, whose schema is that of the number in the field before it: 1 for the first one.
  };
  Kind kind = Kind::kNumber;
  std::uint8_t size = 0;                            ///< In bytes: of a number, of a struct, or of an item of a vector.
  std::uint8_t alignment = 1;                       ///< Of the same.
  std::span<const FlatSchema* const> schemas = {};  ///< Of a table: one; of a union: one for each type.
};

/// The fields of a table in the order of their declaration, in which they are numbered from 0.
struct FlatSchema {
  std::string_view name;
  std::span<const FlatType> fields;
};

/// A table that can be changed, with all that it contains. Whatever is not changed is kept, so that the properties that
/// another program has stored survive a change. Not thread-safe.
class FlatObject {
 public:
  /// Makes a table without fields. The schema must outlive it.
  explicit FlatObject(const FlatSchema& schema) : schema_(&schema), fields_(schema.fields.size()) {}
  /// Loads the root table of a buffer. Throws Error(corrupt) if the buffer is inconsistent, and Error(unsupported) if
  /// it has fields or types that the schema lacks, because they would be lost.
  static FlatObject Load(ByteSpan buffer, const FlatSchema& schema);
  /// Makes a buffer with this as its root table, and with a file identifier of four characters. Throws
  /// Error(limit_exceeded) for more than 2 GB.
  Bytes Save(std::string_view identifier) const;

  bool Has(unsigned field) const { return !std::holds_alternative<std::monostate>(fields_[field]); }
  void Clear(unsigned field) { fields_[field] = std::monostate(); }

  /// Returns 0 for an absent number, "" for absent bytes.
  std::uint64_t number(unsigned field) const;
  /// The bytes of a struct, a text or a vector of numbers or structs, as they are in the buffer.
  std::string_view bytes(unsigned field) const;
  void SetNumber(unsigned field, std::uint64_t value) { fields_[field] = value; }
  void SetBytes(unsigned field, std::string_view bytes) { fields_[field] = std::string(bytes); }
  void SetBytes(unsigned field, ByteSpan bytes) { SetBytes(field, AsText(bytes)); }

  /// The following functions add the field if it is absent.
  std::vector<std::string>& texts(unsigned field);
  std::vector<FlatObject>& tables(unsigned field);
  FlatObject& table(unsigned field);
  /// Sets a union to a table without fields, and the field before it to its type.
  FlatObject& MakeUnion(unsigned field, std::uint8_t type);
  /// Adds a table without fields at the end of a vector.
  FlatObject& Append(unsigned field) { return tables(field).emplace_back(schema_of(field)); }
  const FlatSchema& schema_of(unsigned field) const { return *schema_->fields[field].schemas.front(); }

 private:
  friend class FlatLoader;
  friend class FlatSaver;

  // A table is a vector with one item.
  using Field =
      std::variant<std::monostate, std::uint64_t, std::string, std::vector<std::string>, std::vector<FlatObject>>;

  template <typename T>
  T& Get(unsigned field);

  const FlatSchema* schema_;
  std::vector<Field> fields_;
};

}  // namespace zarr
