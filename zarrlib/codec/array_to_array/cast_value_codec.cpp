// SPDX-License-Identifier: MIT
#include "zarrlib/codec/array_to_array/cast_value_codec.h"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "zarrlib/codec/array_to_array/array_filter.h"
#include "zarrlib/codec/array_to_array/cast_number.h"
#include "zarrlib/codec/codec_util.h"

namespace zarr {
namespace {

/// Orders the numbers of a type; NaN comes last, and all NaNs are equal.
template <typename T>
struct NumberLess {
  bool operator()(T a, T b) const {
    if constexpr (kIsFloat<T>) {
      if (a != a || b != b) return a == a && b != b;
    }
    return a < b;
  }
};

/// The elements, of whatever type, to which numbers are mapped.
template <typename Wide>
using ScalarMap = std::map<Wide, Bytes, NumberLess<Wide>>;

/// Reads one of the lists of pairs of `scalar_map`. If keys are equal, the first one counts.
template <typename Wide>
ScalarMap<Wide> ReadMap(const std::optional<JsonNode>& list, const DataType& from, const DataType& to) {
  ScalarMap<Wide> map;
  if (!list) return map;
  for (const JsonNode& pair : list->GetItems()) {
    if (!pair.IsArray() || pair.size() != 2) pair.FailExpected("a pair of numbers");
    for (const JsonNode& number : pair.GetItems()) {
      if (number.IsNull()) number.FailExpected("a number");
    }
    Wide key{};
    GetLoadElements<Wide>(from)(ParseFillValueV3(pair[0], from).bytes.data(), std::span(&key, 1));
    map.emplace(key, ParseFillValueV3(pair[1], to).bytes);
  }
  return map;
}

/// Not part of the loops, so that these stay small.
template <typename Wide>
[[noreturn]] void FailToCast(Wide value, const DataType& to, ErrorKind kind) {
  const auto format = [&] {
    if constexpr (kIsInteger<Wide>) {
      return std::to_string(value);
    } else {
      return JsonNode::MakeFloat(value).Dump();
    }
  };
  throw Error(kind, FormatExpectedGot("a value that can be cast to " + to.name, format()));
}

/// What does not depend on the numbers that are cast to `to`.
template <typename Wide>
struct Casting {
  CastRules rules;
  ScalarMap<Wide> map;
  ErrorKind kind;  ///< Of the error for a number that cannot be cast.
  DataType to;
};

template <typename Wide, typename To>
To Cast(const Casting<Wide>& casting, Wide value) {
  if (const auto mapped = casting.map.find(value); mapped != casting.map.end()) {
    return LoadElement<To>(mapped->second, 0);
  }
  std::optional<To> result = CastNumber<To>(value, casting.rules);
  if (result) result = LimitBits(*result, casting.to.bits, casting.rules.out_of_range);
  if (!result) FailToCast(value, casting.to, casting.kind);
  return *result;
}

template <typename Wide>
ElementLoop MakeCaster(const DataType& from, Casting<Wide> casting) {
  const DataType to = casting.to;
  return VisitReal(to, [&](auto element) -> ElementLoop {
    using To = decltype(element);
    return [load = GetLoadElements<Wide>(from), size = from.size, casting = std::move(casting)](
               ByteSpan elements, MutableByteSpan results) {
      LoadBlocks(load, size, elements, [&](std::span<const Wide> values, std::size_t begin) {
        for (std::size_t i = 0; i < values.size(); ++i) {
          WriteElement<To>(results, begin + i, Cast<Wide, To>(casting, values[i]));
        }
      });
    };
  });
}

ElementLoop MakeCaster(const DataType& from, const DataType& to, const CastRules& rules,
                       const std::optional<JsonNode>& list, ErrorKind kind) {
  return VisitWide(from, [&](auto wide) {
    using Wide = decltype(wide);
    Casting<Wide> casting{rules, ReadMap<Wide>(list, from, to), kind, to};
    if (casting.map.empty() && to.bits == 0 && IsWidening(from, to)) return MakeCast(from, to);
    return MakeCaster<Wide>(from, std::move(casting));
  });
}

template <std::size_t kCount>
std::size_t ReadChoice(const JsonNode& node, const std::array<std::string_view, kCount>& choices) {
  const auto found = std::find(choices.begin(), choices.end(), std::string_view(node.AsString()));
  if (found == choices.end()) {
    std::string expected = "one of";
    for (const std::string_view choice : choices) expected += " \"" + std::string(choice) + "\"";
    node.FailExpected(expected);
  }
  return static_cast<std::size_t>(found - choices.begin());
}

CastRules ReadRules(const CodecSpec& spec, const DataType& target) {
  CastRules rules;
  if (const auto rounding = FindOption(spec, "rounding")) {
    constexpr std::array<std::string_view, 5> kNames = {"nearest-even", "towards-zero", "towards-positive",
                                                        "towards-negative", "nearest-away"};
    rules.rounding = static_cast<Rounding>(ReadChoice(*rounding, kNames));
  }
  if (const auto out_of_range = FindOption(spec, "out_of_range")) {
    constexpr std::array<std::string_view, 3> kNames = {"error", "clamp",
                                                        "wrap"};  // drafts of the specification have "error"
    rules.out_of_range = static_cast<OutOfRange>(ReadChoice(*out_of_range, kNames));
    const bool integer = target.kind == DataType::Kind::kInt || target.kind == DataType::Kind::kUint;
    if (rules.out_of_range == OutOfRange::kWrap && !integer) {
      out_of_range->FailExpected("\"wrap\" only with an integer \"data_type\"");
    }
  }
  return rules;
}

class CastValueCodec final : public ArrayToArrayCodec {
 public:
  explicit CastValueCodec(const CodecSpec& spec)
      : place_(spec.configuration),
        target_(DataType::FromV3(place_.At("data_type"))),
        rules_(ReadRules(spec, target_)) {
    CheckReal(place_.At("data_type"), target_);
    const std::optional<JsonNode> map = FindOption(spec, "scalar_map");
    if (!map) return;
    RefuseOtherMembers(*map, {"encode", "decode"});
    encode_map_ = map->Find("encode");
    decode_map_ = map->Find("decode");
  }

  std::shared_ptr<const ResolvedArrayToArray> Resolve(const ChunkSpec& decoded) const override {
    const DataType& source = decoded.data_type;
    CheckReal(place_, source);
    FilterLoops loops{MakeCaster(source, target_, rules_, encode_map_, ErrorKind::kInvalidArgument),
                      MakeCaster(target_, source, rules_, decode_map_, ErrorKind::kCorrupt)};
    return MakeArrayFilter(decoded, target_, std::move(loops), place_);
  }

 private:
  static void CheckReal(const JsonNode& place, const DataType& type) {
    if (IsReal(type)) return;
    place.Fail(ErrorKind::kUnsupported,
               FormatExpectedGot("a data type of integers or floats", "\"" + type.name + "\""));
  }

  JsonNode place_;
  DataType target_;
  CastRules rules_;
  std::optional<JsonNode> encode_map_;
  std::optional<JsonNode> decode_map_;
};

}  // namespace

Codec MakeCastValueCodec(const CodecSpec& spec) {
  RefuseOtherMembers(spec.configuration, {"data_type", "rounding", "out_of_range", "scalar_map"});
  return std::make_shared<CastValueCodec>(spec);
}

}  // namespace zarr
