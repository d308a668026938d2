// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "driver/stores/document_cache.h"
#include "zarrlib/base/fork_safety.h"
#include "zarrlib/base/once.h"
#include "zarrlib/store/forwarding_store.h"
#include "zarrlib/store/store_requests.h"

namespace gdal_zarr {

/// The opening of a dataset that only reads.
struct Opening {
  std::optional<std::string> array;  ///< The path of the array that will be opened first, if one is known.
  std::chrono::steady_clock::time_point began = std::chrono::steady_clock::now();
};

/// Wraps a store on the web for a dataset that only reads it, and keeps its requests few.
///
/// Metadata documents that are likely to be needed together are asked for at once: the attributes of a v2 node with its
/// other document, the documents of a v2 root with each other, those of the first array with the consolidated metadata
/// of v2, those that `Prefetch` is told, and, with the first one, all that the same opening used before in this
/// process. A document that came early is kept until it is read, and that one is absent is remembered for as long as
/// the dataset lives; so none is asked for twice. A value of another kind that came early is given to its first reader
/// within some seconds. A failure is asked for again, but a refusal of a document (401, 403) is the error of its
/// first reader.
///
/// Documents that this process has read before are asked for again, because another process may have changed them, and
/// a change may not be missed for a request that is saved: a reader may have been told to look by its writer. But they
/// are all asked for at once, and those with an entity tag that has not changed are not sent again (status 304). With
/// ZARR_HTTP_METADATA_AGE, documents that were asked for less than that number of seconds ago are not asked for. What
/// this process itself has written is then asked for all the same. Documents that were asked for since the opening
/// began, a moment ago, are not asked for again.
///
/// Thread-safe.
class DocumentStore final : public zarr::ForwardingStore, private zarr::ForwardingRequests {
 public:
  /// `store` reads early.
  DocumentStore(const std::shared_ptr<zarr::Store>& store, const Opening& opening);

  bool Read(const zarr::ReadRequest& request) const override;
  bool Write(std::string_view key, zarr::ByteSpan value, zarr::WriteIf condition) override;
  void EraseAll(std::span<const std::string> keys) override;
  const zarr::StoreRequests* requests() const override { return this; }

 private:
  using Answer = CachedDocument::Answer;
  using Time = std::chrono::steady_clock::time_point;
  /// A value that is no document, and came early; `bytes` is nothing if it is absent.
  struct EarlyValue {
    Answer bytes;
    zarr::VersionStamp stamp;
    Time asked;
    std::uint64_t writes = 0;  // as StoreRequests::CountWrites
  };

  struct Refusal {
    std::exception_ptr error;
    Time asked;
  };

  bool Prefetch(std::span<const std::string> documents, std::span<const std::string> values) const override;
  bool NoteBroken(std::string_view key, int status, int times, zarr::Error* error) const override;
  /// Reads a document, or looks whether it is there.
  bool ReadDocument(const zarr::ReadRequest& request) const;
  /// Answers with a value that came early.
  bool ReadValue(EarlyValue early, const zarr::ReadRequest& request) const;
  /// Returns the answer for a document, or nullptr if it is not known.
  std::shared_ptr<const Answer> Find(std::string_view key) const;
  /// As Find, after asking for the document and those that are needed with it.
  std::shared_ptr<const Answer> Fetch(std::string_view key) const;
  /// Asks for all that the same opening used before, or is likely to use, in the first call only.
  void FollowTrail() const;
  /// Guesses what this opening will use, from what is known of the root by the opening of other arrays.
  DocumentCache::Trail GuessTrail() const;
  /// Notes keys that the next opening of this kind is likely to use.
  void NoteUse(std::span<const std::string> documents, std::span<const std::string> values) const;
  void TakeAnswer(const zarr::EarlyRequest& request, zarr::EarlyAnswer answer, const CachedDocument& known,
                  Time asked) const;
  /// Asks at once for what is not known. Returns false if the store cannot do that.
  bool AskTogether(std::span<const std::string> documents, std::span<const std::string> values) const;
  /// Asks for one document, as the store does, with its retries and errors.
  std::shared_ptr<const Answer> Ask(std::string_view key, std::uint64_t max_size) const;
  /// Returns a document that the process has read before.
  std::optional<CachedDocument> FindCached(std::string_view key) const;
  bool IsFresh(const CachedDocument& document) const;
  /// Keeps a document for its reader.
  void Keep(const std::string& key, const std::shared_ptr<const Answer>& answer) const;
  /// Keeps a document for its reader, and for other datasets of the process.
  void Share(const std::string& key, CachedDocument document) const;
  void Forget(std::string_view key) const;
  /// Throws the error of an early request that the server refused; once.
  void RethrowRefusal(std::string_view key) const;
  /// Returns the answer for a value that came early; it is given only once.
  std::optional<EarlyValue> TakeEarly(std::string_view key) const;
  std::string MakeName(std::string_view key) const { return identity_ + "/" + std::string(key); }

  const Time began_;
  const std::string identity_;
  std::string opening_;                      // names what is opened
  std::string first_array_;                  // its path; "" if none is known
  std::vector<std::string> of_first_array_;  // the keys of its documents in v2
  mutable zarr::Once trail_followed_;
  mutable zarr::ForkSafeMutex mutex_;
  mutable std::unordered_map<std::string, std::shared_ptr<const Answer>> answers_;
  mutable std::size_t kept_bytes_ = 0;
  mutable std::unordered_map<std::string, EarlyValue> early_;
  mutable std::unordered_set<std::string> asked_early_;  // values that were asked for early
  mutable std::unordered_map<std::string, Refusal> refusals_;
  mutable DocumentCache::Trail trail_;
};

}  // namespace gdal_zarr
