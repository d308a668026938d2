// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "driver/stores/kerchunk/reference_generator.h"
#include "driver/stores/kerchunk/reference_template.h"
#include "driver/stores/kerchunk/references.h"
#include "zarrlib/base/bytes.h"
#include "zarrlib/json/json_cursor.h"
#include "zarrlib/store/store.h"

namespace gdal_zarr {

/// A file of kerchunk references: JSON that specifies the location of the value of each key of a Zarr store. Version 0
/// is an object of keys. Version 1 is {"version": 1, "templates": {}, "gen": [], "refs": {}}, with its members in any
/// order.
///
/// The constructor scans the text once and records where each reference is. References are parsed on demand. The text
/// is kept, and each reference takes another 24 bytes. Immutable, and safe for any number of threads.
class ReferenceFile final : public References {
 public:
  /// `name` is the file's name in error messages. Throws Error(corrupt) if one pass shows that the text is not JSON or
  /// does not contain references, and Error(unsupported) for unknown versions and for templates that ReferenceTemplates
  /// does not support.
  ReferenceFile(zarr::Bytes text, std::string name);

  const std::string& name() const { return name_; }
  std::size_t size() const { return entries_.size(); }
  std::size_t digest() const override { return digest_; }
  const std::string& host_url() const override { return host_url_; }
  bool Has(std::string_view key) const override { return FindEntry(key) != nullptr; }
  std::optional<Reference> Find(std::string_view key) const override;
  zarr::Listing List(std::string_view prefix) const override;

 private:
  struct Entry {
    const char* key_data;
    std::uint64_t value;  // its offset in the text, or the index of a combination, counted across all generators
    std::uint32_t key_size;
    std::uint32_t value_size;  // 0 for a generated reference
    std::string_view key() const { return {key_data, key_size}; }
  };
  struct GetMembers;  // members of the whole document

  void TakeDocument(GetMembers* members);
  void TakeReferences(zarr::JsonCursor* cursor, std::vector<Entry>* entries);
  /// Skips a value, and adds an entry for it if its name is a key.
  void TakeReference(std::string_view raw_key, zarr::JsonCursor* cursor, std::vector<Entry>* entries);
  void NoteHosts(std::string_view value);
  void Generate(const GetMembers& members);
  void Sort();
  [[noreturn]] void Fail(zarr::ErrorKind kind, std::string pointer, std::string message) const;
  /// Stores a key that does not occur literally in the text.
  std::string_view Keep(std::string_view key);

  std::string_view text() const { return zarr::AsText(text_); }
  const Entry* FindEntry(std::string_view key) const;
  std::vector<Entry>::const_iterator FindLowerBound(std::string_view key) const;
  Reference ParseReference(const Entry& entry) const;
  Reference ParseGeneratedReference(std::uint64_t number) const;

  zarr::Bytes text_;
  std::string name_;
  std::size_t digest_;
  std::string pointer_;                        // JSON pointer to the references
  std::vector<std::unique_ptr<char[]>> kept_;  // blocks of stored keys
  std::size_t kept_room_ = 0;                  // remaining bytes of the last block
  char* kept_end_ = nullptr;
  std::vector<Entry> entries_;  // sorted by key
  ReferenceTemplates templates_;
  std::vector<ReferenceGenerator> generators_;
  std::string noted_;  // the beginning of the URL that was checked last
  std::string host_url_;
};

}  // namespace gdal_zarr
