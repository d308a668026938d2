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

/// Identifies a state of a value, by size and modification time or by an entity tag. Equal stamps mean equal bytes, to
/// the extent that the store can detect changes.
struct VersionStamp {
  std::uint64_t size = 0;
  std::int64_t time = 0;  ///< In nanoseconds since 1970; a count if the store has no clock.
  std::string tag;
  /// False if the value may have changed later without getting another stamp, because it was recent compared with the
  /// resolution of the clock, or because the store reports too little. Not part of the comparison.
  bool settled = true;
  /// The HTTP status of the response with the bytes; 0 if there is no server. For messages; not part of the comparison.
  std::uint16_t status = 0;
  /// What a request names that depends on this state: the entity tag or the number that the server has given it. Empty
  /// if it is not known. Not part of the comparison.
  std::string condition = {};
  friend bool operator==(const VersionStamp& a, const VersionStamp& b) {
    return a.size == b.size && a.time == b.time && a.tag == b.tag;
  }
};

/// The capabilities of a store, and how it is accessed.
struct StoreInfo {
  bool lists = false;   ///< `List` works; for a remote store this may be known only after the first list.
  bool writes = false;  ///< `Write` and `EraseAll` work.
  /// True if the store, such as an archive, is complete only after `Finish`.
  bool needs_finish = false;
  /// The useful number of requests in flight. 0 if lookups do not need requests: then use as many as decoding threads.
  std::size_t concurrency = 0;
  /// Returns true if each lookup costs a request.
  bool is_on_network() const { return concurrency > 0; }
  bool lists_cheaply() const { return lists && !is_on_network(); }
};

/// How recent an answer must be.
enum class Freshness : std::uint8_t {
  kKnown,  ///< Cached answers are allowed.
  kNow,    ///< The present state, for callers that change part of a value.
};

/// A request for one value. The views are used during the call only.
struct ReadRequest {
  enum class Part : std::uint8_t {
    kPresence,  ///< Only whether the value exists; no stamp is set.
    kStamp,     ///< Costs one stat() of a file, or at most one request.
    kWhole,     ///< Replaces `value`, whose memory is reused. With `length`, that many bytes from its start suffice.
    kRanges,    ///< Fills each buffer with the range of the same index, all from one state of the value.
    kSuffix,    ///< Replaces `value` with the last `length` bytes, or with all bytes if there are fewer.
  };
  std::string_view key;
  Part part = Part::kWhole;
  Freshness freshness = Freshness::kKnown;
  Bytes* value = nullptr;
  std::span<const ByteRange> ranges = {};
  std::span<const MutableByteSpan> buffers = {};  ///< Each has the length of its range.
  std::uint64_t length = 0;
  /// The maximum size in bytes of a value that is read, or has to be decompressed, as a whole.
  std::uint64_t max_size = UINT64_MAX;
  /// The stamp of the whole value; null if it is not needed. Cached answers may lack a stamp, so asking for it may cost
  /// a request.
  VersionStamp* stamp = nullptr;
};

/// The options for listing a prefix.
struct ListOptions {
  /// True to list the keys in all folders below, without prefixes. Returns nullopt if that takes more than a few
  /// requests.
  bool below = false;
  std::size_t most = SIZE_MAX;  ///< The result is nullopt if there are more keys below.
  /// If not "", lists only the entry of this name. The result is nullopt if that takes more than one request.
  std::string_view only = {};
  Freshness freshness = Freshness::kKnown;
  /// Returns true if all entries directly under the prefix are listed. Every store that lists supports this.
  bool is_plain() const { return !below && only.empty(); }
};

/// The entries under a prefix: names without the prefix, sorted. Temporary files are omitted.
struct Listing {
  std::vector<std::string> keys;
  std::vector<std::string> prefixes;  ///< Without the trailing "/".
  bool empty() const { return keys.empty() && prefixes.empty(); }
};

/// The condition under which `Store::Write` writes.
enum class WriteIf : std::uint8_t {
  kAlways,
  /// Only if the key has no value. Some stores do not check this atomically: they may replace a value that another
  /// process sets at the same time.
  kAbsent,
};

class StoreFolders;
class StoreLocks;
class StoreRequests;

/// Maps keys to bytes. A key is a relative path such as "a/zarr.json": segments separated by "/", none of which is
/// empty, "." or ".." (`CheckKey`). A prefix is "" or ends in "/".
///
/// A value is absent only if the store knows that the key does not exist. All other failures are Error(io), which names
/// the store and the key. Thread-safe.
///
/// Features of only some stores are in facets: `folders`, `locks` and `requests`. For operations that work on every
/// store, with or without a facet, see the functions in store_folders.h, store_locks.h and store_requests.h.
class Store {
 public:
  /// `name` is for messages, such as "/vsis3/bucket/a.zarr".
  explicit Store(std::string name) : name_(std::move(name)) {}
  virtual ~Store() = default;
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  const std::string& name() const { return name_; }
  /// Returns a string that is equal for stores with the same values, however they are named. It includes the location
  /// and all other relevant settings, such as credentials. The string followed by "/" and the path of a node is the
  /// identity of a store of that node.
  virtual std::string identity() const { return name_; }
  virtual StoreInfo info() const = 0;

  /// Reads one value, or part of it. Returns false if the key is absent. Throws Error(corrupt) for a range past the end
  /// of the value, and Error(limit_exceeded) for a value that is too large.
  virtual bool Read(const ReadRequest& request) const = 0;
  /// Lists a prefix. Returns nullopt if the store cannot list, and an empty listing if there are no keys under the
  /// prefix. The listing is also empty for a folder that is reached by a link from inside itself, so that walks end.
  virtual std::optional<Listing> List(std::string_view prefix, const ListOptions& options = {}) const = 0;
  /// Replaces a whole value. Returns false without changes if the condition does not hold. Throws Error(read_only) if
  /// the store is read-only.
  virtual bool Write(std::string_view key, ByteSpan value, WriteIf condition) = 0;
  /// Replaces a value if its present stamp is `known`, or, if that is null, sets it if the key has no value. Returns
  /// false without changes otherwise. In a remote store, the server compares and writes in one step; in other stores,
  /// the caller must hold the lock of the value. Throws Error(unsupported) if the store cannot do so.
  virtual bool WriteIfSame(std::string_view key, ByteSpan value, const VersionStamp* known);
  /// Removes values, in this order unless the store removes all of them with one request. Ignores absent values. A key
  /// that ends in "/" is a folder; it is removed if the store has folders and it is empty.
  virtual void EraseAll(std::span<const std::string> keys) = 0;
  /// Completes a store that is complete only after all writes, such as an archive. Call this once for a store that was
  /// created. Afterwards the store may reject writes and reads.
  virtual void Finish() {}

  /// Returns null for a store without folders.
  virtual StoreFolders* folders() const { return nullptr; }
  /// Returns null for a store whose locks exclude only other threads of this process.
  virtual StoreLocks* locks() const { return nullptr; }
  /// Returns null for a store that does not send requests.
  virtual const StoreRequests* requests() const { return nullptr; }

  // Shorthands for the functions above.

  bool Get(std::string_view key, Bytes* value, VersionStamp* stamp = nullptr, std::uint64_t max_size = UINT64_MAX,
           Freshness freshness = Freshness::kKnown) const;
  bool GetRanges(std::string_view key, std::span<const ByteRange> ranges, std::span<const MutableByteSpan> buffers,
                 VersionStamp* stamp = nullptr) const;
  bool GetSuffix(std::string_view key, std::uint64_t length, Bytes* value, VersionStamp* stamp) const;
  bool GetStamp(std::string_view key, VersionStamp* stamp, Freshness freshness = Freshness::kKnown) const;
  bool Exists(std::string_view key, Freshness freshness = Freshness::kKnown) const;
  /// Reads a whole value as a string, for metadata.
  std::optional<std::string> GetText(std::string_view key, std::uint64_t max_size = GetLimit(Limit::kDocument),
                                     Freshness freshness = Freshness::kKnown) const;
  void Set(std::string_view key, ByteSpan value) { Write(key, value, WriteIf::kAlways); }
  void Erase(std::string_view key);

 private:
  const std::string name_;
};

/// The names of incomplete values start with this prefix. Keys and nodes never have such names.
inline constexpr std::string_view kTemporaryPrefix = ".zarr-tmp-";
/// The names of values that list the nodes being removed start with this prefix (NodeRemoval).
inline constexpr std::string_view kRemovalPrefix = ".zarr-tmp-removal-";
/// Makes a unique name that cannot be guessed: it ends in 64 random bits. A process ID would not be enough, because a
/// process in another container or on another machine may have the same one. Thread-safe.
std::string MakeTemporaryName();

/// Returns true if a string has the form of a key.
bool IsKey(std::string_view text);
/// Throws Error(invalid_argument) for a string that is not a key.
void CheckKey(std::string_view key);
/// Throws Error(invalid_argument) for a string that is neither "" nor a key followed by "/".
void CheckPrefix(std::string_view prefix);
/// For implementations of `EraseAll`: returns true if `key` names a folder. Throws Error(invalid_argument) for a string
/// that is neither a key nor a key followed by "/".
bool IsFolderKey(std::string_view key);
/// Quotes a name for messages. Escapes unprintable characters and shortens long names.
std::string QuoteKey(std::string_view text);
/// "a/b" + "c" -> "a/b/c"; "" + "c" -> "c".
std::string JoinKey(std::string_view prefix, std::string_view name);

}  // namespace zarr
