// SPDX-License-Identifier: MIT
#include "driver/create/references/block_codecs.h"

#include <algorithm>
#include <string>
#include <utility>

#include "zarrlib/base/error.h"
#include "zarrlib/metadata/codec_names.h"

namespace gdal_zarr {
namespace {

using Codecs = std::vector<zarr::CodecSpec>;

[[noreturn]] void Refuse(const std::string& expected, const std::string& got) {
  throw zarr::Error(zarr::ErrorKind::kUnsupported, zarr::FormatExpectedGot(expected, got));
}

/// Returns the codec of a filter of HDF5. The size of elements is that of the array's.
zarr::CodecSpec MakeFilter(const std::string& name, std::size_t element_size) {
  if (name == "DEFLATE") return MakeCodecSpec("numcodecs.zlib", R"({"level": 6})");
  if (name == "SHUFFLE") {
    return MakeCodecSpec("numcodecs.shuffle", R"({"elementsize": )" + std::to_string(element_size) + "}");
  }
  if (name == "FLETCHER32") return MakeCodecSpec("numcodecs.fletcher32", "{}");
  if (EQUAL(name.c_str(), "lzf")) return MakeCodecSpec("numcodecs.imagecodecs_lzf", R"({"header": false})");
  Refuse("blocks with the filters DEFLATE, SHUFFLE, FLETCHER32 and LZF", name);
}

/// Returns the possible orders of the filters of HDF5. GDAL tells that of the compression apart from that of others.
std::vector<Codecs> MakeFilterLists(CSLConstList info, std::size_t element_size) {
  const CPLStringList filters(CSLTokenizeString2(CSLFetchNameValueDef(info, "FILTER", ""), ",", 0));
  Codecs codecs;
  for (int i = 0; i < filters.size(); ++i) codecs.push_back(MakeFilter(filters[i], element_size));
  const char* compression = CSLFetchNameValue(info, "COMPRESSION");
  if (!compression) return {codecs};
  const zarr::CodecSpec compressor = MakeFilter(compression, element_size);
  std::vector<Codecs> lists;
  std::vector<std::size_t> order(codecs.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  constexpr std::size_t kMostFilters = 4;
  if (codecs.size() > kMostFilters) Refuse("at most 4 filters", std::to_string(codecs.size()));
  do {
    for (std::size_t place = codecs.size() + 1; place-- > 0;) {
      Codecs list;
      for (const std::size_t i : order) list.push_back(codecs[i]);
      list.insert(list.begin() + static_cast<std::ptrdiff_t>(place), compressor);
      lists.push_back(std::move(list));
    }
  } while (std::ranges::next_permutation(order).found);
  return lists;
}

/// Returns the codecs of a v2 array, in the order of encoding.
Codecs MakeCodecsOfV2(CSLConstList info) {
  Codecs codecs;
  const auto add = [&](const zarr::JsonNode& codec) {
    codecs.push_back({zarr::MakeNumcodecsName(codec.At("id").AsString()), codec});
  };
  if (const char* order = CSLFetchNameValue(info, "TRANSPOSE_ORDER")) {
    codecs.push_back(MakeCodecSpec("transpose", std::string(R"({"order": )") + order + "}"));
  }
  if (const char* filters = CSLFetchNameValue(info, "FILTERS")) {
    for (const zarr::JsonNode& codec : zarr::JsonNode::Parse(filters, "", "").GetItems()) add(codec);
  }
  if (const char* compressor = CSLFetchNameValue(info, "COMPRESSOR")) add(zarr::JsonNode::Parse(compressor, "", ""));
  return codecs;
}

}  // namespace

BlockCoding MakeBlockCoding(CSLConstList info, std::size_t element_size) {
  BlockCoding coding;
  const bool is_big = EQUAL(CSLFetchNameValueDef(info, "ENDIANNESS", ""), "BIG");
  coding.endian = is_big ? zarr::Endian::kBig : zarr::Endian::kLittle;
  if (const char* codecs = CSLFetchNameValue(info, "CODECS")) {
    coding.codecs.push_back(zarr::ParseCodecsV3(zarr::JsonNode::Parse(codecs, "", "")));
    coding.needs_v3 = true;
  } else if (CSLFetchNameValue(info, "COMPRESSION") || CSLFetchNameValue(info, "FILTER")) {
    coding.codecs = MakeFilterLists(info, element_size);
  } else {
    coding.codecs.push_back(MakeCodecsOfV2(info));
  }
  return coding;
}

bool AreSameItems(CSLConstList a, CSLConstList b) {
  const int count = CSLCount(a);
  if (count != CSLCount(b)) return false;
  for (int i = 0; i < count; ++i) {
    if (std::string_view(a[i]) != b[i]) return false;
  }
  return true;
}

}  // namespace gdal_zarr
