#include <ostream>
#include <string_view>

#include "zarrlib/array/hierarchy.h"
#include "zarrlib/tools/zarrkit.h"

namespace zarr::tools {
namespace {

/// For elements of variable length, which are read to be decoded and not to be kept.
class Discard final : public RowConverter {
 public:
  void ConvertRow(const std::byte*, std::ptrdiff_t, std::byte*, std::ptrdiff_t, std::size_t) const override {}
};

/// Whether `index` is that of a chunk that holds elements of the array.
bool IsLive(const ChunkGrid& grid, const Shape& index) {
  for (std::size_t i = 0; i < index.size(); ++i) {
    if (index[i] >= grid.axis(i).chunk_count()) return false;
  }
  return true;
}

Box BoxOf(const ChunkGrid& grid, const Shape& index) {
  Box box{Shape(index.size()), Shape(index.size())};
  for (std::size_t i = 0; i < index.size(); ++i) {
    const ChunkSpan span = grid.axis(i).At(index[i]);
    box.origin[i] = span.start;
    box.shape[i] = span.live;
  }
  return box;
}

class Checker {
 public:
  Checker(const Hierarchy& hierarchy, std::ostream& out, std::ostream& err)
      : hierarchy_(hierarchy), out_(out), err_(err) {}

  void CheckNode(std::string_view path, NodeKind kind) {
    try {
      if (kind == NodeKind::kArray) return CheckArray(path);
      ++groups_;
      hierarchy_.OpenGroup(path);
    } catch (const Error& error) {
      Report(error);
    }
    if (kind != NodeKind::kGroup) return;
    for (const Hierarchy::Child& child : hierarchy_.List(path)) CheckNode(JoinKey(path, child.name), child.kind);
  }

  int Finish() {
    out_ << groups_ << " groups, " << arrays_ << " arrays, " << chunks_ << " chunks, " << errors_ << " errors\n";
    return errors_ == 0 ? kSuccess : kFailure;
  }

 private:
  void Report(const Error& error) {
    ++errors_;
    err_ << error.what() << "\n";
  }

  void CheckArray(std::string_view path) {
    ++arrays_;
    const auto array = hierarchy_.OpenArray(path);
    if (array->unsupported()) return Report(*array->unsupported());
    CheckKeys(*array, "");
  }

  /// The chunks among the keys under `prefix`, counted from the array's path.
  void CheckKeys(const Array& array, const std::string& prefix) {
    const std::string base = array.path().empty() ? "" : array.path() + "/";
    const auto listing = array.store().List(base + prefix);
    for (const std::string& key : listing->keys) {
      const auto index = array.metadata().chunk_key_encoding.Parse(prefix + key, array.rank());
      if (index && IsLive(array.metadata().chunk_grid, *index)) CheckChunk(array, *index);
    }
    for (const std::string& name : listing->prefixes) CheckKeys(array, prefix + name + "/");
  }

  void CheckChunk(const Array& array, const Shape& index) {
    ++chunks_;
    const Selection selection = Selection::Of(BoxOf(array.metadata().chunk_grid, index));
    const Discard discard;
    const bool variable = array.data_type().variable();
    const std::size_t size = variable ? 0 : array.data_type().size;
    ReadOptions options;
    options.use_cache = false;
    try {
      elements_.resize(static_cast<std::size_t>(Product(selection.count)) * size);
      Destination destination{elements_.data(), ContiguousStrides(selection.count, size),
                              variable ? &discard : nullptr};
      array.Read(selection, destination, options);
    } catch (const Error& error) {
      Report(error.At(array.store().name(), array.ChunkKey(index)));
    }
  }

  const Hierarchy& hierarchy_;
  std::ostream& out_;
  std::ostream& err_;
  Bytes elements_;
  std::size_t groups_ = 0;
  std::size_t arrays_ = 0;
  std::size_t chunks_ = 0;
  std::size_t errors_ = 0;
};

}  // namespace

int CheckStore(const std::shared_ptr<Store>& store, std::ostream& out, std::ostream& err) {
  const auto hierarchy = Hierarchy::Open(store);
  Checker checker(*hierarchy, out, err);
  checker.CheckNode("", hierarchy->Probe("").value_or(NodeKind::kGroup));
  return checker.Finish();
}

}  // namespace zarr::tools
