// SPDX-License-Identifier: MIT
#include "zarrlib/codec/array_to_array/predictor_codec.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "zarrlib/codec/array_to_array/array_filter.h"
#include "zarrlib/codec/codec_util.h"

namespace zarr {
namespace {

/// A chunk with one axis, and the number of elements before and after that axis.
struct AxisView {
  std::size_t outer = 1;
  std::size_t length = 1;
  std::size_t inner = 1;
};

bool IsPredictable(const DataType& type) {
  const bool whole = type.kind == DataType::Kind::kInt || type.kind == DataType::Kind::kUint;
  return (whole && type.bits == 0) || type.kind == DataType::Kind::kFloat;
}

// --- differences --------------------------------------------------------------------------------------------------

/// Calls `visit(before, element)` for all elements that have a predecessor along the axis.
template <typename T, typename Visitor>
void VisitAlongAxis(const AxisView& view, bool backwards, MutableByteSpan elements, const Visitor& visit) {
  for (std::size_t o = 0; o < view.outer; ++o) {
    for (std::size_t k = 1; k < view.length; ++k) {
      const std::size_t row = o * view.length + (backwards ? view.length - k : k);
      for (std::size_t i = 0; i < view.inner; ++i) {
        const std::size_t index = row * view.inner + i;
        const T before = LoadElement<T>(elements, index - view.inner);
        WriteElement<T>(elements, index, visit(before, LoadElement<T>(elements, index)));
      }
    }
  }
}

template <typename T>
FilterLoops MakeDeltaLoops(const AxisView& view) {
  const auto copy = [](ByteSpan from, MutableByteSpan to) { std::copy(from.begin(), from.end(), to.begin()); };
  return {[view, copy](ByteSpan from, MutableByteSpan to) {
            copy(from, to);
            VisitAlongAxis<T>(view, true, to, [](T before, T value) { return static_cast<T>(value - before); });
          },
          [view, copy](ByteSpan from, MutableByteSpan to) {
            copy(from, to);
            VisitAlongAxis<T>(view, false, to, [](T before, T value) { return static_cast<T>(value + before); });
          },
          false};
}

FilterLoops MakeDeltaLoopsOf(std::size_t size, const AxisView& view) {
  switch (size) {
    case 1:
      return MakeDeltaLoops<std::uint8_t>(view);
    case 2:
      return MakeDeltaLoops<std::uint16_t>(view);
    case 4:
      return MakeDeltaLoops<std::uint32_t>(view);
    default:
      return MakeDeltaLoops<std::uint64_t>(view);
  }
}

// --- floats -------------------------------------------------------------------------------------------------------

/// A row of floats. The most significant bytes of all floats come first.
struct FloatRow {
  std::size_t count;    ///< Number of floats.
  std::size_t size;     ///< Size of a float, in bytes.
  std::size_t samples;  ///< The distance in bytes over which differences are taken.

  std::size_t bytes() const { return count * size; }
  std::size_t GetPlace(std::size_t i, std::size_t byte) const {
    return (kNativeEndian == Endian::kLittle ? size - 1 - byte : byte) * count + i;
  }

  void Decode(ByteSpan from, MutableByteSpan to) const {
    ScratchBuffer sums;
    sums.bytes().assign(from.begin(), from.end());
    const MutableByteSpan bytes = sums.span();
    for (std::size_t i = samples; i < bytes.size(); ++i) bytes[i] = Add(bytes[i], bytes[i - samples]);
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t k = 0; k < size; ++k) to[i * size + k] = bytes[GetPlace(i, k)];
    }
  }
  void Encode(ByteSpan from, MutableByteSpan to) const {
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t k = 0; k < size; ++k) to[GetPlace(i, k)] = from[i * size + k];
    }
    for (std::size_t i = to.size(); i-- > samples;) to[i] = Subtract(to[i], to[i - samples]);
  }

 private:
  static std::byte Add(std::byte a, std::byte b) {
    return static_cast<std::byte>(std::to_integer<unsigned>(a) + std::to_integer<unsigned>(b));
  }
  static std::byte Subtract(std::byte a, std::byte b) {
    return static_cast<std::byte>(std::to_integer<unsigned>(a) - std::to_integer<unsigned>(b));
  }
};

FilterLoops MakeFloatLoops(const FloatRow& row) {
  const auto make = [row](void (FloatRow::*run)(ByteSpan, MutableByteSpan) const) {
    return [row, run](ByteSpan from, MutableByteSpan to) {
      for (std::size_t i = 0; i + row.bytes() <= to.size() && row.bytes() > 0; i += row.bytes()) {
        (row.*run)(from.subspan(i, row.bytes()), to.subspan(i, row.bytes()));
      }
    };
  };
  return {make(&FloatRow::Encode), make(&FloatRow::Decode), false};
}

/// Makes a type of opaque bytes, whose order is always the stored order.
DataType MakeOpaqueType(std::size_t size) {
  DataType type;
  type.kind = DataType::Kind::kRaw;
  type.size = size;
  type.name = "r" + std::to_string(8 * size);
  return type;
}

// --- the codecs ---------------------------------------------------------------------------------------------------

class ResolvedPredictor final : public ResolvedArrayToArray {
 public:
  ResolvedPredictor(const Shape& shape, const DataType& type, FilterLoops loops)
      : encoded_{shape, type, MakeZeroFill(type)}, loops_(std::move(loops)) {}

  const ChunkSpec& encoded() const override { return encoded_; }
  void Encode(ByteSpan decoded, MutableByteSpan encoded) const override { loops_.encode(decoded, encoded); }
  void Decode(ByteSpan encoded, MutableByteSpan decoded) const override { loops_.decode(encoded, decoded); }

 private:
  ChunkSpec encoded_;
  FilterLoops loops_;
};

class PredictorCodec final : public ArrayToArrayCodec {
 public:
  PredictorCodec(const CodecSpec& spec, bool is_float)
      : place_(spec.configuration),
        is_float_(is_float),
        axis_(GetIntegerOption(spec, "axis", -kMostAxes, kMostAxes - 1, -1)),
        distance_(static_cast<std::size_t>(GetIntegerOption(spec, "dist", 1, is_float ? 4 : 1, 1))),
        type_(ParseNumPyTypeOption(spec, "dtype")) {
    const std::optional<JsonNode> shape = FindOption(spec, "shape");
    if (!shape) return;
    shape_.emplace();
    for (const JsonNode& length : shape->GetItems()) shape_->push_back(length.AsUint64());
  }

  std::shared_ptr<const ResolvedArrayToArray> Resolve(const ChunkSpec& decoded) const override {
    const DataType& type = decoded.data_type;
    CheckType(type);
    const AxisView view = GetView(decoded.shape);
    if (!is_float_) {
      return std::make_shared<ResolvedPredictor>(decoded.shape, type, MakeDeltaLoopsOf(type.size, view));
    }
    const FloatRow row{view.length * view.inner, type.size, view.inner * distance_};
    if (row.samples == 0 || row.count % row.samples != 0) {
      place_.Fail(ErrorKind::kCorrupt, "a row that has no whole number of differences");
    }
    return std::make_shared<ResolvedPredictor>(decoded.shape, MakeOpaqueType(type.size), MakeFloatLoops(row));
  }

 private:
  static constexpr std::int64_t kMostAxes = 64;

  void CheckType(const DataType& type) const {
    const bool known = is_float_ ? type.kind == DataType::Kind::kFloat : IsPredictable(type);
    if (!known) {
      place_.Fail(ErrorKind::kUnsupported,
                  FormatExpectedGot(is_float_ ? "floats" : "integers or floats", "data type \"" + type.name + "\""));
    }
    const bool other_order = type_ && type_->endian && type.endian && type.size > 1 && *type_->endian != *type.endian;
    if (type_ && (type_->size != type.size || other_order)) {
      place_.Fail(ErrorKind::kUnsupported,
                  FormatExpectedGot("data type \"" + type.name + "\"", "\"" + type_->name + "\""));
    }
  }

  AxisView GetView(const Shape& chunk) const {
    const Shape& shape = shape_ ? *shape_ : chunk;
    const auto rank = static_cast<std::int64_t>(shape.size());
    const std::int64_t axis = axis_ < 0 ? axis_ + rank : axis_;
    if (axis < 0 || axis >= rank || (is_float_ && rank - axis > 2)) {
      place_.Fail(ErrorKind::kCorrupt, "axis " + std::to_string(axis_) + " does not fit to shape " + ToString(shape));
    }
    if (ComputeCheckedProduct(shape) != ComputeCheckedProduct(chunk)) {
      place_.Fail(ErrorKind::kCorrupt, FormatExpectedGot("the shape " + ToString(chunk), ToString(shape)));
    }
    AxisView view;
    for (std::int64_t i = 0; i < rank; ++i) {
      std::size_t& part = i < axis ? view.outer : i == axis ? view.length : view.inner;
      part *= static_cast<std::size_t>(shape[static_cast<std::size_t>(i)]);
    }
    return view;
  }

  JsonNode place_;
  bool is_float_;
  std::int64_t axis_;
  std::size_t distance_;
  std::optional<DataType> type_;
  std::optional<Shape> shape_;
};

}  // namespace

Codec MakeAxisDeltaCodec(const CodecSpec& spec) {
  return std::shared_ptr<const ArrayToArrayCodec>(std::make_shared<PredictorCodec>(spec, false));
}

Codec MakeFloatPredictorCodec(const CodecSpec& spec) {
  return std::shared_ptr<const ArrayToArrayCodec>(std::make_shared<PredictorCodec>(spec, true));
}

}  // namespace zarr
