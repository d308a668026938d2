// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <vector>

#include "zarrlib/base/text.h"
#include "zarrlib/hierarchy/hierarchy.h"
#include "zarrlib/hierarchy/stale_regions.h"
#include "zarrlib/json/json_edit.h"
#include "zarrlib/metadata/node_path.h"
#include "zarrlib/tools/check/checks.h"

namespace zarr::tools {
namespace {

using ArrayPtr = std::shared_ptr<const Array>;

// Each spot costs about one chunk of a level and a few of its source.
constexpr std::size_t kSpots = 16;
constexpr std::uint64_t kSpotLength = 8;

/// What is known of the pixels that a method computes from the pixels of a cell.
struct Method {
  std::string_view name;
  bool chooses;          ///< A pixel is one of those of the cell; otherwise, it is between the lowest and the highest.
  std::uint64_t margin;  ///< How many cells around it belong to it.
};
constexpr Method kMethods[] = {{"NEAREST", true, 0}, {"NEAR", true, 0},   {"MODE", true, 0},     {"AVERAGE", false, 0},
                               {"RMS", false, 0},    {"GAUSS", false, 3}, {"BILINEAR", false, 2}};

const Method* FindMethod(std::string name) {
  std::ranges::transform(name, name.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  const auto method = std::ranges::find(kMethods, name, &Method::name);
  return method == std::end(kMethods) ? nullptr : method;
}

template <typename T>
double ToDouble(const std::byte* element) {
  T value;
  std::memcpy(&value, element, sizeof(value));
  return static_cast<double>(value);
}

using ToNumber = double (*)(const std::byte*);

/// Returns null for types whose elements are not compared.
ToNumber FindToNumber(const DataType& type) {
  using Kind = DataType::Kind;
  if (type.kind == Kind::kFloat) return type.size == 4 ? ToDouble<float> : type.size == 8 ? ToDouble<double> : nullptr;
  if (type.kind != Kind::kInt && type.kind != Kind::kUint) return nullptr;
  const bool is_signed = type.kind == Kind::kInt;
  switch (type.size) {
    case 1:
      return is_signed ? ToDouble<std::int8_t> : ToDouble<std::uint8_t>;
    case 2:
      return is_signed ? ToDouble<std::int16_t> : ToDouble<std::uint16_t>;
    case 4:
      return is_signed ? ToDouble<std::int32_t> : ToDouble<std::uint32_t>;
    default:
      return is_signed ? ToDouble<std::int64_t> : ToDouble<std::uint64_t>;
  }
}

/// The numbers of a box of an array.
class Numbers {
 public:
  Numbers(const Array& array, const Box& box, ToNumber to_number)
      : box_(box), strides_(GetContiguousStrides(box.shape, array.data_type().size)), to_number_(to_number) {
    bytes_.resize(ComputeProduct(box.shape) * array.data_type().size);
    array.Read(Selection::FromBox(box), {bytes_.data(), strides_});
  }
  double At(const Shape& index) const {
    std::ptrdiff_t offset = 0;
    for (std::size_t axis = 0; axis < index.size(); ++axis) {
      offset += static_cast<std::ptrdiff_t>(index[axis] - box_.origin[axis]) * strides_[axis];
    }
    return to_number_(bytes_.data() + offset);
  }

 private:
  Box box_;
  Strides strides_;
  ToNumber to_number_;
  std::vector<std::byte> bytes_;
};

/// Returns true if one of an array's bands is an alpha band, by GDAL's attribute for the colours of bands.
bool HasAlpha(const Array& array) {
  const auto colors = FindMember(array.metadata().attributes, "COLOR_INTERPRETATION");
  const auto is_alpha = [](const JsonNode& color) { return color.IsString() && color.AsString() == "Alpha"; };
  if (!colors || !colors->IsArray()) return colors && is_alpha(*colors);
  return std::ranges::any_of(colors->GetItems(), is_alpha);
}

/// Compares a level with the array that it was made from.
class LevelCheck {
 public:
  /// `has_alpha` is true if an alpha band hides pixels. GDAL sets a pixel to 0 if all pixels of its cell are hidden.
  LevelCheck(const Array& source, const Array& level, const Method& method, bool has_alpha)
      : source_(source),
        level_(level),
        method_(method),
        has_alpha_(has_alpha),
        to_number_(FindToNumber(level.data_type())) {}

  bool CanCompare() const {
    return to_number_ && source_.data_type() == level_.data_type() && source_.rank() == level_.rank() &&
           !source_.unsupported() && !level_.unsupported() && ComputeProduct(level_.shape()) > 0 &&
           std::equal(level_.shape().begin(), level_.shape().end(), source_.shape().begin(), std::less_equal<>());
  }
  /// Returns the index of a pixel that cannot be right, or nullopt if none was found in a spot.
  std::optional<Shape> FindWrong(std::size_t spot) const {
    const Box box = GetSpot(spot);
    const Numbers pixels(level_, box, to_number_);
    const Numbers sources(source_, GetCell(box), to_number_);
    Shape index(box.rank());
    do {
      Shape pixel = box.origin;
      for (std::size_t axis = 0; axis < pixel.size(); ++axis) pixel[axis] += index[axis];
      if (!MayBe(pixels.At(pixel), sources, GetCell({pixel, Shape(pixel.size(), 1)}))) return pixel;
    } while (AdvanceIndex(box.shape, &index));
    return std::nullopt;
  }

 private:
  /// Returns a part of the level. The parts are spread over it evenly, whatever their number.
  Box GetSpot(std::size_t spot) const {
    Box box{Shape(level_.rank()), Shape(level_.rank())};
    double step = 0.6180339887;  // of the golden ratio
    for (std::size_t axis = 0; axis < box.rank(); ++axis, step = std::sqrt(step)) {
      const std::uint64_t length = level_.shape()[axis];
      const std::uint64_t count = length == source_.shape()[axis] ? 1 : std::min(length, kSpotLength);
      const double place = std::fmod((static_cast<double>(spot) + 0.5) * step, 1.0);
      box.origin[axis] = static_cast<std::uint64_t>(place * static_cast<double>(length - count + 1));
      box.shape[axis] = count;
    }
    return box;
  }
  /// Returns the source's elements that belong to a box of the level.
  Box GetCell(const Box& box) const {
    Box cell = box;
    for (std::size_t axis = 0; axis < box.rank(); ++axis) {
      const std::uint64_t from = source_.shape()[axis];
      const std::uint64_t to = level_.shape()[axis];
      if (from == to) continue;
      const std::uint64_t first = box.origin[axis] - std::min(box.origin[axis], method_.margin);
      const std::uint64_t end = std::min(box.end(axis) + method_.margin, to);
      const double ratio = static_cast<double>(from) / static_cast<double>(to);
      cell.origin[axis] = static_cast<std::uint64_t>(static_cast<double>(first) * ratio);
      const auto last = static_cast<std::uint64_t>(std::ceil(static_cast<double>(end) * ratio));
      cell.shape[axis] = std::min(last, from) - cell.origin[axis];
    }
    return cell;
  }
  bool MayBe(double pixel, const Numbers& sources, const Box& cell) const {
    if (has_alpha_ && pixel == 0) return true;
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    Shape index(cell.rank());
    do {
      Shape place = cell.origin;
      for (std::size_t axis = 0; axis < place.size(); ++axis) place[axis] += index[axis];
      const double value = sources.At(place);
      if (value == pixel || (std::isnan(value) && std::isnan(pixel))) return true;
      if (std::isnan(value)) continue;
      low = std::min({low, value, std::abs(value)});
      high = std::max({high, value, std::abs(value)});
    } while (AdvanceIndex(cell.shape, &index));
    if (method_.chooses) return false;
    // GDAL rounds, and moves results that equal the nodata value by accident.
    const double least = level_.data_type().kind == DataType::Kind::kFloat ? 0 : 1;
    const double margin = std::max(least, 1e-5 * std::max(std::abs(low), std::abs(high)));
    return pixel >= low - margin && pixel <= high + margin;
  }

  const Array& source_;
  const Array& level_;
  const Method& method_;
  bool has_alpha_;
  ToNumber to_number_;
};

/// Finds the arrays of a pyramid's levels, and compares them.
class PyramidCheck {
 public:
  PyramidCheck(const Hierarchy& hierarchy, std::string group, Findings* findings)
      : hierarchy_(hierarchy), group_(std::move(group)), findings_(*findings) {}

  void Check(const JsonNode& entry) const {
    const std::string asset = GetText(entry, "asset");
    const std::string source = GetText(entry, "derived_from");
    const Method* method = FindMethod(GetText(entry, "resampling_method"));
    if (asset.empty() || source.empty() || !method) return;
    const std::map<std::string, ArrayPtr> sources = FindArrays(source);
    // The alpha band may be an array of its own.
    const bool has_alpha = std::ranges::any_of(sources, [](const auto& each) { return HasAlpha(*each.second); });
    for (const auto& [name, level] : FindArrays(asset)) {
      // A level that is an array may have any name.
      const bool is_array = JoinKey(group_, asset) == level->path();
      const auto from = is_array && sources.size() == 1 ? sources.begin() : sources.find(name);
      if (from != sources.end()) Compare(*from->second, *level, *method, has_alpha);
    }
  }

 private:
  static std::string GetText(const JsonNode& entry, std::string_view name) {
    const auto text = FindMember(entry, name);
    return text && text->IsString() && IsKey(text->AsString()) ? text->AsString() : "";
  }
  /// Returns the arrays of a level by their names.
  std::map<std::string, ArrayPtr> FindArrays(const std::string& asset) const {
    const std::string path = JoinKey(group_, asset);
    std::map<std::string, ArrayPtr> arrays;
    const auto kind = hierarchy_.Probe(path);
    if (kind == NodeKind::kArray) arrays[std::string(NodeName(path))] = hierarchy_.OpenArray(path);
    for (const auto& child : kind == NodeKind::kGroup ? hierarchy_.List(path) : std::vector<Hierarchy::Child>()) {
      if (child.kind != NodeKind::kArray) continue;
      auto array = hierarchy_.OpenArray(JoinKey(path, child.name));
      if (array->rank() >= 2) arrays[child.name] = std::move(array);
    }
    return arrays;
  }
  void Compare(const Array& source, const Array& level, const Method& method, bool has_alpha) const {
    const LevelCheck check(source, level, method, has_alpha);
    if (!check.CanCompare()) return;
    std::size_t wrong = 0;
    std::string example;
    for (std::size_t spot = 0; spot < kSpots; ++spot) {
      const auto pixel = check.FindWrong(spot);
      if (!pixel) continue;
      ++wrong;
      if (example.empty()) example = ToString(*pixel);
    }
    if (wrong == 0) return;
    findings_.Add(StoreRule("overviews-differ"), level.path(),
                  "in " + std::to_string(wrong) + " of " + std::to_string(kSpots) +
                      " spots that were compared, the pixels are not those of " + source.path() + " by the method " +
                      std::string(method.name) + ", at " + example + " for instance");
  }

  const Hierarchy& hierarchy_;
  std::string group_;
  Findings& findings_;
};

}  // namespace

void CheckStaleNote(const Array& array, Findings* findings) {
  const StaleRegions regions = StaleRegions(array.metadata().attributes, array.rank()).ClipTo(array.shape());
  if (regions.empty()) return;
  findings->Add(StoreRule("overviews-stale"), array.path(),
                "the overviews lack what was written here: " + regions.ToText());
}

namespace {

void CheckUnfinished(const std::string& group, const JsonNode& attributes, Findings* findings) {
  const auto names = FindMember(attributes, "unfinished_overviews");
  if (!names || !names->IsArray() || names->size() == 0) return;
  findings->Add(StoreRule("overviews-unfinished"), group,
                "the overviews of " + names->Dump() + " here are not complete: build them again, or remove them");
}

}  // namespace

void CheckOverviews(const Hierarchy& hierarchy, const std::string& group, const JsonNode& attributes,
                    Findings* findings) {
  CheckUnfinished(group, attributes, findings);
  const auto multiscales = FindMember(attributes, "multiscales");
  const auto layout = multiscales ? FindMember(*multiscales, "layout") : std::nullopt;
  if (!layout || !layout->IsArray()) return;
  const PyramidCheck check(hierarchy, group, findings);
  for (const JsonNode& entry : layout->GetItems()) {
    try {
      check.Check(entry);
    } catch (const Error&) {
      // Errors of arrays and chunks are reported where these are checked.
    }
  }
}

}  // namespace zarr::tools
