#include "driver/array_list.h"

#include <algorithm>
#include <optional>

#include "driver/gdal_compat.h"
#include "driver/overviews.h"
#include "driver/type_map.h"

namespace gdal_zarr {
namespace {

constexpr std::size_t kDeepest = 32;
constexpr std::size_t kMost = 10000;

std::string TypeName(const GDALExtendedDataType& type) {
  switch (type.GetClass()) {
    case GEDTC_NUMERIC:
      return GDALGetDataTypeName(type.GetNumericDataType());
    case GEDTC_STRING:
      return "String";
    default:
      return "Compound";
  }
}

class Finder {
 public:
  explicit Finder(NodeContext& context) : context_(context) {}

  std::vector<FoundArray> Run(const std::string& group) {
    if (!context_.root_array_name().empty()) {
      Add("");
    } else {
      Visit(group, 0);
    }
    if (found_.empty() && error_) throw *error_;
    if (error_) CPLError(CE_Warning, CPLE_AppDefined, "An array is left out: %s", error_->what());
    if (full_) CPLError(CE_Warning, CPLE_AppDefined, "Only the first %d arrays are looked at", static_cast<int>(kMost));
    return std::move(found_);
  }

 private:
  void Visit(const std::string& group, std::size_t depth) {
    for (const zarr::Hierarchy::Child& child : context_.hierarchy().List(group)) {
      if (found_.size() >= kMost) {
        full_ = true;
        return;
      }
      const std::string path = zarr::JoinKey(group, child.name);
      if (child.kind == zarr::NodeKind::kArray) {
        Add(path);
      } else if (depth < kDeepest) {
        Visit(path, depth + 1);
      }
    }
  }

  void Add(const std::string& path) {
    try {
      auto array = context_.OpenArray(path);
      const GDALExtendedDataType type = ElementFormOf(array->data_type()).type;
      found_.push_back({path, std::move(array), type.GetClass() == GEDTC_NUMERIC, TypeName(type)});
    } catch (const zarr::Error& error) {
      if (!error_) error_ = error;
    }
  }

  NodeContext& context_;
  std::vector<FoundArray> found_;
  std::optional<zarr::Error> error_;  // the first one
  bool full_ = false;
};

/// A pyramid has few levels: with more arrays, this is none.
constexpr std::size_t kMostVersions = 32;

/// The array of which all the others are overviews, or nullptr.
const FoundArray* LargestVersion(NodeContext& context, const std::vector<const FoundArray*>& arrays) {
  if (arrays.empty() || arrays.size() > kMostVersions) return nullptr;
  const auto smaller = [](const FoundArray* a, const FoundArray* b) {
    return std::lexicographical_compare(a->array->shape().begin(), a->array->shape().end(), b->array->shape().begin(),
                                        b->array->shape().end());
  };
  const FoundArray* largest = *std::max_element(arrays.begin(), arrays.end(), smaller);
  const auto overviews = FindOverviews(context, *largest->array);
  for (const FoundArray* array : arrays) {
    const auto is_it = [&](const auto& overview) { return overview->path() == array->path; };
    if (array != largest && std::none_of(overviews.begin(), overviews.end(), is_it)) return nullptr;
  }
  return largest;
}

}  // namespace

std::vector<FoundArray> FindArrays(NodeContext& context, const std::string& group) {
  return Finder(context).Run(group);
}

bool CanBeMain(const FoundArray& array) {
  return array.numeric && array.array->rank() >= 2 && ("/" + array.path).find("/ovr_") == std::string::npos;
}

const FoundArray* MainArray(NodeContext& context, const std::vector<FoundArray>& arrays) {
  if (arrays.size() == 1) return &arrays[0];
  std::vector<const FoundArray*> candidates;
  for (const FoundArray& array : arrays) {
    if (CanBeMain(array)) candidates.push_back(&array);
  }
  if (candidates.size() == 1) return candidates[0];
  return LargestVersion(context, candidates);
}

}  // namespace gdal_zarr
