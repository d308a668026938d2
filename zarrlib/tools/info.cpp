// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdio>
#include <optional>
#include <ostream>
#include <string_view>

#include "zarrlib/hierarchy/hierarchy.h"
#include "zarrlib/metadata/document_names.h"
#include "zarrlib/metadata/document_parts.h"
#include "zarrlib/metadata/v3_draft.h"
#include "zarrlib/tools/commands.h"
#include "zarrlib/tools/explain/read_forecast.h"
#include "zarrlib/tools/repository/repository_info.h"
#include "zarrlib/tools/stored_count.h"
#include "zarrlib/tools/v1_arrays.h"

namespace zarr::tools {
namespace {

using GetMembers = std::vector<std::pair<std::string, JsonNode>>;

/// Returns the value of `zarr_format` in the store: a number, or the URL of the draft of v3.
JsonNode DescribeFormat(ZarrFormat format) {
  if (format == ZarrFormat::kV3Draft) return JsonNode::MakeString(kV3DraftFormat);
  return JsonNode::MakeInteger(static_cast<int>(format));
}

JsonNode MakeList(const Shape& shape) {
  std::vector<JsonNode> items;
  for (const std::uint64_t length : shape) items.push_back(JsonNode::MakeUnsigned(length));
  return JsonNode::MakeArray(items);
}

JsonNode MakeTextList(const std::vector<std::string>& texts) {
  std::vector<JsonNode> items;
  for (const std::string& text : texts) items.push_back(JsonNode::MakeString(text));
  return JsonNode::MakeArray(items);
}

/// Returns the edge, or the runs of edges, for each axis.
JsonNode DescribeChunks(const ChunkGrid& grid) {
  if (grid.kind() == ChunkGrid::Kind::kRegular) return MakeList(grid.max_chunk_shape());
  std::vector<JsonNode> axes;
  for (std::size_t i = 0; i < grid.rank(); ++i) {
    std::vector<JsonNode> runs;
    for (const ChunkRun& run : grid.axis(i).runs()) {
      const JsonNode edge = JsonNode::MakeUnsigned(run.edge);
      runs.push_back(run.count == 1 ? edge : JsonNode::MakeArray({edge, JsonNode::MakeUnsigned(run.count)}));
    }
    axes.push_back(JsonNode::MakeArray(runs));
  }
  return JsonNode::MakeArray(axes);
}

JsonNode DescribeNames(const ArrayMetadata& array) {
  std::vector<JsonNode> items;
  for (const auto& name : array.dimension_names) items.push_back(name ? JsonNode::MakeString(*name) : JsonNode());
  return JsonNode::MakeArray(items);
}

/// Returns the codecs with their configurations, which contain the codecs inside shards.
JsonNode DescribeCodecs(const std::vector<CodecSpec>& codecs) {
  std::vector<JsonNode> items;
  for (const CodecSpec& spec : codecs) {
    GetMembers members = {{"name", JsonNode::MakeString(spec.name)}};
    if (!spec.configuration.IsNull()) members.emplace_back("configuration", spec.configuration);
    items.push_back(JsonNode::MakeObject(members));
  }
  return JsonNode::MakeArray(items);
}

std::string JoinCodecNames(const std::vector<CodecSpec>& codecs) {
  std::string text;
  for (const CodecSpec& spec : codecs) {
    text += (text.empty() ? "" : " ") + spec.name;
    const auto inner = spec.name == "sharding_indexed" ? spec.configuration.Find("codecs") : std::nullopt;
    const auto shape = inner ? spec.configuration.Find("chunk_shape") : std::nullopt;
    if (inner && shape) text += shape->Dump() + "(" + JoinCodecNames(ParseCodecsV3(*inner)) + ")";
  }
  return text.empty() ? "none" : text;
}

/// Returns the name of a data type, preceded by "optional" as many times as it is optional.
std::string DescribeType(const DataType& type) {
  std::string text;
  for (unsigned i = 0; i < type.optional_depth; ++i) text += "optional ";
  return text + type.name;
}

// --- sizes -------------------------------------------------------------------------------------------------------

/// Adds up the sizes of the chunks of arrays.
class SizeFinder {
 public:
  explicit SizeFinder(Progress* progress) : progress_(*progress) {}

  /// Starts with a node: counts the chunks below it if the progress is shown.
  void Begin(const Hierarchy& hierarchy, const std::string& path, NodeKind kind) {
    if (!progress_.visible()) return;
    double chunks = 0;
    ForEachArray(hierarchy, path, kind, [&](const std::string& array) { chunks += CountChunks(hierarchy, array); });
    progress_.Begin("info", chunks);
  }

  /// Determines the sizes of all chunks of an array. Returns nullopt for an unreadable array.
  std::optional<ReadForecast> Find(const Array& array) {
    if (array.unsupported()) return std::nullopt;
    const auto sizes = ForecastRead(array, {Shape(array.rank(), 0), array.shape()}, [&] { progress_.Advance(); });
    shown_ += CountChunks(array);
    progress_.MoveTo(shown_);
    (array.inner_chunk_shape() ? has_shards_ : has_chunks_) = true;
    total_.chunks += sizes.chunks;
    total_.stored_chunks += sizes.stored_chunks;
    total_.stored_bytes += sizes.stored_bytes;
    total_.index_bytes += sizes.index_bytes;
    total_.decoded_bytes += sizes.decoded_bytes;
    return sizes;
  }

  /// Returns the sum over all arrays so far, as a string.
  std::string FormatTotal() const;
  /// Removes the progress bar so that a line can be printed.
  void Clear() { progress_.Clear(); }

 private:
  static double CountChunks(const Array& array) {
    double count = 1;
    for (const std::uint64_t length : array.metadata().chunk_grid.grid_shape()) count *= static_cast<double>(length);
    return count;
  }
  static double CountChunks(const Hierarchy& hierarchy, const std::string& path) {
    try {
      return CountChunks(*hierarchy.OpenArray(path));
    } catch (const Error&) {
      return 0;  // the line of the array reports the error
    }
  }

  Progress& progress_;
  ReadForecast total_;
  bool has_chunks_ = false;
  bool has_shards_ = false;
  double shown_ = 0;
};

std::string FormatSizes(const ReadForecast& sizes, const char* unit) {
  std::string text = std::to_string(sizes.stored_bytes) + " bytes";
  if (sizes.index_bytes > 0) text += " and " + std::to_string(sizes.index_bytes) + " of indices";
  text += " in " + std::to_string(sizes.stored_chunks) + " of " + std::to_string(sizes.chunks) + unit;
  if (sizes.stored_bytes == 0 || sizes.decoded_bytes == 0) return text;
  char ratio[32];
  std::snprintf(ratio, sizeof(ratio), "%.2f",
                static_cast<double>(sizes.decoded_bytes) / static_cast<double>(sizes.stored_bytes));
  return text + ", " + std::to_string(sizes.decoded_bytes) + " decoded (" + ratio + " to 1)";
}

std::string SizeFinder::FormatTotal() const {
  const char* const both = has_chunks_ ? " chunks and shards" : " shards";
  return FormatSizes(total_, has_shards_ ? both : " chunks");
}

JsonNode DescribeSizes(const ReadForecast& sizes) {
  const auto number = [](std::uint64_t value) { return JsonNode::MakeUnsigned(value); };
  return JsonNode::MakeObject({{"chunks", number(sizes.chunks)},
                               {"stored_chunks", number(sizes.stored_chunks)},
                               {"stored_bytes", number(sizes.stored_bytes)},
                               {"index_bytes", number(sizes.index_bytes)},
                               {"decoded_bytes", number(sizes.decoded_bytes)}});
}

// --- folders of stores -------------------------------------------------------------------------------------------

bool HasDocuments(const Store& store, std::string_view path) {
  return std::ranges::any_of(kRootDocuments, [&](std::string_view name) { return store.Exists(JoinKey(path, name)); });
}

/// Returns true if the root does not have metadata, and is a group only because there are nodes in its folder.
bool IsFolderOfStores(const Hierarchy& hierarchy) {
  const ZarrFormat format = hierarchy.format();
  const bool may_be = (format == ZarrFormat::kV2 || format == ZarrFormat::kV3) && !hierarchy.consolidated();
  return may_be && !HasDocuments(*hierarchy.store(), "");
}

/// Returns the arrays at and below a path that are not nodes of the hierarchy.
std::vector<std::string> FindLeftOut(const Hierarchy& hierarchy, const std::string& path) {
  std::vector<std::string> paths = FindV1ArraysBelow(hierarchy);
  if (!path.empty()) std::erase_if(paths, [&](const std::string& one) { return !one.starts_with(path + "/"); });
  return paths;
}

// --- text --------------------------------------------------------------------------------------------------------

class Printer {
 public:
  Printer(const Hierarchy& hierarchy, const InfoOptions& options, SizeFinder* sizes, std::ostream& out)
      : hierarchy_(hierarchy), options_(options), sizes_(*sizes), out_(out) {}

  /// Prints a node and its descendants. In a folder of stores, which is not a store itself, `in_store` is false, and
  /// the formats of the stores are printed.
  void Print(std::string_view path, const std::string& name, NodeKind kind, const std::string& indent, bool in_store) {
    std::string format;
    if (!in_store && HasDocuments(*hierarchy_.store(), path)) {
      format = FindFormat(path, kind);
      in_store = true;
    }
    if (kind == NodeKind::kArray) return PrintArray(path, name, indent, format);
    out_ << indent << name << "/" << format << "\n";
    if (options_.attributes) PrintGroupAttributes(path, indent);
    for (const Hierarchy::Child& child : hierarchy_.List(path)) {
      Print(JoinKey(path, child.name), child.name, child.kind, indent + "  ", in_store);
    }
  }

 private:
  /// Returns the format of a store among others, in the form printed after its name.
  std::string FindFormat(std::string_view path, NodeKind kind) const {
    try {
      const ZarrFormat format = kind == NodeKind::kArray ? hierarchy_.OpenArray(path)->metadata().zarr_format
                                                         : hierarchy_.OpenGroup(path).zarr_format;
      return "  Zarr " + GetFormatName(format);
    } catch (const Error&) {
      return "";  // the line of the node, or of a node below it, reports the error
    }
  }

  void PrintArray(std::string_view path, const std::string& name, const std::string& indent,
                  const std::string& format) {
    std::string text = indent + name + format + "  ";
    try {
      const auto array = hierarchy_.OpenArray(path);
      text += FormatArray(*array) + "\n";
      if (options_.attributes) text += FormatAttributes(array->metadata().attributes, indent);
      if (const auto sizes = options_.sizes ? sizes_.Find(*array) : std::nullopt) {
        text += indent + "  " + FormatSizes(*sizes, array->inner_chunk_shape() ? " shards" : " chunks") + "\n";
      }
    } catch (const Error& error) {
      text += "(" + std::string(error.what()) + ")\n";
    }
    sizes_.Clear();
    out_ << text;
  }

  static std::string FormatArray(const Array& array) {
    const ArrayMetadata& metadata = array.metadata();
    std::string text = MakeList(metadata.shape).Dump() + " " + DescribeType(metadata.data_type);
    if (!metadata.dimension_names.empty()) text += "  dimensions " + DescribeNames(metadata).Dump();
    text += "  chunks " + DescribeChunks(metadata.chunk_grid).Dump() + "  codecs " + JoinCodecNames(metadata.codecs);
    if (array.unsupported()) text += "  (cannot be read: " + array.unsupported()->message() + ")";
    return text;
  }

  /// Formats one line for each attribute, like ncdump.
  static std::string FormatAttributes(const JsonNode& attributes, const std::string& indent) {
    std::string text;
    if (!attributes.IsObject()) return text;
    for (const auto& [name, value] : attributes.GetMembers()) {
      text.append(indent).append("  :").append(name).append(" = ").append(value.Dump()).append("\n");
    }
    return text;
  }

  void PrintGroupAttributes(std::string_view path, const std::string& indent) {
    try {
      out_ << FormatAttributes(hierarchy_.OpenGroup(path).attributes, indent);
    } catch (const Error& error) {
      out_ << indent << "  (" << error.what() << ")\n";
    }
  }

  const Hierarchy& hierarchy_;
  const InfoOptions& options_;
  SizeFinder& sizes_;
  std::ostream& out_;
};

// --- JSON --------------------------------------------------------------------------------------------------------

class Describer {
 public:
  Describer(const Hierarchy& hierarchy, bool with_sizes, SizeFinder* sizes)
      : hierarchy_(hierarchy), with_sizes_(with_sizes), sizes_(*sizes) {}

  JsonNode Describe(std::string_view path, NodeKind kind) {
    const bool array = kind == NodeKind::kArray;
    try {
      return array ? DescribeArray(path) : DescribeGroup(path);
    } catch (const Error& error) {
      return JsonNode::MakeObject({{"node_type", JsonNode::MakeString(array ? "array" : "group")},
                                   {"error", JsonNode::MakeString(error.what())}});
    }
  }

 private:
  JsonNode DescribeArray(std::string_view path) {
    const auto array = hierarchy_.OpenArray(path);
    const ArrayMetadata& metadata = array->metadata();
    GetMembers members = {{"node_type", JsonNode::MakeString("array")},
                          {"zarr_format", DescribeFormat(metadata.zarr_format)},
                          {"shape", MakeList(metadata.shape)},
                          {"data_type", JsonNode::MakeString(DescribeType(metadata.data_type))},
                          {"dimension_names", DescribeNames(metadata)},
                          {"chunks", DescribeChunks(metadata.chunk_grid)},
                          {"codecs", DescribeCodecs(metadata.codecs)},
                          {"attributes", metadata.attributes}};
    if (const auto sizes = with_sizes_ ? sizes_.Find(*array) : std::nullopt) {
      members.emplace_back("sizes", DescribeSizes(*sizes));
    }
    if (array->unsupported()) members.emplace_back("error", JsonNode::MakeString(array->unsupported()->what()));
    return JsonNode::MakeObject(members);
  }

  JsonNode DescribeGroup(std::string_view path) {
    const GroupMetadata group = hierarchy_.OpenGroup(path);
    GetMembers children;
    for (const Hierarchy::Child& child : hierarchy_.List(path)) {
      children.emplace_back(child.name, Describe(JoinKey(path, child.name), child.kind));
    }
    return JsonNode::MakeObject({{"node_type", JsonNode::MakeString("group")},
                                 {"zarr_format", DescribeFormat(group.zarr_format)},
                                 {"attributes", group.attributes},
                                 {"children", JsonNode::MakeObject(children)}});
  }

  const Hierarchy& hierarchy_;
  const bool with_sizes_;
  SizeFinder& sizes_;
};

/// Returns the kind of the requested node. Throws Error(not_found).
NodeKind FindKind(const Hierarchy& hierarchy, const std::string& path) {
  if (const auto kind = hierarchy.Probe(path)) return *kind;
  if (!path.empty()) hierarchy.OpenArray(path);  // throws, with suggestions
  return NodeKind::kGroup;
}

}  // namespace

int PrintInfo(const std::shared_ptr<Store>& store, const InfoOptions& options, std::ostream& out, Progress* progress) {
  const auto hierarchy = Hierarchy::Open(store);
  const NodeKind kind = FindKind(*hierarchy, options.path);
  SizeFinder sizes(progress);
  if (options.sizes) sizes.Begin(*hierarchy, options.path, kind);
  if (options.json) {
    JsonNode node = Describer(*hierarchy, options.sizes, &sizes).Describe(options.path, kind);
    const std::vector<std::string> left_out = FindLeftOut(*hierarchy, options.path);
    if (!left_out.empty()) node = CopyWithMembers(node, {{"left_out", MakeTextList(left_out)}});
    sizes.Clear();
    out << node.Dump(JsonNode::Style::kV3) << "\n";
    return kSuccess;
  }
  const bool is_folder = IsFolderOfStores(*hierarchy);
  PrintRepository(store->name(), out);
  out << store->name() << ": ";
  if (is_folder) {
    out << "a folder of stores, and no store itself\n";
  } else {
    out << "Zarr " << GetFormatName(hierarchy->format()) << (hierarchy->consolidated() ? ", consolidated metadata" : "")
        << "\n";
  }
  Printer(*hierarchy, options, &sizes, out).Print(options.path, options.path, kind, "", !is_folder);
  if (options.sizes && kind == NodeKind::kGroup) out << "all arrays: " << sizes.FormatTotal() << "\n";
  for (const std::string& path : FindLeftOut(*hierarchy, options.path)) {
    out << "left out: " << path << ", " << DescribeV1Array(*store, path) << "\n";
  }
  return kSuccess;
}

}  // namespace zarr::tools
