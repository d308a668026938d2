// SPDX-License-Identifier: MIT
#include "zarrlib/store/zip/zip_index.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "zarrlib/base/error.h"
#include "zarrlib/store/store.h"
#include "zarrlib/store/zip/zip_records.h"

namespace zarr {
namespace {

constexpr std::uint32_t kEndSignature = 0x06054b50;
constexpr std::uint32_t kEnd64Signature = 0x06064b50;
constexpr std::uint32_t kLocatorSignature = 0x07064b50;
constexpr std::uint32_t kRecordSignature = 0x02014b50;
constexpr std::uint32_t kHeaderSignature = 0x04034b50;
constexpr std::size_t kEndLength = 22;
constexpr std::size_t kEnd64Length = 56;
constexpr std::size_t kLocatorLength = 20;
constexpr std::size_t kRecordLength = 46;
constexpr std::uint16_t kEncrypted = 1;

[[noreturn]] void Fail(const std::string& message) {
  throw Error(ErrorKind::kCorrupt, message);
}

/// Reads numbers at offsets in a span that is known to contain them.
class Fields {
 public:
  explicit Fields(ByteSpan bytes) : bytes_(bytes) {}
  template <typename T>
  T At(std::size_t place) const {
    return LoadLittleEndian<T>(bytes_.subspan(place, sizeof(T)).data());
  }
  bool StartsWith(std::uint32_t signature) const { return At<std::uint32_t>(0) == signature; }

 private:
  ByteSpan bytes_;
};

/// Finds the end-of-archive record, which a comment may follow.
std::size_t FindEnd(ByteSpan end) {
  for (std::size_t comment = 0; comment + kEndLength <= end.size(); ++comment) {
    const std::size_t at = end.size() - kEndLength - comment;
    const Fields fields(end.subspan(at, kEndLength));
    if (fields.StartsWith(kEndSignature) && fields.At<std::uint16_t>(20) == comment) return at;
  }
  Fail("is no ZIP archive, or not all of one: it has no end record");
}

/// The size and offset of the table of contents, and the offset at which the records after it begin.
struct EndNumbers {
  std::uint64_t size = 0;
  std::uint64_t offset = 0;
  std::size_t behind = 0;
};

/// Returns nullopt if there is no ZIP64 end record.
std::optional<EndNumbers> ReadEnd64(ByteSpan end, std::size_t end_at) {
  if (end_at < kLocatorLength + kEnd64Length) return std::nullopt;
  if (!Fields(end.subspan(end_at - kLocatorLength, kLocatorLength)).StartsWith(kLocatorSignature)) return std::nullopt;
  const std::size_t at = end_at - kLocatorLength - kEnd64Length;
  const Fields fields(end.subspan(at, kEnd64Length));
  if (!fields.StartsWith(kEnd64Signature)) Fail("its end record of ZIP64 is not where it should be");
  return EndNumbers{fields.At<std::uint64_t>(40), fields.At<std::uint64_t>(48), at};
}

/// Reads the numbers that are in the extra field because they did not fit into their own fields.
void TakeFrom64(ByteSpan extra, std::initializer_list<std::uint64_t*> numbers) {
  while (extra.size() >= 4) {
    const Fields fields(extra);
    const std::size_t length = fields.At<std::uint16_t>(2);
    if (length > extra.size() - 4) return;
    ByteSpan content = extra.subspan(4, length);
    extra = extra.subspan(4 + length);
    if (fields.At<std::uint16_t>(0) != kExtra64) continue;
    for (std::uint64_t* number : numbers) {
      if (*number != kIn64 || content.size() < sizeof(*number)) continue;
      *number = LoadLittleEndian<std::uint64_t>(content.data());
      content = content.subspan(sizeof(*number));
    }
    return;
  }
}

/// Makes a key from a name: some writers start names with "./" or "/", or use "\" as the separator.
std::string MakeKey(std::string_view name) {
  std::string key(name);
  std::replace(key.begin(), key.end(), '\\', '/');
  std::size_t begin = 0;
  while (key.compare(begin, 2, "./") == 0 || key.compare(begin, 1, "/") == 0) begin += key[begin] == '.' ? 2 : 1;
  return key.substr(begin);
}

}  // namespace

ZipIndexPlace FindZipIndex(ByteSpan end, std::uint64_t archive_size) {
  const std::size_t at = FindEnd(end);
  const Fields fields(end.subspan(at, kEndLength));
  if (fields.At<std::uint16_t>(4) != fields.At<std::uint16_t>(6)) Fail("is one of several parts of a ZIP archive");
  const EndNumbers numbers =
      ReadEnd64(end, at).value_or(EndNumbers{fields.At<std::uint32_t>(12), fields.At<std::uint32_t>(16), at});
  // The table ends where the records begin, even if other bytes were prepended to the archive.
  const std::uint64_t behind = archive_size - end.size() + numbers.behind;
  if (numbers.size > behind || numbers.offset > behind - numbers.size) {
    Fail(FormatExpectedGot("a table of contents within the " + std::to_string(behind) + " bytes before its end",
                           std::to_string(numbers.size) + " bytes at " + std::to_string(numbers.offset)));
  }
  return {{behind - numbers.size, numbers.size}, behind - numbers.size - numbers.offset};
}

ZipFiles ParseZipIndex(ByteSpan bytes, const ZipIndexPlace& place) {
  ZipFiles files;
  while (!bytes.empty()) {
    if (bytes.size() < kRecordLength) Fail("its table of contents is cut short");
    const Fields fields(bytes);
    if (!fields.StartsWith(kRecordSignature)) Fail("its table of contents is damaged");
    const std::size_t name = fields.At<std::uint16_t>(28);
    const std::size_t extra = fields.At<std::uint16_t>(30);
    const std::size_t length = kRecordLength + name + extra + fields.At<std::uint16_t>(32);
    if (length > bytes.size()) Fail("its table of contents is cut short");
    std::uint64_t size = fields.At<std::uint32_t>(24);
    std::uint64_t stored_size = fields.At<std::uint32_t>(20);
    std::uint64_t offset = fields.At<std::uint32_t>(42);
    TakeFrom64(bytes.subspan(kRecordLength + name, extra), {&size, &stored_size, &offset});
    ZipFile& file = files[MakeKey(AsText(bytes.subspan(kRecordLength, name)))];
    file.size = size;
    file.stored_size = stored_size;
    file.offset = offset + place.shift;
    file.crc = fields.At<std::uint32_t>(16);
    file.method = fields.At<std::uint16_t>(10);
    file.encrypted = (fields.At<std::uint16_t>(8) & kEncrypted) != 0;
    bytes = bytes.subspan(length);
  }
  std::erase_if(files, [](const auto& file) { return !IsKey(file.first); });  // such as folders
  return files;
}

std::uint64_t GetZipHeaderLength(ByteSpan header) {
  const Fields fields(header);
  if (!fields.StartsWith(kHeaderSignature)) Fail("in the archive there is no file where its table of contents says");
  return kZipHeaderSize + fields.At<std::uint16_t>(26) + fields.At<std::uint16_t>(28);
}

}  // namespace zarr
