#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "driver/stores/kerchunk/reference_generator.h"
#include "driver/stores/kerchunk/reference_template.h"
#include "zarrlib/base/bytes.h"
#include "zarrlib/json/json_cursor.h"
#include "zarrlib/store/store.h"

namespace gdal_zarr {

/// A file of kerchunk references: JSON that says for each key of a Zarr store where its value stands. Version 0, an
/// object of keys; or version 1, {"version": 1, "templates": {}, "gen": [], "refs": {}}, its members in any order.
///
/// One pass finds where the references stand in the text, which is kept; each is parsed when it is asked for. Beside
/// the text, a reference takes 24 bytes. Immutable; safe for any number of threads.
class ReferenceFile {
 public:
  /// `name` is what errors call the file. Throws Error(corrupt) for text that is no JSON, as far as one pass tells, or
  /// has no references; Error(unsupported) for other versions and for templates beyond what ReferenceTemplates knows.
  ReferenceFile(zarr::Bytes text, std::string name);
  ReferenceFile(const ReferenceFile&) = delete;
  ReferenceFile& operator=(const ReferenceFile&) = delete;

  const std::string& name() const { return name_; }
  std::size_t size() const { return entries_.size(); }
  /// Equal for equal texts.
  std::size_t digest() const { return digest_; }
  /// Whether a URL names another host: `scheme://`, other than a file's, or one of GDAL's network file systems.
  bool names_hosts() const { return !host_url_.empty(); }
  /// The beginning of one such URL at least, as it stands in the file.
  const std::string& host_url() const { return host_url_; }

  bool Has(std::string_view key) const { return FindEntry(key) != nullptr; }
  /// Nothing if there is no such key. Throws Error(corrupt), with the place in the file, for what is no reference.
  std::optional<Reference> Find(std::string_view key) const;
  /// As zarr::Store::List.
  zarr::Store::Listing List(std::string_view prefix) const;

 private:
  struct Entry {
    const char* key_data;
    std::uint64_t value;  // its offset in the text, or the number of a combination, counted through all generators
    std::uint32_t key_size;
    std::uint32_t value_size;  // 0: a generator's
    std::string_view key() const { return {key_data, key_size}; }
  };
  struct Members;  // of the whole document

  void TakeDocument(Members* members);
  void TakeReferences(zarr::JsonCursor* cursor, std::vector<Entry>* entries);
  /// Steps over a value, which becomes an entry if its name is a key.
  void TakeReference(std::string_view raw_key, zarr::JsonCursor* cursor, std::vector<Entry>* entries);
  void NoteHosts(std::string_view value);
  void Generate(const Members& members);
  void Sort();
  [[noreturn]] void Fail(zarr::ErrorKind kind, std::string pointer, std::string message) const;
  /// Keeps a key that does not stand in the text.
  std::string_view Keep(std::string_view key);

  std::string_view text() const { return zarr::AsText(text_); }
  const Entry* FindEntry(std::string_view key) const;
  std::vector<Entry>::const_iterator LowerBound(std::string_view key) const;
  Reference ParseReference(const Entry& entry) const;
  Reference ReferenceFromGenerator(std::uint64_t number) const;

  zarr::Bytes text_;
  std::string name_;
  std::size_t digest_;
  std::string pointer_;                        // of the references
  std::vector<std::unique_ptr<char[]>> kept_;  // blocks of keys
  std::size_t kept_room_ = 0;                  // in the last block
  char* kept_end_ = nullptr;
  std::vector<Entry> entries_;  // sorted by key
  ReferenceTemplates templates_;
  std::vector<ReferenceGenerator> generators_;
  std::string noted_;  // the beginning of the URL that was looked at last
  std::string host_url_;
};

}  // namespace gdal_zarr
