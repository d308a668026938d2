#pragma once

#include <cstdint>
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
  friend bool operator==(const VersionStamp&, const VersionStamp&) = default;
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
  /// Equal for stores that hold the same values: the name, and whatever else decides (credentials, for instance).
  virtual std::string identity() const { return name(); }
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

  /// What stands directly under a prefix: names without it, sorted.
  struct Listing {
    std::vector<std::string> keys;
    std::vector<std::string> prefixes;  ///< Without the trailing "/".
  };
  /// Nothing if the store cannot list. A prefix with nothing under it gives an empty listing, and so does a folder that
  /// a link leads back to from within it: walks come to an end.
  virtual std::optional<Listing> List(std::string_view prefix) const = 0;

  /// Replaces a value whole. Error(read_only) if the store takes none.
  virtual void Set(std::string_view key, ByteSpan value) = 0;
  /// Removes a key; absent is fine.
  virtual void Erase(std::string_view key) = 0;
  /// Removes all keys under a prefix; none is fine. By default one after the other; Error(unsupported) if the store
  /// cannot list.
  virtual void ErasePrefix(std::string_view prefix);
  /// Moves all keys under a prefix to another one, under which there are none, in one step. False, with nothing done,
  /// if the store cannot, as by default.
  virtual bool RenamePrefix(std::string_view from, std::string_view to);
  /// Completes what is not complete before all is written, such as an archive: to be called when a store that was
  /// made is done with. It may take no values afterwards, nor give them. By default there is nothing to do.
  virtual void Finish() {}

  /// As Get, as text, for metadata.
  std::optional<std::string> GetText(std::string_view key, std::uint64_t max_size = kMaxDocumentSize) const;
};

/// What the names of values start with that are not complete: neither keys nor nodes are called so.
inline constexpr std::string_view kTemporaryPrefix = ".zarr-tmp-";
/// A name that no other value of this process gets. Thread-safe.
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
/// "a/b" + "c" -> "a/b/c"; "" + "c" -> "c".
std::string JoinKey(std::string_view prefix, std::string_view name);

}  // namespace zarr
