// SPDX-License-Identifier: MIT
#include "zarrlib/tools/check/rules.h"

#include <ostream>
#include <span>
#include <vector>

#include "zarrlib/json/json_node.h"
#include "zarrlib/tools/check/conventions/convention_rules.h"

namespace zarr::tools {

std::string_view GetSeverityName(Severity severity) {
  return severity == Severity::kError ? "error" : "warning";
}

void PrintRules(bool json, std::ostream& out) {
  std::vector<JsonNode> items;
  for (const std::span<const Rule> rules :
       {std::span<const Rule>(kStoreRules), std::span<const Rule>(kConventionRules)}) {
    for (const Rule& rule : rules) {
      const std::string_view severity = GetSeverityName(rule.severity);
      if (!json) {
        out << rule.name << "\t" << severity << "\t" << rule.meaning << "\n";
        continue;
      }
      items.push_back(JsonNode::MakeObject({{"rule", JsonNode::MakeString(rule.name)},
                                            {"severity", JsonNode::MakeString(severity)},
                                            {"meaning", JsonNode::MakeString(rule.meaning)}}));
    }
  }
  if (json) out << JsonNode::MakeArray(items).Dump(JsonNode::Style::kV3) << "\n";
}

}  // namespace zarr::tools
