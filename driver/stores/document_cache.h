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

/// A cached metadata document of a web server, or a cached absence.
struct CachedDocument {
  /// A document, or nullopt if it is absent.
  using Answer = std::optional<zarr::Bytes>;

  std::shared_ptr<const Answer> answer;
  std::string known_tag;     ///< The entity tag with which the server can check for changes; empty if it cannot.
  std::uint64_t writes = 0;  ///< StoreRequests::CountWrites at that time.
  std::chrono::steady_clock::time_point asked;  ///< A time before the request.
};

/// Metadata documents from web servers that the process has read, within size limits. Cached documents are not trusted:
/// callers revalidate them with the server, or know that they were requested recently enough.
///
/// The name of a document consists of its store's identity, a "/" and its key, so that all stores with the same
/// settings that contain a node share its documents. Failures are never cached. Thread-safe; the process has one
/// (`GetShared`).
class DocumentCache {
 public:
  static DocumentCache& GetShared();

  std::optional<CachedDocument> Find(const std::string& name);
  /// Caches a document unless it is very large or not a complete JSON text: a proxy may have truncated it.
  void Keep(const std::string& name, CachedDocument document);
  void Forget(const std::string& name);

  /// The keys that were used when the same array or group was opened before, so that all can be requested at once.
  struct Trail {
    std::vector<std::string> documents;
    std::vector<std::string> values;  ///< Keys of values that were prefetched.
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
  Entries entries_;  // most recently used first
  std::unordered_map<std::string, Entries::iterator> places_;
  std::size_t size_ = 0;
  std::unordered_map<std::string, Trail> trails_;
};

/// Returns true if a text has the brackets and quotes of one JSON object or array. Detects truncated text, and pages
/// that a proxy sent in place of a document.
bool IsWholeJson(zarr::ByteSpan text);

}  // namespace gdal_zarr
