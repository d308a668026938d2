// SPDX-License-Identifier: MIT
#include "zarrlib/store/store.h"

#include <cstdint>
#include <random>
#include <string>
#include <utility>

#include "zarrlib/store/process_locks.h"

namespace zarr {
namespace {

/// Puts a name into quotes for messages, with unprintable characters escaped, and cut to a bearable length.
std::string Quote(std::string_view text) {
  constexpr std::size_t kMaxShown = 200;
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string quoted = "\"";
  for (const char c : text.substr(0, kMaxShown)) {
    const auto code = static_cast<unsigned char>(c);
    if (code >= 0x20 && code != 0x7f) {
      quoted += c;
    } else {
      quoted += {'\\', 'x', kDigits[code / 16], kDigits[code % 16]};
    }
  }
  return quoted + (text.size() > kMaxShown ? "...\"" : "\"");
}

/// Asks the system each time: after a fork, both processes would get the same numbers from a generator. To find out how
/// to ask it takes longer than to ask.
std::uint64_t MakeRandomNumber() {
  thread_local std::random_device device;
  static_assert(std::random_device::min() == 0 && std::random_device::max() >= UINT32_MAX);
  return std::uint64_t{device()} << 32 | device();
}

}  // namespace

std::string MakeTemporaryName() {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::uint64_t number = MakeRandomNumber();
  std::string name(kTemporaryPrefix);
  for (int i = 0; i < 16; ++i, number /= 16) name += kDigits[number % 16];
  return name;
}

std::optional<std::string> Store::GetText(std::string_view key, std::uint64_t max_size) const {
  Bytes value;
  if (!Get(key, &value, nullptr, max_size)) return std::nullopt;
  return std::string(AsText(value));
}

bool Store::NoteBroken(std::string_view key, int status, int times, Error* error) const {
  const Store& now = current();
  return &now != this && now.NoteBroken(key, status, times, error);
}

bool Store::SetIfAbsent(std::string_view key, ByteSpan value) {
  if (Exists(key)) return false;
  Set(key, value);
  return true;
}

bool Store::GetStamp(std::string_view key, VersionStamp* stamp) const {
  Bytes last;
  return GetSuffix(key, 1, &last, stamp);
}

std::optional<std::vector<std::string>> Store::ListNames(std::string_view, std::size_t) const {
  return std::nullopt;
}

std::optional<std::vector<std::string>> Store::ListKeysBelow(std::string_view, std::size_t) const {
  return std::nullopt;
}

std::optional<std::vector<Store::Entry>> Store::ListEntries(std::string_view prefix) const {
  auto listing = List(prefix);
  return listing ? std::optional(MakeEntries(*std::move(listing))) : std::nullopt;
}

std::vector<Store::Entry> Store::MakeEntries(Listing listing) {
  std::vector<Entry> entries;
  for (std::string& key : listing.keys) entries.push_back({std::move(key), EntryKind::kValue});
  for (std::string& folder : listing.prefixes) entries.push_back({std::move(folder), EntryKind::kFolder});
  return entries;
}

std::optional<EntryKind> Store::GetEntryKind(std::string_view path) const {
  const auto listing = List(std::string(path) + "/");
  if (listing && !(listing->keys.empty() && listing->prefixes.empty())) return EntryKind::kFolder;
  return Exists(path) ? std::optional(EntryKind::kValue) : std::nullopt;
}

void Store::EraseAll(std::span<const std::string> keys) {
  for (const std::string& key : keys) Erase(key);
}

Store::Leftovers Store::EraseChosen(std::string_view prefix, const Chooser& choose) {
  const auto entries = ListEntries(prefix);
  if (!entries) {
    throw Error(ErrorKind::kUnsupported, name(), std::string(prefix), "",
                "the store cannot list what is to be removed");
  }
  Leftovers leftovers;
  for (const Entry& entry : *entries) {
    const std::string path = std::string(prefix) + entry.name;
    const Choice choice = choose(path, entry.kind);
    if (choice == Choice::kErase) {
      Erase(path);
    } else if (choice == Choice::kEnter) {
      AddLeftovers(EraseChosen(path + "/", choose), &leftovers);
    } else if (choice == Choice::kKeep) {
      AddLeftovers({1, {path}}, &leftovers);
    }
  }
  return leftovers;
}

std::shared_ptr<void> Store::TryHold(std::string_view) const {
  return std::make_shared<int>();
}

LockResult Store::Lock(std::string_view document, std::string_view value, bool waits) const {
  return {LockInProcess(identity() + "/" + std::string(document), value, waits), true, std::nullopt};
}

std::unique_ptr<StoreLock> Store::LockFolder(std::string_view prefix) const {
  CheckPrefix(prefix);
  return LockInProcess(identity() + "/" + std::string(prefix), "", true);
}

std::vector<LockResult> LockAll(const Store& store, const std::vector<std::string>& documents) {
  std::vector<LockResult> locks(documents.size());
  for (std::size_t first = 0;;) {
    if (!documents.empty()) locks[first] = store.Lock(documents[first], "");
    std::size_t busy = documents.size();
    for (std::size_t i = 0; i < documents.size() && busy == documents.size(); ++i) {
      if (i != first) locks[i] = store.Lock(documents[i], "", false);
      if (!locks[i].lock) busy = i;
    }
    if (busy == documents.size()) return locks;
    for (LockResult& lock : locks) lock.lock.reset();
    first = busy;
  }
}

void Store::RenamePrefix(std::string_view from, std::string_view to) {
  CheckMove(from, to);
  throw Error(ErrorKind::kUnsupported, name(), std::string(from), "", "the store cannot move it in one step");
}

bool Store::ExchangePrefixes(std::string_view first, std::string_view second) {
  CheckMove(first, second);
  return false;
}

bool Store::LeadsOut(std::string_view prefix) const {
  CheckPrefix(prefix);
  return false;
}

std::optional<Store::LinkedFolder> Store::FindLinkedFolder(std::string_view path) const {
  if (!path.empty()) CheckKey(path);
  return std::nullopt;
}

bool IsKey(std::string_view key) {
  if (key.find('\0') != key.npos) return false;
  while (true) {
    const std::size_t end = key.find('/');
    const std::string_view segment = key.substr(0, end);
    if (segment.empty() || segment == "." || segment == "..") return false;
    if (end == key.npos) return true;
    key.remove_prefix(end + 1);
  }
}

void CheckKey(std::string_view key) {
  if (IsKey(key)) return;
  throw Error(
      ErrorKind::kInvalidArgument,
      FormatExpectedGot("a key, segments other than \"\", \".\" and \"..\" with \"/\" between them", Quote(key)));
}

void CheckPrefix(std::string_view prefix) {
  if (prefix.empty()) return;
  if (prefix.back() == '/' && IsKey(prefix.substr(0, prefix.size() - 1))) return;
  throw Error(ErrorKind::kInvalidArgument, FormatExpectedGot("a prefix, \"\" or a key and \"/\"", Quote(prefix)));
}

void CheckMove(std::string_view from, std::string_view to) {
  CheckPrefix(from);
  CheckPrefix(to);
  if (!from.empty() && !to.empty() && !to.starts_with(from) && !from.starts_with(to)) return;
  throw Error(ErrorKind::kInvalidArgument,
              FormatExpectedGot("two prefixes apart from each other", Quote(from) + " and " + Quote(to)));
}

void CheckRanges(std::span<const ByteRange> ranges, std::span<const MutableByteSpan> buffers,
                 std::uint64_t value_size) {
  if (ranges.size() != buffers.size()) {
    throw Error(ErrorKind::kInvalidArgument,
                FormatExpectedGot(std::to_string(ranges.size()) + " buffers", std::to_string(buffers.size())));
  }
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    const auto [offset, length] = ranges[i];
    if (length != buffers[i].size()) {
      throw Error(ErrorKind::kInvalidArgument, FormatExpectedGot("a buffer of " + std::to_string(length) + " bytes",
                                                                 std::to_string(buffers[i].size())));
    }
    if (offset > value_size || length > value_size - offset) {
      throw Error(ErrorKind::kCorrupt, FormatExpectedGot(std::to_string(length) + " bytes at " + std::to_string(offset),
                                                         "a value of " + std::to_string(value_size) + " bytes"));
    }
  }
}

void CheckValueSize(std::uint64_t value_size, std::uint64_t max_size) {
  if (value_size <= max_size) return;
  throw Error(ErrorKind::kLimitExceeded, FormatExpectedGot("a value of at most " + std::to_string(max_size) + " bytes",
                                                           std::to_string(value_size)));
}

void AddLeftovers(const Store::Leftovers& more, Store::Leftovers* leftovers) {
  constexpr std::size_t kMostExamples = 10;
  leftovers->count += more.count;
  for (const std::string& example : more.examples) {
    if (leftovers->examples.size() < kMostExamples) leftovers->examples.push_back(example);
  }
}

std::string JoinKey(std::string_view prefix, std::string_view name) {
  std::string key(prefix);
  if (!key.empty()) key += '/';
  return key += name;
}

}  // namespace zarr
