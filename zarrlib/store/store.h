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

namespace zarr {

/// Tells one state of a value from another: size and modification time, or an entity tag. Equal stamps mean equal
/// bytes, as far as the store can tell.
struct VersionStamp {
  std::uint64_t size = 0;
  std::int64_t time = 0;  ///< In nanoseconds, or whatever the store counts.
  std::string tag;
  /// False if the value may since have been changed without another stamp: it was young when this was taken, for a
  /// clock that counts in steps, or the store tells too little. Says nothing of whether two stamps are equal.
  bool settled = true;
  friend bool operator==(const VersionStamp& a, const VersionStamp& b) {
    return a.size == b.size && a.time == b.time && a.tag == b.tag;
  }
};

/// What a store can do: asked, not assumed.
struct StoreCapabilities {
  bool list = false;            ///< `List` works.
  bool ranges = false;          ///< `GetRanges` transfers only what is asked for.
  bool suffix_range = false;    ///< `GetSuffix` needs one request.
  bool write = false;           ///< `Set` and `Erase` work.
  bool replace_atomic = false;  ///< A reader sees a value's old or new bytes, nothing in between.
  std::size_t concurrency = 0;  ///< Requests worth having in flight; 0: as many as threads decode.
};

/// What stands at a place in a store, links not followed.
enum class EntryKind { kValue, kFolder, kLink, kOther };

/// What `Store::EraseChosen` does with an entry. Only folders are entered; one that is empty then is removed. What is
/// kept is reported, what is ignored is not.
enum class Choice { kKeep, kErase, kEnter, kIgnore };
/// Chooses for the entry at a path, which has the form of a key.
using Chooser = std::function<Choice(std::string_view path, EntryKind kind)>;

/// A bound on the size of the metadata documents of single nodes: 64 MiB.
inline constexpr std::uint64_t kMaxDocumentSize = std::uint64_t{64} << 20;
/// The same for documents that can hold those of all nodes of a store, and for lists of references: 1 GiB.
inline constexpr std::uint64_t kMaxTextSize = std::uint64_t{1} << 30;

/// Keys to bytes. A key is a relative path such as "a/zarr.json": segments that are not empty, "." or "..", with "/"
/// between them (`CheckKey`); a prefix is "" or ends in "/".
///
/// Absent is not failed: a getter says "absent" only if the store knows that there is no such key; all else is
/// Error(io) that names store and key. Thread-safe.
class Store {
 public:
  virtual ~Store() = default;

  /// For messages, such as "/vsis3/bucket/a.zarr".
  virtual std::string name() const = 0;
  /// Equal for stores that hold the same values, however they were named: the place, and whatever else decides
  /// (credentials, for instance). Followed by a "/" and a node's path, it is the identity of a store of that node.
  virtual std::string identity() const { return name(); }
  /// Whether what the identity was made of is still so, and what is read now thus of the store that it names.
  virtual bool KeepsIdentity() const { return true; }
  virtual StoreCapabilities capabilities() const = 0;

  /// Replaces the content of `value` by the key's, reusing its memory. False if the key is absent. Values of more than
  /// `max_size` bytes are Error(limit_exceeded).
  virtual bool Get(std::string_view key, Bytes* value, VersionStamp* stamp = nullptr,
                   std::uint64_t max_size = UINT64_MAX) const = 0;
  /// Fills each buffer with the range of the same number, all of the same state of the value. False if the key is
  /// absent; Error(corrupt) for a range beyond the value's end. Lengths are those of the buffers.
  virtual bool GetRanges(std::string_view key, std::span<const ByteRange> ranges,
                         std::span<const MutableByteSpan> buffers, VersionStamp* stamp = nullptr) const = 0;
  /// Replaces `value` by the last `length` bytes, or all if there are fewer. False if the key is absent. `stamp->size`
  /// is the size of the whole.
  virtual bool GetSuffix(std::string_view key, std::uint64_t length, Bytes* value, VersionStamp* stamp) const = 0;
  virtual bool Exists(std::string_view key) const = 0;
  /// The stamp that a getter would give now, without the value: one look at a file, and at most one request. False if
  /// the key is absent. By default from `GetSuffix`.
  virtual bool GetStamp(std::string_view key, VersionStamp* stamp) const;
  /// The store to ask for what is there now, as whoever changes a part of a value must: another one than this only if
  /// this answers from what it remembers.
  virtual const Store& current() const { return *this; }
  /// The size of a value that has to be unpacked from its beginning on, whatever part of it is asked for. Nothing for
  /// other values, as by default for all, and for an absent one.
  virtual std::optional<std::uint64_t> UnpackedSize(std::string_view) const { return std::nullopt; }

  /// What stands directly under a prefix: names without it, sorted.
  struct Listing {
    std::vector<std::string> keys;
    std::vector<std::string> prefixes;  ///< Without the trailing "/".
  };
  /// Nothing if the store cannot list. A prefix with nothing under it gives an empty listing, and so does a folder that
  /// a link leads back to from within it: walks come to an end.
  virtual std::optional<Listing> List(std::string_view prefix) const = 0;

  struct Entry {
    std::string name;
    EntryKind kind;
  };
  /// All that stands directly under a prefix, as it is: links are not followed, and temporary files are named too where
  /// the store has some. In no order. Nothing if the store cannot list.
  virtual std::optional<std::vector<Entry>> ListEntries(std::string_view prefix) const;
  /// What stands at a path; nothing if it is absent. The last part of the path is not followed if it is a link.
  virtual std::optional<EntryKind> KindAt(std::string_view path) const;

  /// Replaces a value whole. Error(read_only) if the store takes none.
  virtual void Set(std::string_view key, ByteSpan value) = 0;
  /// Gives a key that is absent a value; false if it has one, which stays. By default not in one step: a value that
  /// another process sets in the meantime is replaced.
  virtual bool SetIfAbsent(std::string_view key, ByteSpan value);
  /// Removes a key; absent is fine.
  virtual void Erase(std::string_view key) = 0;
  /// What `EraseChosen` has left.
  struct Leftovers {
    std::uint64_t count = 0;
    std::vector<std::string> examples;  ///< The paths of the first few.
  };
  /// Removes of what stands under a prefix what `choose` picks, then the folders that are empty, that of the prefix
  /// included (but for the root). Links are never followed; a link that is picked is removed itself. Temporary files
  /// that nobody writes any more are removed without asking. Error(unsupported) if the store cannot list.
  virtual Leftovers EraseChosen(std::string_view prefix, const Chooser& choose);
  /// Moves all keys under a prefix to another one, under which there are none, in one step. False, with nothing done,
  /// if the store cannot, as by default.
  virtual bool RenamePrefix(std::string_view from, std::string_view to);
  /// Keeps a value for the caller as long as the returned object lives: null if another process, or another object of
  /// this one, holds it, or if it is absent. What a process holds is free when the process has ended. Stores that
  /// only one process can see give an object always.
  virtual std::shared_ptr<void> TryHold(std::string_view key) const;
  /// Removes the temporary files that processes have left that were stopped, as far as one look finds them. By default
  /// there are none.
  virtual void EraseAbandoned() {}
  /// Exchanges all keys under two prefixes, each of which has some, in one step. False, with nothing done, if the store
  /// cannot, as by default.
  virtual bool ExchangePrefixes(std::string_view first, std::string_view second);
  /// Whether what stands under a prefix is kept outside of the store, behind a link: it belongs to someone else. By
  /// default nothing is.
  virtual bool LeadsOut(std::string_view prefix) const;
  /// Completes what is not complete before all is written, such as an archive: to be called when a store that was
  /// made is done with. It may take no values afterwards, nor give them. By default there is nothing to do.
  virtual void Finish() {}

  /// As Get, as text, for metadata.
  std::optional<std::string> GetText(std::string_view key, std::uint64_t max_size = kMaxDocumentSize) const;
};

/// What the names of values start with that are not complete: neither keys nor nodes are called so.
inline constexpr std::string_view kTemporaryPrefix = ".zarr-tmp-";
/// What the names of values start with that say which nodes are being removed (NodeRemoval).
inline constexpr std::string_view kRemovalPrefix = ".zarr-tmp-removal-";
/// Whether a name is that of a temporary file, which is of no use once nobody writes it.
inline bool IsTemporaryName(std::string_view name) {
  return name.starts_with(kTemporaryPrefix) && !name.starts_with(kRemovalPrefix);
}
/// A name that nobody else gets, and that cannot be guessed: it ends in 64 random bits, and not in the number of the
/// process, which another one may have as well (in another container, or on another machine). Thread-safe.
std::string TemporaryName();

/// Whether a text has the form of a key.
bool IsKey(std::string_view text);
/// Throws Error(invalid_argument) for what is no key.
void CheckKey(std::string_view key);
/// Throws Error(invalid_argument) for what is neither "" nor a key and "/".
void CheckPrefix(std::string_view prefix);
/// For implementations of `RenamePrefix`: throws Error(invalid_argument) for what are not two prefixes, neither of
/// which is in the other.
void CheckMove(std::string_view from, std::string_view to);
/// For implementations of `GetRanges`: throws Error(corrupt) for a range beyond the end of a value of that size,
/// Error(invalid_argument) for ranges that their buffers do not match.
void CheckRanges(std::span<const ByteRange> ranges, std::span<const MutableByteSpan> buffers, std::uint64_t value_size);
/// For implementations of `Get`: throws Error(limit_exceeded) if a value is larger than allowed.
void CheckValueSize(std::uint64_t value_size, std::uint64_t max_size);
/// For implementations of `EraseChosen`: counts what else was left.
void AddLeftovers(const Store::Leftovers& more, Store::Leftovers* leftovers);
/// "a/b" + "c" -> "a/b/c"; "" + "c" -> "c".
std::string JoinKey(std::string_view prefix, std::string_view name);

}  // namespace zarr
