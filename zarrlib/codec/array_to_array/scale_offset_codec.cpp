// SPDX-License-Identifier: MIT
#include "zarrlib/codec/array_to_array/scale_offset_codec.h"

#include <optional>
#include <string>

#include "zarrlib/base/compiler/checked_arithmetic.h"
#include "zarrlib/codec/array_to_array/array_filter.h"
#include "zarrlib/codec/array_to_array/cast_number.h"
#include "zarrlib/codec/codec_util.h"

namespace zarr {
namespace {

template <typename T>
[[noreturn]] void FailRange(ErrorKind kind, T value, const char* formula) {
  throw Error(kind, std::string(formula) + " for x = " + std::to_string(value) + " is no value of the data type");
}

template <typename T>
bool Fits(T value, unsigned bits) {
  return LimitBits(value, bits, OutOfRange::kError).has_value();
}

template <typename T>
ElementLoop MakeEncoder(T offset, T scale, unsigned bits) {
  return MakeElementLoop<T, T>([=](T x) {
    if constexpr (kIsInteger<T>) {
      T difference{};
      T product{};
      if (SubtractOverflows(x, offset, &difference) || !Fits(difference, bits) ||
          MultiplyOverflows(difference, scale, &product) || !Fits(product, bits)) {
        FailRange(ErrorKind::kInvalidArgument, x, "(x - offset) * scale");
      }
      return product;
    } else {
      return static_cast<T>(static_cast<T>(x - offset) * scale);
    }
  });
}

template <typename T>
ElementLoop MakeDecoder(T offset, T scale, unsigned bits) {
  return MakeElementLoop<T, T>([=](T x) {
    if constexpr (kIsInteger<T>) {
      T quotient{};
      T sum{};
      bool exact = true;
      if (std::is_signed_v<T> && scale == static_cast<T>(-1)) {  // the only division that may overflow
        exact = !SubtractOverflows(T{}, x, &quotient);
      } else {
        quotient = static_cast<T>(x / scale);
        exact = x % scale == 0;
      }
      if (!exact || !Fits(quotient, bits) || AddOverflows(quotient, offset, &sum) || !Fits(sum, bits)) {
        FailRange(ErrorKind::kCorrupt, x, "x / scale + offset");
      }
      return sum;
    } else {
      return static_cast<T>(static_cast<T>(x / scale) + offset);
    }
  });
}

class ScaleOffsetCodec final : public ArrayToArrayCodec {
 public:
  explicit ScaleOffsetCodec(const CodecSpec& spec)
      : place_(spec.configuration), offset_(FindOption(spec, "offset")), scale_(FindOption(spec, "scale")) {}

  std::shared_ptr<const ResolvedArrayToArray> Resolve(const ChunkSpec& decoded) const override {
    const DataType& type = decoded.data_type;
    if (!IsReal(type)) {
      place_.Fail(ErrorKind::kUnsupported, FormatExpectedGot("integers or floats", "data type \"" + type.name + "\""));
    }
    FilterLoops loops = VisitReal(type, [&](auto element) {
      using T = decltype(element);
      const T offset = offset_ ? ParseValue<T>(*offset_, type) : static_cast<T>(0);
      const T scale = scale_ ? ParseValue<T>(*scale_, type) : static_cast<T>(1);
      if (scale == static_cast<T>(0)) scale_->FailExpected("a scale that is not 0");
      return FilterLoops{MakeEncoder<T>(offset, scale, type.bits), MakeDecoder<T>(offset, scale, type.bits)};
    });
    return MakeArrayFilter(decoded, type, std::move(loops), place_);
  }

 private:
  template <typename T>
  static T ParseValue(const JsonNode& node, const DataType& type) {
    return LoadElement<T>(ParseFillValueV3(node, type).bytes, 0);
  }

  JsonNode place_;
  std::optional<JsonNode> offset_;
  std::optional<JsonNode> scale_;
};

}  // namespace

Codec MakeScaleOffsetCodec(const CodecSpec& spec) {
  RefuseOtherMembers(spec.configuration, {"offset", "scale"});
  return std::make_shared<ScaleOffsetCodec>(spec);
}

}  // namespace zarr
