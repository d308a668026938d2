// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
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

/// The features of a store.
struct StoreCapabilities {
  bool list = false;            ///< `List` works.
  bool ranges = false;          ///< `GetRanges` transfers only the ranges.
  bool suffix_range = false;    ///< `GetSuffix` needs one request.
  bool write = false;           ///< `Set` and `Erase` work.
  bool replace_atomic = false;  ///< A reader sees the old or the new bytes of a value, and never a mixture.
  bool rename = false;          ///< `RenamePrefix` works.
  std::size_t concurrency =
      0;  ///< How many requests in flight are worthwhile; 0: as many as there are decoding threads.
};

/// The kind of an entry of a store; links are not followed.
enum class EntryKind { kValue, kFolder, kLink, kOther };

/// The ways in which `Store::EraseChosen` treats an entry. Only folders can be entered; a folder that is then empty is
/// removed. Entries that are kept are reported, those that are ignored are not.
enum class Choice { kKeep, kErase, kEnter, kIgnore };
/// Chooses for the entry at a path, which has the form of a key.
using Chooser = std::function<Choice(std::string_view path, EntryKind kind)>;

/// The exclusive right to change values. It ends with the object, which any thread may destroy.
class StoreLock {
 public:
  virtual ~StoreLock() = default;
};

/// The answer to `Store::Lock`.
struct LockResult {
  std::unique_ptr<StoreLock> lock;  ///< Null if another thread or process has the right.
  bool has_document = true;         ///< False if the store has no document of that key.
  /// The document as it is while the lock is held; nothing if the store would have to look for it.
  std::optional<VersionStamp> stamp;
};

/// A stored value that is open. All reads are of one state of it, and each costs about as much as copying the bytes.
/// Thread-safe.
class OpenedValue {
 public:
  virtual ~OpenedValue() = default;
  /// The stamp tells the size.
  virtual const VersionStamp& stamp() const = 0;
  /// Fills the buffer with the bytes from `offset` on. Throws Error(io) for bytes beyond the end of the value.
  virtual void Read(std::uint64_t offset, MutableByteSpan buffer) const = 0;
};

/// Maps keys to bytes. A key is a relative path such as "a/zarr.json": segments with "/" between them, none of which is
/// empty, "." or ".." (`CheckKey`). A prefix is "" or ends in "/".
///
/// A getter says that a key is absent only if the store knows that there is no such key. All other failures are
/// Error(io), which names the store and the key. Thread-safe.
class Store {
 public:
  virtual ~Store() = default;

  /// For messages; such as "/vsis3/bucket/a.zarr".
  virtual std::string name() const = 0;
  /// Equal for stores that hold the same values, however they are named: it tells their place, and everything else that
  /// matters (credentials, for instance). Followed by a "/" and the path of a node, it is the identity of a store of
  /// that node.
  virtual std::string identity() const { return name(); }
  /// Whether the store still is the one that the identity tells.
  virtual bool KeepsIdentity() const { return true; }
  virtual StoreCapabilities capabilities() const = 0;

  /// Replaces the content of `value` by that of the key, reusing its memory. Returns false if the key is absent. Throws
  /// Error(limit_exceeded) if the value has more than `max_size` bytes.
  virtual bool Get(std::string_view key, Bytes* value, VersionStamp* stamp = nullptr,
                   std::uint64_t max_size = UINT64_MAX) const = 0;
  /// Fills each buffer with the range of the same index; a buffer has the length of its range. All ranges are of one
  /// state of the value. Returns false if the key is absent. Throws Error(corrupt) for a range beyond the end of the
  /// value.
  virtual bool GetRanges(std::string_view key, std::span<const ByteRange> ranges,
                         std::span<const MutableByteSpan> buffers, VersionStamp* stamp = nullptr) const = 0;
  /// Replaces `value` by its last `length` bytes, or by all if there are fewer. `stamp->size` is the size of the whole
  /// value. Returns false if the key is absent.
  virtual bool GetSuffix(std::string_view key, std::uint64_t length, Bytes* value, VersionStamp* stamp) const = 0;
  /// Opens a value for several reads. Returns null if the key is absent, or if `GetRanges` is the cheapest way to read
  /// parts of a value; by default it is.
  virtual std::unique_ptr<OpenedValue> OpenValue(std::string_view /*key*/) const { return nullptr; }
  virtual bool Exists(std::string_view key) const = 0;
  /// Says that these metadata documents and, if they are small, these values will be asked for soon. A store that needs
  /// a request for each may ask for all at once. Does not throw for what cannot be read: asking for it does. Returns
  /// false if it does nothing, as by default.
  virtual bool Prefetch(std::span<const std::string> /*documents*/, std::span<const std::string> /*values*/) const {
    return false;
  }
  /// Gets the stamp that a getter would give now, without the value: takes one look at a file, or at most one request.
  /// Returns false if the key is absent. By default calls `GetSuffix`.
  virtual bool GetStamp(std::string_view key, VersionStamp* stamp) const;
  /// The store that tells the present state, which a caller needs who changes part of a value. Another store than this
  /// one only if this one answers from memory.
  virtual const Store& current() const { return *this; }
  /// Says that the bytes which a getter gave for a key, with a stamp of that status, cannot be decoded. `times` is how
  /// often this was said in one read, from 1 on. Returns whether the value is worth getting again, because a server or
  /// a proxy may have failed, and waits as long as is good before that. Else adds to the error where the bytes came
  /// from, if the names of the store and the key do not tell it. By default does what `current` does, or returns false.
  virtual bool NoteBroken(std::string_view key, int status, int times, Error* error) const;
  /// The size of a value that has to be unpacked from its beginning, even for a range at its end; nothing for other
  /// values and for an absent one. By default nothing.
  virtual std::optional<std::uint64_t> GetUnpackedSize(std::string_view) const { return std::nullopt; }

  /// The keys and prefixes directly under a prefix: names without the prefix, sorted.
  struct Listing {
    std::vector<std::string> keys;
    std::vector<std::string> prefixes;  ///< Without the trailing "/".
  };
  /// Lists a prefix; nothing if the store cannot list. A prefix with nothing under it gives an empty listing. So does a
  /// folder to which a link inside it leads back, so that walks come to an end.
  virtual std::optional<Listing> List(std::string_view prefix) const = 0;

  struct Entry {
    std::string name;
    EntryKind kind;
  };
  /// Lists all entries directly under a prefix, in no order. Links are not followed, and temporary files are listed
  /// too. Nothing if the store cannot list.
  virtual std::optional<std::vector<Entry>> ListEntries(std::string_view prefix) const;
  /// The entries of a listing: each is a value or a folder.
  static std::vector<Entry> MakeEntries(Listing listing);
  /// Lists the names of all entries directly under a prefix, if there are at most `most`. None if there is nothing
  /// under the prefix. Nothing if there are more, if the folder cannot be read, or if the store cannot tell them in one
  /// look; by default it cannot.
  virtual std::optional<std::vector<std::string>> ListNames(std::string_view prefix, std::size_t most) const;
  /// Lists all keys below a prefix, in all folders, if there are at most `most`; none of them has the prefix. Nothing
  /// if there are more, or if the store cannot tell them by few requests; by default it cannot.
  virtual std::optional<std::vector<std::string>> ListKeysBelow(std::string_view prefix, std::size_t most) const;
  /// The kind of the entry at a path; nothing if it is absent. A link at the end of the path is not followed.
  virtual std::optional<EntryKind> GetEntryKind(std::string_view path) const;

  /// Replaces a whole value. Throws Error(read_only) if the store takes no writes.
  virtual void Set(std::string_view key, ByteSpan value) = 0;
  /// Sets the value of a key that is absent. Returns false, and changes nothing, if the key has a value. By default not
  /// in one step: a value that another process sets meanwhile is replaced.
  virtual bool SetIfAbsent(std::string_view key, ByteSpan value);
  /// Removes a key; does nothing if it is absent.
  virtual void Erase(std::string_view key) = 0;
  /// Removes keys, in this order unless the store removes all of them by one request.
  virtual void EraseAll(std::span<const std::string> keys);
  /// The entries that `EraseChosen` did not remove.
  struct Leftovers {
    std::uint64_t count = 0;
    std::vector<std::string> examples;  ///< The paths of the first few.
  };
  /// Removes the entries under a prefix that `choose` picks, and then the folders that are empty, including the one of
  /// the prefix (but not the root). Links are never followed; a link that is picked is removed itself. Temporary files
  /// that nobody writes any more are always removed. Throws Error(unsupported) if the store cannot list.
  virtual Leftovers EraseChosen(std::string_view prefix, const Chooser& choose);
  /// Moves all keys under a prefix to another prefix, which has no keys, in one step. Throws Error(unsupported), and
  /// does nothing, unless the store has the capability `rename`. A move that moves nothing is Error(not_found).
  virtual void RenamePrefix(std::string_view from, std::string_view to);
  /// Locks a value for the caller, while the returned object lives. Returns null if the value is absent, or if another
  /// process or another object of this process has the lock. The locks of a process end with it. A store that only one
  /// process can see always returns an object.
  virtual std::shared_ptr<void> TryHold(std::string_view key) const;
  /// Locks values of a node for a change that reads before it writes. `document` is the key of the metadata document
  /// that tells the node's kind, and `value` the key of the value, or "" for all values of the node, its documents
  /// included. Waits until no other lock is on what is to be locked, unless `waits` is false. Locks are advisory:
  /// they exclude each other, and nothing else.
  ///
  /// Locks of several processes exclude each other in a FilesystemStore; in other stores, only those of one process do.
  /// The locks of a process end with it. A caller that has one lock waits for no other one (see LockAll), and calls no
  /// function of a user.
  virtual LockResult Lock(std::string_view document, std::string_view value, bool waits = true) const;
  /// Locks a folder, named by a prefix, for a series of changes to the nodes in it, each of which has locks of its own
  /// besides. Waits. Excludes only those that call this function, and whom Lock excludes. A caller locks a folder
  /// before anything else.
  virtual std::unique_ptr<StoreLock> LockFolder(std::string_view prefix) const;
  /// The reason for which a lock did not exclude other processes, although the store has such locks; "" if none.
  virtual std::string lock_fault() const { return {}; }
  /// Removes the temporary files of processes that were stopped, as far as one look finds them. By default there are
  /// none.
  virtual void EraseAbandoned() {}
  /// Exchanges all keys under two prefixes, both of which have keys, in one step. Returns false, and does nothing, if
  /// the store cannot do that; by default it cannot.
  virtual bool ExchangePrefixes(std::string_view first, std::string_view second);
  /// Whether the prefix leads out of the store by a link, so that its keys belong to someone else. By default false.
  virtual bool LeadsOut(std::string_view prefix) const;
  /// A folder to which a symbolic link leads.
  struct LinkedFolder {
    std::string identity;   ///< The same for all paths of the folder.
    std::size_t links = 0;  ///< How many steps of the path are links.
  };
  /// The folder to which a path leads, if its last step is a symbolic link; nothing if it is none, or leads to no
  /// folder.
  virtual std::optional<LinkedFolder> FindLinkedFolder(std::string_view path) const;
  /// Completes a store that is complete only after all writes, such as an archive. To be called once for a store that
  /// was created. Afterwards the store may refuse writes and reads. By default does nothing.
  virtual void Finish() {}

  /// Gets a value as text, for metadata.
  std::optional<std::string> GetText(std::string_view key, std::uint64_t max_size = GetLimit(Limit::kDocument)) const;
};

/// The names of values that are not complete start with this prefix. Keys and nodes have no such names.
inline constexpr std::string_view kTemporaryPrefix = ".zarr-tmp-";
/// The names of values that list the nodes that are being removed start with this prefix (NodeRemoval).
inline constexpr std::string_view kRemovalPrefix = ".zarr-tmp-removal-";
/// Makes a name that nobody else gets and that cannot be guessed: it ends in 64 random bits. The number of the process
/// would not do, because a process in another container or on another machine may have the same. Thread-safe.
std::string MakeTemporaryName();

/// Locks all values of several nodes. While it waits for one of them, it has none: so nobody waits in a circle.
std::vector<LockResult> LockAll(const Store& store, const std::vector<std::string>& documents);

/// Whether a text has the form of a key.
bool IsKey(std::string_view text);
/// Throws Error(invalid_argument) for a text that is no key.
void CheckKey(std::string_view key);
/// Throws Error(invalid_argument) for a text that is neither "" nor a key followed by "/".
void CheckPrefix(std::string_view prefix);
/// For implementations of `RenamePrefix`: throws Error(invalid_argument) unless both are prefixes and neither is inside
/// the other.
void CheckMove(std::string_view from, std::string_view to);
/// For implementations of `GetRanges`: throws Error(corrupt) for a range beyond the end of a value of that size, and
/// Error(invalid_argument) for buffers that do not match the ranges.
void CheckRanges(std::span<const ByteRange> ranges, std::span<const MutableByteSpan> buffers, std::uint64_t value_size);
/// For implementations of `Get`: throws Error(limit_exceeded) if a value is larger than allowed.
void CheckValueSize(std::uint64_t value_size, std::uint64_t max_size);
/// For implementations of `EraseChosen`: adds the counts and examples of another part of the work.
void AddLeftovers(const Store::Leftovers& more, Store::Leftovers* leftovers);
/// "a/b" + "c" -> "a/b/c"; "" + "c" -> "c".
std::string JoinKey(std::string_view prefix, std::string_view name);

}  // namespace zarr
