// SPDX-License-Identifier: MIT
#include "zarrlib/array/read/chunk_loader.h"

#include <algorithm>

#include "zarrlib/array/cache/band_planes.h"
#include "zarrlib/base/executor.h"
#include "zarrlib/base/limits.h"
#include "zarrlib/store/store_requests.h"

namespace zarr {
namespace {

/// The memory that requests in flight may take, in addition to the memory for decoding.
constexpr std::uint64_t kBytesInFlight = std::uint64_t{256} << 20;

/// A larger window is not a tile or view that may be read again, but a step of a traversal of the array.
constexpr std::uint64_t kSmallWindow = std::uint64_t{2} << 20;

/// Reading a shorter part of a file takes less time than the call.
constexpr std::uint64_t kSmallestPlane = std::uint64_t{64} << 10;

constexpr auto kViewSize = static_cast<std::ptrdiff_t>(sizeof(std::string_view));

std::size_t GetItemSize(const DataType& type) {
  return type.variable() ? sizeof(std::string_view) : type.size;
}

/// Returns true if the destination of a chunk that is read as a whole has the layout of the decoded chunk.
bool HasSameLayout(const InnerChunkDecoder& decoder, const ChunkRegion& region) {
  const Shape& shape = decoder.decoded().shape;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (region.count[i] != shape[i]) return false;
    if (shape[i] > 1 && region.destination.strides[i] != decoder.layout()[i]) return false;
  }
  return true;
}

/// Returns the decoded bytes from the first to the last element of a region.
ByteRange GetRange(const InnerChunkDecoder& decoder, const ChunkRegion& region) {
  ByteRange range{0, decoder.decoded().data_type.size};
  for (std::size_t i = 0; i < region.count.size(); ++i) {
    const auto stride = static_cast<std::uint64_t>(decoder.layout()[i]);
    range.offset += region.first[i] * stride;
    range.length += (region.count[i] - 1) * region.step[i] * stride;
  }
  return range;
}

class SemaphoreLock {
 public:
  explicit SemaphoreLock(Semaphore* semaphore) : semaphore_(semaphore) {
    if (semaphore_) semaphore_->acquire();
  }
  ~SemaphoreLock() {
    if (semaphore_) semaphore_->release();
  }
  SemaphoreLock(const SemaphoreLock&) = delete;
  SemaphoreLock& operator=(const SemaphoreLock&) = delete;

 private:
  Semaphore* semaphore_;
};

}  // namespace

std::uint64_t GetLongestStored(const InnerChunkDecoder& decoder) {
  constexpr std::uint64_t kRoom = std::uint64_t{16} << 20;
  const std::uint64_t most = decoder.max_encoded_size().value_or(UINT64_MAX);
  return most > UINT64_MAX - kRoom ? UINT64_MAX : most + kRoom;
}

void CheckStoredSize(const InnerChunkDecoder& decoder, std::uint64_t stored) {
  if (stored <= GetLongestStored(decoder)) return;
  throw Error(
      ErrorKind::kCorrupt,
      FormatExpectedGot("at most " + std::to_string(*decoder.max_encoded_size()) + " bytes", std::to_string(stored)));
}

ChunkLoader::ChunkLoader(const Array& array, const ReadOptions& options, std::uint64_t window)
    : array_(array), options_(options), generation_(array.generation().load()), began_(OpeningClock::Now()) {
  const std::uint64_t cache_limit = ChunkCache::GetShared().limit();
  const auto window_bytes = MultiplyChecked(window, GetItemSize(array.data_type()));
  names_chunks_ = array.GetChunkNumber(Shape(array.rank(), 0)).has_value();
  use_cache_ = options.use_cache && cache_limit > 0 && names_chunks_;
  keeps_again_ = window_bytes && *window_bytes <= cache_limit / 8;
  keeps_all_ = keeps_again_ && (options.read_ahead || *window_bytes <= kSmallWindow);
  width_ = options.threads > 0 ? options.threads : GetCpuCount();
  const std::size_t concurrency = array.store().info().concurrency;
  if (concurrency <= width_) return;
  decoders_ = std::make_unique<Semaphore>(static_cast<std::ptrdiff_t>(width_));
  const auto inner_chunk_bytes = ComputeCheckedProduct(GetSmallestChunkShape(array)).value_or(UINT32_MAX);
  const auto affordable =
      kBytesInFlight / std::max<std::uint64_t>(inner_chunk_bytes * GetItemSize(array.data_type()), 1);
  width_ = std::max<std::size_t>(width_, std::min<std::size_t>(concurrency, affordable));
}

ChunkId ChunkLoader::GetChunkId(const Shape& grid_index) const {
  return {array_.id(), array_.GetChunkNumber(grid_index).value_or(0), 0};
}

void ChunkLoader::CheckSize(const InnerChunkDecoder& decoder, std::uint64_t encoded) const {
  CheckStoredSize(decoder, encoded);
  const ChunkSpec& spec = decoder.decoded();
  const std::uint64_t decoded =
      spec.data_type.variable() ? spec.element_count() * GetItemSize(spec.data_type) : decoder.largest_array();
  const std::uint64_t needed = std::max(decoded, encoded);
  if (needed <= options_.max_chunk_bytes) return;
  throw Error(ErrorKind::kLimitExceeded,
              FormatExpectedGot(
                  "a chunk of at most " + std::to_string(options_.max_chunk_bytes) + " bytes (ZARR_MAX_CHUNK_SIZE)",
                  std::to_string(needed)));
}

MemoryShare ChunkLoader::ReserveMemory(const InnerChunkDecoder& decoder) const {
  const std::uint64_t size = decoder.decoded().data_type.variable() ? 0 : decoder.largest_array();
  return size > kLargeMemory ? MemoryShare(2 * size) : MemoryShare();
}

std::shared_ptr<const DecodedChunk> ChunkLoader::FindInCache(const ChunkId& key, const InnerChunkDecoder& decoder,
                                                             const ChunkRegion& region) const {
  if (!use_cache_) return nullptr;
  auto chunk = ChunkCache::GetShared().Find(key);
  if (!chunk || (options_.read_ahead && chunk->begin > 0)) return nullptr;
  const bool whole = decoder.decoded().data_type.variable() || chunk->plane_axis;
  return whole || chunk->Covers(GetRange(decoder, region)) ? chunk : nullptr;
}

void ChunkLoader::CopyFrom(const DecodedChunk& chunk, const InnerChunkDecoder& decoder,
                           const ChunkRegion& region) const {
  if (decoder.decoded().data_type.variable()) {
    Copy(reinterpret_cast<const std::byte*>(chunk.variable.elements.data()), decoder, region);
  } else if (chunk.plane_axis) {
    Copy(chunk.bytes.data(), GetPlanarLayout(decoder, *chunk.plane_axis), decoder, region);
  } else {
    CopyFrom(chunk.bytes, chunk.begin, decoder, region);
  }
}

bool ChunkLoader::CopyFromCache(const ChunkId& key, const std::string& value_key, const InnerChunkDecoder& decoder,
                                const ChunkRegion& region) const {
  const auto chunk = FindInCache(key, decoder, region);
  if (!chunk) return false;
  if (!chunk->state->Check(array_.store(), value_key, array_.opened(), began_)) {
    ChunkCache::GetShared().Erase(key);
    return false;
  }
  CopyFrom(*chunk, decoder, region);
  return true;
}

bool ChunkLoader::CopyFromCache(const ChunkId& key, const ValueState& shard, const InnerChunkDecoder& decoder,
                                const ChunkRegion& region) const {
  const auto chunk = FindInCache(key, decoder, region);
  if (!chunk || !chunk->state->IsSame(shard)) return false;
  CopyFrom(*chunk, decoder, region);
  return true;
}

bool ChunkLoader::IsWorthCaching(const ChunkId& key, const InnerChunkDecoder& decoder,
                                 const ChunkRegion& region) const {
  if (!use_cache_) return false;
  const bool variable = decoder.decoded().data_type.variable();
  if (!variable && decoder.decoded().byte_size() > ChunkCache::GetShared().limit() / 8) return false;
  if (!region.whole || keeps_all_) return true;
  return keeps_again_ && ChunkCache::GetShared().NoteMiss(key);
}

bool ChunkLoader::MayKeep() const {
  may_keep_once_.Run([this] { may_keep_ = names_chunks_ && KeepsIdentity(array_.store()); });
  return may_keep_;
}

void ChunkLoader::Keep(const ChunkId& key, const StateOfValue& state, std::shared_ptr<DecodedChunk> chunk) const {
  if (!MayKeep()) return;
  chunk->state = state.Get();
  try {
    ChunkCache::GetShared().Insert(key, std::move(chunk), &array_.generation(), generation_);
  } catch (const std::bad_alloc&) {
    // The chunk is not cached; its elements are already in the destination.
  }
}

// --- regions of chunks ------------------------------------------------------------------------------------------

bool ChunkLoader::IsSmall(const InnerChunkDecoder& decoder, const ChunkRegion& region, const ByteRange& range) const {
  constexpr std::uint64_t kLongAxis = 64;
  if (options_.read_ahead || range.length > decoder.decoded().byte_size() / 8) return false;
  // A caller that reads a whole axis traverses the chunk, and will read the rest of it next.
  const Shape& shape = decoder.decoded().shape;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] >= kLongAxis && region.count[i] == shape[i]) return false;
  }
  return true;
}

bool ChunkLoader::DecodeSmall(const ChunkId& key, const StateOfValue& state, ByteSpan encoded,
                              const InnerChunkDecoder& decoder, const ChunkRegion& region) const {
  const ByteRange wanted = GetRange(decoder, region);
  if (!decoder.has_parts() || !IsSmall(decoder, region, wanted)) return false;
  return DecodePart(key, state, MakeEncodedValue(encoded), wanted, decoder, region);
}

bool ChunkLoader::IsPlane(const InnerChunkDecoder& decoder, const ChunkRegion& region, const ByteRange& range) const {
  if (options_.read_ahead || keeps_all_ || range.length < kSmallestPlane) return false;
  if (range.length > decoder.decoded().byte_size() / 2 || array_.store().info().is_on_network()) return false;
  return ComputeProduct(region.count) * decoder.decoded().data_type.size == range.length;
}

std::optional<ByteRange> ChunkLoader::GetRangeToRead(const ChunkId& key, const InnerChunkDecoder& decoder,
                                                     const ChunkRegion& region) const {
  if (decoder.decoded().data_type.variable()) return std::nullopt;
  // In a remote store, the locations of the blocks would need a separate request.
  const bool has_parts = decoder.has_parts() && !array_.store().info().is_on_network();
  if (!decoder.is_stored() && !has_parts) return std::nullopt;
  const ByteRange range = GetRange(decoder, region);
  if (IsPlane(decoder, region, range)) return range;
  if (!IsSmall(decoder, region, range)) return std::nullopt;
  // A chunk that is read repeatedly is better decoded as a whole; DecodePart checks this itself.
  if (decoder.is_stored() && use_cache_ && ChunkCache::GetShared().NoteMiss(key)) return std::nullopt;
  return range;
}

bool ChunkLoader::DecodePart(const ChunkId& key, const StateOfValue& state, const EncodedValue& value,
                             const ByteRange& wanted, const InnerChunkDecoder& decoder,
                             const ChunkRegion& region) const {
  const bool is_plane = IsPlane(decoder, region, wanted);
  const bool keeps = use_cache_ && !is_plane;
  // A chunk that is read repeatedly is better decoded as a whole.
  if (keeps && ChunkCache::GetShared().NoteMiss(key)) return false;
  const std::uint64_t most =
      is_plane ? wanted.length / 8 * 9 : std::min<std::uint64_t>(decoder.decoded().byte_size() / 2, kLargeMemory);
  const MemoryShare share = most > kLargeMemory ? MemoryShare(2 * most) : MemoryShare();
  ScratchBuffer part;
  const auto range = decoder.ReadPart(value, wanted, most, &part.bytes());
  if (!range) return false;
  ScratchBuffer scratch;
  auto chunk = std::make_shared<DecodedChunk>();
  Bytes& elements = keeps ? chunk->bytes : scratch.bytes();
  elements.resize(static_cast<std::size_t>(range->length));
  decoder.DecodePart(part.span(), elements);
  CopyFrom(elements, range->offset, decoder, region);
  chunk->begin = range->offset;
  if (keeps) Keep(key, state, std::move(chunk));
  return true;
}

void ChunkLoader::DecodeStoredRange(const ChunkId& key, const StateOfValue& state, Bytes stored, const ByteRange& range,
                                    const InnerChunkDecoder& decoder, const ChunkRegion& region) const {
  auto chunk = std::make_shared<DecodedChunk>();
  chunk->begin = range.offset;
  chunk->bytes = std::move(stored);
  CopyFrom(chunk->bytes, chunk->begin, decoder, region);
  if (use_cache_ && !IsPlane(decoder, region, range)) Keep(key, state, std::move(chunk));
}

// --- whole chunks -----------------------------------------------------------------------------------------------

void ChunkLoader::DecodeVariable(const ChunkId& key, const StateOfValue& state, ByteSpan encoded,
                                 const InnerChunkDecoder& decoder, const ChunkRegion& region) const {
  auto chunk = std::make_shared<DecodedChunk>();
  decoder.DecodeVariable(encoded, &chunk->variable);
  Copy(reinterpret_cast<const std::byte*>(chunk->variable.elements.data()), decoder, region);
  chunk->variable.share.Release();  // from here on, the cache limits this memory
  if (IsWorthCaching(key, decoder, region)) Keep(key, state, std::move(chunk));
}

void ChunkLoader::DecodeAndKeep(const ChunkId& key, const StateOfValue& state, ByteSpan encoded,
                                const InnerChunkDecoder& decoder, const ChunkRegion& region) const {
  auto chunk = std::make_shared<DecodedChunk>();
  chunk->bytes = ChunkCache::GetShared().TakeBuffer(decoder.decoded().byte_size());
  chunk->plane_axis = FindPlaneAxis(decoder, region.count);
  if (chunk->plane_axis) {
    ScratchBuffer elements(chunk->bytes.size());
    decoder.Decode(encoded, elements.span());
    SplitIntoPlanes(decoder, *chunk->plane_axis, elements.span(), chunk->bytes);
    Copy(chunk->bytes.data(), GetPlanarLayout(decoder, *chunk->plane_axis), decoder, region);
  } else {
    decoder.Decode(encoded, chunk->bytes);
    Copy(chunk->bytes.data(), decoder, region);
  }
  Keep(key, state, std::move(chunk));
}

void ChunkLoader::DecodeStored(const ChunkId& key, const StateOfValue& state, ByteSpan encoded,
                               const InnerChunkDecoder& decoder, const ChunkRegion& region) const {
  const SemaphoreLock lock(decoders_.get());
  const ChunkSpec& spec = decoder.decoded();
  if (spec.data_type.variable()) return DecodeVariable(key, state, encoded, decoder, region);
  if (!region.whole && DecodeSmall(key, state, encoded, decoder, region)) return;
  if (IsWorthCaching(key, decoder, region)) return DecodeAndKeep(key, state, encoded, decoder, region);
  if (options_.read_ahead) return;
  if (region.whole && !region.destination.converter && HasSameLayout(decoder, region)) {
    return decoder.Decode(encoded, {region.destination.data, static_cast<std::size_t>(spec.byte_size())});
  }
  ScratchBuffer elements(spec.byte_size());
  decoder.Decode(encoded, elements.span());
  Copy(elements.span().data(), decoder, region);
}

void ChunkLoader::Copy(const std::byte* elements, const InnerChunkDecoder& decoder, const ChunkRegion& region) const {
  Copy(elements, decoder.layout(), decoder, region);
}

void ChunkLoader::Copy(const std::byte* elements, const Strides& layout, const InnerChunkDecoder& decoder,
                       const ChunkRegion& region) const {
  std::ptrdiff_t first = 0;
  for (std::size_t i = 0; i < region.first.size(); ++i) {
    first += static_cast<std::ptrdiff_t>(region.first[i]) * layout[i];
  }
  const bool variable = decoder.decoded().data_type.variable();
  CopyRegion(elements + first * (variable ? kViewSize : 1), layout, decoder, region);
}

void ChunkLoader::CopyFrom(const Bytes& bytes, std::uint64_t begin, const InnerChunkDecoder& decoder,
                           const ChunkRegion& region) const {
  CopyRegion(bytes.data() + (GetRange(decoder, region).offset - begin), decoder.layout(), decoder, region);
}

void ChunkLoader::CopyRegion(const std::byte* first, const Strides& layout, const InnerChunkDecoder& decoder,
                             const ChunkRegion& region) const {
  if (options_.read_ahead) return;
  const DataType& type = decoder.decoded().data_type;
  Strides strides(region.count.size(), 0);
  for (std::size_t i = 0; i < strides.size(); ++i) {
    const std::ptrdiff_t stride = layout[i] * (type.variable() ? kViewSize : 1);
    if (region.count[i] > 1) strides[i] = stride * static_cast<std::ptrdiff_t>(region.step[i]);
  }
  StridedCopy(first, strides, region.count, GetItemSize(type), region.destination);
}

void ChunkLoader::Fill(const ChunkRegion& region) const {
  if (options_.read_ahead) return;
  const FillValue& fill = array_.metadata().fill_value;
  const std::string_view text = fill.defined ? AsText(fill.bytes) : std::string_view(kMissingText);
  const ByteSpan element = array_.data_type().variable()
                               ? ByteSpan(reinterpret_cast<const std::byte*>(&text), sizeof(text))
                               : ByteSpan(fill.bytes);
  if (!region.destination.converter) return StridedFill(element, region.count, element.size(), region.destination);
  StridedCopy(element.data(), Strides(region.count.size(), 0), region.count, element.size(), region.destination);
}

std::string FormatChunkText(const Shape& grid_index) {
  return "chunk " + ToString(grid_index);
}

}  // namespace zarr
