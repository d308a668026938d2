// SPDX-License-Identifier: MIT
#include "zarrlib/codec/array_to_array/numeric_elements.h"

namespace zarr {
namespace {

template <typename Wide, typename To>
void Store(std::span<const Wide> values, std::byte* elements) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    const To element = CastLikeNumPy<To>(values[i]);
    std::memcpy(elements + i * sizeof(To), &element, sizeof(To));
  }
}

template <typename From, typename Wide>
void Load(const std::byte* elements, std::span<Wide> values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    From element;
    std::memcpy(&element, elements + i * sizeof(From), sizeof(From));
    values[i] = static_cast<Wide>(element);
  }
}

}  // namespace

template <typename Wide>
StoreElements<Wide> GetStoreElements(const DataType& type) {
  return VisitNumber(type, [](auto element) -> StoreElements<Wide> { return Store<Wide, decltype(element)>; });
}
template StoreElements<std::int32_t> GetStoreElements(const DataType& type);
template StoreElements<std::int64_t> GetStoreElements(const DataType& type);
template StoreElements<std::uint64_t> GetStoreElements(const DataType& type);
template StoreElements<float> GetStoreElements(const DataType& type);
template StoreElements<double> GetStoreElements(const DataType& type);

template <typename Wide>
LoadElements<Wide> GetLoadElements(const DataType& type) {
  return VisitNumber(type, [&](auto element) -> LoadElements<Wide> {
    if constexpr (std::is_same_v<Wide, WideOf<decltype(element)>>) {
      return Load<decltype(element), Wide>;
    } else {
      throw Error(ErrorKind::kUnsupported, FormatExpectedGot("elements of another size", "\"" + type.name + "\""));
    }
  });
}
template LoadElements<std::int32_t> GetLoadElements(const DataType& type);
template LoadElements<std::int64_t> GetLoadElements(const DataType& type);
template LoadElements<std::uint64_t> GetLoadElements(const DataType& type);
template LoadElements<float> GetLoadElements(const DataType& type);
template LoadElements<double> GetLoadElements(const DataType& type);

ElementLoop MakeCast(const DataType& from, const DataType& to) {
  if (from.kind == to.kind && from.size == to.size && from.kind != DataType::Kind::kBool) {
    return [](ByteSpan elements, MutableByteSpan results) { std::ranges::copy(elements, results.begin()); };
  }
  return VisitWide(from, [&](auto wide) -> ElementLoop {
    using Wide = decltype(wide);
    return [load = GetLoadElements<Wide>(from), store = GetStoreElements<Wide>(to), from_size = from.size,
            to_size = to.size](ByteSpan elements, MutableByteSpan results) {
      LoadBlocks(load, from_size, elements, [&](std::span<const Wide> values, std::size_t begin) {
        store(values, results.data() + begin * to_size);
      });
    };
  });
}

}  // namespace zarr
