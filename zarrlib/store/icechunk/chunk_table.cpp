// SPDX-License-Identifier: MIT
#include "zarrlib/store/icechunk/chunk_table.h"

#include <algorithm>

#include "zarrlib/base/error.h"

namespace zarr {
namespace {

constexpr std::uint64_t kBlock = 32;  // references

constexpr unsigned kPieceBits = 20;
constexpr std::size_t kPiece = std::size_t{1} << kPieceBits;
constexpr std::size_t kMostPieces = std::size_t{1} << (32 - kPieceBits);
/// A block begins in a piece only if so many bytes are left there, which most blocks do not need.
constexpr std::size_t kBlockRoom = 4096;

// A reference begins with a byte for its flags and, unless it is the next one in the last dimension, its step.
constexpr unsigned kKindMask = 3;  // ChunkRef::Kind, or `kInKnownFile`
constexpr unsigned kInKnownFile = 3;
constexpr unsigned kHasOffset = 4;
constexpr unsigned kSameLocation = 8;  // also for the number of a known file
constexpr unsigned kHasEtag = 16;
constexpr unsigned kSameEtag = 32;
constexpr unsigned kHasTime = 64;
constexpr unsigned kIsNext = 128;
/// The step if coordinates are stored. Any other step is the dimension whose coordinate is one more than that of the
/// previous reference, with zeros in the dimensions after it.
constexpr std::uint8_t kAllCoordinates = 255;

void AppendByte(std::uint8_t value, Bytes* data) {
  data->push_back(static_cast<std::byte>(value));
}

/// Appends a number, 7 bits in each byte, the lowest first.
void AppendNumber(std::uint64_t value, Bytes* data) {
  for (; value >= 128; value >>= 7) AppendByte(static_cast<std::uint8_t>(value | 128), data);
  AppendByte(static_cast<std::uint8_t>(value), data);
}

void AppendBytes(ByteSpan bytes, Bytes* data) {
  data->insert(data->end(), bytes.begin(), bytes.end());
}

/// Appends a string as the number of its first bytes that are those of `last`, and the rest.
void AppendText(std::string_view text, std::string* last, Bytes* data) {
  const std::size_t most = std::min(text.size(), last->size());
  const auto same =
      static_cast<std::size_t>(std::mismatch(text.begin(), text.begin() + most, last->begin()).first - text.begin());
  AppendNumber(same, data);
  AppendNumber(text.size() - same, data);
  AppendBytes(AsBytes(text.substr(same)), data);
  last->assign(text);
}

}  // namespace

/// Reads the references of a table one after the other, from the beginning of a block.
class ChunkTable::Reader {
 public:
  Reader(const ChunkTable& table, std::size_t block)
      : table_(table), next_(block * kBlock), coordinates_(table.rank_) {}

  bool at_end() const { return next_ == table_.size_; }
  const std::vector<std::uint32_t>& coordinates() const { return coordinates_; }
  ChunkRef GetRef() const {
    ChunkRef ref = ref_;
    if (ref.kind != ChunkRef::Kind::kVirtual) return ref;
    const KnownFiles::File* const file = in_known_file_ ? &table_.files_.Get(file_) : nullptr;
    ref.location = file ? file->location : last_location_;
    if (file) ref.etag = file->etag;
    if (file) ref.last_modified = file->last_modified;
    return ref;
  }

  void ReadNext() {
    if (next_ % kBlock == 0) {
      at_ = table_.GetBlock(next_ / kBlock);
      last_location_.clear();
    }
    ++next_;
    const unsigned flags = ReadByte();
    ReadCoordinates(flags & kIsNext ? static_cast<unsigned>(table_.rank_ - 1) : ReadByte());
    in_known_file_ = (flags & kKindMask) == kInKnownFile;
    ref_.kind = in_known_file_ ? ChunkRef::Kind::kVirtual : static_cast<ChunkRef::Kind>(flags & kKindMask);
    ref_.bytes = {};
    ref_.offset = ref_.length = ref_.last_modified = 0;
    ref_.etag.clear();
    if (ref_.kind == ChunkRef::Kind::kInline) {
      ref_.bytes = ReadBytes(ReadNumber());
      return;
    }
    if (ref_.kind == ChunkRef::Kind::kNative) ref_.file = ReadId<ObjectId>(ReadBytes(ref_.file.size()));
    if (ref_.kind == ChunkRef::Kind::kVirtual) ReadFile(flags);
    ref_.offset = flags & kHasOffset ? ReadNumber() : 0;
    ref_.length = ReadNumber();
  }

 private:
  unsigned ReadByte() { return std::to_integer<unsigned>(*at_++); }

  std::uint64_t ReadNumber() {
    std::uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
      const std::uint64_t byte = ReadByte();
      value |= (byte & 127) << shift;
      if (byte < 128) return value;
    }
  }

  ByteSpan ReadBytes(std::uint64_t size) {
    const ByteSpan bytes(at_, static_cast<std::size_t>(size));
    at_ += bytes.size();
    return bytes;
  }

  void ReadCoordinates(unsigned step) {
    if (step != kAllCoordinates) {
      ++coordinates_[step];
      std::fill(coordinates_.begin() + step + 1, coordinates_.end(), 0);
      return;
    }
    for (std::uint32_t& coordinate : coordinates_) coordinate = static_cast<std::uint32_t>(ReadNumber());
  }

  void ReadText(std::string* last) {
    last->resize(static_cast<std::size_t>(ReadNumber()));
    *last += AsText(ReadBytes(ReadNumber()));
  }

  void ReadFile(unsigned flags) {
    if (in_known_file_) {
      if (!(flags & kSameLocation)) file_ = ReadNumber();
      return;
    }
    if (!(flags & kSameLocation)) ReadText(&last_location_);
    if ((flags & kHasEtag) && !(flags & kSameEtag)) ReadText(&last_etag_);
    if (flags & kHasEtag) ref_.etag = last_etag_;
    if (flags & kHasTime) ref_.last_modified = static_cast<std::uint32_t>(ReadNumber());
  }

  const ChunkTable& table_;
  std::uint64_t next_;  // number of the next reference
  const std::byte* at_ = nullptr;
  std::vector<std::uint32_t> coordinates_;
  std::string last_location_;
  std::string last_etag_;
  std::uint64_t file_ = 0;  // number of the last known file
  bool in_known_file_ = false;
  ChunkRef ref_;  // without its location, and without its file if that is known
};

void ChunkTable::AddCoordinates(ChunkCoordinates coordinates, std::uint8_t* step) {
  *step = kAllCoordinates;
  const auto [mine, last] = std::mismatch(coordinates.begin(), coordinates.end(), last_.begin());
  if (size_ > 0 && (mine == coordinates.end() || *mine < *last)) {
    throw Error(ErrorKind::kCorrupt, "the references to chunks are not in the order of their coordinates");
  }
  const auto is_zero = [](std::uint32_t coordinate) { return coordinate == 0; };
  const bool is_step = size_ % kBlock != 0 && *mine == *last + 1 && std::all_of(mine + 1, coordinates.end(), is_zero);
  const auto dimension = mine - coordinates.begin();
  if (is_step && dimension < kAllCoordinates) *step = static_cast<std::uint8_t>(dimension);
  last_.assign(coordinates.begin(), coordinates.end());
}

void ChunkTable::BeginBlock() {
  if (pieces_.empty() || pieces_.back().size() > kPiece - kBlockRoom) {
    if (pieces_.size() == kMostPieces) throw Error(ErrorKind::kLimitExceeded, "the references need more than 4 GiB");
    pieces_.emplace_back();
    if (pieces_.size() > 1) pieces_.back().reserve(kPiece);  // the first one may stay small
  }
  const std::size_t piece = pieces_.size() - 1;
  blocks_.push_back(static_cast<std::uint32_t>(piece << kPieceBits | pieces_.back().size()));
  last_file_.reset();
  last_location_.clear();
  last_etag_.clear();
}

const std::byte* ChunkTable::GetBlock(std::uint64_t block) const {
  const std::uint32_t at = blocks_[static_cast<std::size_t>(block)];
  return pieces_[at >> kPieceBits].data() + at % kPiece;
}

/// Returns the number of the file of a virtual chunk, if it is known.
std::optional<std::uint32_t> ChunkTable::FindFile(const ChunkRef& ref) {
  if (ref.kind != ChunkRef::Kind::kVirtual) return std::nullopt;
  return files_.Find(ref.location, ref.etag, ref.last_modified, data_size_ / 4);
}

void ChunkTable::AddRef(const ChunkRef& ref, std::uint8_t step, Bytes* data) {
  const bool is_next = step != kAllCoordinates && step + std::size_t{1} == rank_;
  const std::optional<std::uint32_t> file = FindFile(ref);
  unsigned flags = file ? kInKnownFile : static_cast<unsigned>(ref.kind);
  flags |= (ref.offset > 0 ? kHasOffset : 0) | (is_next ? kIsNext : 0);
  if (file && file == last_file_) flags |= kSameLocation;
  if (ref.kind == ChunkRef::Kind::kVirtual && !file) flags |= GetFileFlags(ref);
  AppendByte(static_cast<std::uint8_t>(flags), data);
  if (!is_next) AppendByte(step, data);
  if (step == kAllCoordinates) {
    for (const std::uint32_t coordinate : last_) AppendNumber(coordinate, data);
  }
  if (ref.kind == ChunkRef::Kind::kInline) {
    AppendNumber(ref.bytes.size(), data);
    AppendBytes(ref.bytes, data);
    return;
  }
  if (ref.kind == ChunkRef::Kind::kNative) AppendBytes(ref.file, data);
  if (file && file != last_file_) AppendNumber(*file, data);
  if (file) last_file_ = file;
  if (ref.kind == ChunkRef::Kind::kVirtual && !file) AddFile(ref, flags, data);
  if (ref.offset > 0) AppendNumber(ref.offset, data);
  AppendNumber(ref.length, data);
}

unsigned ChunkTable::GetFileFlags(const ChunkRef& ref) const {
  const bool same_etag = !ref.etag.empty() && ref.etag == last_etag_;
  return (ref.location == last_location_ ? kSameLocation : 0) | (ref.etag.empty() ? 0 : kHasEtag) |
         (same_etag ? kSameEtag : 0) | (ref.last_modified > 0 ? kHasTime : 0);
}

void ChunkTable::AddFile(const ChunkRef& ref, unsigned flags, Bytes* data) {
  if (!(flags & kSameLocation)) AppendText(ref.location, &last_location_, data);
  if ((flags & kHasEtag) && !(flags & kSameEtag)) AppendText(ref.etag, &last_etag_, data);
  if (flags & kHasTime) AppendNumber(ref.last_modified, data);
}

void ChunkTable::Add(ChunkCoordinates coordinates, const ChunkRef& ref, std::uint64_t max_size) {
  std::uint8_t step = 0;
  AddCoordinates(coordinates, &step);
  if (size_ % kBlock == 0) BeginBlock();
  Bytes& data = pieces_.back();
  const std::size_t before = data.size();
  AddRef(ref, step, &data);
  data_size_ += data.size() - before;
  ++size_;
  if (memory() <= max_size) return;
  throw Error(ErrorKind::kLimitExceeded, "the references to chunks need more than " + std::to_string(max_size) +
                                             " bytes, which is more than their manifest has");
}

void ChunkTable::Finish() {
  files_.Finish();
  last_location_ = {};
  last_etag_ = {};
}

ChunkTable::Reader ChunkTable::SeekBlock(ChunkCoordinates coordinates) const {
  const auto begins_after = [&](ChunkCoordinates wanted, const std::uint32_t& block) {
    Reader reader(*this, static_cast<std::size_t>(&block - blocks_.data()));
    reader.ReadNext();
    return std::ranges::lexicographical_compare(wanted, reader.coordinates());
  };
  const auto after = std::upper_bound(blocks_.begin(), blocks_.end(), coordinates, begins_after);
  return {*this, after == blocks_.begin() ? 0 : static_cast<std::size_t>(after - blocks_.begin() - 1)};
}

std::optional<ChunkRef> ChunkTable::Find(ChunkCoordinates coordinates) const {
  if (size_ == 0) return std::nullopt;
  Reader reader = SeekBlock(coordinates);
  while (!reader.at_end()) {
    reader.ReadNext();
    if (std::ranges::equal(reader.coordinates(), coordinates)) return reader.GetRef();
    if (std::ranges::lexicographical_compare(coordinates, reader.coordinates())) break;
  }
  return std::nullopt;
}

std::optional<std::vector<std::uint32_t>> ChunkTable::FindNext(ChunkCoordinates coordinates) const {
  if (size_ == 0) return std::nullopt;
  Reader reader = SeekBlock(coordinates);
  while (!reader.at_end()) {
    reader.ReadNext();
    if (!std::ranges::lexicographical_compare(reader.coordinates(), coordinates)) return reader.coordinates();
  }
  return std::nullopt;
}

void ChunkTable::ForEach(const std::function<void(ChunkCoordinates coordinates, const ChunkRef& ref)>& visit) const {
  for (Reader reader(*this, 0); !reader.at_end();) {
    reader.ReadNext();
    visit(reader.coordinates(), reader.GetRef());
  }
}

}  // namespace zarr
