// SPDX-License-Identifier: MIT
#include "zarrlib/tools/units/unit_printer.h"

#include <algorithm>
#include <charconv>
#include <ostream>

#include "zarrlib/base/error.h"
#include "zarrlib/json/json_node.h"

namespace zarr::tools {
namespace {

constexpr std::size_t kBufferSize = 1 << 16;

}  // namespace

UnitPrinter::UnitPrinter(std::ostream& out) : out_(out) {
  buffer_.reserve(2 * kBufferSize);
}

void UnitPrinter::Print(std::string_view text) {
  buffer_ += text;
  FlushExcess();
}

void UnitPrinter::PrintLine(const WriteUnits& unit) {
  const Box& box = unit.box();
  for (std::size_t i = 0; i < box.rank(); ++i) {
    if (i > 0) buffer_ += ',';
    Append(box.origin[i]);
    buffer_ += ':';
    Append(box.end(i));
  }
  if (box.rank() == 0) buffer_ += "...";  // the only element of an array without dimensions
  buffer_ += unit.partial() ? " partial\n" : "\n";
  FlushExcess();
}

void UnitPrinter::PrintArrayMembers(const Array& array, const Box& region) {
  buffer_ += "\"array\":" + JsonNode::MakeString("/" + array.path()).Dump() + ",\"shape\":";
  AppendList(array.shape());
  buffer_ += ",\"region\":{";
  AppendBox(region);
  buffer_ += "},\"unit\":\"";
  buffer_ += GetUnitWord(array);
  buffer_ += '"';
}

void UnitPrinter::PrintItem(const WriteUnits& unit, bool first) {
  buffer_ += first ? "\n{" : ",\n{";
  AppendBox(unit.box());
  buffer_ += unit.partial() ? ",\"partial\":true}" : "}";
  FlushExcess();
}

void UnitPrinter::Append(std::uint64_t number) {
  char digits[20];
  buffer_.append(digits, std::to_chars(digits, digits + sizeof(digits), number).ptr);
}

void UnitPrinter::AppendList(const Shape& numbers) {
  buffer_ += '[';
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (i > 0) buffer_ += ',';
    Append(numbers[i]);
  }
  buffer_ += ']';
}

void UnitPrinter::AppendBox(const Box& box) {
  buffer_ += "\"start\":";
  AppendList(box.origin);
  buffer_ += ",\"count\":";
  AppendList(box.shape);
}

void UnitPrinter::FlushExcess() {
  if (buffer_.size() >= kBufferSize) Flush();
}

void UnitPrinter::Flush() {
  out_.write(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
  buffer_.clear();
  if (!out_.flush()) throw Error(ErrorKind::kIo, "the output cannot be written");
}

std::string_view GetUnitWord(const Array& array) {
  const auto& codecs = array.metadata().codecs;
  const auto is_shard = [](const CodecSpec& spec) { return spec.name == "sharding_indexed"; };
  return std::any_of(codecs.begin(), codecs.end(), is_shard) ? "shard" : "chunk";
}

}  // namespace zarr::tools
