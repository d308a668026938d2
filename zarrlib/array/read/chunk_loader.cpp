#include "zarrlib/array/read/chunk_loader.h"

#include <algorithm>

#include "zarrlib/array/cache/band_planes.h"
#include "zarrlib/base/executor.h"
#include "zarrlib/base/limits.h"

namespace zarr {
namespace {

/// Memory that requests in flight may take, on top of what decoding needs.
constexpr std::uint64_t kBytesInFlight = std::uint64_t{256} << 20;

/// Windows of more bytes are no tiles or views, of which some are asked for again, but steps of a walk.
constexpr std::uint64_t kSmallWindow = std::uint64_t{2} << 20;

constexpr auto kViewSize = static_cast<std::ptrdiff_t>(sizeof(std::string_view));

std::size_t ItemSize(const DataType& type) {
  return type.variable() ? sizeof(std::string_view) : type.size;
}

/// Whether the destination of an inner chunk that is taken whole has the inner chunk's own layout.
bool SameLayout(const InnerChunkDecoder& decoder, const ChunkRegion& region) {
  const Shape& shape = decoder.decoded().shape;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (region.count[i] != shape[i]) return false;
    if (shape[i] > 1 && region.destination.strides[i] != decoder.layout()[i]) return false;
  }
  return true;
}

/// The bytes of an inner chunk, decoded, between the first and the last element of a part.
ByteRange RangeOf(const InnerChunkDecoder& decoder, const ChunkRegion& region) {
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
  explicit SemaphoreLock(std::counting_semaphore<>* semaphore) : semaphore_(semaphore) {
    if (semaphore_) semaphore_->acquire();
  }
  ~SemaphoreLock() {
    if (semaphore_) semaphore_->release();
  }
  SemaphoreLock(const SemaphoreLock&) = delete;
  SemaphoreLock& operator=(const SemaphoreLock&) = delete;

 private:
  std::counting_semaphore<>* semaphore_;
};

}  // namespace

std::uint64_t LongestStored(const InnerChunkDecoder& decoder) {
  constexpr std::uint64_t kRoom = std::uint64_t{16} << 20;
  const std::uint64_t most = decoder.max_encoded_size().value_or(UINT64_MAX);
  return most > UINT64_MAX - kRoom ? UINT64_MAX : most + kRoom;
}

void CheckStoredSize(const InnerChunkDecoder& decoder, std::uint64_t stored) {
  if (stored <= LongestStored(decoder)) return;
  throw Error(ErrorKind::kCorrupt,
              ExpectedGot("at most " + std::to_string(*decoder.max_encoded_size()) + " bytes", std::to_string(stored)));
}

ChunkLoader::ChunkLoader(const Array& array, const ReadOptions& options, std::uint64_t window)
    : array_(array), options_(options), generation_(array.generation().load()), began_(OpeningClock::Now()) {
  const std::uint64_t cache_limit = ChunkCache::Shared().limit();
  const auto window_bytes = CheckedMultiply(window, ItemSize(array.data_type()));
  names_chunks_ = array.ChunkNumber(Shape(array.rank(), 0)).has_value();
  use_cache_ = options.use_cache && cache_limit > 0 && names_chunks_;
  keeps_again_ = window_bytes && *window_bytes <= cache_limit / 8;
  keeps_all_ = keeps_again_ && (options.read_ahead || *window_bytes <= kSmallWindow);
  width_ = options.threads > 0 ? options.threads : CpuCount();
  const std::size_t concurrency = array.store().capabilities().concurrency;
  if (concurrency <= width_) return;
  decoders_ = std::make_unique<std::counting_semaphore<>>(static_cast<std::ptrdiff_t>(width_));
  const auto inner_chunk_bytes = CheckedProduct(array.smallest_chunk_shape()).value_or(UINT32_MAX);
  const auto affordable = kBytesInFlight / std::max<std::uint64_t>(inner_chunk_bytes * ItemSize(array.data_type()), 1);
  width_ = std::max<std::size_t>(width_, std::min<std::size_t>(concurrency, affordable));
}

ChunkId ChunkLoader::KeyOf(const Shape& grid_index) const {
  return {array_.id(), array_.ChunkNumber(grid_index).value_or(0), 0};
}

void ChunkLoader::CheckSize(const InnerChunkDecoder& decoder, std::uint64_t encoded) const {
  CheckStoredSize(decoder, encoded);
  const ChunkSpec& spec = decoder.decoded();
  const std::uint64_t decoded =
      spec.data_type.variable() ? spec.element_count() * ItemSize(spec.data_type) : decoder.largest_array();
  const std::uint64_t needed = std::max(decoded, encoded);
  if (needed <= options_.max_chunk_bytes) return;
  throw Error(
      ErrorKind::kLimitExceeded,
      ExpectedGot("a chunk of at most " + std::to_string(options_.max_chunk_bytes) + " bytes", std::to_string(needed)));
}

MemoryShare ChunkLoader::ShareOf(const InnerChunkDecoder& decoder) const {
  const std::uint64_t size = decoder.decoded().data_type.variable() ? 0 : decoder.largest_array();
  return size > kLargeMemory ? MemoryShare(2 * size) : MemoryShare();
}

std::shared_ptr<const DecodedChunk> ChunkLoader::FindInCache(const ChunkId& key, const InnerChunkDecoder& decoder,
                                                             const ChunkRegion& region) const {
  if (!use_cache_) return nullptr;
  auto inner_chunk = ChunkCache::Shared().Find(key);
  if (!inner_chunk || (options_.read_ahead && inner_chunk->begin > 0)) return nullptr;
  const bool whole = decoder.decoded().data_type.variable() || inner_chunk->plane_axis;
  return whole || inner_chunk->Covers(RangeOf(decoder, region)) ? inner_chunk : nullptr;
}

void ChunkLoader::CopyFrom(const DecodedChunk& inner_chunk, const InnerChunkDecoder& decoder,
                           const ChunkRegion& region) const {
  if (decoder.decoded().data_type.variable()) {
    Copy(reinterpret_cast<const std::byte*>(inner_chunk.variable.elements.data()), decoder, region);
  } else if (inner_chunk.plane_axis) {
    Copy(inner_chunk.bytes.data(), PlanarLayout(decoder, *inner_chunk.plane_axis), decoder, region);
  } else {
    CopyFrom(inner_chunk.bytes, inner_chunk.begin, decoder, region);
  }
}

bool ChunkLoader::FromCache(const ChunkId& key, const std::string& value_key, const InnerChunkDecoder& decoder,
                            const ChunkRegion& region) const {
  const auto inner_chunk = FindInCache(key, decoder, region);
  if (!inner_chunk) return false;
  if (!inner_chunk->state->Check(array_.store(), value_key, array_.opened(), began_)) {
    ChunkCache::Shared().Erase(key);
    return false;
  }
  CopyFrom(*inner_chunk, decoder, region);
  return true;
}

bool ChunkLoader::FromCache(const ChunkId& key, const ValueState& shard, const InnerChunkDecoder& decoder,
                            const ChunkRegion& region) const {
  const auto inner_chunk = FindInCache(key, decoder, region);
  if (!inner_chunk || !inner_chunk->state->IsSame(shard)) return false;
  CopyFrom(*inner_chunk, decoder, region);
  return true;
}

bool ChunkLoader::CacheWorthwhile(const ChunkId& key, const InnerChunkDecoder& decoder,
                                  const ChunkRegion& region) const {
  if (!use_cache_) return false;
  const bool variable = decoder.decoded().data_type.variable();
  if (!variable && decoder.decoded().byte_size() > ChunkCache::Shared().limit() / 8) return false;
  if (!region.whole || keeps_all_) return true;
  return keeps_again_ && ChunkCache::Shared().NoteMiss(key);
}

bool ChunkLoader::MayKeep() const {
  std::call_once(may_keep_once_, [this] { may_keep_ = names_chunks_ && array_.store().KeepsIdentity(); });
  return may_keep_;
}

void ChunkLoader::Keep(const ChunkId& key, const std::shared_ptr<const ValueState>& state,
                       std::shared_ptr<DecodedChunk> inner_chunk) const {
  if (!MayKeep()) return;
  inner_chunk->state = state;
  try {
    ChunkCache::Shared().Insert(key, std::move(inner_chunk), &array_.generation(), generation_);
  } catch (const std::bad_alloc&) {
    // It is not kept: the elements that are wanted have been copied.
  }
}

// --- parts of inner chunks
// ---------------------------------------------------------------------------------------------

bool ChunkLoader::IsSmall(const InnerChunkDecoder& decoder, const ChunkRegion& region, const ByteRange& range) const {
  constexpr std::uint64_t kLongAxis = 64;
  if (options_.read_ahead || range.length > decoder.decoded().byte_size() / 8) return false;
  // Who takes all along an axis walks across the inner chunk, and will want the rest of it next.
  const Shape& shape = decoder.decoded().shape;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] >= kLongAxis && region.count[i] == shape[i]) return false;
  }
  return true;
}

bool ChunkLoader::DecodeSmall(const ChunkId& key, const std::shared_ptr<const ValueState>& state, ByteSpan encoded,
                              const InnerChunkDecoder& decoder, const ChunkRegion& region) const {
  const ByteRange wanted = RangeOf(decoder, region);
  if (!IsSmall(decoder, region, wanted)) return false;
  const auto range = decoder.DecodableRange(encoded, wanted);
  if (!range || range->length > decoder.decoded().byte_size() / 2) return false;
  // Of an inner chunk that is read again it is better to have all.
  if (use_cache_ && ChunkCache::Shared().NoteMiss(key)) return false;
  auto inner_chunk = std::make_shared<DecodedChunk>();
  inner_chunk->begin = range->offset;
  inner_chunk->bytes.resize(static_cast<std::size_t>(range->length));
  decoder.DecodeRange(encoded, *range, inner_chunk->bytes);
  CopyFrom(inner_chunk->bytes, inner_chunk->begin, decoder, region);
  if (use_cache_) Keep(key, state, std::move(inner_chunk));
  return true;
}

std::optional<ByteRange> ChunkLoader::StoredRange(const ChunkId& key, const InnerChunkDecoder& decoder,
                                                  const ChunkRegion& region) const {
  if (!decoder.is_stored() || decoder.decoded().data_type.variable()) return std::nullopt;
  const ByteRange range = RangeOf(decoder, region);
  if (!IsSmall(decoder, region, range) || (use_cache_ && ChunkCache::Shared().NoteMiss(key))) return std::nullopt;
  return range;
}

void ChunkLoader::FromStoredRange(const ChunkId& key, const std::shared_ptr<const ValueState>& state, Bytes stored,
                                  const ByteRange& range, const InnerChunkDecoder& decoder,
                                  const ChunkRegion& region) const {
  auto inner_chunk = std::make_shared<DecodedChunk>();
  inner_chunk->begin = range.offset;
  inner_chunk->bytes = std::move(stored);
  CopyFrom(inner_chunk->bytes, inner_chunk->begin, decoder, region);
  if (use_cache_) Keep(key, state, std::move(inner_chunk));
}

// --- whole inner chunks
// ------------------------------------------------------------------------------------------------

void ChunkLoader::DecodeVariable(const ChunkId& key, const std::shared_ptr<const ValueState>& state, ByteSpan encoded,
                                 const InnerChunkDecoder& decoder, const ChunkRegion& region) const {
  auto inner_chunk = std::make_shared<DecodedChunk>();
  decoder.DecodeVariable(encoded, &inner_chunk->variable);
  Copy(reinterpret_cast<const std::byte*>(inner_chunk->variable.elements.data()), decoder, region);
  inner_chunk->variable.share.Release();  // what stays is the cache's to bound
  if (CacheWorthwhile(key, decoder, region)) Keep(key, state, std::move(inner_chunk));
}

void ChunkLoader::DecodeAndKeep(const ChunkId& key, const std::shared_ptr<const ValueState>& state, ByteSpan encoded,
                                const InnerChunkDecoder& decoder, const ChunkRegion& region) const {
  auto inner_chunk = std::make_shared<DecodedChunk>();
  inner_chunk->bytes = ChunkCache::Shared().TakeBuffer(decoder.decoded().byte_size());
  inner_chunk->plane_axis = PlaneAxis(decoder, region.count);
  if (inner_chunk->plane_axis) {
    ScratchBuffer elements(inner_chunk->bytes.size());
    decoder.Decode(encoded, elements.span());
    SplitIntoPlanes(decoder, *inner_chunk->plane_axis, elements.span(), inner_chunk->bytes);
    Copy(inner_chunk->bytes.data(), PlanarLayout(decoder, *inner_chunk->plane_axis), decoder, region);
  } else {
    decoder.Decode(encoded, inner_chunk->bytes);
    Copy(inner_chunk->bytes.data(), decoder, region);
  }
  Keep(key, state, std::move(inner_chunk));
}

void ChunkLoader::FromStored(const ChunkId& key, const std::shared_ptr<const ValueState>& state, ByteSpan encoded,
                             const InnerChunkDecoder& decoder, const ChunkRegion& region) const {
  const SemaphoreLock lock(decoders_.get());
  const ChunkSpec& spec = decoder.decoded();
  if (spec.data_type.variable()) return DecodeVariable(key, state, encoded, decoder, region);
  if (!region.whole && DecodeSmall(key, state, encoded, decoder, region)) return;
  if (CacheWorthwhile(key, decoder, region)) return DecodeAndKeep(key, state, encoded, decoder, region);
  if (options_.read_ahead) return;
  if (region.whole && !region.destination.converter && SameLayout(decoder, region)) {
    return decoder.Decode(encoded, {region.destination.data, spec.byte_size()});
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
  CopyRegion(bytes.data() + (RangeOf(decoder, region).offset - begin), decoder.layout(), decoder, region);
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
  StridedCopy(first, strides, region.count, ItemSize(type), region.destination);
}

void ChunkLoader::Fill(const ChunkRegion& region) const {
  if (options_.read_ahead) return;
  const FillValue& fill = array_.metadata().fill_value;
  const std::string_view text = AsText(fill.bytes);
  const ByteSpan element = array_.data_type().variable()
                               ? ByteSpan(reinterpret_cast<const std::byte*>(&text), sizeof(text))
                               : ByteSpan(fill.bytes);
  if (!region.destination.converter) return StridedFill(element, region.count, element.size(), region.destination);
  StridedCopy(element.data(), Strides(region.count.size(), 0), region.count, element.size(), region.destination);
}

std::string ChunkText(const Shape& grid_index) {
  return "chunk " + ToString(grid_index);
}

}  // namespace zarr
