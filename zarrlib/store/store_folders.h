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

/// Features of stores in folders, and operations on the entries of any store. Links are not followed.
namespace zarr {

enum class EntryKind { kValue, kFolder, kLink, kOther };

struct StoreEntry {
  std::string name;
  EntryKind kind;
};

/// How `EraseChosen` treats an entry. Only folders can be entered; a folder that is empty afterwards is removed. Kept
/// entries are reported, ignored entries are not.
enum class Choice { kKeep, kErase, kEnter, kIgnore };
/// Chooses for the entry at a path, which has the form of a key.
using Chooser = std::function<Choice(std::string_view path, EntryKind kind)>;

/// The entries that `EraseChosen` did not remove.
struct Leftovers {
  std::uint64_t count = 0;
  std::vector<std::string> examples;  ///< The paths of the first few.
  /// Adds the leftovers of another part of the operation.
  void Add(const Leftovers& more);
};

/// A folder, as reached by a path.
struct FolderPlace {
  std::string identity;    ///< The same for all paths to the folder.
  std::size_t links = 0;   ///< The number of path segments that are symbolic links.
  bool is_link = false;    ///< True if the last segment is a symbolic link.
  bool leads_out = false;  ///< True if the folder is outside the store, so that its keys do not belong to the store.
};

/// A stored value that is open. All reads are from one state of it, and each costs about as much as copying the bytes.
/// Thread-safe.
class OpenedValue {
 public:
  virtual ~OpenedValue() = default;
  /// The stamp contains the size.
  virtual const VersionStamp& stamp() const = 0;
  /// Fills the buffer with the bytes starting at `offset`. Throws Error(io) for bytes past the end of the value.
  virtual void Read(std::uint64_t offset, MutableByteSpan buffer) const = 0;
};

/// The folders of a store, which may also contain entries that are not values of it: links, foreign files and temporary
/// files. All failures are Error(io), which names the store and the path. Thread-safe.
class StoreFolders {
 public:
  virtual ~StoreFolders() = default;

  /// Opens a value for several reads. Returns null if it is absent.
  virtual std::unique_ptr<OpenedValue> Open(std::string_view key) const = 0;
  /// Returns all entries directly under a prefix, in no particular order, including temporary files.
  virtual std::vector<StoreEntry> ListEntries(std::string_view prefix) const = 0;
  /// Returns the names of all entries directly under a prefix: nothing else exists there. Returns nullopt if that is
  /// unknown, because the folder cannot be reached or read, or changes, and if there are more than `most` names. Throws
  /// only std::bad_alloc.
  virtual std::optional<std::vector<std::string>> ListNames(std::string_view prefix, std::size_t most) const = 0;
  /// Returns the kind of the entry at a path; nullopt if it is absent.
  virtual std::optional<EntryKind> GetKind(std::string_view path) const = 0;
  /// Returns the folder at a path; nullopt if there is none.
  virtual std::optional<FolderPlace> FindFolder(std::string_view path) const = 0;
  /// Implements zarr::EraseChosen, and removes temporary files that are no longer being written.
  virtual Leftovers EraseChosen(std::string_view prefix, const Chooser& choose) = 0;
  /// Removes temporary files of stopped processes, to the extent that a single listing finds them.
  virtual void EraseAbandoned() = 0;
  /// Moves all entries under a prefix atomically to another prefix, which must not have keys. Throws Error(not_found)
  /// if there are no entries to move.
  virtual void Rename(std::string_view from, std::string_view to) = 0;
  /// Exchanges all entries under two prefixes, which must both have keys, atomically. Returns false without changes if
  /// that is not possible.
  virtual bool Exchange(std::string_view first, std::string_view second) = 0;
};

// The following functions work on every store. They use its folders if it has any, and listings otherwise.

/// Lists all entries directly under a prefix, in no particular order; temporary files only if the store has folders.
/// Returns nullopt if the store cannot list.
std::optional<std::vector<StoreEntry>> ListEntries(const Store& store, std::string_view prefix,
                                                   Freshness freshness = Freshness::kKnown);
/// Returns the kind of the entry at a path; nullopt if it is absent.
std::optional<EntryKind> GetEntryKind(const Store& store, std::string_view path);
/// Returns the folder at a path; nullopt if there is none, or if the store does not have folders.
std::optional<FolderPlace> FindFolder(const Store& store, std::string_view path);
/// Returns true if a path leads out of the store through a link.
bool LeadsOut(const Store& store, std::string_view path);
/// Removes the entries under a prefix that `choose` selects, and then the empty folders, including the folder of the
/// prefix (but not the root). For a selected link, removes the link itself. Throws Error(unsupported) if the store
/// cannot list.
Leftovers EraseChosen(Store& store, std::string_view prefix, const Chooser& choose);

/// For implementations: implements EraseChosen with listings.
Leftovers EraseListed(Store& store, std::string_view prefix, const Chooser& choose);
/// For implementations: returns the entries of a listing, each of which is a value or a folder.
std::vector<StoreEntry> MakeEntries(Listing listing);
/// For implementations of moves: throws Error(invalid_argument) unless both are prefixes and neither is inside the
/// other.
void CheckMove(std::string_view from, std::string_view to);

}  // namespace zarr
