#include "zarrlib/array/leaf_io.h"

#include <algorithm>

namespace zarr {
namespace {

/// Memory that requests in flight may take, on top of what decoding needs.
constexpr std::uint64_t kBytesInFlight = std::uint64_t{256} << 20;

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

LeafIo::LeafIo(const Array& array, const ReadOptions& options, std::uint64_t window)
    : array_(array), options_(options), generation_(array.generation().load()) {
  const std::uint64_t cache_limit = LeafCache::Shared().limit();
  const auto window_bytes = CheckedMultiply(window, ItemSize(array.data_type()));
  names_chunks_ = array.ChunkNumber(Shape(array.rank(), 0)).has_value();
  use_cache_ = options.use_cache && cache_limit > 0 && names_chunks_;
  small_window_ = window_bytes && *window_bytes <= cache_limit / 8;
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
  const ChunkSpec& spec = decoder.decoded();
  const std::uint64_t decoded = spec.data_type.variable() ? 0 : spec.byte_size();
  const std::uint64_t needed = std::max(decoded, encoded);
  if (needed <= options_.max_leaf_bytes) return;
  throw Error(
      ErrorKind::kLimitExceeded,
      ExpectedGot("a chunk of at most " + std::to_string(options_.max_leaf_bytes) + " bytes", std::to_string(needed)));
}

bool LeafIo::FromCache(const LeafKey& key, const LeafDecoder& decoder, const LeafPart& part) const {
  if (!use_cache_) return false;
  const auto leaf = LeafCache::Shared().Find(key);
  if (!leaf) return false;
  const auto* views = reinterpret_cast<const std::byte*>(leaf->variable.elements.data());
  Copy(decoder.decoded().data_type.variable() ? views : leaf->bytes.data(), decoder, part);
  return true;
}

bool LeafIo::CacheWorthwhile(const LeafDecoder& decoder, const LeafPart& part) const {
  if (!use_cache_ || (part.whole && !small_window_)) return false;
  return decoder.decoded().data_type.variable() || decoder.decoded().byte_size() <= LeafCache::Shared().limit() / 8;
}

void LeafIo::FromStored(const LeafKey& key, ByteSpan encoded, const LeafDecoder& decoder, const LeafPart& part) const {
  const SemaphoreLock lock(decoders_.get());
  const ChunkSpec& spec = decoder.decoded();
  if (spec.data_type.variable() || CacheWorthwhile(decoder, part)) {
    auto leaf = std::make_shared<DecodedLeaf>();
    const std::byte* elements = nullptr;
    if (spec.data_type.variable()) {
      decoder.DecodeVariable(encoded, &leaf->variable);
      elements = reinterpret_cast<const std::byte*>(leaf->variable.elements.data());
    } else {
      leaf->bytes.resize(spec.byte_size());
      decoder.Decode(encoded, leaf->bytes);
      elements = leaf->bytes.data();
    }
    Copy(elements, decoder, part);
    if (CacheWorthwhile(decoder, part)) {
      LeafCache::Shared().Insert(key, std::move(leaf), &array_.generation(), generation_);
    }
    return;
  }
  if (part.whole && !part.destination.converter && SameLayout(decoder, part)) {
    return decoder.Decode(encoded, {part.destination.data, spec.byte_size()});
  }
  ScratchBuffer elements(spec.byte_size());
  decoder.Decode(encoded, elements.span());
  Copy(elements.span().data(), decoder, part);
}

void LeafIo::Copy(const std::byte* elements, const LeafDecoder& decoder, const LeafPart& part) const {
  const DataType& type = decoder.decoded().data_type;
  const std::ptrdiff_t scale = type.variable() ? static_cast<std::ptrdiff_t>(sizeof(std::string_view)) : 1;
  Strides strides(part.count.size(), 0);
  for (std::size_t i = 0; i < strides.size(); ++i) {
    const std::ptrdiff_t stride = decoder.layout()[i] * scale;
    elements += static_cast<std::ptrdiff_t>(part.first[i]) * stride;
    if (part.count[i] > 1) strides[i] = stride * static_cast<std::ptrdiff_t>(part.step[i]);
  }
  StridedCopy(elements, strides, part.count, ItemSize(type), part.destination);
}

void LeafIo::Fill(const LeafPart& part) const {
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
