#include "zarrlib/codec/scale_offset_codec.h"

#include <optional>
#include <string>

#include "zarrlib/codec/array_filter.h"
#include "zarrlib/codec/codec_util.h"

namespace zarr {
namespace {

template <typename T>
[[noreturn]] void FailRange(ErrorKind kind, T value, const char* formula) {
  throw Error(kind, std::string(formula) + " for x = " + std::to_string(value) + " is no value of the data type");
}

template <typename T>
ElementLoop MakeEncoder(T offset, T scale) {
  return MakeElementLoop<T, T>([offset, scale](T x) {
    if constexpr (kIsInteger<T>) {
      T result{};
      if (__builtin_sub_overflow(x, offset, &result) || __builtin_mul_overflow(result, scale, &result)) {
        FailRange(ErrorKind::kInvalidArgument, x, "(x - offset) * scale");
      }
      return result;
    } else {
      return static_cast<T>(static_cast<T>(x - offset) * scale);
    }
  });
}

template <typename T>
ElementLoop MakeDecoder(T offset, T scale) {
  return MakeElementLoop<T, T>([offset, scale](T x) {
    if constexpr (kIsInteger<T>) {
      const bool negates = std::is_signed_v<T> && scale == static_cast<T>(-1);  // the quotient may then overflow
      T result{};
      bool exact = true;
      if (negates) {
        exact = !__builtin_sub_overflow(T{}, x, &result);
      } else {
        result = static_cast<T>(x / scale);
        exact = x % scale == 0;
      }
      if (!exact || __builtin_add_overflow(result, offset, &result)) {
        FailRange(ErrorKind::kCorrupt, x, "x / scale + offset");
      }
      return result;
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
      place_.Fail(ErrorKind::kUnsupported, ExpectedGot("integers or floats", "data type \"" + type.name + "\""));
    }
    FilterLoops loops = VisitReal(type, [&](auto element) {
      using T = decltype(element);
      const T offset = offset_ ? Value<T>(*offset_, type) : static_cast<T>(0);
      const T scale = scale_ ? Value<T>(*scale_, type) : static_cast<T>(1);
      if (scale == static_cast<T>(0)) scale_->FailExpected("a scale that is not 0");
      return FilterLoops{MakeEncoder<T>(offset, scale), MakeDecoder<T>(offset, scale)};
    });
    return MakeArrayFilter(decoded, type, std::move(loops), place_);
  }

 private:
  template <typename T>
  static T Value(const JsonNode& node, const DataType& type) {
    return LoadElement<T>(FillValueFromV3(node, type).bytes, 0);
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
