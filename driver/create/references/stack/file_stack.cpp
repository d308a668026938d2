// SPDX-License-Identifier: MIT
#include "driver/create/references/stack/file_stack.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "driver/gdal/gdal_error.h"
#include "driver/gdal/text.h"
#include "zarrlib/base/shape.h"

namespace gdal_zarr {
namespace {

using Arrays = std::map<std::string, std::shared_ptr<GDALMDArray>>;

void ListArrays(const GDALGroup& group, Arrays* arrays) {
  for (const std::string& name : group.GetMDArrayNames()) {
    if (auto array = group.OpenMDArray(name)) arrays->emplace(array->GetFullName(), array);
  }
  for (const std::string& name : group.GetGroupNames()) {
    if (const auto child = group.OpenGroup(name)) ListArrays(*child, arrays);
  }
}

std::optional<std::size_t> FindAxis(const GDALMDArray& array, const std::string& dimension) {
  const auto& dimensions = array.GetDimensions();
  const auto found = std::ranges::find_if(dimensions, [&](const auto& d) { return d->GetName() == dimension; });
  if (found == dimensions.end()) return std::nullopt;
  return static_cast<std::size_t>(found - dimensions.begin());
}

/// Adds the array to an error.
template <typename Function>
void RunFor(const std::string& file, const std::string& array, const Function& function) {
  try {
    function();
  } catch (const zarr::Error& error) {
    throw error.store().empty() ? error.At(file, array.substr(1)) : error.Within("array \"" + array + "\"");
  }
}

std::map<std::string, std::string> ReadAttributes(const GDALIHasAttribute& node) {
  std::map<std::string, std::string> attributes;
  for (const auto& attribute : node.GetAttributes()) {
    std::string text;
    const CPLStringList items(attribute->ReadAsStringArray());
    for (int i = 0; i < items.size(); ++i) text += std::string(items[i]) + "\n";
    attributes.emplace(attribute->GetName(), std::move(text));
  }
  return attributes;
}

/// Returns nullopt if they cannot be read.
std::optional<std::string> ReadTexts(const GDALMDArray& array, const std::vector<std::size_t>& count,
                                     std::size_t size) {
  std::vector<char*> texts(size);
  const std::vector<GUInt64> start(count.size());
  const GDALExtendedDataType& type = array.GetDataType();
  const bool is_read =
      CallThrough([&] { return array.Read(start.data(), count.data(), nullptr, nullptr, type, texts.data()); });
  std::string all;
  for (char* text : texts) {
    all += (text ? text : "") + std::string(1, '\0');
    CPLFree(text);
  }
  return is_read ? std::optional(std::move(all)) : std::nullopt;
}

/// Returns a hash of the values of an array; nullopt if there are too many of them, or they cannot be read.
std::optional<std::size_t> HashValues(const GDALMDArray& array) {
  constexpr std::uint64_t kMostBytes = std::uint64_t{64} << 20;
  const GDALExtendedDataType& type = array.GetDataType();
  std::vector<std::size_t> count;
  std::uint64_t size = 1;
  for (const auto& dimension : array.GetDimensions()) {
    count.push_back(static_cast<std::size_t>(dimension->GetSize()));
    size = zarr::MultiplyChecked(size, dimension->GetSize()).value_or(kMostBytes + 1);
  }
  if (size > kMostBytes / type.GetSize() || type.GetClass() == GEDTC_COMPOUND) return std::nullopt;
  if (size == 0) return 0;
  if (type.GetClass() == GEDTC_STRING) {
    const auto texts = ReadTexts(array, count, size);
    return texts ? std::optional(std::hash<std::string>()(*texts)) : std::nullopt;
  }
  const std::vector<GUInt64> start(count.size());
  std::string bytes(static_cast<std::size_t>(size * type.GetSize()), '\0');
  const bool is_read = array.Read(start.data(), count.data(), nullptr, nullptr, type, bytes.data());
  return is_read ? std::optional(std::hash<std::string>()(bytes)) : std::nullopt;
}

/// Returns what an array is apart from its values, and is not told by its attributes.
std::string DescribeNature(const GDALMDArray& array) {
  const GDALExtendedDataType& type = array.GetDataType();
  std::string text = type.GetClass() == GEDTC_NUMERIC ? GDALGetDataTypeName(type.GetNumericDataType()) : "other";
  for (const auto& dimension : array.GetDimensions()) text += " " + std::to_string(dimension->GetSize());
  bool has = false;
  const double scale = array.GetScale(&has, nullptr);
  text += " " + FormatNumber(has ? scale : 1);
  const double offset = array.GetOffset(&has, nullptr);
  text += " " + FormatNumber(has ? offset : 0);
  const double nodata = array.GetNoDataValueAsDouble(&has);
  return text + " " + (has ? FormatNumber(nodata) : "") + " " + array.GetUnit();
}

}  // namespace

/// Decides by the first file which arrays are stacked.
void FileStack::Choose(const Arrays& arrays) {
  const bool has_axis =
      std::ranges::any_of(arrays, [&](const auto& entry) { return FindAxis(*entry.second, along_).has_value(); });
  std::set<std::string> coordinates;
  for (const auto& [name, array] : arrays) {
    if (const auto names = FindAttribute(*array, "coordinates")) {
      const CPLStringList items(CSLTokenizeString(names->ReadAsString()));
      for (int i = 0; i < items.size(); ++i) coordinates.insert(items[i]);
    }
    if (array->GetName() != along_) continue;
    coordinates_ = name;
    const auto bounds = FindAttribute(*array, "bounds");
    if (bounds) bounds_.insert(name.substr(0, name.rfind('/') + 1) + bounds->ReadAsString());
  }
  for (const auto& [name, array] : arrays) {
    const auto axis = FindAxis(*array, along_);
    const bool gets_axis =
        name == coordinates_ || (array->GetDimensionCount() >= 2 && !coordinates.contains(array->GetName()));
    if (axis || (!has_axis && gets_axis)) stacks_.emplace(name, ArrayStack(axis));
  }
  if (!stacks_.empty()) return;
  throw zarr::Error(zarr::ErrorKind::kInvalidArgument, "no array of the first file can be stacked along " + along_);
}

void FileStack::Add(GDALDataset& dataset) {
  const std::string file = dataset.GetDescription();
  const auto root = dataset.GetRootGroup();
  if (!root) {
    throw zarr::Error(zarr::ErrorKind::kUnsupported, file, "", "",
                      zarr::FormatExpectedGot("a multidimensional dataset", "a raster"));
  }
  Arrays arrays;
  ListArrays(*root, &arrays);
  if (is_first_) Choose(arrays);
  const SourceArrays sources(dataset, [this](const std::string& name) { return !is_first_ || stacks_.contains(name); });
  AddStacked(file, arrays, sources);
  CheckAttributes(file, "/", *root);
  for (const auto& [name, array] : arrays) {
    CheckAttributes(file, name, *array);
    if (!stacks_.contains(name)) CheckOther(file, name, *array);
  }
  for (const auto& [name, other] : others_) {
    if (arrays.contains(name)) continue;
    std::string warning = file;
    warning.append(": the array ").append(name).append(", which the first file has, is missing");
    warn_(warning);
  }
  if (is_first_) needs_v3_ = sources.needs_v3();
  is_first_ = false;
}

const GDALMDArray& FileStack::FindArrayWithUnit(const Arrays& arrays, const std::string& name) const {
  const auto coordinates = arrays.find(coordinates_);
  const bool has_own = !bounds_.contains(name) || !arrays.at(name)->GetUnit().empty();
  return has_own || coordinates == arrays.end() ? *arrays.at(name) : *coordinates->second;
}

void FileStack::AddStacked(const std::string& file, const Arrays& arrays, const SourceArrays& sources) {
  for (auto& entry : stacks_) {
    const std::string& name = entry.first;
    RunFor(file, name, [&] {
      const auto array = arrays.find(name);
      if (array == arrays.end()) throw zarr::Error(zarr::ErrorKind::kUnsupported, "the file lacks this array");
      const auto blocks = sources.Has(name) ? sources.MakeBlocks(name, zarr::Shape()) : nullptr;
      entry.second.Add(file, *array->second, FindArrayWithUnit(arrays, name), blocks.get());
    });
  }
}

void FileStack::CheckOther(const std::string& file, const std::string& name, const GDALMDArray& array) {
  const Other other{DescribeNature(array), HashValues(array)};
  if (is_first_) {
    others_.emplace(name, other);
    return;
  }
  const auto first = others_.find(name);
  if (first == others_.end()) {
    warn_(file + ": the array " + name + ", which the first file lacks, is left out");
  } else if (other.nature == first->second.nature && (!other.values || !first->second.values)) {
    warn_(file + ": the array " + name + " cannot be compared with that of the first file, which is taken");
  } else if (other != first->second) {
    warn_(file + ": the array " + name + " differs from that of the first file, which is taken");
  }
}

void FileStack::CheckAttributes(const std::string& file, const std::string& name, const GDALIHasAttribute& node) {
  auto attributes = ReadAttributes(node);
  if (is_first_) {
    attributes_.emplace(name, std::move(attributes));
    return;
  }
  const auto first = attributes_.find(name);
  if (first == attributes_.end()) return;
  std::set<std::string> differing;
  for (const auto& [attribute, text] : attributes) {
    const auto other = first->second.find(attribute);
    if (other == first->second.end() || other->second != text) differing.insert(attribute);
  }
  for (const auto& [attribute, text] : first->second) {
    if (!attributes.contains(attribute)) differing.insert(attribute);
  }
  if (differing.empty()) return;
  std::string list;
  for (const std::string& attribute : differing) list += (list.empty() ? "" : ", ") + attribute;
  warn_(file + ": attributes of " + name + " differ from those of the first file, which are taken: " + list);
}

void FileStack::Complete() {
  for (auto& [name, stack] : stacks_) {
    if (stack.length() == 0) {
      throw zarr::Error(zarr::ErrorKind::kUnsupported, "", name.substr(1), "",
                        "none of the files has a part of it along " + along_);
    }
    stack.Complete();
    if (stack.length() != stacks_.begin()->second.length()) {
      throw zarr::Error(zarr::ErrorKind::kUnsupported, "", name.substr(1), "",
                        "its length along " + along_ + " differs from that of other arrays");
    }
  }
}

bool FileStack::needs_v3() const {
  return needs_v3_ || std::ranges::any_of(stacks_, [](const auto& entry) { return entry.second.needs_v3(); });
}

const ArrayStack* FileStack::Find(const std::string& name) const {
  const auto found = stacks_.find(name);
  return found == stacks_.end() ? nullptr : &found->second;
}

}  // namespace gdal_zarr
