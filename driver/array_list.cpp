#include "driver/array_list.h"

#include <algorithm>
#include <optional>

#include "driver/gdal_compat.h"
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

}  // namespace

std::vector<FoundArray> FindArrays(NodeContext& context, const std::string& group) {
  return Finder(context).Run(group);
}

bool CanBeMain(const FoundArray& array) {
  return array.numeric && array.array->rank() >= 2 && ("/" + array.path).find("/ovr_") == std::string::npos;
}

const FoundArray* MainArray(const std::vector<FoundArray>& arrays) {
  if (arrays.size() == 1) return &arrays[0];
  const FoundArray* main = nullptr;
  for (const FoundArray& array : arrays) {
    if (!CanBeMain(array)) continue;
    if (main) return nullptr;
    main = &array;
  }
  return main;
}

}  // namespace gdal_zarr
