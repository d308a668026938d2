// SPDX-License-Identifier: MIT
#include "zarrlib/store/store.h"

#include <cstdint>
#include <string>
#include <utility>

#include "zarrlib/store/temporary_names.h"

namespace zarr {

std::string MakeTemporaryName() {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::uint64_t number = MakeRandomNumber();
  std::string name(kTemporaryPrefix);
  for (int i = 0; i < 16; ++i, number /= 16) name += kDigits[number % 16];
  return name;
}

bool Store::Get(std::string_view key, Bytes* value, VersionStamp* stamp, std::uint64_t max_size,
                Freshness freshness) const {
  ReadRequest request{key, ReadRequest::Part::kWhole, freshness, value};
  request.max_size = max_size;
  request.stamp = stamp;
  return Read(request);
}

bool Store::WriteIfSame(std::string_view key, ByteSpan value, const VersionStamp* known) {
  if (info().is_on_network()) {
    throw Error(ErrorKind::kUnsupported, name_, std::string(key), "", "values there cannot be replaced on a condition");
  }
  if (!known) return Write(key, value, WriteIf::kAbsent);
  VersionStamp now;
  if (!GetStamp(key, &now, Freshness::kNow) || !(now == *known)) return false;
  Set(key, value);
  return true;
}

bool Store::GetRanges(std::string_view key, std::span<const ByteRange> ranges, std::span<const MutableByteSpan> buffers,
                      VersionStamp* stamp) const {
  ReadRequest request{key, ReadRequest::Part::kRanges};
  request.ranges = ranges;
  request.buffers = buffers;
  request.stamp = stamp;
  return Read(request);
}

bool Store::GetSuffix(std::string_view key, std::uint64_t length, Bytes* value, VersionStamp* stamp) const {
  ReadRequest request{key, ReadRequest::Part::kSuffix, Freshness::kKnown, value};
  request.length = length;
  request.stamp = stamp;
  return Read(request);
}

bool Store::GetStamp(std::string_view key, VersionStamp* stamp, Freshness freshness) const {
  ReadRequest request{key, ReadRequest::Part::kStamp, freshness};
  request.stamp = stamp;
  return Read(request);
}

bool Store::Exists(std::string_view key, Freshness freshness) const {
  return Read({key, ReadRequest::Part::kPresence, freshness});
}

std::optional<std::string> Store::GetText(std::string_view key, std::uint64_t max_size, Freshness freshness) const {
  Bytes value;
  if (!Get(key, &value, nullptr, max_size, freshness)) return std::nullopt;
  return std::string(AsText(value));
}

void Store::Erase(std::string_view key) {
  CheckKey(key);
  const std::string keys[] = {std::string(key)};
  EraseAll(keys);
}

std::string QuoteKey(std::string_view text) {
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
      FormatExpectedGot("a key, segments other than \"\", \".\" and \"..\" with \"/\" between them", QuoteKey(key)));
}

bool IsFolderKey(std::string_view key) {
  const bool is_folder = key.size() > 1 && key.ends_with('/');
  CheckKey(is_folder ? key.substr(0, key.size() - 1) : key);
  return is_folder;
}

void CheckPrefix(std::string_view prefix) {
  if (prefix.empty()) return;
  if (prefix.back() == '/' && IsKey(prefix.substr(0, prefix.size() - 1))) return;
  throw Error(ErrorKind::kInvalidArgument, FormatExpectedGot("a prefix, \"\" or a key and \"/\"", QuoteKey(prefix)));
}

std::string JoinKey(std::string_view prefix, std::string_view name) {
  std::string key(prefix);
  if (!key.empty()) key += '/';
  return key += name;
}

}  // namespace zarr
