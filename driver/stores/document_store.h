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

/// Describes the opening of a read-only dataset.
struct Opening {
  std::optional<std::string> array;  ///< The path of the array that will be opened first, if known.
  std::chrono::steady_clock::time_point began = std::chrono::steady_clock::now();
};

/// Wraps a web store for a read-only dataset, and minimizes its requests.
///
/// Metadata documents that are likely to be needed together are requested at once:
///
/// - the attributes of a v2 node with its other document,
/// - all documents of a v2 root,
/// - the documents of the first array with the consolidated metadata of v2,
/// - the documents passed to `Prefetch`,
/// - with the first document, all that the same opening used before in this process, or that of the same array in
///   another store of the folder: scenes of a series have the same structure.
///
/// A prefetched document is kept until it is read, and the absence of a document is cached for the lifetime of the
/// dataset, so that no document is requested twice. A prefetched value of another kind is used by its first reader,
/// within some seconds. A failed request is repeated, but the refusal of a document (401, 403) is the error of its
/// first reader.
///
/// Documents that this process has read before are requested again, because another process may have changed them. A
/// change must not be missed to save a request: the writer may have notified the reader of it. But all are requested at
/// once, and those whose entity tag has not changed are not sent again (status 304). With ZARR_HTTP_METADATA_AGE,
/// documents that were requested less than that number of seconds ago are not requested again, unless this process has
/// written them itself. Documents that were requested since the opening began, a moment ago, are not requested again
/// either.
///
/// Thread-safe.
class DocumentStore final : public zarr::ForwardingStore, private zarr::ForwardingRequests {
 public:
  /// `store` must support early reads.
  DocumentStore(const std::shared_ptr<zarr::Store>& store, const Opening& opening);

  bool Read(const zarr::ReadRequest& request) const override;
  bool Write(std::string_view key, zarr::ByteSpan value, zarr::WriteIf condition) override;
  bool WriteIfSame(std::string_view key, zarr::ByteSpan value, const zarr::VersionStamp* known) override;
  void EraseAll(std::span<const std::string> keys) override;
  const zarr::StoreRequests* requests() const override { return this; }

 private:
  using Answer = CachedDocument::Answer;
  using Time = std::chrono::steady_clock::time_point;
  /// A prefetched value that is not a document; `bytes` is nullopt if it is absent.
  struct EarlyValue {
    Answer bytes;
    zarr::VersionStamp stamp;
    Time asked;
    std::uint64_t writes = 0;  // from StoreRequests::CountWrites
  };

  struct Refusal {
    std::exception_ptr error;
    Time asked;
  };

  bool Prefetch(std::span<const std::string> documents, std::span<const std::string> values) const override;
  bool NoteBroken(std::string_view key, int status, int times, zarr::Error* error) const override;
  /// Reads a document, or checks whether it exists.
  bool ReadDocument(const zarr::ReadRequest& request) const;
  /// Answers a request with a prefetched value.
  bool ReadValue(EarlyValue early, const zarr::ReadRequest& request) const;
  /// Returns the cached answer for a document, or null if there is none.
  std::shared_ptr<const Answer> Find(std::string_view key) const;
  /// Like Find, after requesting the document together with related documents.
  std::shared_ptr<const Answer> Fetch(std::string_view key) const;
  /// Requests everything that the same opening used before, or is likely to use. Only the first call does so.
  void FollowTrail() const;
  /// Predicts what this opening will use, from the root documents that were used when other arrays were opened.
  DocumentCache::Trail GuessTrail() const;
  /// Records keys that the next opening of this kind is likely to use.
  void NoteUse(std::span<const std::string> documents, std::span<const std::string> values) const;
  void TakeAnswer(const zarr::EarlyRequest& request, zarr::EarlyAnswer answer, const CachedDocument& known,
                  Time asked) const;
  /// Requests everything that is not cached, at once. Returns false if the store cannot do that.
  bool AskTogether(std::span<const std::string> documents, std::span<const std::string> values) const;
  /// Requests one document with the store's retries and errors.
  std::shared_ptr<const Answer> Ask(std::string_view key, std::uint64_t max_size) const;
  /// Returns a document that the process has read before.
  std::optional<CachedDocument> FindCached(std::string_view key) const;
  bool IsFresh(const CachedDocument& document) const;
  /// Caches a document for its reader.
  void Keep(const std::string& key, const std::shared_ptr<const Answer>& answer) const;
  /// Caches a document for its reader and for other datasets of the process.
  void Share(const std::string& key, CachedDocument document) const;
  void Forget(std::string_view key) const;
  /// Throws the error of an early request that the server refused; only once.
  void RethrowRefusal(std::string_view key) const;
  /// Returns a prefetched value, and removes it from the cache.
  std::optional<EarlyValue> TakeEarly(std::string_view key) const;
  std::string MakeName(std::string_view key) const { return identity_ + "/" + std::string(key); }

  const Time began_;
  const std::string identity_;
  std::string opening_;                      // identifies the array or group that is opened
  std::string opening_in_folder_;            // the array, in any store of the folder; empty if it is unknown
  std::string first_array_;                  // its path; empty if unknown
  std::vector<std::string> of_first_array_;  // the keys of its documents in v2
  mutable zarr::Once trail_followed_;
  mutable zarr::ForkSafeMutex mutex_;
  mutable std::unordered_map<std::string, std::shared_ptr<const Answer>> answers_;
  mutable std::size_t kept_bytes_ = 0;
  mutable std::unordered_map<std::string, EarlyValue> early_;
  mutable std::unordered_set<std::string> asked_early_;  // values that were prefetched
  mutable std::unordered_map<std::string, Refusal> refusals_;
  mutable DocumentCache::Trail trail_;
};

}  // namespace gdal_zarr
