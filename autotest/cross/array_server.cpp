// SPDX-License-Identifier: MIT
#include <gdal_priv.h>

#include <cstdint>
#include <cstdio>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#ifdef _WIN32
#include <fcntl.h>
#include <io.h>
#endif

/// Reads arrays through GDAL for a program on another system: bindings/osgeo/gdal.py starts it with an emulator. Each
/// line of standard input is a request in JSON. The answer is a line in JSON, whose member "bytes" tells how many bytes
/// follow.
namespace {

using Json = nlohmann::json;

struct Answer {
  Json members = Json::object();
  std::string bytes;
};

[[noreturn]] void Fail() {
  throw std::runtime_error(CPLGetLastErrorMsg()[0] ? CPLGetLastErrorMsg() : "GDAL gives no reason");
}

/// Keeps the dataset that was opened last.
GDALDataset* Open(const std::string& name, unsigned flags) {
  static std::unique_ptr<GDALDataset> last;
  static std::string last_name;
  const std::string key = std::to_string(flags) + name;
  if (last && key == last_name) return last.get();
  last.reset();
  const char* const drivers[] = {"Zarr", nullptr};
  last.reset(GDALDataset::Open(name.c_str(), flags, drivers));
  last_name = key;
  if (!last) Fail();
  return last.get();
}

std::shared_ptr<GDALGroup> OpenRoot(const Json& request) {
  auto root = Open(request["path"], GDAL_OF_MULTIDIM_RASTER)->GetRootGroup();
  if (!root) Fail();
  return root;
}

std::shared_ptr<GDALMDArray> OpenArray(const Json& request) {
  const std::string name = request["array"];
  const auto root = OpenRoot(request);
  auto array = name.starts_with('/') ? root->OpenMDArrayFromFullname(name) : root->OpenMDArray(name);
  if (!array) Fail();
  for (const auto& view : request["views"]) {
    array = array->GetView(view.get<std::string>());
    if (!array) Fail();
  }
  return array;
}

Json Describe(const GDALExtendedDataType& type) {
  Json members = {{"class", static_cast<int>(type.GetClass())},
                  {"numeric", static_cast<int>(type.GetNumericDataType())},
                  {"size", type.GetSize()},
                  {"components", Json::array()}};
  for (const auto& component : type.GetComponents()) {
    members["components"].push_back(
        {{"name", component->GetName()}, {"offset", component->GetOffset()}, {"type", Describe(component->GetType())}});
  }
  return members;
}

/// Strings follow one another, each behind its length, which is -1 for none.
void AppendStrings(const std::vector<char*>& strings, std::string* bytes) {
  for (char* const string : strings) {
    const std::int32_t length = string ? static_cast<std::int32_t>(std::char_traits<char>::length(string)) : -1;
    bytes->append(reinterpret_cast<const char*>(&length), sizeof(length));
    if (string) bytes->append(string);
    CPLFree(string);
  }
}

Answer ReadArray(const Json& request) {
  const auto array = OpenArray(request);
  const GDALExtendedDataType& type = array->GetDataType();
  std::vector<GUInt64> start(array->GetDimensionCount());
  std::vector<std::size_t> count;
  for (const auto& dimension : array->GetDimensions()) count.push_back(dimension->GetSize());
  if (request.contains("count")) {
    start = request["start"].get<std::vector<GUInt64>>();
    count = request["count"].get<std::vector<std::size_t>>();
  }
  std::size_t elements = 1;
  for (const std::size_t length : count) elements *= length;
  Answer answer;
  answer.members["count"] = count;
  if (type.GetClass() == GEDTC_STRING) {
    std::vector<char*> strings(elements);
    if (!array->Read(start.data(), count.data(), nullptr, nullptr, type, strings.data())) Fail();
    AppendStrings(strings, &answer.bytes);
    return answer;
  }
  answer.bytes.resize(elements * type.GetSize());
  if (!array->Read(start.data(), count.data(), nullptr, nullptr, type, answer.bytes.data())) Fail();
  return answer;
}

Answer ReadRaster(const Json& request) {
  GDALDataset* const dataset = Open(request["path"], GDAL_OF_RASTER);
  const int width = dataset->GetRasterXSize(), height = dataset->GetRasterYSize(), bands = dataset->GetRasterCount();
  if (bands == 0) throw std::runtime_error("no bands");
  const GDALDataType type = dataset->GetRasterBand(1)->GetRasterDataType();
  Answer answer;
  answer.members = {{"count", {bands, height, width}}, {"numeric", static_cast<int>(type)}};
  const std::size_t size = GDALGetDataTypeSizeBytes(type);
  answer.bytes.resize(std::size_t(bands) * height * width * size);
  if (dataset->RasterIO(GF_Read, 0, 0, width, height, answer.bytes.data(), width, height, type, bands, nullptr, 0, 0, 0,
                        nullptr) != CE_None) {
    Fail();
  }
  return answer;
}

Answer Respond(const Json& request) {
  const std::string what = request["what"];
  Answer answer;
  if (what == "driver") {
    GDALDriver* const driver = GetGDALDriverManager()->GetDriverByName("Zarr");
    const char* const version = driver ? driver->GetMetadataItem("ZARRLIB_VERSION") : nullptr;
    answer.members["version"] = version ? version : "";
  } else if (what == "names") {
    answer.members["names"] = OpenRoot(request)->GetMDArrayNames();
  } else if (what == "describe") {
    const auto array = OpenArray(request);
    answer.members["type"] = Describe(array->GetDataType());
    answer.members["sizes"] = Json::array();
    for (const auto& dimension : array->GetDimensions()) answer.members["sizes"].push_back(dimension->GetSize());
  } else if (what == "read") {
    return ReadArray(request);
  } else if (what == "raster") {
    return ReadRaster(request);
  } else {
    throw std::runtime_error("unknown request " + what);
  }
  return answer;
}

}  // namespace

int main() {
#ifdef _WIN32
  _setmode(_fileno(stdout), _O_BINARY);
#endif
  CPLSetErrorHandler(CPLQuietErrorHandler);
  GDALAllRegister();
  std::string line;
  while (std::getline(std::cin, line)) {
    Answer answer;
    CPLErrorReset();
    try {
      answer = Respond(Json::parse(line));
    } catch (const std::exception& error) {
      answer = {{{"error", error.what()}}, ""};
    }
    answer.members["bytes"] = answer.bytes.size();
    std::cout << answer.members.dump(-1, ' ', true, Json::error_handler_t::replace) << '\n'
              << answer.bytes << std::flush;
  }
  return 0;
}
