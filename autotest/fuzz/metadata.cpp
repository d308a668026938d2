// SPDX-License-Identifier: MIT
// Metadata documents of all versions: parsed, written, and parsed again. The input is a byte archive, and the last
// segment of a key tells what document its value is.
#include <string>
#include <utility>
#include <vector>

#include "autotest/fuzz/support/byte_archive.h"
#include "autotest/fuzz/support/checks.h"
#include "autotest/fuzz/support/metadata_checks.h"
#include "zarrlib/hierarchy/formats/node_format.h"
#include "zarrlib/metadata/document_names.h"
#include "zarrlib/metadata/v3_draft.h"

namespace zarr::fuzz {
namespace {

using Documents = std::vector<MetadataDocument>;

JsonNode Parse(const ArchiveEntry& entry) {
  return JsonNode::Parse(entry.value, "store", entry.key);
}

/// Writes documents as text, and parses that.
Documents WriteAndParse(const Documents& documents) {
  Documents result;
  for (const auto& [name, content] : documents) {
    result.push_back({name, JsonNode::Parse(DumpDocument(name, content), "store", name)});
  }
  return result;
}

std::optional<JsonNode> FindDocument(const Documents& documents, std::string_view name) {
  for (const MetadataDocument& document : documents) {
    if (document.name == name) return document.content;
  }
  return std::nullopt;
}

ArrayMetadata ParseArray(ZarrFormat format, const Documents& documents) {
  if (format == ZarrFormat::kV3) return ParseArrayV3(*FindDocument(documents, kV3Document));
  if (format == ZarrFormat::kV2) {
    return ParseArrayV2(*FindDocument(documents, kV2Array), FindDocument(documents, kV2Attributes));
  }
  return ParseArrayV1(*FindDocument(documents, kV1Array), FindDocument(documents, kV1Attributes), ZarrFormat::kV1);
}

/// The order of members does not count.
std::string DumpAll(const Documents& documents) {
  std::string text;
  for (const auto& [name, content] : documents) text += name + "\n" + content.Dump(JsonNode::Style::kV2) + "\n";
  return text;
}

/// Writes an array, reads it back, and writes it again.
void CheckArray(const ArrayMetadata& array) {
  const auto documents = Try([&] { return MakeDocuments(array); });
  if (!documents) return;
  const ArrayMetadata again = ParseArray(array.zarr_format, WriteAndParse(*documents));
  RequireSame(array, again);
  Require(DumpAll(MakeDocuments(again)) == DumpAll(*documents), "written metadata are written alike",
          DumpAll(*documents) + DumpAll(MakeDocuments(again)));
}

void CheckArrayAndConversions(const ArrayMetadata& array) {
  CheckArray(array);
  for (const ZarrFormat format : {ZarrFormat::kV2, ZarrFormat::kV3}) {
    if (const auto converted = Try([&] { return ConvertTo(format, array); })) CheckArray(*converted);
  }
  CheckCodecs(array);
}

void CheckGroup(const GroupMetadata& group) {
  const auto documents = Try([&] { return MakeDocuments(group); });
  if (!documents) return;
  const Documents again = WriteAndParse(*documents);
  const GroupMetadata parsed = group.zarr_format == ZarrFormat::kV3
                                   ? ParseGroupV3(*FindDocument(again, kV3Document))
                                   : ParseGroupV2(*FindDocument(again, kV2Group), FindDocument(again, kV2Attributes));
  Require(DumpAll(MakeDocuments(parsed)) == DumpAll(*documents), "written groups are written alike");
}

void CheckV3(const ArchiveEntry& entry) {
  const JsonNode document = Parse(entry);
  if (IsEntryPointV3Draft(document)) return CheckEntryPointV3Draft(document);
  if (GetNodeTypeV3(document) == "array") return CheckArrayAndConversions(ParseArrayV3(document));
  CheckGroup(ParseGroupV3(document));
}

/// A document, and the attributes that another entry of the same folder holds.
void CheckWithAttributes(const Archive& archive, const ArchiveEntry& entry, std::string_view name) {
  const std::string folder = entry.key.substr(0, entry.key.size() - name.size());
  const std::string_view attributes_name = name == kV1Array   ? kV1Attributes
                                           : name == kV0Array ? kV0Attributes
                                                              : kV2Attributes;
  std::optional<JsonNode> attributes;
  for (const ArchiveEntry& other : archive) {
    if (other.key == folder + std::string(attributes_name)) attributes = Parse(other);
  }
  const JsonNode document = Parse(entry);
  if (name == kV2Group) return CheckGroup(ParseGroupV2(document, attributes));
  if (name == kV2Array) return CheckArrayAndConversions(ParseArrayV2(document, attributes));
  const ZarrFormat format = name == kV1Array ? ZarrFormat::kV1 : ZarrFormat::kV0;
  LooksLikeV1(document);
  CheckArrayAndConversions(ParseArrayV1(document, attributes, format));
}

void CheckDocument(const Archive& archive, const ArchiveEntry& entry) {
  const std::string name = entry.key.substr(entry.key.rfind('/') + 1);
  if (name == kV3Document) {
    CheckRootOfV3(entry.value);
    CheckV3(entry);
  } else if (name == kV2Consolidated) {
    CheckConsolidatedOfV2(entry.value);
  } else if (name == kV2Array || name == kV2Group || name == kV1Array || name == kV0Array) {
    CheckWithAttributes(archive, entry, name);
  } else if (name.ends_with(kV3DraftArray)) {
    CheckArrayAndConversions(ParseArrayV3Draft(Parse(entry)));
  } else if (name.ends_with(kV3DraftGroup)) {
    CheckGroup(ParseGroupV3Draft(Parse(entry)));
  } else {
    const JsonNode node = Parse(entry);
    Require(JsonNode::Parse(node.Dump(), "", "").Dump() == node.Dump(), "written JSON is read");
  }
}

}  // namespace
}  // namespace zarr::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace zarr::fuzz;  // NOLINT(google-build-using-namespace)
  const Archive archive = ParseArchive(AsInput(data, size));
  for (const ArchiveEntry& entry : archive) {
    Succeeds([&] { CheckDocument(archive, entry); });
  }
  return 0;
}
