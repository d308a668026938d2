#include "zarrlib/store/zip_store.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <new>
#include <utility>
#include <vector>

#include "zarrlib/store/sorted_listing.h"

namespace zarr {
namespace {

constexpr std::uint16_t kStored = 0;
constexpr std::uint16_t kDeflated = 8;
/// No deflated byte stands for more.
constexpr std::uint64_t kMostInflation = 1032;
/// How often an archive may be replaced while a value of it is read.
constexpr int kMostLooks = 5;

/// zlib counts in 32 bits.
constexpr std::size_t kPiece = std::size_t{1} << 30;

Bytef* AsZlib(const std::byte* bytes) {
  return reinterpret_cast<Bytef*>(const_cast<std::byte*>(bytes));
}

void CheckCrc(ByteSpan value, std::uint32_t expected) {
  uLong crc = ::crc32(0, nullptr, 0);
  for (std::size_t done = 0; done < value.size(); done += kPiece) {
    const std::size_t size = std::min(kPiece, value.size() - done);
    crc = ::crc32(crc, AsZlib(value.data() + done), static_cast<uInt>(size));
  }
  if (crc != expected) throw Error(ErrorKind::kCorrupt, "does not have the checksum that the archive says");
}

/// Fills `value` with what `deflated`, without a header, stands for.
void Inflate(ByteSpan deflated, MutableByteSpan value) {
  z_stream stream{};
  if (::inflateInit2(&stream, -MAX_WBITS) != Z_OK) throw std::bad_alloc();
  const std::unique_ptr<z_stream, int (*)(z_stream*)> owner(&stream, &::inflateEnd);
  int result = Z_OK;
  std::size_t taken = 0;
  std::size_t done = 0;
  while (result == Z_OK) {
    stream.next_in = AsZlib(deflated.data() + taken);
    stream.avail_in = static_cast<uInt>(std::min(kPiece, deflated.size() - taken));
    stream.next_out = AsZlib(value.data() + done);
    stream.avail_out = static_cast<uInt>(std::min(kPiece, value.size() - done));
    result = ::inflate(&stream, Z_NO_FLUSH);
    taken = static_cast<std::size_t>(stream.next_in - AsZlib(deflated.data()));
    done = static_cast<std::size_t>(stream.next_out - AsZlib(value.data()));
  }
  if (result != Z_STREAM_END || done != value.size()) {
    throw Error(ErrorKind::kCorrupt, "its deflated bytes are damaged, or of another length than the archive says");
  }
}

void CheckReadable(const ZipFile& file) {
  if (file.encrypted) throw Error(ErrorKind::kUnsupported, "is encrypted in the archive");
  if (file.method != kStored && file.method != kDeflated) {
    throw Error(ErrorKind::kUnsupported, "is compressed in the archive by method " + std::to_string(file.method) +
                                             ", and not stored or deflated");
  }
  const bool stored = file.method == kStored;
  if (stored ? file.size != file.stored_size : file.size / kMostInflation > file.stored_size) {
    throw Error(ErrorKind::kCorrupt, "cannot be of " + std::to_string(file.size) + " bytes, with " +
                                         std::to_string(file.stored_size) + " in the archive");
  }
}

}  // namespace

ZipStore::ZipStore(std::string name, std::shared_ptr<const Store> archives, std::string archive_key,
                   const std::string& folder)
    : name_(std::move(name)),
      archives_(std::move(archives)),
      archive_key_(std::move(archive_key)),
      prefix_(folder.empty() ? "" : folder + "/") {}

std::string ZipStore::identity() const {
  const std::string folder = prefix_.empty() ? "" : "/" + prefix_.substr(0, prefix_.size() - 1);
  return "zip:" + archives_->identity() + "/" + archive_key_ + "!" + folder;
}

StoreCapabilities ZipStore::capabilities() const {
  StoreCapabilities capabilities;
  capabilities.list = true;
  capabilities.ranges = true;
  capabilities.suffix_range = true;
  capabilities.concurrency = archives_->capabilities().concurrency;
  return capabilities;
}

// --- the archive -------------------------------------------------------------------------------------------------

std::shared_ptr<const ZipStore::Content> ZipStore::ReadContent() const {
  auto content = std::make_shared<Content>();
  Bytes end;
  if (!archives_->GetSuffix(archive_key_, kZipEndSize, &end, &content->stamp)) return content;
  const std::uint64_t archive_size = content->stamp.size;
  const ZipIndexPlace place = FindZipIndex(end, archive_size);
  const std::uint64_t begin_of_end = archive_size - end.size();
  if (place.range.offset >= begin_of_end) {
    content->files = ParseZipIndex(ByteSpan(end).subspan(place.range.offset - begin_of_end, place.range.length), place);
    return content;
  }
  Bytes index(static_cast<std::size_t>(place.range.length));
  const MutableByteSpan buffer = index;
  VersionStamp stamp;
  if (!archives_->GetRanges(archive_key_, {&place.range, 1}, {&buffer, 1}, &stamp) || stamp != content->stamp) {
    throw Error(ErrorKind::kIo, "the archive was replaced while it was opened");
  }
  content->files = ParseZipIndex(index, place);
  return content;
}

std::shared_ptr<const ZipStore::Content> ZipStore::Look(const Content* outdated) const {
  const std::lock_guard lock(mutex_);
  if (content_ && content_.get() != outdated) return content_;
  try {
    content_ = ReadContent();
  } catch (const Error& error) {
    throw Error(error.kind(), name_, "", "", error.message());
  }
  return content_;
}

bool ZipStore::ReadArchive(const Content& content, std::span<const ByteRange> ranges,
                           std::span<const MutableByteSpan> buffers) const {
  VersionStamp stamp;
  try {
    return archives_->GetRanges(archive_key_, ranges, buffers, &stamp) && stamp == content.stamp;
  } catch (const Error& error) {
    // A range beyond the end of another archive than the one that was looked at.
    VersionStamp now;
    Bytes last;
    if (archives_->GetSuffix(archive_key_, 1, &last, &now) && now != content.stamp) return false;
    throw Error(error.kind(), error.message());
  }
}

bool ZipStore::ReadStored(const Content& content, const ZipFile& file, std::span<const ByteRange> ranges,
                          std::span<const MutableByteSpan> buffers) const {
  if (file.data == 0) {
    std::array<std::byte, kZipHeaderSize> header;
    const ByteRange range{file.offset, kZipHeaderSize};
    const MutableByteSpan buffer = header;
    if (!ReadArchive(content, {&range, 1}, {&buffer, 1})) return false;
    file.data = file.offset + ZipHeaderLength(header);
  }
  std::vector<ByteRange> shifted(ranges.begin(), ranges.end());
  for (ByteRange& range : shifted) range.offset += file.data;
  return ReadArchive(content, shifted, buffers);
}

bool ZipStore::ReadWhole(const Content& content, const ZipFile& file, Bytes* value) const {
  Bytes deflated;
  Bytes* const stored = file.method == kStored ? value : &deflated;
  // Not what the table of contents says, which may be too much for the memory: what there is in the archive.
  if (file.offset > content.stamp.size || file.stored_size > content.stamp.size - file.offset) {
    throw Error(ErrorKind::kCorrupt, "reaches beyond the end of the archive");
  }
  stored->resize(static_cast<std::size_t>(file.stored_size));
  const ByteRange range{0, file.stored_size};
  const MutableByteSpan buffer = *stored;
  if (!ReadStored(content, file, {&range, 1}, {&buffer, 1})) return false;
  if (file.method == kDeflated) {
    value->resize(static_cast<std::size_t>(file.size));
    if (file.size > 0) Inflate(deflated, *value);
  }
  CheckCrc(*value, file.crc);
  return true;
}

// --- values ------------------------------------------------------------------------------------------------------

const ZipFile* ZipStore::Find(const Content& content, std::string_view key) const {
  const auto found = content.files.find(prefix_ + std::string(key));
  return found == content.files.end() ? nullptr : &found->second;
}

template <typename Use>
bool ZipStore::WithFile(std::string_view key, const Use& use) const {
  CheckKey(key);
  std::shared_ptr<const Content> content = Look();
  for (int look = 0; look < kMostLooks; ++look) {
    const ZipFile* const file = Find(*content, key);
    if (!file) return false;
    try {
      CheckReadable(*file);
      if (use(*content, *file)) return true;
    } catch (const Error& error) {
      throw error.At(name_, key);
    }
    content = Look(content.get());
  }
  throw Error(ErrorKind::kIo, name_, std::string(key), "", "the archive is replaced again and again");
}

namespace {

VersionStamp StampOf(const VersionStamp& archive, const ZipFile& file) {
  return {file.size, archive.time, archive.tag + "@" + std::to_string(file.offset), archive.settled};
}

}  // namespace

bool ZipStore::Get(std::string_view key, Bytes* value, VersionStamp* stamp, std::uint64_t max_size) const {
  return WithFile(key, [&](const Content& content, const ZipFile& file) {
    CheckValueSize(file.size, max_size);
    if (stamp) *stamp = StampOf(content.stamp, file);
    return ReadWhole(content, file, value);
  });
}

bool ZipStore::GetRanges(std::string_view key, std::span<const ByteRange> ranges,
                         std::span<const MutableByteSpan> buffers, VersionStamp* stamp) const {
  return WithFile(key, [&](const Content& content, const ZipFile& file) {
    CheckRanges(ranges, buffers, file.size);
    if (stamp) *stamp = StampOf(content.stamp, file);
    if (file.method == kStored) return ReadStored(content, file, ranges, buffers);
    Bytes value;
    if (!ReadWhole(content, file, &value)) return false;
    for (std::size_t i = 0; i < ranges.size(); ++i) {
      std::copy_n(value.data() + ranges[i].offset, ranges[i].length, buffers[i].data());
    }
    return true;
  });
}

bool ZipStore::GetSuffix(std::string_view key, std::uint64_t length, Bytes* value, VersionStamp* stamp) const {
  return WithFile(key, [&](const Content& content, const ZipFile& file) {
    if (stamp) *stamp = StampOf(content.stamp, file);
    const ByteRange range{file.size - std::min(length, file.size), std::min(length, file.size)};
    if (file.method == kStored) {
      value->resize(static_cast<std::size_t>(range.length));
      const MutableByteSpan buffer = *value;
      return ReadStored(content, file, {&range, 1}, {&buffer, 1});
    }
    if (!ReadWhole(content, file, value)) return false;
    value->erase(value->begin(), value->begin() + static_cast<std::ptrdiff_t>(range.offset));
    return true;
  });
}

bool ZipStore::GetStamp(std::string_view key, VersionStamp* stamp) const {
  return WithFile(key, [&](const Content& content, const ZipFile& file) {
    *stamp = StampOf(content.stamp, file);
    VersionStamp now;
    return archives_->GetStamp(archive_key_, &now) && now == content.stamp;
  });
}

bool ZipStore::Exists(std::string_view key) const {
  CheckKey(key);
  return Find(*Look(), key) != nullptr;
}

std::optional<Store::Listing> ZipStore::List(std::string_view prefix) const {
  CheckPrefix(prefix);
  return ListSorted(Look()->files, prefix_ + std::string(prefix));
}

void ZipStore::Set(std::string_view key, ByteSpan) {
  throw Error(ErrorKind::kReadOnly, name_, std::string(key), "", "an archive is written once, as a whole");
}

void ZipStore::Erase(std::string_view key) {
  throw Error(ErrorKind::kReadOnly, name_, std::string(key), "", "an archive is written once, as a whole");
}

}  // namespace zarr
