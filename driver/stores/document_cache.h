// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "zarrlib/base/bytes.h"

namespace gdal_zarr {

/// A metadata document on the web, as its server sent it, or that there is none.
struct CachedDocument {
  /// A document, or that there is none.
  using Answer = std::optional<zarr::Bytes>;

  std::shared_ptr<const Answer> answer;
  std::string known_tag;     ///< The entity tag by which the server tells whether it has changed; "" if it cannot.
  std::uint64_t writes = 0;  ///< StoreRequests::CountWrites at that time.
  std::chrono::steady_clock::time_point asked;  ///< A time before the request.
};

/// The metadata documents on the web that the process has read, within bounds. They are at hand and not valid: whoever
/// uses one asks the server whether it still is what it has, or knows that it was asked for late enough.
///
/// Documents are named by the identity of their store, a "/" and their key, so that all stores with the same settings
/// that contain a node share its documents. Failures are never kept. Thread-safe; the process has one (`GetShared`).
class DocumentCache {
 public:
  static DocumentCache& GetShared();

  std::optional<CachedDocument> Find(const std::string& name);
  /// Keeps a document, unless it is very large, or no whole JSON text: a proxy may have cut it.
  void Keep(const std::string& name, CachedDocument document);
  void Forget(const std::string& name);

  /// The keys that were used when the same was opened before, so that all can be asked for at once.
  struct Trail {
    std::vector<std::string> documents;
    std::vector<std::string> values;  ///< That were given out early.
  };
  Trail FindTrail(const std::string& opening);
  void SetTrail(const std::string& opening, const Trail& trail);

 private:
  struct Entry {
    std::string name;
    CachedDocument document;
    std::size_t size;
  };
  using Entries = std::list<Entry>;

  DocumentCache();
  void Drop(Entries::iterator entry);

  std::mutex mutex_;
  Entries entries_;  // the one used last comes first
  std::unordered_map<std::string, Entries::iterator> places_;
  std::size_t size_ = 0;
  std::unordered_map<std::string, Trail> trails_;
};

/// Whether a text has the brackets and the quotes of one JSON object or array. Finds texts that were cut off, and pages
/// that a proxy sent in place of a document.
bool IsWholeJson(zarr::ByteSpan text);

}  // namespace gdal_zarr
