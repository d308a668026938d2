// SPDX-License-Identifier: MIT
#include "driver/stores/document_store.h"

#include <algorithm>
#include <mutex>
#include <utility>

#include "driver/stores/http/http_settings.h"
#include "zarrlib/metadata/document_names.h"
#include "zarrlib/metadata/node_path.h"
#include "zarrlib/store/wanted_ranges.h"

namespace gdal_zarr {
namespace {

using std::chrono::steady_clock;

/// Maximum size of prefetched documents that were not read yet, in bytes.
constexpr std::size_t kMostKept = std::size_t{128} << 20;
/// Larger values are not prefetched.
constexpr std::uint64_t kLargestEarlyValue = std::uint64_t{1} << 20;
/// Prefetched values expire after this time, because reads must return the current values of the store.
constexpr std::chrono::seconds kLongestEarly{10};
/// Maximum number of keys recorded for an opening, since a program may go on to open everything.
constexpr std::size_t kLongestTrail = 32;

/// Returns true if a key is that of a document that this store handles. The root documents of v1 are read once, and
/// never together with others.
bool IsNodeDocument(std::string_view key) {
  const std::string_view name = zarr::SplitKey(key).second;
  return name == zarr::kV2Array || name == zarr::kV2Group || name == zarr::kV2Attributes || name == zarr::kV3Document ||
         name == zarr::kV2Consolidated;
}

}  // namespace

DocumentStore::DocumentStore(const std::shared_ptr<zarr::Store>& store, const Opening& opening)
    : ForwardingStore(store),
      ForwardingRequests(*store->requests()),
      began_(opening.began),
      identity_(store->identity()),
      opening_(identity_ + "\n" + opening.array.value_or("\n")) {
  if (!opening.array || !zarr::IsKey(*opening.array)) return;
  first_array_ = *opening.array;
  opening_in_folder_ = identity_.substr(0, identity_.rfind('/') + 1) + "*\n" + first_array_;
  for (const std::string_view name : {zarr::kV2Array, zarr::kV2Attributes}) {
    of_first_array_.push_back(zarr::JoinKey(*opening.array, name));
  }
}

// --- cached answers ----------------------------------------------------------------------------------------------

std::shared_ptr<const DocumentStore::Answer> DocumentStore::Find(std::string_view key) const {
  const std::lock_guard lock(mutex_);
  const auto found = answers_.find(std::string(key));
  return found == answers_.end() ? nullptr : found->second;
}

void DocumentStore::Keep(const std::string& key, const std::shared_ptr<const Answer>& answer) const {
  const std::size_t size = *answer ? (*answer)->size() : 0;
  const std::lock_guard lock(mutex_);
  if (kept_bytes_ + size > kMostKept) return;
  if (answers_.try_emplace(key, answer).second) kept_bytes_ += size;
}

void DocumentStore::Forget(std::string_view key) const {
  const std::lock_guard lock(mutex_);
  const auto found = answers_.find(std::string(key));
  if (found == answers_.end()) return;
  if (*found->second) kept_bytes_ -= (*found->second)->size();
  answers_.erase(found);
}

void DocumentStore::Share(const std::string& key, CachedDocument document) const {
  Keep(key, document.answer);
  if (KeepsIdentity()) DocumentCache::GetShared().Keep(MakeName(key), std::move(document));
}

std::optional<CachedDocument> DocumentStore::FindCached(std::string_view key) const {
  auto document = DocumentCache::GetShared().Find(MakeName(key));
  if (!document || document->writes != CountWrites(key) || !KeepsIdentity()) return std::nullopt;
  return document;
}

bool DocumentStore::IsFresh(const CachedDocument& document) const {
  const auto age = steady_clock::now() - document.asked;
  return (document.asked >= began_ && age < kLongestEarly) || age < GetMetadataAge(name());
}

std::optional<DocumentStore::EarlyValue> DocumentStore::TakeEarly(std::string_view key) const {
  std::optional<EarlyValue> answer;
  {
    const std::lock_guard lock(mutex_);
    if (early_.empty()) return std::nullopt;
    if (auto found = early_.extract(std::string(key))) answer = std::move(found.mapped());
  }
  if (!answer || steady_clock::now() - answer->asked > kLongestEarly) return std::nullopt;
  return answer->writes == CountWrites(key) ? std::move(answer) : std::nullopt;
}

// --- requests ----------------------------------------------------------------------------------------------------

bool DocumentStore::Prefetch(std::span<const std::string> documents, std::span<const std::string> values) const {
  NoteUse(documents, values);
  return AskTogether(documents, values);
}

bool DocumentStore::AskTogether(std::span<const std::string> documents, std::span<const std::string> values) const {
  if (!reads_early()) return false;
  std::vector<zarr::EarlyRequest> wanted;
  std::unordered_map<std::string, CachedDocument> cached;
  const auto add = [&](const std::string& key, std::uint64_t max_size, const std::string& known_tag) {
    const auto is_it = [&](const zarr::EarlyRequest& other) { return other.key == key; };
    if (std::none_of(wanted.begin(), wanted.end(), is_it)) wanted.push_back({key, max_size, known_tag});
  };
  for (const std::string& key : documents) {
    if (!IsNodeDocument(key) || Find(key)) continue;
    auto known = FindCached(key);
    if (known && IsFresh(*known)) {
      Keep(key, known->answer);
      continue;
    }
    add(key, zarr::GetLimit(zarr::Limit::kText), known ? known->known_tag : "");
    if (known) cached.insert_or_assign(key, *std::move(known));
  }
  for (const std::string& key : values) {
    const std::lock_guard lock(mutex_);
    if (asked_early_.insert(key).second) add(key, kLargestEarlyValue, "");
  }
  const auto now = steady_clock::now();
  auto answers = ReadEarly(wanted);
  for (std::size_t i = 0; answers && i < answers->size(); ++i) {
    TakeAnswer(wanted[i], std::move((*answers)[i]), cached[wanted[i].key], now);
  }
  return true;
}

void DocumentStore::TakeAnswer(const zarr::EarlyRequest& request, zarr::EarlyAnswer answer, const CachedDocument& known,
                               Time asked) const {
  using State = zarr::EarlyAnswer::State;
  const std::string& key = request.key;
  const bool is_document = IsNodeDocument(key);
  if (answer.refusal && is_document) {
    const std::lock_guard lock(mutex_);
    refusals_[key] = {answer.refusal, asked};
  }
  if (answer.state == State::kUnknown) return;
  if (answer.state == State::kUnchanged) return Share(key, {known.answer, request.known_tag, answer.writes, asked});
  Answer bytes = answer.state == State::kAbsent ? Answer() : Answer(std::move(answer.value));
  if (is_document) {
    return Share(key, {std::make_shared<const Answer>(std::move(bytes)), answer.known_tag, answer.writes, asked});
  }
  const std::lock_guard lock(mutex_);
  early_[key] = {std::move(bytes), answer.stamp, asked, answer.writes};
}

void DocumentStore::RethrowRefusal(std::string_view key) const {
  Refusal refusal;
  {
    const std::lock_guard lock(mutex_);
    if (auto found = refusals_.extract(std::string(key))) refusal = found.mapped();
  }
  const bool is_recent = steady_clock::now() - refusal.asked < kLongestEarly;
  if (refusal.error && is_recent) std::rethrow_exception(refusal.error);
}

std::shared_ptr<const DocumentStore::Answer> DocumentStore::Ask(std::string_view key, std::uint64_t max_size) const {
  const auto now = steady_clock::now();
  const std::uint64_t writes = CountWrites(key);
  zarr::Bytes bytes;
  zarr::VersionStamp stamp;
  const bool found = inner().Get(key, &bytes, &stamp, max_size);
  auto answer = std::make_shared<const Answer>(found ? Answer(std::move(bytes)) : Answer());
  // The store appends the number of writes to the server's tag.
  const std::string added = writes > 0 ? " " + std::to_string(writes) : "";
  const bool has_tag = found && stamp.settled && stamp.tag.size() > added.size() && stamp.tag.ends_with(added);
  const std::string tag = has_tag ? stamp.tag.substr(0, stamp.tag.size() - added.size()) : "";
  Share(std::string(key), {answer, tag, writes, now});
  return answer;
}

void DocumentStore::NoteUse(std::span<const std::string> documents, std::span<const std::string> values) const {
  DocumentCache::Trail trail;
  {
    const std::lock_guard lock(mutex_);
    const auto add = [&](const std::string& key, std::vector<std::string>* keys) {
      if (trail_.documents.size() + trail_.values.size() >= kLongestTrail) return false;
      if (std::find(keys->begin(), keys->end(), key) != keys->end()) return false;
      keys->push_back(key);
      return true;
    };
    bool is_longer = false;
    for (const std::string& key : documents) is_longer = add(key, &trail_.documents) || is_longer;
    for (const std::string& key : values) is_longer = add(key, &trail_.values) || is_longer;
    if (!is_longer) return;
    trail = trail_;
  }
  DocumentCache::GetShared().SetTrail(opening_, trail);
  if (!opening_in_folder_.empty()) DocumentCache::GetShared().SetTrail(opening_in_folder_, trail);
}

DocumentCache::Trail DocumentStore::GuessTrail() const {
  const auto root = FindCached(zarr::kV3Document);
  if (!root) return {};
  DocumentCache::Trail trail{{std::string(zarr::kV3Document)}, {}};
  if (*root->answer) {
    const bool is_consolidated = zarr::AsText(**root->answer).find(zarr::kConsolidatedMember) != std::string_view::npos;
    const bool is_wanted = !is_consolidated && !first_array_.empty();
    if (is_wanted) trail.documents.push_back(zarr::JoinKey(first_array_, zarr::kV3Document));
    return trail;
  }
  trail.documents.emplace_back(zarr::kV2Consolidated);
  const auto consolidated = FindCached(zarr::kV2Consolidated);
  if (consolidated && !*consolidated->answer) {
    trail.documents.insert(trail.documents.end(), of_first_array_.begin(), of_first_array_.end());
  }
  return trail;
}

void DocumentStore::FollowTrail() const {
  trail_followed_.Run([this] {
    DocumentCache::Trail trail = DocumentCache::GetShared().FindTrail(opening_);
    if (trail.documents.empty()) trail = GuessTrail();
    if (trail.documents.empty()) trail = DocumentCache::GetShared().FindTrail(opening_in_folder_);
    AskTogether(trail.documents, trail.values);
  });
}

std::shared_ptr<const DocumentStore::Answer> DocumentStore::Fetch(std::string_view key) const {
  FollowTrail();
  const std::string used(key);
  NoteUse({&used, 1}, {});
  if (auto known = Find(key)) return known;
  RethrowRefusal(key);
  const auto [path, name] = zarr::SplitKey(key);
  std::vector<std::string> wanted{std::string(key)};
  const auto add = [&, folder = path](std::string_view other) { wanted.push_back(zarr::JoinKey(folder, other)); };
  const bool is_root = path.empty();
  if (name == zarr::kV2Array || name == zarr::kV2Group) add(zarr::kV2Attributes);
  if (is_root && name == zarr::kV2Array) add(zarr::kV2Group);
  if (is_root && (name == zarr::kV2Array || name == zarr::kV2Consolidated)) {
    wanted.insert(wanted.end(), of_first_array_.begin(), of_first_array_.end());
  }
  if (wanted.size() > 1 || FindCached(key)) AskTogether(wanted, {});
  RethrowRefusal(key);
  return Find(key);
}

// --- the store ---------------------------------------------------------------------------------------------------

bool DocumentStore::Read(const zarr::ReadRequest& request) const {
  using Part = zarr::ReadRequest::Part;
  const bool is_now = request.freshness == zarr::Freshness::kNow;
  if (!is_now && (request.part == Part::kWhole || request.part == Part::kStamp)) {
    if (auto early = TakeEarly(request.key)) return ReadValue(*std::move(early), request);
  }
  const bool may_know = request.part == Part::kPresence || (request.part == Part::kWhole && !request.stamp);
  return !is_now && may_know && IsNodeDocument(request.key) ? ReadDocument(request) : inner().Read(request);
}

bool DocumentStore::ReadValue(EarlyValue early, const zarr::ReadRequest& request) const {
  if (request.stamp) *request.stamp = early.stamp;
  const bool found = early.bytes.has_value();
  if (request.part == zarr::ReadRequest::Part::kStamp) {
    // The value itself may be requested next.
    const std::lock_guard lock(mutex_);
    early_.try_emplace(std::string(request.key), std::move(early));
    return found;
  }
  if (!found) return false;
  zarr::CheckValueSize(early.bytes->size(), request.max_size);
  *request.value = *std::move(early.bytes);
  return true;
}

bool DocumentStore::ReadDocument(const zarr::ReadRequest& request) const {
  const bool is_wanted = request.part == zarr::ReadRequest::Part::kWhole;
  auto answer = Fetch(request.key);
  // An existing document will be read.
  if (!answer) answer = Ask(request.key, is_wanted ? request.max_size : zarr::GetLimit(zarr::Limit::kText));
  if (!is_wanted || !*answer) return answer->has_value();
  // The reader keeps it. A broken document must be requested again, because the server may have failed.
  Forget(request.key);
  zarr::CheckValueSize((*answer)->size(), request.max_size);
  *request.value = **answer;
  return true;
}

// Removes the document with its tag, so that the server does not confirm a broken copy.
bool DocumentStore::NoteBroken(std::string_view key, int status, int times, zarr::Error* error) const {
  Forget(key);
  DocumentCache::GetShared().Forget(MakeName(key));
  return ForwardingRequests::NoteBroken(key, status, times, error);
}

bool DocumentStore::Write(std::string_view key, zarr::ByteSpan value, zarr::WriteIf condition) {
  const bool is_written = inner().Write(key, value, condition);
  TakeEarly(key);
  Forget(key);
  return is_written;
}

bool DocumentStore::WriteIfSame(std::string_view key, zarr::ByteSpan value, const zarr::VersionStamp* known) {
  const bool is_written = inner().WriteIfSame(key, value, known);
  TakeEarly(key);
  Forget(key);
  return is_written;
}

void DocumentStore::EraseAll(std::span<const std::string> keys) {
  inner().EraseAll(keys);
  for (const std::string& key : keys) {
    TakeEarly(key);
    Forget(key);
  }
}

}  // namespace gdal_zarr
