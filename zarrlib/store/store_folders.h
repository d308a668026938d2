// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "zarrlib/store/store.h"

/// What only stores in folders have, and what can be done with the entries of every store. Links are not followed.
namespace zarr {

/// The kind of an entry of a store.
enum class EntryKind { kValue, kFolder, kLink, kOther };

struct StoreEntry {
  std::string name;
  EntryKind kind;
};

/// The ways in which `EraseChosen` treats an entry. Only folders can be entered; a folder that is then empty is
/// removed. Entries that are kept are reported, those that are ignored are not.
enum class Choice { kKeep, kErase, kEnter, kIgnore };
/// Chooses for the entry at a path, which has the form of a key.
using Chooser = std::function<Choice(std::string_view path, EntryKind kind)>;

/// The entries that `EraseChosen` did not remove.
struct Leftovers {
  std::uint64_t count = 0;
  std::vector<std::string> examples;  ///< The paths of the first few.
  /// Adds those of another part of the work.
  void Add(const Leftovers& more);
};

/// A folder, as a path leads to it.
struct FolderPlace {
  std::string identity;    ///< The same for all paths of the folder.
  std::size_t links = 0;   ///< How many steps of the path are symbolic links.
  bool is_link = false;    ///< Whether the last step is one.
  bool leads_out = false;  ///< Whether the folder is outside of the store, so that its keys belong to someone else.
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

/// The folders of a store, which may also hold what is no value of it: links, files of others, temporary files. All
/// that fails is Error(io), which names the store and the path. Thread-safe.
class StoreFolders {
 public:
  virtual ~StoreFolders() = default;

  /// Opens a value for several reads. Returns null if it is absent.
  virtual std::unique_ptr<OpenedValue> Open(std::string_view key) const = 0;
  /// All entries directly under a prefix, in no order, also temporary files.
  virtual std::vector<StoreEntry> ListEntries(std::string_view prefix) const = 0;
  /// The names of all entries directly under a prefix. Nothing if there are more than `most`, or if the folder cannot
  /// be read. Throws nothing but std::bad_alloc.
  virtual std::optional<std::vector<std::string>> ListNames(std::string_view prefix, std::size_t most) const = 0;
  /// The kind of the entry at a path; nothing if it is absent.
  virtual std::optional<EntryKind> GetKind(std::string_view path) const = 0;
  /// The folder at a path; nothing if there is none.
  virtual std::optional<FolderPlace> FindFolder(std::string_view path) const = 0;
  /// Does what zarr::EraseChosen says, and removes the temporary files that nobody writes any more.
  virtual Leftovers EraseChosen(std::string_view prefix, const Chooser& choose) = 0;
  /// Removes the temporary files of processes that were stopped, as far as one look finds them.
  virtual void EraseAbandoned() = 0;
  /// Moves all that stands under a prefix to another prefix, which has no keys, in one step. A move that moves nothing
  /// is Error(not_found).
  virtual void Rename(std::string_view from, std::string_view to) = 0;
  /// Exchanges all that stands under two prefixes, both of which have keys, in one step. Returns false, and does
  /// nothing, where that is impossible.
  virtual bool Exchange(std::string_view first, std::string_view second) = 0;
};

// For every store, by its folders if it has them, and else by lists.

/// Lists all entries directly under a prefix, in no order; temporary files only where there are folders. Nothing if the
/// store cannot list.
std::optional<std::vector<StoreEntry>> ListEntries(const Store& store, std::string_view prefix,
                                                   Freshness freshness = Freshness::kKnown);
/// The kind of the entry at a path; nothing if it is absent.
std::optional<EntryKind> GetEntryKind(const Store& store, std::string_view path);
/// The folder at a path; nothing if there is none, or if the store keeps no folders.
std::optional<FolderPlace> FindFolder(const Store& store, std::string_view path);
/// Whether a path leads out of the store by a link.
bool LeadsOut(const Store& store, std::string_view path);
/// Removes the entries under a prefix that `choose` picks, and then the folders that are empty, including the one of
/// the prefix (but not the root). A link that is picked is removed itself. Throws Error(unsupported) if the store
/// cannot list.
Leftovers EraseChosen(Store& store, std::string_view prefix, const Chooser& choose);

/// For implementations: does EraseChosen by lists.
Leftovers EraseListed(Store& store, std::string_view prefix, const Chooser& choose);
/// For implementations: the entries of a listing, each of which is a value or a folder.
std::vector<StoreEntry> MakeEntries(Listing listing);
/// For implementations of moves: throws Error(invalid_argument) unless both are prefixes and neither is inside the
/// other.
void CheckMove(std::string_view from, std::string_view to);

}  // namespace zarr
