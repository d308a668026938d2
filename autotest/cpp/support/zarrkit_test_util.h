// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "autotest/cpp/support/temporary_folder.h"
#include "autotest/cpp/support/test_util.h"
#include "zarrlib/array/array_writer.h"
#include "zarrlib/hierarchy/editable_hierarchy.h"
#include "zarrlib/store/filesystem_store.h"
#include "zarrlib/tools/zarrkit.h"

/// Helpers for the tests of the command-line tool.
namespace zarr::test {

struct Result {
  int code;
  std::string out;
  std::string err;
};

inline Result Zarrkit(const std::vector<std::string>& arguments) {
  std::ostringstream out, err;
  const int code = tools::RunZarrkit(arguments, out, err);
  return {code, out.str(), err.str()};
}

/// The lines that `check` prints of findings, and what else is wrong.
inline std::string FindingsIn(const std::string& store) {
  const Result result = Zarrkit({"check", store});
  std::istringstream lines(result.out);
  std::string found = result.err;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("error: ") || line.starts_with("warning: ")) found += line + "\n";
  }
  return found;
}

/// A folder for a store, removed at the end.
class FolderTest : public testing::Test {
 public:
  FolderTest() : folder_(temporary_.path().string()) {}
  static std::vector<std::int16_t> Numbers(std::uint64_t count) {
    std::vector<std::int16_t> values(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<std::int16_t>(i);
    return values;
  }

 protected:
  void Set(std::string_view key, std::string_view value) const { FilesystemStore(folder_).Set(key, AsBytes(value)); }
  bool Has(std::string_view key) const { return std::filesystem::exists(folder_ + "/" + std::string(key)); }
  std::string Get(std::string_view key) const { return FilesystemStore(folder_).GetText(key).value_or("(absent)"); }

  /// An array of int16 at `path`, of v2, all of whose elements are stored: their value is their number.
  void MakeArray(const std::string& path, const Shape& shape, const Shape& chunks,
                 const std::string& members = R"("filters": null, "compressor": null)") const {
    const auto list = [](const Shape& edges) { return ToString(edges); };
    Set(path + "/.zarray", R"({"zarr_format": 2, "dtype": "<i2", "fill_value": -1, "order": "C", "shape": )" +
                               list(shape) + R"(, "chunks": )" + list(chunks) + ", " + members + "}");
    const auto hierarchy = EditableHierarchy::Open(std::make_shared<FilesystemStore>(folder_));
    const auto writer = ArrayWriter::Make(hierarchy->OpenArray(path));
    const std::vector<std::int16_t> values = Numbers(ComputeProduct(shape));
    writer->Write(Selection::FromBox({Shape(shape.size(), 0), shape}),
                  {reinterpret_cast<const std::byte*>(values.data()), GetContiguousStrides(shape, 2), nullptr});
    writer->Flush();
  }
  std::vector<std::int16_t> Read(const std::string& path, bool use_consolidated = false) const {
    HierarchyOptions options;
    options.use_consolidated = use_consolidated;
    const auto array = EditableHierarchy::Open(std::make_shared<FilesystemStore>(folder_), options)->OpenArray(path);
    std::vector<std::int16_t> values(static_cast<std::size_t>(ComputeProduct(array->shape())));
    const Selection all = Selection::FromBox({Shape(array->rank(), 0), array->shape()});
    ReadOptions read;
    read.use_cache = false;
    array->Read(all, {reinterpret_cast<std::byte*>(values.data()), GetContiguousStrides(array->shape(), 2), nullptr},
                read);
    return values;
  }
  /// Makes consolidated metadata of all nodes of the store.
  /// Writes consolidated metadata in those groups, of which one may be the root.
  void Consolidate(const std::vector<std::string>& groups) const {
    const auto hierarchy = EditableHierarchy::Open(std::make_shared<FilesystemStore>(folder_));
    for (const std::string& group : groups) hierarchy->SetConsolidate(true, group);
    hierarchy->WriteConsolidated();
  }
  void Consolidate() const {
    const auto hierarchy = EditableHierarchy::Open(std::make_shared<FilesystemStore>(folder_));
    hierarchy->SetConsolidate(true);
    hierarchy->WriteConsolidated();
  }

  const TemporaryFolder temporary_;
  const std::string folder_;
};

}  // namespace zarr::test
