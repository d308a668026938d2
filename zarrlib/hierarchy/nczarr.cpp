// SPDX-License-Identifier: MIT
#include "zarrlib/hierarchy/nczarr.h"

#include <string>

#include "zarrlib/json/json_edit.h"
#include "zarrlib/metadata/document_names.h"

namespace zarr {
namespace {

constexpr std::string_view kLists[] = {"_nczarr_group", "_NCZARR_GROUP"};

[[noreturn]] void Refuse(const JsonNode& list) {
  list.Fail(ErrorKind::kUnsupported,
            "nodes of an NCZarr store are not made, removed, renamed or resized, because netCDF-C would not find them "
            "by its lists; only values and attributes are changed");
}

void CheckMembers(const std::optional<JsonNode>& object) {
  if (!object) return;
  for (const std::string_view name : kLists) {
    if (const auto list = FindMember(*object, name)) Refuse(*list);
  }
}

}  // namespace

void CheckNoNczarrLists(const NodeDocuments& documents, ZarrFormat format, std::string_view path) {
  if (format == ZarrFormat::kV2) {
    for (const std::string_view name : {kV2Group, kV2Attributes}) CheckMembers(documents.Read(path, name));
  } else if (format == ZarrFormat::kV3) {
    const auto group = documents.Read(path, kV3Document);
    CheckMembers(group);
    CheckMembers(group ? FindMember(*group, "attributes") : std::nullopt);
  }
}

}  // namespace zarr
