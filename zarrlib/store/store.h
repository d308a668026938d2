// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "zarrlib/base/bytes.h"
#include "zarrlib/base/error.h"
#include "zarrlib/base/limits.h"

namespace zarr {

/// Tells two states of a value apart: by size and modification time, or by an entity tag. Equal stamps mean equal
/// bytes, as far as the store can tell.
struct VersionStamp {
  std::uint64_t size = 0;
  std::int64_t time = 0;  ///< In nanoseconds, or in another unit of the store.
  std::string tag;
  /// False if the value may have changed later without getting another stamp: because it was young compared with the
  /// steps of the clock, or because the store tells too little. Not part of the comparison of two stamps.
  bool settled = true;
  /// The status with which a server gave the bytes; 0 if there is no server. For messages, not part of the comparison.
  std::uint16_t status = 0;
  friend bool operator==(const VersionStamp& a, const VersionStamp& b) {
    return a.size == b.size && a.time == b.time && a.tag == b.tag;
  }
};

/// What a store can do, and how it is reached.
struct StoreInfo {
  bool lists = false;   ///< `List` works; on a network this may be known only after the first list.
  bool writes = false;  ///< `Write` and `EraseAll` work.
  /// Whether it is complete only after `Finish`, such as an archive.
  bool needs_finish = false;
  /// How many requests in flight are worthwhile; 0: no look is a request, so as many as there are decoding threads.
  std::size_t concurrency = 0;
  /// Whether each look costs a request.
  bool is_on_network() const { return concurrency > 0; }
  bool lists_cheaply() const { return lists && !is_on_network(); }
};

/// What an answer may be taken from.
enum class Freshness : std::uint8_t {
  kKnown,  ///< Also from memory.
  kNow,    ///< The present state, which a caller needs who changes part of a value.
};

/// What is wanted of one value. The views are used during the call only.
struct ReadRequest {
  enum class Part : std::uint8_t {
    kPresence,  ///< Whether there is a value; no stamp is set.
    kStamp,     ///< Takes one look at a file, or at most one request.
    kWhole,     ///< Replaces `value`, whose memory is used again.
    kRanges,    ///< Fills each buffer with the range of the same index, all of one state of the value.
    kSuffix,    ///< Replaces `value` by the last `length` bytes, or by all if there are fewer.
  };
  std::string_view key;
  Part part = Part::kWhole;
  Freshness freshness = Freshness::kKnown;
  Bytes* value = nullptr;
  std::span<const ByteRange> ranges = {};
  std::span<const MutableByteSpan> buffers = {};  ///< Each has the length of its range.
  std::uint64_t length = 0;
  /// The most bytes that the value may have if it is wanted, or has to be unpacked, as a whole.
  std::uint64_t max_size = UINT64_MAX;
  /// Null if it is not wanted; else that of the whole value. Answers from memory may have none, so that a stamp may
  /// cost a request.
  VersionStamp* stamp = nullptr;
};

/// How a prefix is listed.
struct ListOptions {
  /// Whether the keys in all folders below are listed, without prefixes; nothing unless few requests tell them.
  bool below = false;
  std::size_t most = SIZE_MAX;  ///< Nothing if there are more keys below.
  /// If not "", only the entry of this name is listed; nothing unless one request tells it alone.
  std::string_view only = {};
  Freshness freshness = Freshness::kKnown;
  /// Whether all that stands directly under the prefix is listed, as every store can that lists.
  bool is_plain() const { return !below && only.empty(); }
};

/// What stands under a prefix: names without the prefix, sorted. Temporary files are left out.
struct Listing {
  std::vector<std::string> keys;
  std::vector<std::string> prefixes;  ///< Without the trailing "/".
  bool empty() const { return keys.empty() && prefixes.empty(); }
};

/// When `Store::Write` writes.
enum class WriteIf : std::uint8_t {
  kAlways,
  /// The key has no value. Not in one step in all stores: there, a value that another process sets meanwhile is
  /// replaced.
  kAbsent,
};

class StoreFolders;
class StoreLocks;
class StoreRequests;

/// Maps keys to bytes. A key is a relative path such as "a/zarr.json": segments with "/" between them, none of which is
/// empty, "." or ".." (`CheckKey`). A prefix is "" or ends in "/".
///
/// A value is absent only if the store knows that there is no such key. All other failures are Error(io), which names
/// the store and the key. Thread-safe.
///
/// What only some stores have is a facet, which the others do not return. For what every store can do with or without
/// them, there are functions beside the facets (store_folders.h, store_locks.h, store_requests.h).
class Store {
 public:
  /// `name` is for messages; such as "/vsis3/bucket/a.zarr".
  explicit Store(std::string name) : name_(std::move(name)) {}
  virtual ~Store() = default;
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  const std::string& name() const { return name_; }
  /// Equal for stores that hold the same values, however they are named: it tells their place, and everything else that
  /// matters (credentials, for instance). Followed by a "/" and the path of a node, it is the identity of a store of
  /// that node.
  virtual std::string identity() const { return name_; }
  virtual StoreInfo info() const = 0;

  /// Reads one value, or a part of it. Returns false if the key is absent. Throws Error(corrupt) for a range beyond the
  /// end of the value, Error(limit_exceeded) for a value that is too large.
  virtual bool Read(const ReadRequest& request) const = 0;
  /// Lists a prefix; nothing if the store cannot list. A prefix with nothing under it gives an empty listing. So does a
  /// folder to which a link inside it leads back, so that walks come to an end.
  virtual std::optional<Listing> List(std::string_view prefix, const ListOptions& options = {}) const = 0;
  /// Replaces a whole value. Returns false, and changes nothing, if the condition does not hold. Throws
  /// Error(read_only) if the store takes no writes.
  virtual bool Write(std::string_view key, ByteSpan value, WriteIf condition) = 0;
  /// Removes values, in this order unless the store removes all of them by one request. Passes over what is absent. A
  /// key with a "/" at its end is a folder, which is removed if the store keeps folders and it is empty.
  virtual void EraseAll(std::span<const std::string> keys) = 0;
  /// Completes a store that is complete only after all writes, such as an archive. To be called once for a store that
  /// was created. Afterwards the store may refuse writes and reads.
  virtual void Finish() {}

  /// Null for a store that keeps no folders.
  virtual StoreFolders* folders() const { return nullptr; }
  /// Null for a store whose locks exclude this process only.
  virtual StoreLocks* locks() const { return nullptr; }
  /// Null for a store that sends no requests.
  virtual const StoreRequests* requests() const { return nullptr; }

  // The same in short.

  bool Get(std::string_view key, Bytes* value, VersionStamp* stamp = nullptr, std::uint64_t max_size = UINT64_MAX,
           Freshness freshness = Freshness::kKnown) const;
  bool GetRanges(std::string_view key, std::span<const ByteRange> ranges, std::span<const MutableByteSpan> buffers,
                 VersionStamp* stamp = nullptr) const;
  bool GetSuffix(std::string_view key, std::uint64_t length, Bytes* value, VersionStamp* stamp) const;
  bool GetStamp(std::string_view key, VersionStamp* stamp, Freshness freshness = Freshness::kKnown) const;
  bool Exists(std::string_view key, Freshness freshness = Freshness::kKnown) const;
  /// A whole value as text, for metadata.
  std::optional<std::string> GetText(std::string_view key, std::uint64_t max_size = GetLimit(Limit::kDocument),
                                     Freshness freshness = Freshness::kKnown) const;
  void Set(std::string_view key, ByteSpan value) { Write(key, value, WriteIf::kAlways); }
  /// Returns false if the key has a value.
  bool SetIfAbsent(std::string_view key, ByteSpan value) { return Write(key, value, WriteIf::kAbsent); }
  void Erase(std::string_view key);

 private:
  const std::string name_;
};

/// The names of values that are not complete start with this prefix. Keys and nodes have no such names.
inline constexpr std::string_view kTemporaryPrefix = ".zarr-tmp-";
/// The names of values that list the nodes that are being removed start with this prefix (NodeRemoval).
inline constexpr std::string_view kRemovalPrefix = ".zarr-tmp-removal-";
/// Makes a name that nobody else gets and that cannot be guessed: it ends in 64 random bits. The number of the process
/// would not do, because a process in another container or on another machine may have the same. Thread-safe.
std::string MakeTemporaryName();

/// Whether a text has the form of a key.
bool IsKey(std::string_view text);
/// Throws Error(invalid_argument) for a text that is no key.
void CheckKey(std::string_view key);
/// Throws Error(invalid_argument) for a text that is neither "" nor a key followed by "/".
void CheckPrefix(std::string_view prefix);
/// For implementations of `EraseAll`: whether what is to be removed is a folder. Throws Error(invalid_argument) for a
/// text that is neither a key nor one followed by "/".
bool IsFolderKey(std::string_view key);
/// Puts a name into quotes for messages, with unprintable characters escaped, and cut to a bearable length.
std::string QuoteKey(std::string_view text);
/// "a/b" + "c" -> "a/b/c"; "" + "c" -> "c".
std::string JoinKey(std::string_view prefix, std::string_view name);

}  // namespace zarr
