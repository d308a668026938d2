// SPDX-License-Identifier: MIT
#include "zarrlib/hierarchy/own_documents.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "zarrlib/hierarchy/spelled_out.h"
#include "zarrlib/json/json_edit.h"
#include "zarrlib/metadata/document_names.h"

namespace zarr {
namespace {

/// Returns the name of a number that JSON does not have, which some writers quote and others do not; "" for other
/// values.
std::string_view GetNameOfNonFinite(const JsonNode& node) {
  const std::string text = node.IsString() ? node.AsString() : node.IsNumber() ? node.Dump() : "";
  for (const std::string_view name : {"NaN", "Infinity", "-Infinity"}) {
    if (text == name) return name;
  }
  return "";
}

/// Returns true if two documents are equivalent. Both may contain NaN, which is not equal to itself.
bool SayTheSame(const JsonNode& a, const JsonNode& b) {
  if (a == b) return true;
  if (a.IsObject() && b.IsObject() && a.size() == b.size()) {
    return std::ranges::all_of(a.GetMembers(), [&b](const auto& member) {
      const auto other = b.Find(member.first);
      return other && SayTheSame(member.second, *other);
    });
  }
  if (a.IsArray() && b.IsArray() && a.size() == b.size())
    return std::ranges::equal(a.GetItems(), b.GetItems(), SayTheSame);
  const std::string_view name = GetNameOfNonFinite(a);
  return name.empty() ? a.Dump() == b.Dump() : name == GetNameOfNonFinite(b);
}

std::string GetExcerpt(const std::optional<JsonNode>& value) {
  return value ? value->GetExcerpt() : "nothing";
}

/// Returns the names of the members of two objects, the shape first.
std::vector<std::string> ListMembers(const JsonNode& own, const JsonNode& listed) {
  std::vector<std::string> names = {"shape"};
  for (const JsonNode& document : {own, listed}) {
    if (!document.IsObject()) continue;
    for (const auto& [name, value] : document.GetMembers()) names.push_back(name);
  }
  return names;
}

/// Describes the first member in which two documents differ, with both values. Also compares the members of attributes.
std::string DescribeDifference(const JsonNode& own, const JsonNode& listed, const std::string& pointer = "") {
  for (const std::string& name : ListMembers(own, listed)) {
    const auto mine = FindMember(own, name);
    const auto other = FindMember(listed, name);
    if (!mine && !other) continue;
    if (mine && other && SayTheSame(*mine, *other)) continue;
    const std::string place = pointer + "/" + EscapePointerStep(name);
    const bool are_attributes = name == "attributes" && mine && other && mine->IsObject() && other->IsObject();
    if (are_attributes) return DescribeDifference(*mine, *other, place);
    return place + ": " + GetExcerpt(mine) + ", but " + GetExcerpt(other) + " in the consolidated metadata";
  }
  return "/: " + own.GetExcerpt() + ", but " + listed.GetExcerpt() + " in the consolidated metadata";
}

struct OwnDocument {
  JsonNode content;
  std::int64_t time = 0;
};

/// Reads a document of a node; returns nullopt if it is absent.
std::optional<OwnDocument> ReadOwn(const Store& store, const std::string& key) {
  Bytes text;
  VersionStamp stamp;
  if (!store.Get(key, &text, &stamp, GetLimit(Limit::kDocument))) return std::nullopt;
  return OwnDocument{WithoutConsolidated(JsonNode::Parse(AsText(text), store.name(), key)), stamp.time};
}

}  // namespace

std::vector<std::string> OwnDocuments::Compare(std::string_view path, NodeKind kind, NodeDocuments* documents) {
  {
    const std::lock_guard lock(mutex_);
    if (!compared_.emplace(path).second) return {};
  }
  std::vector<std::string> differences;
  if (!documents->consolidated()->HasNode(path)) {
    const std::string name(kind == NodeKind::kArray ? format_.array_documents().front() : "");
    if (!name.empty() && store_.Exists(JoinKey(path, name))) {
      differences.push_back(store_.name() + "/" + JoinKey(path, name) +
                            ": the consolidated metadata do not list this node: they are older");
    }
    return differences;
  }
  const auto names = kind == NodeKind::kArray ? format_.array_documents() : format_.group_documents();
  const std::string first = JoinKey(path, names.front());
  // The v3 root's document contains the consolidated metadata.
  if (first == format_.consolidated_key()) return {};
  if (kind == NodeKind::kArray && !store_.Exists(first)) {
    CompareAbsent(path, first, *documents, &differences);
    return differences;
  }
  for (const std::string_view name : names) CompareDocument(path, name, documents, &differences);
  return differences;
}

void OwnDocuments::CompareDocument(std::string_view path, std::string_view name, NodeDocuments* documents,
                                   std::vector<std::string>* differences) const {
  const std::string key = JoinKey(path, name);
  auto listed = documents->consolidated()->Find(key);
  // zarr-python 3 lists groups with empty consolidated metadata of their own.
  if (listed) listed = WithoutConsolidated(*listed);
  try {
    const auto own = ReadOwn(store_, key);
    if (!own || (listed && SayTheSame(own->content, *listed))) return;
    const JsonNode none = JsonNode::MakeObject({});
    if (!listed && SayTheSame(own->content, none)) return;
    const JsonNode mine = SpellOut(own->content);
    const JsonNode other = SpellOut(listed.value_or(none));
    if (SayTheSame(mine, other)) return;
    const bool is_older = own->time < GetTimeOfConsolidated();
    const std::string difference = DescribeDifference(mine, other);
    differences->push_back(store_.name() + "/" + key + ": " + difference +
                           (is_older ? ", which changed later and are used" : ", which are older and are not used"));
    if (!is_older) documents->Adopt(path, name, own->content);
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::kIo) throw;
    differences->push_back(std::string(error.what()) + "; the consolidated metadata are used");
  }
}

bool OwnDocuments::HasOwn(const ConsolidatedMetadata& consolidated) {
  {
    const std::lock_guard lock(mutex_);
    if (has_own_) return *has_own_;
  }
  const bool found = std::ranges::any_of(consolidated.GetKeys(), [&](const std::string& key) {
    return key.find('/') != std::string::npos && store_.Exists(key);
  });
  const std::lock_guard lock(mutex_);
  has_own_ = found;
  return found;
}

void OwnDocuments::CompareAbsent(std::string_view path, const std::string& key, const NodeDocuments& documents,
                                 std::vector<std::string>* differences) {
  const auto has_document = [&](std::string_view name) { return store_.Exists(name); };
  // In some stores only the consolidated metadata describe the nodes.
  const auto names = format_.group_documents();
  if (std::ranges::none_of(names, has_document)) return;
  const auto listing = store_.List(std::string(path) + "/");
  if (!listing || !listing->keys.empty() || !listing->prefixes.empty()) {
    differences->push_back(store_.name() + "/" + key +
                           ": the consolidated metadata list this document, which is not there; they are used");
    return;
  }
  if (!HasOwn(*documents.consolidated())) {
    differences->push_back(store_.name() + "/" + key +
                           ": only the consolidated metadata describe this array, of which " +
                           "nothing else is there; its values are the fill value");
    return;
  }
  throw Error(ErrorKind::kCorrupt, store_.name(), key, "",
              "the consolidated metadata list this array, but nothing of it is there: it has been removed or moved "
              "since they were written");
}

std::int64_t OwnDocuments::GetTimeOfConsolidated() const {
  VersionStamp stamp;
  return store_.GetStamp(format_.consolidated_key(), &stamp) ? stamp.time : 0;
}

}  // namespace zarr
