// SPDX-License-Identifier: MIT
#include "zarrlib/store/zip/zip_store.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <functional>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

#include "zarrlib/base/fork_safety.h"
#include "zarrlib/base/limits.h"
#include "zarrlib/store/broken_value.h"
#include "zarrlib/store/sorted_listing.h"
#include "zarrlib/store/store_requests.h"
#include "zarrlib/store/wanted_ranges.h"
#include "zarrlib/store/zip/zip_index.h"

namespace zarr {
namespace {

constexpr std::uint16_t kStored = 0;
constexpr std::uint16_t kDeflated = 8;
/// The maximum number of decoded bytes per deflated byte.
constexpr std::uint64_t kMostInflation = 1032;
/// The maximum growth in bytes of data that cannot be compressed.
constexpr std::uint64_t kDeflateRoom = std::uint64_t{32} << 10;
/// How often an archive may be replaced while a value is read.
constexpr int kMostLooks = 5;

/// zlib counts with 32 bits.
constexpr std::size_t kPiece = std::size_t{1} << 30;

Bytef* AsZlib(const std::byte* bytes) {
  return reinterpret_cast<Bytef*>(const_cast<std::byte*>(bytes));
}

void CheckCrc(std::uint32_t crc, std::uint32_t expected) {
  if (crc != expected) throw Error(ErrorKind::kCorrupt, "does not have the checksum that the archive says");
}

std::uint32_t ComputeCrc(ByteSpan value) {
  uLong crc = ::crc32(0, nullptr, 0);
  for (std::size_t done = 0; done < value.size(); done += kPiece) {
    const std::size_t size = std::min(kPiece, value.size() - done);
    crc = ::crc32(crc, AsZlib(value.data() + done), static_cast<uInt>(size));
  }
  return static_cast<std::uint32_t>(crc);
}

[[noreturn]] void FailDeflated() {
  throw Error(ErrorKind::kCorrupt, "its deflated bytes are damaged, or of another length than the archive says");
}

/// Inflates raw deflate data, without a header.
class Inflation {
 public:
  /// Returns the next deflated bytes; an empty span at the end.
  using Input = std::function<ByteSpan()>;

  explicit Inflation(Input input) : input_(std::move(input)) {
    if (::inflateInit2(&stream_, -MAX_WBITS) != Z_OK) throw std::bad_alloc();
  }
  ~Inflation() { ::inflateEnd(&stream_); }
  Inflation(const Inflation&) = delete;
  Inflation& operator=(const Inflation&) = delete;

  /// Fills `piece` with the next inflated bytes.
  void Take(MutableByteSpan piece) {
    while (!piece.empty()) {
      if (result_ != Z_OK) FailDeflated();
      const std::size_t done = Step(piece);
      piece = piece.subspan(done);
    }
  }
  /// Throws Error(corrupt) if there are more bytes.
  void Finish() {
    std::byte more{};
    while (result_ == Z_OK) {
      if (Step({&more, 1}) > 0) FailDeflated();
    }
    if (result_ != Z_STREAM_END) FailDeflated();
  }

 private:
  std::size_t Step(MutableByteSpan piece) {
    if (deflated_.empty()) deflated_ = input_();
    stream_.next_in = AsZlib(deflated_.data());
    stream_.avail_in = static_cast<uInt>(std::min(kPiece, deflated_.size()));
    stream_.next_out = AsZlib(piece.data());
    stream_.avail_out = static_cast<uInt>(std::min(kPiece, piece.size()));
    result_ = ::inflate(&stream_, Z_NO_FLUSH);
    if (result_ == Z_MEM_ERROR) throw std::bad_alloc();
    deflated_ = deflated_.subspan(static_cast<std::size_t>(stream_.next_in - AsZlib(deflated_.data())));
    return static_cast<std::size_t>(stream_.next_out - AsZlib(piece.data()));
  }

  z_stream stream_{};
  Input input_;
  ByteSpan deflated_;  // the input that has not been inflated yet
  int result_ = Z_OK;
};

/// Copies to the buffers the bytes of `piece` that are in the ranges. `piece` begins at `begin` in the value.
void CopyRanges(ByteSpan piece, std::uint64_t begin, std::span<const ByteRange> ranges,
                std::span<const MutableByteSpan> buffers) {
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    const std::uint64_t from = std::max(begin, ranges[i].offset);
    const std::uint64_t to = std::min(begin + piece.size(), ranges[i].offset + ranges[i].length);
    if (from >= to) continue;
    std::copy_n(piece.data() + (from - begin), to - from, buffers[i].data() + (from - ranges[i].offset));
  }
}

void CheckReadable(const ZipFile& file) {
  if (file.encrypted) throw Error(ErrorKind::kUnsupported, "is encrypted in the archive");
  if (file.method != kStored && file.method != kDeflated) {
    throw Error(ErrorKind::kUnsupported, "is compressed in the archive by method " + std::to_string(file.method) +
                                             ", and not stored or deflated");
  }
  const bool stored = file.method == kStored;
  const bool too_small = file.size / kMostInflation > file.stored_size;
  const bool too_large = file.stored_size / 2 > file.size + kDeflateRoom;
  if (stored ? file.size != file.stored_size : too_small || too_large) {
    throw Error(ErrorKind::kCorrupt, "cannot be of " + std::to_string(file.size) + " bytes, with " +
                                         std::to_string(file.stored_size) + " in the archive");
  }
}

/// Inflates a whole file and keeps the bytes of the ranges.
void InflateRanges(const ZipFile& file, std::span<const ByteRange> ranges, std::span<const MutableByteSpan> buffers,
                   Inflation* inflation) {
  constexpr std::uint64_t kStep = std::uint64_t{256} << 10;
  Bytes piece;
  uLong crc = ::crc32(0, nullptr, 0);
  for (std::uint64_t begin = 0; begin < file.size; begin += piece.size()) {
    piece.resize(static_cast<std::size_t>(std::min(kStep, file.size - begin)));
    inflation->Take(piece);
    crc = ::crc32(crc, AsZlib(piece.data()), static_cast<uInt>(piece.size()));
    CopyRanges(piece, begin, ranges, buffers);
  }
  if (file.size > 0) inflation->Finish();
  CheckCrc(static_cast<std::uint32_t>(crc), file.crc);
}

void CheckIndexSize(std::uint64_t size) {
  if (size <= GetLimit(Limit::kZipIndex)) return;
  throw Error(
      ErrorKind::kLimitExceeded,
      FormatExpectedGot("a table of contents of " + FormatAtMost(Limit::kZipIndex, "bytes"), std::to_string(size)));
}

/// Checks a record against the size of the archive before allocating memory for the file.
void CheckWithin(const VersionStamp& archive, const ZipFile& file) {
  if (file.offset <= archive.size && file.stored_size <= archive.size - file.offset) return;
  throw Error(ErrorKind::kCorrupt, "reaches beyond the end of the archive");
}

}  // namespace

struct ZipStore::Content {
  ZipFiles files;
  VersionStamp stamp;
};

struct ZipStore::LastLook {
  ForkSafeMutex mutex;
  std::shared_ptr<const Content> content;
  bool has_failed = false;  // the last lookup
};

class ZipStore::Requests final : public StoreRequests {
 public:
  Requests(const Store& archives, const std::string& archive_key, LastLook& last_look)
      : archives_(archives), archive_key_(archive_key), last_look_(last_look) {}

  bool KeepsIdentity() const override { return zarr::KeepsIdentity(archives_); }
  bool NoteBroken(std::string_view, int status, int times, Error* error) const override {
    {
      // The table of contents itself may be broken.
      const std::lock_guard lock(last_look_.mutex);
      if (last_look_.has_failed) return false;  // after it was read again
      last_look_.content = nullptr;
    }
    const StoreRequests* const requests = archives_.requests();
    return requests && requests->NoteBroken(archive_key_, status, times, error);
  }
  bool knows_keys() const override { return true; }
  std::optional<RequestCounts> counts() const override {
    const StoreRequests* const requests = archives_.requests();
    return requests ? requests->counts() : std::nullopt;
  }

 private:
  const Store& archives_;
  const std::string& archive_key_;
  LastLook& last_look_;
};

ZipStore::ZipStore(std::string name, std::shared_ptr<const Store> archives, std::string archive_key,
                   const std::string& folder)
    : Store(std::move(name)),
      archives_(std::move(archives)),
      archive_key_(std::move(archive_key)),
      prefix_(folder.empty() ? "" : folder + "/"),
      last_look_(std::make_unique<LastLook>()),
      requests_(std::make_unique<Requests>(*archives_, archive_key_, *last_look_)) {}

ZipStore::~ZipStore() = default;

const StoreRequests* ZipStore::requests() const {
  return requests_.get();
}

std::string ZipStore::identity() const {
  const std::string folder = prefix_.empty() ? "" : "/" + prefix_.substr(0, prefix_.size() - 1);
  return "zip:" + archives_->identity() + "/" + archive_key_ + "!" + folder;
}

StoreInfo ZipStore::info() const {
  return {.lists = true, .concurrency = archives_->info().concurrency};
}

// --- the archive -------------------------------------------------------------------------------------------------

std::shared_ptr<const ZipStore::Content> ZipStore::ReadContent(VersionStamp* stamp) const {
  auto content = std::make_shared<Content>();
  Bytes end;
  if (!archives_->GetSuffix(archive_key_, kZipEndSize, &end, stamp)) return content;
  content->stamp = *stamp;
  const std::uint64_t archive_size = content->stamp.size;
  const ZipIndexPlace place = FindZipIndex(end, archive_size);
  const std::uint64_t begin_of_end = archive_size - end.size();
  if (place.range.offset >= begin_of_end) {
    content->files = ParseZipIndex(ByteSpan(end).subspan(place.range.offset - begin_of_end, place.range.length), place);
    return content;
  }
  CheckIndexSize(place.range.length);
  Bytes index(static_cast<std::size_t>(place.range.length));
  const MutableByteSpan buffer = index;
  if (!archives_->GetRanges(archive_key_, {&place.range, 1}, {&buffer, 1}, stamp) || *stamp != content->stamp) {
    throw Error(ErrorKind::kIo, "the archive was replaced while it was opened");
  }
  content->files = ParseZipIndex(index, place);
  return content;
}

std::shared_ptr<const ZipStore::Content> ZipStore::Look(const Content* outdated) const {
  LastLook& last = *last_look_;
  const auto is_new = [&] { return last.content && last.content.get() != outdated; };
  {
    const std::lock_guard lock(last.mutex);
    if (is_new()) return last.content;
  }
  std::shared_ptr<const Content> content;
  try {
    VersionStamp stamp;
    content = ReadUnbroken(
        *archives_, archive_key_, [&] { return ReadContent(&stamp); }, &stamp);
  } catch (const Error& error) {
    const std::lock_guard lock(last.mutex);
    last.has_failed = true;
    throw Error(error.kind(), name(), "", "", error.message());
  }
  const std::lock_guard lock(last.mutex);
  last.has_failed = false;
  if (!is_new()) last.content = std::move(content);  // otherwise another thread was faster
  return last.content;
}

bool ZipStore::ReadArchive(const Content& content, std::span<const ByteRange> ranges,
                           std::span<const MutableByteSpan> buffers) const {
  VersionStamp stamp;
  try {
    return archives_->GetRanges(archive_key_, ranges, buffers, &stamp) && stamp == content.stamp;
  } catch (const Error& error) {
    // The range may be past the end of a new archive that has replaced the known one.
    VersionStamp now;
    if (archives_->GetStamp(archive_key_, &now) && now != content.stamp) return false;
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
    file.data = file.offset + GetZipHeaderLength(header);
  }
  std::vector<ByteRange> shifted(ranges.begin(), ranges.end());
  for (ByteRange& range : shifted) range.offset += file.data;
  return ReadArchive(content, shifted, buffers);
}

bool ZipStore::ReadPacked(const Content& content, const ZipFile& file, Bytes* packed) const {
  CheckWithin(content.stamp, file);
  packed->resize(static_cast<std::size_t>(file.stored_size));
  const ByteRange range{0, file.stored_size};
  const MutableByteSpan buffer = *packed;
  return ReadStored(content, file, {&range, 1}, {&buffer, 1});
}

bool ZipStore::ReadWhole(const Content& content, const ZipFile& file, Bytes* value) const {
  Bytes deflated;
  if (!ReadPacked(content, file, file.method == kStored ? value : &deflated)) return false;
  if (file.method == kDeflated) {
    value->resize(static_cast<std::size_t>(file.size));
    Inflation inflation([rest = ByteSpan(deflated)]() mutable { return std::exchange(rest, ByteSpan()); });
    inflation.Take(*value);
    if (file.size > 0) inflation.Finish();
  }
  CheckCrc(ComputeCrc(*value), file.crc);
  return true;
}

bool ZipStore::ReadDeflated(const Content& content, const ZipFile& file, std::span<const ByteRange> ranges,
                            std::span<const MutableByteSpan> buffers) const {
  constexpr std::uint64_t kPackedStep = std::uint64_t{8} << 20;
  CheckWithin(content.stamp, file);
  Bytes packed;
  std::uint64_t done = 0;
  bool replaced = false;
  Inflation inflation([&] {
    const ByteRange range{done, replaced ? 0 : std::min(kPackedStep, file.stored_size - done)};
    packed.resize(static_cast<std::size_t>(range.length));
    const MutableByteSpan buffer = packed;
    replaced = replaced || (range.length > 0 && !ReadStored(content, file, {&range, 1}, {&buffer, 1}));
    done += range.length;
    return replaced ? ByteSpan() : ByteSpan(packed);
  });
  try {
    InflateRanges(file, ranges, buffers, &inflation);
  } catch (const Error&) {
    if (!replaced) throw;
  }
  return !replaced;
}

// --- values ------------------------------------------------------------------------------------------------------

const ZipFile* ZipStore::Find(const Content& content, std::string_view key) const {
  const auto found = content.files.find(prefix_ + std::string(key));
  return found == content.files.end() ? nullptr : &found->second;
}

template <typename Use>
bool ZipStore::RunWithFile(std::string_view key, const Use& use) const {
  CheckKey(key);
  std::shared_ptr<const Content> content = Look();
  for (int look = 0; look < kMostLooks; ++look) {
    const ZipFile* const file = Find(*content, key);
    if (!file) return false;
    try {
      CheckReadable(*file);
      if (use(*content, *file)) return true;
    } catch (const Error& error) {
      throw error.At(name(), key);
    }
    content = Look(content.get());
  }
  throw Error(ErrorKind::kIo, name(), std::string(key), "", "the archive is replaced again and again");
}

namespace {

VersionStamp MakeStamp(const VersionStamp& archive, const ZipFile& file) {
  return {file.size, archive.time, archive.tag + "@" + std::to_string(file.offset), archive.settled};
}

}  // namespace

bool ZipStore::Read(const ReadRequest& request) const {
  if (request.part == ReadRequest::Part::kPresence) {
    CheckKey(request.key);
    return Find(*Look(), request.key) != nullptr;
  }
  return RunWithFile(request.key, [&](const Content& content, const ZipFile& file) {
    if (!ReadPart(content, file, request)) return false;
    if (request.stamp) *request.stamp = MakeStamp(content.stamp, file);
    return true;
  });
}

bool ZipStore::ReadPart(const Content& content, const ZipFile& file, const ReadRequest& request) const {
  using Part = ReadRequest::Part;
  if (request.part == Part::kStamp) {
    VersionStamp now;
    return archives_->GetStamp(archive_key_, &now) && now == content.stamp;
  }
  if (request.part == Part::kWhole && !IsForPrefix(request)) {
    CheckValueSize(file.size, request.max_size);
    return ReadWhole(content, file, request.value);
  }
  const bool is_stored = file.method == kStored;
  if (!is_stored && file.size > request.max_size) {
    throw Error(ErrorKind::kLimitExceeded,
                FormatExpectedGot("at most " + std::to_string(request.max_size) + " bytes", std::to_string(file.size)));
  }
  const WantedRanges wanted(request, file.size);
  return is_stored ? ReadStored(content, file, wanted.ranges(), wanted.buffers())
                   : ReadDeflated(content, file, wanted.ranges(), wanted.buffers());
}

std::optional<Listing> ZipStore::List(std::string_view prefix, const ListOptions& options) const {
  CheckPrefix(prefix);
  if (!options.is_plain()) return std::nullopt;
  return ListSorted(Look()->files, prefix_ + std::string(prefix));
}

void ZipStore::FailReadOnly(std::string_view key) const {
  throw Error(ErrorKind::kReadOnly, name(), std::string(key), "", "an archive is written once, as a whole");
}

bool ZipStore::Write(std::string_view key, ByteSpan, WriteIf) {
  FailReadOnly(key);
}

void ZipStore::EraseAll(std::span<const std::string> keys) {
  for (const std::string& key : keys) FailReadOnly(key);
}

}  // namespace zarr
