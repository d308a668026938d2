// SPDX-License-Identifier: MIT
#include "zarrlib/metadata/consolidated.h"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <utility>

#include "zarrlib/json/json_cursor.h"
#include "zarrlib/json/json_edit.h"
#include "zarrlib/metadata/document_names.h"

namespace zarr {
namespace {

constexpr std::string_view kWithoutSlash = ": begins with \"/\"; this and other keys are read without it";

/// Returns true if a key can start with `path`: it has no empty segments, no "." and no "..".
bool IsPath(std::string_view path) {
  while (true) {
    const std::size_t slash = path.find('/');
    const std::string_view segment = path.substr(0, slash);
    if (segment.empty() || segment == "." || segment == "..") return false;
    if (slash == std::string_view::npos) return true;
    path.remove_prefix(slash + 1);
  }
}

std::string MakeKey(std::string_view path, std::string_view name) {
  return path.empty() ? std::string(name) : std::string(path) + "/" + std::string(name);
}

bool IsKeyOf(std::string_view key, std::string_view name) {
  return key.ends_with(name) && (key.size() == name.size() || key[key.size() - name.size() - 1] == '/');
}

/// Resolves the escapes in a member's name. Throws Error(corrupt) for a name that is not UTF-8.
std::string ResolveName(std::string_view name, std::string_view store, std::string_view key) {
  const bool plain = std::all_of(name.begin(), name.end(), [](char c) { return c >= ' ' && c != '\\' && c != '\x7F'; });
  if (plain) return std::string(name);
  return JsonNode::Parse("\"" + std::string(name) + "\"", store, key).AsString();
}

}  // namespace

/// Finds the documents in the text. The results are valid only if the cursor is still ok at the end.
class ConsolidatedReader {
 public:
  ConsolidatedReader(Bytes text, std::string_view store, std::string_view key)
      : metadata_(std::make_shared<ConsolidatedMetadata>()), cursor_("") {
    metadata_->text_ = std::move(text);
    metadata_->store_ = store;
    metadata_->key_ = key;
    cursor_ = JsonCursor(AsText(metadata_->text_));
  }

  JsonCursor& cursor() { return cursor_; }
  std::string_view text() const { return AsText(metadata_->text_); }

  /// Reads the object that contains the documents of v2.
  void TakeDocumentsOfV2() {
    TakeDocuments(
        "/metadata",
        [this](const std::string& key) {
          if (IsKeyOf(key, kV2Array)) return TakeOutlineOfV2(&cursor_);
          if (IsKeyOf(key, kV2Attributes)) return TakeOutlineOfAttributes(&cursor_);
          cursor_.TakeValue();
          return Outline();
        },
        "");
  }

  void TakeDocumentsOfV3() {
    TakeDocuments(
        "/consolidated_metadata/metadata", [this](const std::string&) { return TakeOutlineOfV3(&cursor_); },
        "/" + std::string(kV3Document));
  }

  /// These functions throw the errors of ConsolidatedMetadata::FromV2.
  void CheckFormat(const JsonNode& format) { metadata_->CheckFormat(format); }
  void CheckHasDocuments() const { metadata_->CheckHasDocuments(keys_, metadata_->store_, metadata_->key_); }

  std::shared_ptr<ConsolidatedMetadata> Finish() { return metadata_; }

  void Add(std::string key, JsonNode node) {
    metadata_->documents_.insert_or_assign(std::move(key), ConsolidatedMetadata::Entry{std::move(node), {}, {}, {}});
  }

 private:
  template <typename TakeOutline>
  void TakeDocuments(std::string_view pointer, const TakeOutline& take, std::string_view suffix) {
    metadata_->documents_.clear();
    keys_ = 0;
    cursor_.EnterObject();
    std::string_view raw_name;
    while (cursor_.ReadNextMember(&raw_name)) {
      const std::string given = ResolveName(raw_name, metadata_->store_, metadata_->key_);
      const std::string name(metadata_->CorrectKey(given, pointer));
      ++keys_;
      const bool is_object = cursor_.IsNextObject();
      const std::size_t begin = cursor_.position();
      Outline outline;
      if (is_object) {
        outline = take(name);
      } else {
        cursor_.TakeValue();
      }
      if (!IsPath(name)) continue;
      metadata_->documents_.insert_or_assign(
          name + std::string(suffix),
          ConsolidatedMetadata::Entry{std::nullopt, cursor_.GetTextFrom(begin), outline,
                                      std::string(pointer) + "/" + EscapePointerStep(given)});
    }
  }

  std::shared_ptr<ConsolidatedMetadata> metadata_;
  JsonCursor cursor_;
  std::size_t keys_ = 0;  // of the object that contains the documents
};

void ConsolidatedMetadata::CheckFormat(const JsonNode& format) {
  const bool is_text = format.IsString() && format.AsString() == "1";
  const bool is_float = format.type() == JsonNode::Type::kFloat && format.AsDouble() == 1;
  if (!is_text && !is_float && format != JsonNode::MakeInteger(1)) {
    format.Fail(ErrorKind::kUnsupported, FormatExpectedGot("zarr_consolidated_format 1", format.GetExcerpt()));
  }
  if (format.IsInteger()) return;
  warnings_.push_back("/zarr_consolidated_format: " + FormatExpectedGot("1", format.GetExcerpt()) + "; taken as 1");
}

std::string_view ConsolidatedMetadata::CorrectKey(std::string_view key, std::string_view pointer) {
  if (!key.starts_with('/')) return key;
  if (warnings_.empty() || !warnings_.back().ends_with(kWithoutSlash)) {
    warnings_.push_back(std::string(pointer) + "/" + EscapePointerStep(key) + std::string(kWithoutSlash));
  }
  while (key.starts_with('/')) key.remove_prefix(1);
  return key;
}

void ConsolidatedMetadata::CheckHasDocuments(std::size_t keys, std::string_view store, std::string_view key) const {
  const auto is_document = [](const auto& entry) {
    return IsMetadataName(entry.first.substr(entry.first.rfind('/') + 1));
  };
  if (keys == 0 || std::any_of(documents_.begin(), documents_.end(), is_document)) return;
  throw Error(ErrorKind::kCorrupt, std::string(store), std::string(key), "/metadata",
              FormatExpectedGot("keys of documents, such as \"a/.zarray\"", std::to_string(keys) + " others"));
}

std::shared_ptr<ConsolidatedMetadata> ConsolidatedMetadata::FromV2(const JsonNode& zmetadata) {
  auto consolidated = std::make_shared<ConsolidatedMetadata>();
  // There is only one format: some writers do not name it.
  if (const auto format = zmetadata.Find("zarr_consolidated_format")) consolidated->CheckFormat(*format);
  const auto members = zmetadata.At("metadata").GetMembers();
  for (auto& [name, document] : members) {
    const std::string_view key = consolidated->CorrectKey(name, "/metadata");
    if (IsPath(key)) consolidated->documents_.insert_or_assign(std::string(key), Entry{document, {}, {}, {}});
  }
  consolidated->CheckHasDocuments(members.size(), zmetadata.store(), zmetadata.key());
  return consolidated;
}

std::shared_ptr<ConsolidatedMetadata> ConsolidatedMetadata::FromV3(const JsonNode& metadata, const JsonNode& root) {
  auto consolidated = std::make_shared<ConsolidatedMetadata>();
  for (auto& [name, document] : metadata.GetMembers()) {
    const std::string_view path = consolidated->CorrectKey(name, "/consolidated_metadata/metadata");
    if (IsPath(path))
      consolidated->documents_.insert_or_assign(MakeKey(path, kV3Document), Entry{document, {}, {}, {}});
  }
  consolidated->documents_.insert_or_assign(std::string(kV3Document), Entry{root, {}, {}, {}});
  return consolidated;
}

std::shared_ptr<ConsolidatedMetadata> ConsolidatedMetadata::FromTextOfV2(Bytes text, std::string_view store,
                                                                         std::string_view key) {
  ConsolidatedReader reader(std::move(text), store, key);
  JsonCursor& cursor = reader.cursor();
  std::string_view format;
  bool has_documents = false;
  std::string_view name;
  cursor.EnterObject();
  while (cursor.ReadNextMember(&name)) {
    if (name == "metadata" && cursor.IsNextObject()) {
      reader.TakeDocumentsOfV2();
      has_documents = true;
      continue;
    }
    const std::string_view value = cursor.TakeValue();
    if (name == "zarr_consolidated_format") format = value;
    if (name == "metadata") has_documents = false;
  }
  // Parsing the whole text throws the error if something is wrong with it.
  if (!cursor.IsAtEnd() || !has_documents) return FromV2(JsonNode::Parse(reader.text(), store, key));
  if (!format.empty()) reader.CheckFormat(JsonNode::Parse(format, store, key, "/zarr_consolidated_format"));
  reader.CheckHasDocuments();
  return reader.Finish();
}

bool IsOfParquetReferences(std::string_view text) {
  if (text.find("\"record_size\"") == std::string_view::npos) return false;
  JsonCursor cursor(text);
  std::string_view name;
  cursor.EnterObject();
  while (cursor.ReadNextMember(&name)) {
    if (name == "record_size") return true;
    cursor.TakeValue();
  }
  return false;
}

std::optional<JsonNode> ConsolidatedMetadata::Find(std::string_view key) const {
  std::optional<Entry> entry;
  {
    const std::shared_lock lock(documents_mutex_);
    if (const Entry* found = FindEntry(key)) entry = *found;
  }
  if (!entry) return std::nullopt;
  if (entry->node) return entry->node;
  return JsonNode::Parse(entry->text, store_, key_, entry->pointer);
}

bool ConsolidatedMetadata::Has(std::string_view key) const {
  const std::shared_lock lock(documents_mutex_);
  return FindEntry(key) != nullptr;
}

bool ConsolidatedMetadata::HasNode(std::string_view path) const {
  const std::shared_lock lock(documents_mutex_);
  return FindEntry(MakeKey(path, kV3Document)) || FindEntry(MakeKey(path, kV2Array)) ||
         FindEntry(MakeKey(path, kV2Group));
}

const ConsolidatedMetadata::Entry* ConsolidatedMetadata::FindEntry(std::string_view key) const {
  const auto entry = documents_.find(key);
  return entry == documents_.end() ? nullptr : &entry->second;
}

std::vector<std::string> ConsolidatedMetadata::GetChildren(std::string_view path) const {
  const std::string prefix = path.empty() ? "" : std::string(path) + "/";
  std::vector<std::string> names;
  const std::shared_lock lock(documents_mutex_);
  for (auto entry = documents_.lower_bound(prefix); entry != documents_.end() && entry->first.starts_with(prefix);) {
    const std::size_t slash = entry->first.find('/', prefix.size());
    if (slash == std::string::npos) {
      ++entry;
      continue;
    }
    names.push_back(entry->first.substr(prefix.size(), slash - prefix.size()));
    // Skips past the last document below this child: '0' is the character after '/'.
    entry = documents_.lower_bound(prefix + names.back() + '0');
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<std::string> ConsolidatedMetadata::GetKeys() const {
  const std::shared_lock lock(documents_mutex_);
  std::vector<std::string> keys;
  for (const auto& [key, document] : documents_) keys.push_back(key);
  return keys;
}

void ConsolidatedMetadata::Set(std::string_view key, JsonNode document) {
  const std::unique_lock lock(documents_mutex_);
  documents_.insert_or_assign(std::string(key), Entry{std::move(document), {}, {}, {}});
}

void ConsolidatedMetadata::Erase(std::string_view key) {
  const std::unique_lock lock(documents_mutex_);
  documents_.erase(std::string(key));
}

void ConsolidatedMetadata::EraseNode(std::string_view path) {
  const std::string prefix = std::string(path) + "/";
  const std::unique_lock lock(documents_mutex_);
  std::erase_if(documents_, [&](const auto& entry) { return entry.first.starts_with(prefix); });
}

void ConsolidatedMetadata::MoveNode(std::string_view from, std::string_view to) {
  const std::string prefix = std::string(from) + "/";
  const std::unique_lock lock(documents_mutex_);
  // An entry that was moved is not visited again, because `to` is not below `from`.
  for (auto entry = documents_.lower_bound(prefix); entry != documents_.end() && entry->first.starts_with(prefix);) {
    auto node = documents_.extract(entry++);
    node.key() = std::string(to) + "/" + node.key().substr(prefix.size());
    documents_.insert(std::move(node));
  }
}

std::string_view ConsolidatedMetadata::GetNodeType(std::string_view path) const {
  const std::shared_lock lock(documents_mutex_);
  return GetNodeTypeLocked(path);
}

std::string_view ConsolidatedMetadata::GetNodeTypeLocked(std::string_view path) const {
  const Entry* entry = FindEntry(MakeKey(path, kV3Document));
  const auto type = entry ? ParsePlainString(entry->outline.node_type) : std::nullopt;
  return type == "array" || type == "group" ? *type : std::string_view();
}

std::optional<DataType> ConsolidatedMetadata::ParseType(std::string_view text, bool v3) const {
  const std::lock_guard lock(types_mutex_);
  const auto known = types_.find(text);
  if (known != types_.end()) return known->second;
  try {
    const JsonNode node = JsonNode::Parse(text, store_, key_);
    return types_.emplace(text, v3 ? DataType::FromV3(node) : DataType::FromV2(node)).first->second;
  } catch (const Error&) {
    return std::nullopt;
  }
}

std::optional<ArraySummary> ConsolidatedMetadata::Summarize(std::string_view path) const {
  const std::shared_lock lock(documents_mutex_);
  const Entry* v3 = FindEntry(MakeKey(path, kV3Document));
  const Entry* array = v3 ? v3 : FindEntry(MakeKey(path, kV2Array));
  if (!array || array->outline.shape.empty() || (v3 && GetNodeTypeLocked(path) != "array")) return std::nullopt;
  Outline outline = array->outline;
  if (const Entry* attributes = v3 ? nullptr : FindEntry(MakeKey(path, kV2Attributes))) {
    if (attributes->node) return std::nullopt;
    outline.dimension_names = attributes->outline.dimension_names;
    outline.references = attributes->outline.references;
  }
  auto summary = MakeSummaryWithoutType(outline);
  const auto type = summary ? ParseType(outline.data_type, v3 != nullptr) : std::nullopt;
  if (!type || type->name.starts_with("|O")) return std::nullopt;  // only the filters determine the type of objects
  summary->data_type = *type;
  return summary;
}

namespace {

/// Reads `consolidated_metadata`. Returns false if it cannot be used.
bool TakeConsolidated(ConsolidatedReader* reader) {
  JsonCursor& cursor = reader->cursor();
  bool has_documents = false;
  std::string_view kind;
  std::string_view name;
  if (!cursor.IsNextObject()) return cursor.TakeValue(), false;
  cursor.EnterObject();
  while (cursor.ReadNextMember(&name)) {
    if (name == "metadata" && cursor.IsNextObject()) {
      reader->TakeDocumentsOfV3();
      has_documents = true;
      continue;
    }
    const std::string_view value = cursor.TakeValue();
    if (name == "kind") kind = value;
    if (name == "metadata") has_documents = false;
  }
  return has_documents && ParsePlainString(kind) == "inline";
}

RootOfV3 ParseWholeRootOfV3(std::string_view text, std::string_view store, std::string_view key) {
  RootOfV3 root{JsonNode::Parse(text, store, key), nullptr, true};
  if (GetNodeTypeV3(root.document) != "group") return root;
  const auto metadata = ParseGroupV3(root.document).consolidated;
  if (metadata) root.consolidated = ConsolidatedMetadata::FromV3(*metadata, root.document);
  return root;
}

}  // namespace

JsonNode WithQuotedFillValue(const JsonNode& document) {
  const auto fill = FindMember(document, "fill_value");
  if (!fill || !fill->IsNumber() || std::isfinite(fill->AsDouble())) return document;
  return CopyWithMember(document, "fill_value", JsonNode::MakeString(fill->Dump()));
}

RootOfV3 ParseRootOfV3(Bytes text, std::string_view store, std::string_view key) {
  if (AsText(text).find("\"consolidated_metadata\"") == std::string_view::npos) {
    return {JsonNode::Parse(AsText(text), store, key), nullptr, false};
  }
  ConsolidatedReader reader(std::move(text), store, key);
  JsonCursor& cursor = reader.cursor();
  std::string others;
  bool consolidated = false;
  std::string_view name;
  cursor.EnterObject();
  while (cursor.ReadNextMember(&name)) {
    if (name == "consolidated_metadata") {
      consolidated = TakeConsolidated(&reader);
      continue;
    }
    others += others.empty() ? "{\"" : ",\"";
    others.append(name).append("\":").append(cursor.TakeValue());
  }
  if (!cursor.IsAtEnd() || others.empty()) return ParseWholeRootOfV3(reader.text(), store, key);
  RootOfV3 root{JsonNode::Parse(others + "}", store, key), nullptr, true};
  if (consolidated && GetNodeTypeV3(root.document) == "group") {
    reader.Add(std::string(kV3Document), root.document);
    root.consolidated = reader.Finish();
  }
  return root;
}

}  // namespace zarr
