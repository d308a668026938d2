// SPDX-License-Identifier: MIT
#include "zarrlib/tools/check/findings.h"

#include <ostream>
#include <utility>

#include "zarrlib/json/json_node.h"

namespace zarr::tools {
namespace {

using Members = std::vector<std::pair<std::string, JsonNode>>;

std::string DescribeAsJson(const Rule& rule, const Error& error) {
  Members members = {{"severity", JsonNode::MakeString(GetSeverityName(rule.severity))},
                     {"rule", JsonNode::MakeString(rule.name)},
                     {"key", JsonNode::MakeString(error.key())}};
  if (!error.pointer().empty()) members.emplace_back("pointer", JsonNode::MakeString(error.pointer()));
  members.emplace_back("message", JsonNode::MakeString(error.message()));
  return JsonNode::MakeObject(members).Dump();
}

}  // namespace

Findings::Findings(std::string store, bool json, std::ostream& out, Progress* progress)
    : store_(std::move(store)), json_(json), out_(out), progress_(*progress) {}

void Findings::BeginJson() {
  if (has_begun_) return;
  has_begun_ = true;
  out_ << "{\"store\":" << JsonNode::MakeString(store_).Dump() << ",\"findings\":[";
}

void Findings::Add(const Rule& rule, const Error& error) {
  progress_.Clear();
  if (json_) {
    BeginJson();
    out_ << (errors_ + warnings_ > 0 ? ",\n" : "\n") << DescribeAsJson(rule, error);
  } else {
    out_ << GetSeverityName(rule.severity) << ": " << error.what() << " [" << rule.name << "]\n";
  }
  out_.flush();
  ++(rule.severity == Severity::kError ? errors_ : warnings_);
}

void Findings::Add(const Rule& rule, std::string_view key, const std::string& message, std::string_view pointer) {
  Add(rule, Error(ErrorKind::kCorrupt, store_, std::string(key), std::string(pointer), message));
}

void Findings::AddDone(std::string_view what, std::string_view key) {
  progress_.Clear();
  if (!json_) {
    out_ << what << " " << key << "\n";
    return;
  }
  done_.push_back(
      JsonNode::MakeObject({{"what", JsonNode::MakeString(what)}, {"key", JsonNode::MakeString(key)}}).Dump());
}

void Findings::Finish(std::size_t groups, std::size_t arrays, std::size_t chunks) {
  progress_.Clear();
  if (!json_) {
    out_ << groups << " groups, " << arrays << " arrays, " << chunks << " chunks, " << errors_ << " errors";
    if (warnings_ > 0) out_ << ", " << warnings_ << " warnings";
    out_ << "\n";
    return;
  }
  BeginJson();
  out_ << "],\n\"done\":[";
  for (std::size_t i = 0; i < done_.size(); ++i) out_ << (i > 0 ? ",\n" : "\n") << done_[i];
  out_ << "],\n\"groups\":" << groups << ",\"arrays\":" << arrays << ",\"chunks\":" << chunks
       << ",\"errors\":" << errors_ << ",\"warnings\":" << warnings_ << "}\n";
}

}  // namespace zarr::tools
