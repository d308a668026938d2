// SPDX-License-Identifier: MIT
#include "autotest/fuzz/support/json_mutator.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <vector>

#include "autotest/fuzz/support/json_words.h"

namespace zarr::fuzz {
namespace {

using Json = nlohmann::ordered_json;

// JSON has no such numbers, but metadata do: they are strings while a document is changed.
constexpr std::array<std::string_view, 3> kTokens = {"NaN", "-Infinity", "Infinity"};

void ReplaceAll(std::string_view from, std::string_view to, std::string* text) {
  for (std::size_t at = text->find(from); at != std::string::npos; at = text->find(from, at + to.size())) {
    text->replace(at, from.size(), to);
  }
}

/// Puts each token that stands where a value may begin into quotes.
std::string QuoteTokens(std::string_view text) {
  std::string quoted(text);
  for (const std::string_view token : kTokens) {
    for (const std::string_view before : {": ", ":", "[", ", ", ","}) {
      const std::string place(before);
      ReplaceAll(place + std::string(token), place + "\"@" + std::string(token) + "@\"", &quoted);
    }
  }
  return quoted;
}

std::string UnquoteTokens(std::string text) {
  for (const std::string_view token : kTokens) ReplaceAll("\"@" + std::string(token) + "@\"", token, &text);
  return text;
}

bool IsDeep(std::string_view text) {
  constexpr int kMaxDepth = 60;
  int depth = 0;
  int deepest = 0;
  for (const char c : text) {
    if (c == '[' || c == '{') deepest = std::max(deepest, ++depth);
    if (c == ']' || c == '}') --depth;
  }
  return deepest > kMaxDepth;
}

std::optional<Json> Parse(std::string_view text) {
  if (IsDeep(text)) return std::nullopt;
  Json document = Json::parse(QuoteTokens(text), nullptr, false);
  if (document.is_discarded()) return std::nullopt;
  return document;
}

void Collect(Json* node, std::vector<Json*>* nodes) {
  nodes->push_back(node);
  for (auto& child : *node) {
    if (node->is_structured()) Collect(&child, nodes);
  }
}

Json* PickNode(Json* document, Random* random) {
  std::vector<Json*> nodes;
  Collect(document, &nodes);
  return nodes[Below(nodes.size(), random)];
}

/// A node with something in it, or the document.
Json* PickContainer(Json* document, Random* random) {
  std::vector<Json*> nodes;
  Collect(document, &nodes);
  std::erase_if(nodes, [](const Json* node) { return !node->is_structured() || node->empty(); });
  return nodes.empty() ? document : nodes[Below(nodes.size(), random)];
}

Json PickWord(std::span<const std::string_view> words, Random* random) {
  return Json::parse(words[Below(words.size(), random)], nullptr, false);
}

void ChangeNumber(Json* node, Random* random) {
  switch (Below(6, random)) {
    case 0:
      *node = node->is_number_float() ? Json(node->get<double>() / 3) : Json(node->get<std::uint64_t>() + 1);
      return;
    case 1:
      *node = node->is_number_float() ? Json(-node->get<double>()) : Json(node->get<std::uint64_t>() - 1);
      return;
    case 2:
      *node = node->is_number_float() ? Json(node->get<double>() * 1e9) : Json(node->get<std::uint64_t>() * 2);
      return;
    case 3:
      *node = Below(20, random);
      return;
    default:
      *node = std::uint64_t{1} << Below(64, random);
      if (Below(2, random) == 0) *node = node->get<std::uint64_t>() - 1;
  }
}

void ChangeText(Json* node, Random* random) {
  std::string text = node->get<std::string>();
  const std::size_t at = Below(text.size() + 1, random);
  switch (Below(4, random)) {
    case 0:
      text.insert(at, 1, static_cast<char>(' ' + Below(95, random)));
      break;
    case 1:
      text.erase(at, 1 + Below(4, random));
      break;
    case 2:
      text.insert(at, text.substr(Below(text.size() + 1, random)));
      break;
    default:
      if (at < text.size()) text[at] = static_cast<char>(text[at] ^ (1 << Below(6, random)));
  }
  *node = text;
}

/// Changes a value, mostly to one of its own type.
void ChangeValue(Json* node, Random* random) {
  const bool keeps_type = Below(3, random) != 0;
  if (keeps_type && node->is_number()) {
    ChangeNumber(node, random);
  } else if (keeps_type && node->is_string()) {
    ChangeText(node, random);
  } else if (keeps_type && node->is_boolean()) {
    *node = !node->get<bool>();
  } else if (keeps_type && node->is_array()) {
    node->push_back(node->empty() ? PickWord(GetValueWords(), random) : Json((*node)[Below(node->size(), random)]));
  } else {
    *node = PickWord(GetValueWords(), random);
  }
}

void DeleteChild(Json* container, Random* random) {
  if (!container->is_structured() || container->empty()) return;
  container->erase(std::next(container->begin(), static_cast<std::ptrdiff_t>(Below(container->size(), random))));
}

/// Gives a member the name that another member of some document has.
void RenameMember(Json* container, Random* random) {
  if (!container->is_object() || container->empty()) return;
  const Json words = PickWord(GetMemberWords(), random);
  auto member = std::next(container->begin(), static_cast<std::ptrdiff_t>(Below(container->size(), random)));
  Json value = member.value();
  container->erase(member);
  (*container)[words.begin().key()] = std::move(value);
}

/// Adds a name a second time: parsers have to choose.
void RepeatMember(Json* container, Random* random) {
  if (!container->is_object() || container->empty()) return;
  auto* members = container->get_ptr<Json::object_t*>();
  const auto& member = *std::next(members->begin(), static_cast<std::ptrdiff_t>(Below(members->size(), random)));
  Json value = Below(2, random) == 0 ? member.second : PickWord(GetValueWords(), random);
  std::string name = member.first;
  members->push_back({std::move(name), std::move(value)});
}

void AddMembers(Json* container, Random* random) {
  if (!container->is_object()) return;
  const Json words = PickWord(GetMemberWords(), random);
  for (const auto& word : words.items()) (*container)[word.key()] = word.value();
}

void CopyPart(const Json& part, Json* to) {
  Json copy = part;  // `to` may contain `part`
  *to = std::move(copy);
}

void ChangeOnce(Json* document, const std::optional<Json>& other, Random* random) {
  switch (Below(12, random)) {
    case 0:
      return DeleteChild(PickContainer(document, random), random);
    case 1:
      return RenameMember(PickContainer(document, random), random);
    case 2:
      return RepeatMember(PickContainer(document, random), random);
    case 3:
    case 4:
      return AddMembers(PickContainer(document, random), random);
    case 5:
      return CopyPart(*PickNode(document, random), PickNode(document, random));
    case 6: {
      Json source = other.value_or(*document);
      return CopyPart(*PickNode(&source, random), PickNode(document, random));
    }
    default:
      return ChangeValue(PickNode(document, random), random);
  }
}

}  // namespace

std::optional<std::string> MutateJson(std::string_view text, std::string_view other, Random* random) {
  auto document = Parse(text);
  if (!document) return std::nullopt;
  const auto donor = Parse(other);
  const std::size_t changes = Below(4, random) == 0 ? 1 + Below(4, random) : 1;
  for (std::size_t i = 0; i < changes; ++i) ChangeOnce(&*document, donor, random);
  return UnquoteTokens(document->dump(-1, ' ', false, Json::error_handler_t::replace));
}

}  // namespace zarr::fuzz
