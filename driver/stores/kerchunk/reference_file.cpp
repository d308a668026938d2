// SPDX-License-Identifier: MIT
#include "driver/stores/kerchunk/reference_file.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "driver/stores/kerchunk/reference_target.h"
#include "zarrlib/base/base64.h"
#include "zarrlib/base/error.h"
#include "zarrlib/base/limits.h"
#include "zarrlib/json/json_string.h"

namespace gdal_zarr {
namespace {

constexpr std::size_t kLeastRoom = 1 << 18;
/// In bytes, for `templates` and for each item of `gen`, which are parsed as a whole.
constexpr std::size_t kMaxTemplateSize = 1 << 20;

bool IsSpace(char c) {
  return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

}  // namespace

struct ReferenceFile::GetMembers {
  std::string_view version;
  std::string_view templates;
  std::string_view generators;
  bool has_references = false;
  std::vector<Entry> others;  // the references of version 0
};

ReferenceFile::ReferenceFile(zarr::Bytes text, std::string name) : text_(std::move(text)), name_(std::move(name)) {
  digest_ = std::hash<std::string_view>()(this->text());
  if (text_.size() > UINT32_MAX) Fail(zarr::ErrorKind::kLimitExceeded, "", "a file of more than 4 GiB");
  GetMembers members;
  TakeDocument(&members);
  if (members.version.empty() && !members.has_references) {
    entries_ = std::move(members.others);
  } else if (members.version.empty() || members.version == "1") {
    pointer_ = "/refs";
    Generate(members);
  } else {
    Fail(zarr::ErrorKind::kUnsupported, "/version", zarr::FormatExpectedGot("1", members.version.substr(0, 60)));
  }
  Sort();
}

void ReferenceFile::Fail(zarr::ErrorKind kind, std::string pointer, std::string message) const {
  throw zarr::Error(kind, name_, "", std::move(pointer), std::move(message));
}

void ReferenceFile::TakeDocument(GetMembers* members) {
  zarr::JsonCursor cursor(text());
  std::string_view name;
  cursor.EnterObject();
  while (cursor.ReadNextMember(&name)) {
    if (name == "refs" && cursor.IsNextObject()) {
      entries_.clear();
      TakeReferences(&cursor, &entries_);
      members->has_references = true;
    } else if (name == "version") {
      members->version = cursor.TakeValue();
    } else if (name == "templates") {
      members->templates = cursor.TakeValue();
    } else if (name == "gen") {
      members->generators = cursor.TakeValue();
    } else {
      TakeReference(name, &cursor, &members->others);
    }
  }
  if (cursor.IsAtEnd()) return;
  Fail(zarr::ErrorKind::kCorrupt, "",
       zarr::FormatExpectedGot("kerchunk references as a JSON object",
                               "text that is not JSON at or before byte " + std::to_string(cursor.position())));
}

void ReferenceFile::TakeReferences(zarr::JsonCursor* cursor, std::vector<Entry>* entries) {
  std::string_view key;
  cursor->EnterObject();
  while (cursor->ReadNextMember(&key)) TakeReference(key, cursor, entries);
}

void ReferenceFile::TakeReference(std::string_view raw_key, zarr::JsonCursor* cursor, std::vector<Entry>* entries) {
  const std::string_view value = cursor->TakeValue();
  if (!cursor->ok()) return;
  std::string_view key = raw_key;
  const auto is_ascii = [](char c) { return static_cast<unsigned char>(c) < 0x80; };
  if (!std::all_of(raw_key.begin(), raw_key.end(), is_ascii)) {
    zarr::JsonNode::Parse("\"" + std::string(raw_key) + "\"", name_, "", pointer_);  // throws if it is not UTF-8
  }
  if (raw_key.find('\\') != std::string_view::npos) {
    const auto decoded = zarr::DecodeJsonString("\"" + std::string(raw_key) + "\"");
    if (!decoded || !zarr::IsKey(*decoded)) return;
    key = Keep(*decoded);
  }
  if (!zarr::IsKey(key)) return;
  NoteHosts(value);
  entries->push_back({key.data(), static_cast<std::uint64_t>(value.data() - text().data()),
                      static_cast<std::uint32_t>(key.size()), static_cast<std::uint32_t>(value.size())});
}

/// Most references begin like the preceding one, so one comparison usually suffices.
void ReferenceFile::NoteHosts(std::string_view value) {
  constexpr std::size_t kLongestScheme = 12;
  if (names_hosts() || value.front() != '[') return;
  value.remove_prefix(1);
  while (!value.empty() && IsSpace(value.front())) value.remove_prefix(1);
  const std::string_view beginning = value.substr(std::min<std::size_t>(1, value.size()), kLongestScheme);
  if (beginning == noted_) return;
  noted_ = beginning;
  if (LeadsToHost(beginning)) host_url_ = value.substr(1, value.find('"', 1) - 1);
}

void ReferenceFile::Generate(const GetMembers& members) {
  const auto parse = [this](std::string_view text, const std::string& pointer) {
    if (text.size() > kMaxTemplateSize) {
      Fail(zarr::ErrorKind::kLimitExceeded, pointer,
           "more than " + std::to_string(kMaxTemplateSize) + " characters of templates");
    }
    return zarr::JsonNode::Parse(text, name_, "", pointer);
  };
  if (!members.templates.empty()) templates_ = ReferenceTemplates(parse(members.templates, "/templates"));
  for (const auto& [name, text] : templates_.texts()) {
    if (LeadsToHost(text)) host_url_ = text;
  }
  if (members.generators.empty()) return;
  const std::uint64_t limit = GetLimit(zarr::Limit::kReferences);
  std::uint64_t number = 0;
  std::uint64_t size = 0;
  std::uint64_t work = 0;
  for (const zarr::JsonNode& item : parse(members.generators, "/gen").GetItems()) {
    const ReferenceGenerator& generator = generators_.emplace_back(item);
    if (generator.count() > limit - std::min(limit, number)) {
      item.Fail(zarr::ErrorKind::kLimitExceeded,
                zarr::FormatExpectedGot(FormatAtMost(zarr::Limit::kReferences, "references"), "more"));
    }
    if (!names_hosts() && LeadsToHost(generator.url())) host_url_ = generator.url();
    for (std::uint64_t i = 0; i < generator.count(); ++i) {
      const std::string rendered = generator.MakeKey(i, templates_, &work);
      if (work > GetLimit(zarr::Limit::kReferenceWork)) {
        item.Fail(
            zarr::ErrorKind::kLimitExceeded,
            zarr::FormatExpectedGot(FormatAtMost(zarr::Limit::kReferenceWork, "steps of work for the keys"), "more"));
      }
      if (!zarr::IsKey(rendered)) item.Fail(zarr::ErrorKind::kCorrupt, zarr::FormatExpectedGot("a key", rendered));
      size += rendered.size();
      if (size > GetLimit(zarr::Limit::kReferenceKeys)) {
        item.Fail(zarr::ErrorKind::kLimitExceeded,
                  zarr::FormatExpectedGot(FormatAtMost(zarr::Limit::kReferenceKeys, "bytes of keys"), "more"));
      }
      const std::string_view key = Keep(rendered);
      entries_.push_back({key.data(), number++, static_cast<std::uint32_t>(key.size()), 0});
    }
  }
}

std::string_view ReferenceFile::Keep(std::string_view key) {
  if (kept_room_ < key.size()) {
    kept_room_ = std::max(kLeastRoom, key.size());
    kept_end_ = kept_.emplace_back(new char[kept_room_]).get();
  }
  char* const begin = kept_end_;
  std::copy(key.begin(), key.end(), begin);
  kept_end_ += key.size();
  kept_room_ -= key.size();
  return {begin, key.size()};
}

/// For equal keys, the generated reference takes precedence, otherwise the last one in the text.
void ReferenceFile::Sort() {
  const auto is_less = [](const Entry& a, const Entry& b) {
    const int order = a.key().compare(b.key());
    if (order != 0) return order < 0;
    const bool a_generated = a.value_size == 0;
    const bool b_generated = b.value_size == 0;
    return a_generated == b_generated ? a.value < b.value : b_generated;
  };
  std::sort(entries_.begin(), entries_.end(), is_less);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    if (i + 1 < entries_.size() && entries_[i].key() == entries_[i + 1].key()) continue;
    entries_[kept++] = entries_[i];
  }
  entries_.resize(kept);
}

std::vector<ReferenceFile::Entry>::const_iterator ReferenceFile::FindLowerBound(std::string_view key) const {
  return std::lower_bound(entries_.begin(), entries_.end(), key,
                          [](const Entry& entry, std::string_view value) { return entry.key() < value; });
}

const ReferenceFile::Entry* ReferenceFile::FindEntry(std::string_view key) const {
  const auto entry = FindLowerBound(key);
  return entry != entries_.end() && entry->key() == key ? &*entry : nullptr;
}

std::optional<Reference> ReferenceFile::Find(std::string_view key) const {
  const Entry* entry = FindEntry(key);
  if (!entry) return std::nullopt;
  return entry->value_size == 0 ? ParseGeneratedReference(entry->value) : ParseReference(*entry);
}

Reference ReferenceFile::ParseGeneratedReference(std::uint64_t number) const {
  auto generator = generators_.begin();
  for (; number >= generator->count(); ++generator) number -= generator->count();
  return generator->MakeReference(number, templates_);
}

Reference ReferenceFile::ParseReference(const Entry& entry) const {
  const std::string_view value = text().substr(entry.value, entry.value_size);
  const std::string pointer = pointer_ + "/" + zarr::EscapePointerStep(entry.key());
  Reference reference;
  if (value.front() == '{') {
    reference.inline_value = std::string(value);
  } else if (value.front() == '"') {
    reference.inline_value = zarr::DecodeJsonString(value);
    if (!reference.inline_value) Fail(zarr::ErrorKind::kCorrupt, pointer, "a string that is not valid JSON");
    if (!reference.inline_value->starts_with(kBase64)) return reference;
    const auto bytes = zarr::DecodeBase64(std::string_view(*reference.inline_value).substr(kBase64.size()));
    if (!bytes) Fail(zarr::ErrorKind::kCorrupt, pointer, "the text after \"base64:\" is not base64");
    reference.inline_value = std::string(zarr::AsText(*bytes));
  } else {
    const zarr::JsonNode node = zarr::JsonNode::Parse(value, name_, "", pointer);
    if (!node.IsArray() || (node.size() != 1 && node.size() != 3)) {
      node.FailExpected("a string, an object, [url], or [url, offset, length]");
    }
    reference.url = node[0].AsString();
    if (!templates_.empty() && reference.url.find("{{") != std::string::npos) {
      reference.url = RenderAt(node[0], reference.url, templates_);
    }
    if (node.size() == 3) {
      reference.offset = node[1].AsUint64();
      reference.length = node[2].AsUint64();
    }
  }
  return reference;
}

zarr::Listing ReferenceFile::List(std::string_view prefix) const {
  zarr::Listing listing;
  auto entry = FindLowerBound(prefix);
  while (entry != entries_.end() && entry->key().starts_with(prefix)) {
    const std::string_view rest = entry->key().substr(prefix.size());
    const std::size_t slash = rest.find('/');
    if (slash == std::string_view::npos) {
      listing.keys.emplace_back(rest);
      ++entry;
    } else {
      listing.prefixes.emplace_back(rest.substr(0, slash));
      // Skips to the first entry after this prefix: '0' follows '/' in ASCII.
      entry = FindLowerBound(std::string(prefix) + listing.prefixes.back() + '0');
    }
  }
  std::sort(listing.prefixes.begin(), listing.prefixes.end());
  return listing;
}

}  // namespace gdal_zarr
