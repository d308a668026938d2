#include "zarrlib/array/leaf_io.h"

#include <algorithm>

#include "zarrlib/array/leaf_planes.h"
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

/// Whether the destination of a leaf that is taken whole has the leaf's own layout.
bool SameLayout(const LeafDecoder& decoder, const LeafPart& part) {
  const Shape& shape = decoder.decoded().shape;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (part.count[i] != shape[i]) return false;
    if (shape[i] > 1 && part.destination.strides[i] != decoder.layout()[i]) return false;
  }
  return true;
}

/// The bytes of a leaf, decoded, between the first and the last element of a part.
ByteRange RangeOf(const LeafDecoder& decoder, const LeafPart& part) {
  ByteRange range{0, decoder.decoded().data_type.size};
  for (std::size_t i = 0; i < part.count.size(); ++i) {
    const auto stride = static_cast<std::uint64_t>(decoder.layout()[i]);
    range.offset += part.first[i] * stride;
    range.length += (part.count[i] - 1) * part.step[i] * stride;
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

std::uint64_t LongestStored(const LeafDecoder& decoder) {
  constexpr std::uint64_t kRoom = std::uint64_t{16} << 20;
  const std::uint64_t most = decoder.max_encoded_size().value_or(UINT64_MAX);
  return most > UINT64_MAX - kRoom ? UINT64_MAX : most + kRoom;
}

void CheckStoredSize(const LeafDecoder& decoder, std::uint64_t stored) {
  if (stored <= LongestStored(decoder)) return;
  throw Error(ErrorKind::kCorrupt,
              ExpectedGot("at most " + std::to_string(*decoder.max_encoded_size()) + " bytes", std::to_string(stored)));
}

LeafIo::LeafIo(const Array& array, const ReadOptions& options, std::uint64_t window)
    : array_(array), options_(options), generation_(array.generation().load()), began_(OpeningClock::Now()) {
  const std::uint64_t cache_limit = LeafCache::Shared().limit();
  const auto window_bytes = CheckedMultiply(window, ItemSize(array.data_type()));
  names_chunks_ = array.ChunkNumber(Shape(array.rank(), 0)).has_value();
  use_cache_ = options.use_cache && cache_limit > 0 && names_chunks_;
  keeps_again_ = window_bytes && *window_bytes <= cache_limit / 8;
  keeps_all_ = keeps_again_ && (options.read_ahead || *window_bytes <= kSmallWindow);
  width_ = options.threads > 0 ? options.threads : CpuCount();
  const std::size_t concurrency = array.store().capabilities().concurrency;
  if (concurrency <= width_) return;
  decoders_ = std::make_unique<std::counting_semaphore<>>(static_cast<std::ptrdiff_t>(width_));
  const auto leaf_bytes = CheckedProduct(array.leaf_shape()).value_or(UINT32_MAX);
  const auto affordable = kBytesInFlight / std::max<std::uint64_t>(leaf_bytes * ItemSize(array.data_type()), 1);
  width_ = std::max<std::size_t>(width_, std::min<std::size_t>(concurrency, affordable));
}

LeafKey LeafIo::KeyOf(const Shape& grid_index) const {
  return {array_.id(), array_.ChunkNumber(grid_index).value_or(0), 0};
}

void LeafIo::CheckSize(const LeafDecoder& decoder, std::uint64_t encoded) const {
  CheckStoredSize(decoder, encoded);
  const ChunkSpec& spec = decoder.decoded();
  const std::uint64_t decoded =
      spec.data_type.variable() ? spec.element_count() * ItemSize(spec.data_type) : decoder.largest_array();
  const std::uint64_t needed = std::max(decoded, encoded);
  if (needed <= options_.max_leaf_bytes) return;
  throw Error(
      ErrorKind::kLimitExceeded,
      ExpectedGot("a chunk of at most " + std::to_string(options_.max_leaf_bytes) + " bytes", std::to_string(needed)));
}

MemoryShare LeafIo::ShareOf(const LeafDecoder& decoder) const {
  const std::uint64_t size = decoder.decoded().data_type.variable() ? 0 : decoder.largest_array();
  return size > kLargeMemory ? MemoryShare(2 * size) : MemoryShare();
}

std::shared_ptr<const DecodedLeaf> LeafIo::FindInCache(const LeafKey& key, const LeafDecoder& decoder,
                                                       const LeafPart& part) const {
  if (!use_cache_) return nullptr;
  auto leaf = LeafCache::Shared().Find(key);
  if (!leaf || (options_.read_ahead && leaf->begin > 0)) return nullptr;
  const bool whole = decoder.decoded().data_type.variable() || leaf->plane_axis;
  return whole || leaf->Covers(RangeOf(decoder, part)) ? leaf : nullptr;
}

void LeafIo::CopyFrom(const DecodedLeaf& leaf, const LeafDecoder& decoder, const LeafPart& part) const {
  if (decoder.decoded().data_type.variable()) {
    Copy(reinterpret_cast<const std::byte*>(leaf.variable.elements.data()), decoder, part);
  } else if (leaf.plane_axis) {
    Copy(leaf.bytes.data(), PlanarLayout(decoder, *leaf.plane_axis), decoder, part);
  } else {
    CopyFrom(leaf.bytes, leaf.begin, decoder, part);
  }
}

bool LeafIo::FromCache(const LeafKey& key, const std::string& value_key, const LeafDecoder& decoder,
                       const LeafPart& part) const {
  const auto leaf = FindInCache(key, decoder, part);
  if (!leaf) return false;
  if (!leaf->state->Check(array_.store(), value_key, array_.opened(), began_)) {
    LeafCache::Shared().Erase(key);
    return false;
  }
  CopyFrom(*leaf, decoder, part);
  return true;
}

bool LeafIo::FromCache(const LeafKey& key, const ValueState& shard, const LeafDecoder& decoder,
                       const LeafPart& part) const {
  const auto leaf = FindInCache(key, decoder, part);
  if (!leaf || !leaf->state->IsSame(shard)) return false;
  CopyFrom(*leaf, decoder, part);
  return true;
}

bool LeafIo::CacheWorthwhile(const LeafKey& key, const LeafDecoder& decoder, const LeafPart& part) const {
  if (!use_cache_) return false;
  const bool variable = decoder.decoded().data_type.variable();
  if (!variable && decoder.decoded().byte_size() > LeafCache::Shared().limit() / 8) return false;
  if (!part.whole || keeps_all_) return true;
  return keeps_again_ && LeafCache::Shared().NoteMiss(key);
}

bool LeafIo::MayKeep() const {
  std::call_once(may_keep_once_, [this] { may_keep_ = names_chunks_ && array_.store().KeepsIdentity(); });
  return may_keep_;
}

void LeafIo::Keep(const LeafKey& key, const std::shared_ptr<const ValueState>& state,
                  std::shared_ptr<DecodedLeaf> leaf) const {
  if (!MayKeep()) return;
  leaf->state = state;
  try {
    LeafCache::Shared().Insert(key, std::move(leaf), &array_.generation(), generation_);
  } catch (const std::bad_alloc&) {
    // It is not kept: the elements that are wanted have been copied.
  }
}

// --- parts of leaves ---------------------------------------------------------------------------------------------

bool LeafIo::IsSmall(const LeafDecoder& decoder, const LeafPart& part, const ByteRange& range) const {
  constexpr std::uint64_t kLongAxis = 64;
  if (options_.read_ahead || range.length > decoder.decoded().byte_size() / 8) return false;
  // Who takes all along an axis walks across the leaf, and will want the rest of it next.
  const Shape& shape = decoder.decoded().shape;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] >= kLongAxis && part.count[i] == shape[i]) return false;
  }
  return true;
}

bool LeafIo::DecodeSmall(const LeafKey& key, const std::shared_ptr<const ValueState>& state, ByteSpan encoded,
                         const LeafDecoder& decoder, const LeafPart& part) const {
  const ByteRange wanted = RangeOf(decoder, part);
  if (!IsSmall(decoder, part, wanted)) return false;
  const auto range = decoder.DecodableRange(encoded, wanted);
  if (!range || range->length > decoder.decoded().byte_size() / 2) return false;
  // Of a leaf that is read again it is better to have all.
  if (use_cache_ && LeafCache::Shared().NoteMiss(key)) return false;
  auto leaf = std::make_shared<DecodedLeaf>();
  leaf->begin = range->offset;
  leaf->bytes.resize(static_cast<std::size_t>(range->length));
  decoder.DecodeRange(encoded, *range, leaf->bytes);
  CopyFrom(leaf->bytes, leaf->begin, decoder, part);
  if (use_cache_) Keep(key, state, std::move(leaf));
  return true;
}

std::optional<ByteRange> LeafIo::StoredRange(const LeafKey& key, const LeafDecoder& decoder,
                                             const LeafPart& part) const {
  if (!decoder.is_stored() || decoder.decoded().data_type.variable()) return std::nullopt;
  const ByteRange range = RangeOf(decoder, part);
  if (!IsSmall(decoder, part, range) || (use_cache_ && LeafCache::Shared().NoteMiss(key))) return std::nullopt;
  return range;
}

void LeafIo::FromStoredRange(const LeafKey& key, const std::shared_ptr<const ValueState>& state, Bytes stored,
                             const ByteRange& range, const LeafDecoder& decoder, const LeafPart& part) const {
  auto leaf = std::make_shared<DecodedLeaf>();
  leaf->begin = range.offset;
  leaf->bytes = std::move(stored);
  CopyFrom(leaf->bytes, leaf->begin, decoder, part);
  if (use_cache_) Keep(key, state, std::move(leaf));
}

// --- whole leaves ------------------------------------------------------------------------------------------------

void LeafIo::DecodeVariable(const LeafKey& key, const std::shared_ptr<const ValueState>& state, ByteSpan encoded,
                            const LeafDecoder& decoder, const LeafPart& part) const {
  auto leaf = std::make_shared<DecodedLeaf>();
  decoder.DecodeVariable(encoded, &leaf->variable);
  Copy(reinterpret_cast<const std::byte*>(leaf->variable.elements.data()), decoder, part);
  leaf->variable.share.Release();  // what stays is the cache's to bound
  if (CacheWorthwhile(key, decoder, part)) Keep(key, state, std::move(leaf));
}

void LeafIo::DecodeAndKeep(const LeafKey& key, const std::shared_ptr<const ValueState>& state, ByteSpan encoded,
                           const LeafDecoder& decoder, const LeafPart& part) const {
  auto leaf = std::make_shared<DecodedLeaf>();
  leaf->bytes = LeafCache::Shared().TakeBuffer(decoder.decoded().byte_size());
  leaf->plane_axis = PlaneAxis(decoder, part.count);
  if (leaf->plane_axis) {
    ScratchBuffer elements(leaf->bytes.size());
    decoder.Decode(encoded, elements.span());
    SplitIntoPlanes(decoder, *leaf->plane_axis, elements.span(), leaf->bytes);
    Copy(leaf->bytes.data(), PlanarLayout(decoder, *leaf->plane_axis), decoder, part);
  } else {
    decoder.Decode(encoded, leaf->bytes);
    Copy(leaf->bytes.data(), decoder, part);
  }
  Keep(key, state, std::move(leaf));
}

void LeafIo::FromStored(const LeafKey& key, const std::shared_ptr<const ValueState>& state, ByteSpan encoded,
                        const LeafDecoder& decoder, const LeafPart& part) const {
  const SemaphoreLock lock(decoders_.get());
  const ChunkSpec& spec = decoder.decoded();
  if (spec.data_type.variable()) return DecodeVariable(key, state, encoded, decoder, part);
  if (!part.whole && DecodeSmall(key, state, encoded, decoder, part)) return;
  if (CacheWorthwhile(key, decoder, part)) return DecodeAndKeep(key, state, encoded, decoder, part);
  if (options_.read_ahead) return;
  if (part.whole && !part.destination.converter && SameLayout(decoder, part)) {
    return decoder.Decode(encoded, {part.destination.data, spec.byte_size()});
  }
  ScratchBuffer elements(spec.byte_size());
  decoder.Decode(encoded, elements.span());
  Copy(elements.span().data(), decoder, part);
}

void LeafIo::Copy(const std::byte* elements, const LeafDecoder& decoder, const LeafPart& part) const {
  Copy(elements, decoder.layout(), decoder, part);
}

void LeafIo::Copy(const std::byte* elements, const Strides& layout, const LeafDecoder& decoder,
                  const LeafPart& part) const {
  std::ptrdiff_t first = 0;
  for (std::size_t i = 0; i < part.first.size(); ++i) {
    first += static_cast<std::ptrdiff_t>(part.first[i]) * layout[i];
  }
  const bool variable = decoder.decoded().data_type.variable();
  CopyPart(elements + first * (variable ? kViewSize : 1), layout, decoder, part);
}

void LeafIo::CopyFrom(const Bytes& bytes, std::uint64_t begin, const LeafDecoder& decoder, const LeafPart& part) const {
  CopyPart(bytes.data() + (RangeOf(decoder, part).offset - begin), decoder.layout(), decoder, part);
}

void LeafIo::CopyPart(const std::byte* first, const Strides& layout, const LeafDecoder& decoder,
                      const LeafPart& part) const {
  if (options_.read_ahead) return;
  const DataType& type = decoder.decoded().data_type;
  Strides strides(part.count.size(), 0);
  for (std::size_t i = 0; i < strides.size(); ++i) {
    const std::ptrdiff_t stride = layout[i] * (type.variable() ? kViewSize : 1);
    if (part.count[i] > 1) strides[i] = stride * static_cast<std::ptrdiff_t>(part.step[i]);
  }
  StridedCopy(first, strides, part.count, ItemSize(type), part.destination);
}

void LeafIo::Fill(const LeafPart& part) const {
  if (options_.read_ahead) return;
  const FillValue& fill = array_.metadata().fill_value;
  const std::string_view text = AsText(fill.bytes);
  const ByteSpan element = array_.data_type().variable()
                               ? ByteSpan(reinterpret_cast<const std::byte*>(&text), sizeof(text))
                               : ByteSpan(fill.bytes);
  if (!part.destination.converter) return StridedFill(element, part.count, element.size(), part.destination);
  StridedCopy(element.data(), Strides(part.count.size(), 0), part.count, element.size(), part.destination);
}

std::string ChunkText(const Shape& grid_index) {
  return "chunk " + ToString(grid_index);
}

}  // namespace zarr
