// SPDX-License-Identifier: MIT
#include "zarrlib/tools/check/conventions/conventions.h"

#include <set>

#include "autotest/cpp/support/zarrkit_test_util.h"

namespace zarr::tools {
namespace {

using test::Json;
using test::Result;
using test::Zarrkit;

constexpr std::string_view kDeclared =
    R"("zarr_conventions": [{"uuid": "f17cb550-5864-4468-aeb7-f3180cfb622f"},
       {"schema_url": "https://raw.githubusercontent.com/zarr-conventions/spatial/refs/tags/v0.1/schema.json"},
       {"uuid": "d35379db-88df-4056-af3a-620245f8e347", "name": "multiscales"}])";

/// A store of v3 with coordinates, a CRS, a pyramid, and an array "a" whose attributes the tests choose.
class Conventions : public test::FolderTest {
 protected:
  Conventions() {
    SetGroup("", "{}");
    SetArray("y", "[4]", R"("y")", R"({"units": "degrees_north", "bounds": "y_bounds"})");
    Set("y/c/0", std::string("\4\0\3\0\2\0\1\0", 8));
    SetArray("x", "[6]", R"("x")");
    Set("x/c/0", std::string("\1\0\2\0\3\0\4\0\5\0\6\0", 12));
    SetArray("y_bounds", "[4, 2]", R"("y", "side")");
    SetArray("side", "[2, 2]", R"("side", "other")");
    SetArray("crs", "[]", "", R"({"crs_wkt": "GEOGCRS[\"a\"]"})");
    SetArray("bare", "[]", "");
    SetGroup("levels", "{}");
    SetArray("levels/full", "[4, 6]", R"("y", "x")");
    SetArray("levels/half", "[2, 3]", R"("row", "column")");
  }

  void SetGroup(const std::string& path, std::string_view attributes) const {
    Set(JoinKey(path, "zarr.json"),
        R"({"zarr_format": 3, "node_type": "group", "attributes": )" + std::string(attributes) + "}");
  }
  void SetArray(const std::string& path, const std::string& shape, const std::string& names,
                std::string_view attributes = "{}", std::string_view type = "int16") const {
    const std::string chunks = shape == "[]" ? "[]" : shape;
    Set(path + "/zarr.json", R"({"zarr_format": 3, "node_type": "array", "shape": )" + shape + R"(, "data_type": ")" +
                                 std::string(type) +
                                 R"(", "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": )" + chunks +
                                 R"(}}, "chunk_key_encoding": {"name": "default"}, "fill_value": 0, "codecs":
                                 [{"name": "bytes", "configuration": {"endian": "little"}}], "dimension_names": [)" +
                                 names + R"(], "attributes": )" + std::string(attributes) + "}");
  }

  /// The findings about conventions: rule, key and pointer of each.
  std::vector<std::string> Find() const {
    const Result result = Zarrkit({"check", folder_, "--conventions", "--json"});
    EXPECT_EQ(result.err, "");
    std::vector<std::string> found;
    for (const JsonNode& finding : Json(result.out).At("findings").GetItems()) {
      const auto pointer = finding.Find("pointer");
      found.push_back(finding.At("rule").AsString() + " " + finding.At("key").AsString() + " " +
                      (pointer ? pointer->AsString() : ""));
    }
    return found;
  }
};

using Found = std::vector<std::string>;

TEST_F(Conventions, AStoreThatKeepsThem) {
  SetArray(
      "a", "[4, 6]", R"("y", "x")",
      R"({"_FillValue": -32768, "missing_value": [-1.0], "valid_range": [0, 7], "scale_factor": 0.1, "add_offset": 1,
               "units": "K", "grid_mapping": "crs: x y", "coordinates": "/y x", "_ARRAY_DIMENSIONS": ["y", "x"],
               "spatial:dimensions": ["y", "x"], "spatial:shape": [4, 6], "spatial:transform": [1, 0, 0, 0, -1, 0],
               "spatial:bbox": [0, -4, 6, 0], "spatial:registration": "node", "proj:code": "EPSG:4326",
               "proj:wkt2": "GEOGCRS[\"a ] (\"\"\"]", "proj:projjson": {"type": "GeographicCRS"}, )" +
          std::string(kDeclared) + "}");
  SetGroup("levels", R"({"multiscales": {"layout": [{"asset": "full"}, {"asset": "./half/", "derived_from": "full",
               "transform": {"scale": [2, 2], "translation": [0, 0]}}]}, "proj:code": "OGC:CRS84",
               "spatial:dimensions": ["y", "x"], )" +
                         std::string(kDeclared) + "}");
  SetArray("f", "[6]", R"("x")", R"({"_FillValue": "AAAAAAAA+H8=", "units": "m", "missing_value": "NaN"})", "float32");
  EXPECT_EQ(Find(), Found());
}

TEST_F(Conventions, AreNotCheckedUnlessAskedFor) {
  SetArray("a", "[6]", R"("x")", R"({"_FillValue": "none"})");
  EXPECT_EQ(test::FindingsIn(folder_), "");
}

struct Broken {
  const char* rule;
  const char* attributes;  ///< Members of the attributes of the array "a".
  const char* pointer;     ///< Of the place in them.
};

constexpr Broken kBrokenArrays[] = {
    {"cf-fill-value", R"("_FillValue": 40000)", "/_FillValue"},
    {"cf-fill-value", R"("_FillValue": -32769)", "/_FillValue"},
    {"cf-fill-value", R"("_FillValue": 0.5)", "/_FillValue"},
    {"cf-fill-value", R"("_FillValue": "0")", "/_FillValue"},
    {"cf-missing-value", R"("missing_value": [1, "x"])", "/missing_value/1"},
    {"cf-valid-range", R"("valid_range": [5, 1])", "/valid_range"},
    {"cf-valid-range", R"("valid_range": [5])", "/valid_range"},
    {"cf-valid-range", R"("valid_min": "1")", "/valid_min"},
    {"cf-valid-range", R"("valid_min": 2, "valid_max": 1)", "/valid_min"},
    {"cf-packing", R"("scale_factor": "2")", "/scale_factor"},
    {"cf-packing", R"("scale_factor": 0)", "/scale_factor"},
    {"cf-packing", R"("add_offset": NaN)", "/add_offset"},
    {"cf-units", R"("units": 1)", "/units"},
    {"cf-time-units", R"("units": "days since yesterday")", "/units"},
    {"cf-calendar", R"("calendar": "mayan")", "/calendar"},
    {"cf-grid-mapping", R"("grid_mapping": "none")", "/grid_mapping"},
    {"cf-grid-mapping", R"("grid_mapping": "bare")", "/grid_mapping"},
    {"cf-grid-mapping", R"("grid_mapping": 4326)", "/grid_mapping"},
    {"cf-bounds", R"("bounds": "none")", "/bounds"},
    {"cf-bounds", R"("bounds": "x")", "/bounds"},
    {"cf-coordinates", R"("coordinates": "x none")", "/coordinates"},
    {"xarray-dimensions", R"("_ARRAY_DIMENSIONS": ["y"])", "/_ARRAY_DIMENSIONS"},
    {"xarray-dimensions", R"("_ARRAY_DIMENSIONS": ["x", "y"])", "/_ARRAY_DIMENSIONS"},
    {"zarr-conventions", R"("zarr_conventions": {})", "/zarr_conventions"},
    {"zarr-conventions", R"("zarr_conventions": ["proj"])", "/zarr_conventions/0"},
    {"zarr-conventions", R"("zarr_conventions": [{"name": "proj"}])", "/zarr_conventions/0"},
    {"zarr-conventions", R"("zarr_conventions": [{"uuid": "u", "version": "1"}])", "/zarr_conventions/0/version"},
    {"zarr-conventions", R"("zarr_conventions": [{"uuid": 1}])", "/zarr_conventions/0/uuid"},
    {"convention-undeclared", R"("proj:code": "EPSG:4326")", "/proj:code"},
    {"convention-undeclared", R"("spatial:bbox": [0, 0, 1, 1])", "/spatial:bbox"},
};

constexpr Broken kBrokenGeoZarr[] = {
    {"proj-missing", R"("spatial:registration": "pixel")", ""},
    {"proj-code", R"("proj:code": "4326")", "/proj:code"},
    {"proj-code", R"("proj:code": "EPSG:")", "/proj:code"},
    {"proj-wkt2", R"("proj:wkt2": "GEOGCS[\"a\"]")", "/proj:wkt2"},
    {"proj-wkt2", R"("proj:wkt2": "GEOGCRS[\"a\"")", "/proj:wkt2"},
    {"proj-projjson", R"("proj:projjson": {"name": "a"})", "/proj:projjson"},
    {"spatial-dimensions", R"("proj:code": "EPSG:1", "spatial:dimensions": ["x"])", "/spatial:dimensions"},
    {"spatial-dimensions", R"("proj:code": "EPSG:1", "spatial:dimensions": ["lat", "lon"])", "/spatial:dimensions"},
    {"spatial-shape", R"("proj:code": "EPSG:1", "spatial:shape": [4])", "/spatial:shape"},
    {"spatial-shape", R"("proj:code": "EPSG:1", "spatial:dimensions": ["y", "x"], "spatial:shape": [6, 4])",
     "/spatial:shape"},
    {"spatial-transform", R"("proj:code": "EPSG:1", "spatial:transform": [1, 0, 0, 0, 1])", "/spatial:transform"},
    {"spatial-transform", R"("proj:code": "EPSG:1", "spatial:transform": [1, 0, 0, 0, 0, 1])", "/spatial:transform"},
    {"spatial-transform-type", R"("proj:code": "EPSG:1", "spatial:transform_type": "rpc")", "/spatial:transform_type"},
    {"spatial-bbox", R"("proj:code": "EPSG:1", "spatial:bbox": [3, 0, 1, 1])", "/spatial:bbox"},
    {"spatial-registration", R"("proj:code": "EPSG:1", "spatial:registration": "center")", "/spatial:registration"},
};

TEST_F(Conventions, EachRuleOfArrays) {
  for (const bool declared : {false, true}) {
    for (const Broken& broken :
         declared ? std::span<const Broken>(kBrokenGeoZarr) : std::span<const Broken>(kBrokenArrays)) {
      SCOPED_TRACE(broken.attributes);
      SetArray("a", "[4, 6]", R"("y", "x")",
               "{" + std::string(broken.attributes) + (declared ? ", " + std::string(kDeclared) : "") + "}");
      EXPECT_EQ(Find(), Found{std::string(broken.rule) + " a/zarr.json /attributes" + broken.pointer});
    }
  }
}

constexpr Broken kBrokenGroups[] = {
    {"multiscales-layout", R"("multiscales": {})", "/multiscales"},
    {"multiscales-layout", R"("multiscales": {"layout": ["full"]})", "/multiscales/layout/0"},
    {"multiscales-asset", R"("multiscales": {"layout": [{"asset": "full"}, {"asset": "none"}]})",
     "/multiscales/layout/1/asset"},
    {"multiscales-asset", R"("multiscales": {"layout": [{"asset": "../y"}]})", "/multiscales/layout/0/asset"},
    {"multiscales-derived-from",
     R"("multiscales": {"layout": [{"asset": "half", "derived_from": "full"}, {"asset": "full"}]})",
     "/multiscales/layout/0/derived_from"},
    {"multiscales-derived-from", R"("multiscales": {"layout": [{"asset": "half", "derived_from": "none"}]})",
     "/multiscales/layout/0/derived_from"},
    {"multiscales-source", R"("multiscales": {"layout": [{"asset": "half", "derived_from": "full"}]})",
     "/multiscales/layout/0/derived_from"},
    {"multiscales-transform", R"("multiscales": {"layout": [{"asset": "full", "transform": {"scale": 1}}]})",
     "/multiscales/layout/0/transform/scale"},
    {"multiscales-transform",
     R"("multiscales": {"layout": [{"asset": "full", "transform": {"scale": [1, 1], "translation": [0]}}]})",
     "/multiscales/layout/0/transform/translation"},
    {"multiscales-size", R"("multiscales": {"layout": [{"asset": "half"}, {"asset": "full", "derived_from": "half"}]})",
     "/multiscales/layout/1/asset"},
};

TEST_F(Conventions, EachRuleOfPyramids) {
  for (const Broken& broken : kBrokenGroups) {
    SCOPED_TRACE(broken.attributes);
    SetGroup("levels",
             R"({"proj:code": "EPSG:4326", )" + std::string(broken.attributes) + ", " + std::string(kDeclared) + "}");
    EXPECT_EQ(Find(), Found{std::string(broken.rule) + " levels/zarr.json /attributes" + broken.pointer});
  }
}

TEST_F(Conventions, DimensionsAndCoordinates) {
  SetArray("a", "[4, 6]", R"("y", null)");
  EXPECT_EQ(Find(), Found{"dimensions-unnamed a "});
  std::filesystem::remove_all(folder_ + "/a");
  for (const std::string& values :
       {std::string("\1\0\2\0\2\0\4\0\5\0\6\0", 12), std::string("\1\0\2\0\3\0\4\0\5\0\1\0", 12)}) {
    Set("x/c/0", values);
    EXPECT_EQ(Find(), Found{"cf-coordinate-order x "});
  }
}

TEST_F(Conventions, OfAGroupForItsArrays) {
  SetGroup("levels",
           R"({"spatial:dimensions": ["lat", "lon"], "proj:code": "EPSG:4326", )" + std::string(kDeclared) + "}");
  EXPECT_EQ(Find(), Found{"spatial-dimensions levels/zarr.json /attributes/spatial:dimensions"});
  // What the group declares holds for the arrays in it; a list is OME's.
  SetGroup("levels", "{" + std::string(kDeclared) + R"(, "proj:code": "EPSG:4326"})");
  SetArray("levels/full", "[4, 6]", R"("y", "x")", R"({"spatial:bbox": [0, 0, 1, 1]})");
  SetGroup("ome", R"({"multiscales": [{"version": "0.4"}]})");
  EXPECT_EQ(Find(), Found());
}

/// Every rule is broken by a test above.
TEST(ConventionRules, AllAreTested) {
  std::set<std::string_view> tested = {"dimensions-unnamed", "cf-coordinate-order"};
  for (const Broken& broken : kBrokenArrays) tested.insert(broken.rule);
  for (const Broken& broken : kBrokenGeoZarr) tested.insert(broken.rule);
  for (const Broken& broken : kBrokenGroups) tested.insert(broken.rule);
  std::set<std::string_view> all;
  for (const Rule& rule : kConventionRules) all.insert(rule.name);
  EXPECT_EQ(tested, all);
}

TEST(ConventionRules, UnitsOfTime) {
  for (const char* unit :
       {"days since 2000-01-01", "hours since 1900-1-1 00:00:0.0", "seconds since 1970-01-01T00:00:00Z",
        "Days since 1970-01-01 00:00:00 +01:00", "minutes since 0001-01-01 00:00:00 UTC", "d since 2000",
        "milliseconds since 1970-01-01 12:30:15.250 -0130", "months since 1850-01"}) {
    EXPECT_TRUE(IsTimeUnit(unit)) << unit;
  }
  for (const char* unit : {"days", "days since", "days since ", "fortnights since 2000-01-01", "days since 2000-13-01",
                           "days since 2000-01-32", "days since 2000-01-01 25:00", "days since 2000-01-01 noon",
                           "since 2000-01-01", " since 2000-01-01", "days since 2000-01-01 00:00:00 there"}) {
    EXPECT_FALSE(IsTimeUnit(unit)) << unit;
  }
}

TEST(ConventionRules, Wkt2) {
  EXPECT_TRUE(IsWkt2("PROJCRS[\"a\",BASEGEOGCRS[\"b ]\"\" [\"]]\n"));
  EXPECT_TRUE(IsWkt2(" COMPOUNDCRS (\"a\")"));
  for (const char* text :
       {"", "EPSG:4326", "PROJCS[\"a\"]", "PROJCRS", "PROJCRS[\"a\")", "PROJCRS[\"a\"]]", "PROJCRS[\"a]"}) {
    EXPECT_FALSE(IsWkt2(text)) << text;
  }
}

}  // namespace
}  // namespace zarr::tools
