// SPDX-License-Identifier: MIT
#include "zarrlib/store/store_folders.h"

#include <unordered_map>
#include <utility>

namespace zarr {
namespace {

/// Chooses which entries are erased. The entries come in the order of their paths.
class Selection {
 public:
  explicit Selection(const Chooser& choose) : choose_(choose) {}

  /// Chooses for a value below a prefix, after the folders on the way to it.
  void ChooseBelow(std::string_view prefix, const std::string& path) {
    for (std::size_t end = path.find('/', prefix.size()); end != path.npos; end = path.find('/', end + 1)) {
      if (ChooseFolder(path.substr(0, end)) != Choice::kEnter) return;
    }
    Choose(path, EntryKind::kValue);
  }
  Choice Choose(const std::string& path, EntryKind kind) {
    const Choice choice = choose_(path, kind);
    if (choice == Choice::kErase) erased.push_back(path);
    if (choice == Choice::kKeep) leftovers.Add({1, {path}});
    return choice;
  }

  std::vector<std::string> erased;
  Leftovers leftovers;

 private:
  /// If a folder is kept or ignored, only the folder is reported, not its content.
  Choice ChooseFolder(const std::string& path) {
    const auto [known, is_new] = folders_.try_emplace(path, Choice::kEnter);
    if (is_new) known->second = Choose(path, EntryKind::kFolder);
    return known->second;
  }

  const Chooser& choose_;
  std::unordered_map<std::string, Choice> folders_;
};

}  // namespace

void Leftovers::Add(const Leftovers& more) {
  constexpr std::size_t kMostExamples = 10;
  count += more.count;
  for (const std::string& example : more.examples) {
    if (examples.size() < kMostExamples) examples.push_back(example);
  }
}

std::vector<StoreEntry> MakeEntries(Listing listing) {
  std::vector<StoreEntry> entries;
  for (std::string& key : listing.keys) entries.push_back({std::move(key), EntryKind::kValue});
  for (std::string& folder : listing.prefixes) entries.push_back({std::move(folder), EntryKind::kFolder});
  return entries;
}

std::optional<std::vector<StoreEntry>> ListEntries(const Store& store, std::string_view prefix, Freshness freshness) {
  if (const StoreFolders* const folders = store.folders()) return folders->ListEntries(prefix);
  ListOptions options;
  options.freshness = freshness;
  auto listing = store.List(prefix, options);
  return listing ? std::optional(MakeEntries(*std::move(listing))) : std::nullopt;
}

std::optional<EntryKind> GetEntryKind(const Store& store, std::string_view path) {
  if (const StoreFolders* const folders = store.folders()) return folders->GetKind(path);
  const std::size_t slash = path.rfind('/');
  ListOptions one;
  one.only = slash == path.npos ? path : path.substr(slash + 1);
  const auto alone = store.List(slash == path.npos ? "" : path.substr(0, slash + 1), one);
  if (alone && !alone->prefixes.empty()) return EntryKind::kFolder;
  if (alone) return alone->keys.empty() ? std::nullopt : std::optional(EntryKind::kValue);
  const auto listing = store.List(std::string(path) + "/");
  if (listing && !listing->empty()) return EntryKind::kFolder;
  return store.Exists(path) ? std::optional(EntryKind::kValue) : std::nullopt;
}

namespace {

/// Lists the folders one by one.
Leftovers EraseInFolders(Store& store, std::string_view prefix, const Chooser& choose) {
  ListOptions now;
  now.freshness = Freshness::kNow;
  const auto entries = store.List(prefix, now);
  if (!entries) {
    throw Error(ErrorKind::kUnsupported, store.name(), std::string(prefix), "",
                "the store cannot list what is to be removed");
  }
  Leftovers leftovers;
  for (const StoreEntry& entry : MakeEntries(*entries)) {
    const std::string path = std::string(prefix) + entry.name;
    const Choice choice = choose(path, entry.kind);
    if (choice == Choice::kErase) {
      store.Erase(path);
    } else if (choice == Choice::kEnter) {
      leftovers.Add(EraseListed(store, path + "/", choose));
    } else if (choice == Choice::kKeep) {
      leftovers.Add({1, {path}});
    }
  }
  return leftovers;
}

}  // namespace

Leftovers EraseChosen(Store& store, std::string_view prefix, const Chooser& choose) {
  CheckPrefix(prefix);
  if (StoreFolders* const folders = store.folders()) return folders->EraseChosen(prefix, choose);
  return EraseListed(store, prefix, choose);
}

Leftovers EraseListed(Store& store, std::string_view prefix, const Chooser& choose) {
  ListOptions all;
  all.below = true;
  const auto listing = store.List(prefix, all);
  if (!listing) {
    Leftovers leftovers = EraseInFolders(store, prefix, choose);
    const std::string folder[] = {std::string(prefix)};
    if (leftovers.count == 0 && !prefix.empty()) store.EraseAll(folder);
    return leftovers;
  }
  Selection selection(choose);
  for (const std::string& name : listing->keys) selection.ChooseBelow(prefix, std::string(prefix) + name);
  if (selection.leftovers.count == 0 && !prefix.empty()) selection.erased.emplace_back(prefix);
  store.EraseAll(selection.erased);
  return std::move(selection.leftovers);
}

std::optional<FolderPlace> FindFolder(const Store& store, std::string_view path) {
  const StoreFolders* const folders = store.folders();
  return folders ? folders->FindFolder(path) : std::nullopt;
}

bool LeadsOut(const Store& store, std::string_view path) {
  const auto folder = path.empty() ? std::nullopt : FindFolder(store, path);
  return folder && folder->leads_out;
}

void CheckMove(std::string_view from, std::string_view to) {
  CheckPrefix(from);
  CheckPrefix(to);
  if (!from.empty() && !to.empty() && !to.starts_with(from) && !from.starts_with(to)) return;
  throw Error(ErrorKind::kInvalidArgument,
              FormatExpectedGot("two prefixes apart from each other", QuoteKey(from) + " and " + QuoteKey(to)));
}

}  // namespace zarr
