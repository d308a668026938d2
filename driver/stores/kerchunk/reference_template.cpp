// SPDX-License-Identifier: MIT
#include "driver/stores/kerchunk/reference_template.h"

#include <charconv>
#include <deque>
#include <optional>
#include <utility>

#include "zarrlib/base/compiler/checked_arithmetic.h"
#include "zarrlib/base/error.h"

namespace gdal_zarr {
namespace {

using Value = std::variant<std::int64_t, std::string>;
using Variables = ReferenceTemplates::Variables;
using Texts = std::map<std::string, std::string, std::less<>>;

constexpr int kMaxSteps = 2000;
constexpr int kMaxDepth = 32;
constexpr std::size_t kMaxLength = 1 << 16;
constexpr std::uint64_t kMaxWork = 1 << 21;
constexpr std::size_t kCharactersPerUnit = 16;

[[noreturn]] void FailUnsupported(std::string message) {
  throw zarr::Error(zarr::ErrorKind::kUnsupported, std::move(message));
}

std::string ToText(const Value& value) {
  const auto* integer = std::get_if<std::int64_t>(&value);
  return integer ? std::to_string(*integer) : std::get<std::string>(value);
}

bool IsNameCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

void CheckLength(const std::string& text) {
  if (text.size() <= kMaxLength) return;
  throw zarr::Error(zarr::ErrorKind::kLimitExceeded,
                    "a template gives more than " + std::to_string(kMaxLength) + " characters");
}

/// The state of rendering one text.
struct Rendering {
  const Texts& templates;
  int steps = 0;
  int depth = 0;
  std::uint64_t work = 0;

  /// Adds one step, and the cost of processing that many characters.
  void Count(std::size_t characters) {
    work += 1 + characters / kCharactersPerUnit;
    if (work <= kMaxWork) return;
    throw zarr::Error(zarr::ErrorKind::kLimitExceeded,
                      "a template takes more than " + std::to_string(kMaxWork) + " steps of work");
  }
  std::string Render(std::string_view text, const Variables& variables);
};

/// Counts the depth of nested calls.
class Level {
 public:
  explicit Level(Rendering* rendering) : depth_(rendering->depth) {
    if (++rendering->steps > kMaxSteps || depth_ >= kMaxDepth) {
      throw zarr::Error(zarr::ErrorKind::kLimitExceeded,
                        "templates use each other more than " + std::to_string(kMaxSteps) +
                            " times, or are nested deeper than " + std::to_string(kMaxDepth));
    }
    ++depth_;
  }
  ~Level() { --depth_; }
  Level(const Level&) = delete;
  Level& operator=(const Level&) = delete;

 private:
  int& depth_;
};

/// Like in Python, // rounds towards minus infinity, and the result of % has the sign of the divisor.
std::optional<std::int64_t> DivideFloor(std::int64_t a, std::int64_t b) {
  if (b == 0 || (a == INT64_MIN && b == -1)) return std::nullopt;
  return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}

std::optional<std::int64_t> GetFloorRemainder(std::int64_t a, std::int64_t b) {
  if (b == 0) return std::nullopt;
  if (b == -1) return 0;
  const std::int64_t remainder = a % b;
  return remainder != 0 && (remainder < 0) != (b < 0) ? remainder + b : remainder;
}

/// Returns nullopt if the result is out of range or undefined.
std::optional<std::int64_t> Calculate(std::int64_t a, char operation, std::int64_t b) {
  std::int64_t result = 0;
  if (operation == '+' && !zarr::AddOverflows(a, b, &result)) return result;
  if (operation == '-' && !zarr::SubtractOverflows(a, b, &result)) return result;
  if (operation == '*' && !zarr::MultiplyOverflows(a, b, &result)) return result;
  if (operation == '/') return DivideFloor(a, b);
  if (operation == '%') return GetFloorRemainder(a, b);
  return std::nullopt;
}

/// Evaluates the text between `{{` and `}}`.
class Expression {
 public:
  Expression(std::string_view text, const Variables& variables, Rendering* rendering)
      : text_(text), rest_(text), variables_(variables), rendering_(*rendering) {}

  Value Evaluate() {
    Value value = ReadSum();
    if (Peek() != '\0') Fail();
    return value;
  }

 private:
  [[noreturn]] void Fail() const {
    FailUnsupported(zarr::FormatExpectedGot("a name or a simple expression of integers, strings and names",
                                            "{{" + std::string(text_.substr(0, 100)) + "}}"));
  }

  char Peek() {
    while (!rest_.empty() && (rest_.front() == ' ' || rest_.front() == '\t')) rest_.remove_prefix(1);
    return rest_.empty() ? '\0' : rest_.front();
  }

  bool Take(std::string_view token) {
    Peek();
    if (!rest_.starts_with(token)) return false;
    rest_.remove_prefix(token.size());
    return true;
  }

  Value Apply(const Value& a, char operation, const Value& b) const {
    const auto* left = std::get_if<std::int64_t>(&a);
    const auto* right = std::get_if<std::int64_t>(&b);
    if (!left && !right && operation == '+') {
      std::string text = ToText(a) + ToText(b);
      rendering_.Count(text.size());
      CheckLength(text);
      return text;
    }
    if (!left || !right) Fail();
    const auto result = Calculate(*left, operation, *right);
    if (!result) Fail();
    return *result;
  }

  Value ReadSum() {
    const Level level(&rendering_);
    Value value = ReadProduct();
    for (char operation = Peek(); operation == '+' || operation == '-'; operation = Peek()) {
      rest_.remove_prefix(1);
      value = Apply(value, operation, ReadProduct());
    }
    return value;
  }

  Value ReadProduct() {
    Value value = ReadFactor();
    for (;;) {
      const char operation = Take("//") ? '/' : Peek() == '*' || Peek() == '%' ? Peek() : '\0';
      if (operation == '\0') return value;
      if (operation != '/') rest_.remove_prefix(1);
      value = Apply(value, operation, ReadFactor());
    }
  }

  Value ReadFactor() {
    rendering_.Count(0);
    const char c = Peek();
    if (c == '\'' || c == '"') return ReadString();
    if (c >= '0' && c <= '9') return ReadInteger();
    if (Take("-")) {
      const Level level(&rendering_);
      return Apply(std::int64_t{0}, '-', ReadFactor());
    }
    if (Take("(")) {
      Value value = ReadSum();
      if (!Take(")")) Fail();
      return value;
    }
    if (!IsNameCharacter(c)) Fail();
    const std::string_view name = ReadName();
    return Take("(") ? Call(name) : GetValue(name);
  }

  Value ReadString() {
    const char quote = rest_.front();
    const std::size_t end = rest_.find(quote, 1);
    if (end == std::string_view::npos) Fail();
    std::string text(rest_.substr(1, end - 1));
    if (text.find('\\') != std::string::npos) Fail();
    rest_.remove_prefix(end + 1);
    rendering_.Count(text.size());
    return text;
  }

  Value ReadInteger() {
    std::int64_t value = 0;
    const auto [end, status] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (status != std::errc()) Fail();
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    if (!rest_.empty() && (IsNameCharacter(rest_.front()) || rest_.front() == '.')) Fail();
    return value;
  }

  std::string_view ReadName() {
    Peek();
    std::size_t size = 0;
    while (size < rest_.size() && IsNameCharacter(rest_[size])) ++size;
    const std::string_view name = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return name;
  }

  const std::string& FindTemplate(std::string_view name) const {
    const auto found = rendering_.templates.find(name);
    if (found == rendering_.templates.end()) {
      throw zarr::Error(zarr::ErrorKind::kCorrupt, "there is no template \"" + std::string(name.substr(0, 100)) + "\"");
    }
    return found->second;
  }

  Value GetValue(std::string_view name) {
    const auto variable = variables_.find(name);
    if (variable != variables_.end()) {
      if (const auto* integer = std::get_if<std::int64_t>(&variable->second)) return *integer;
      const auto text = std::get<std::string_view>(variable->second);
      rendering_.Count(text.size());
      return std::string(text);
    }
    return rendering_.Render(FindTemplate(name), variables_);
  }

  /// Calls f(c='text', d=1): the text of f may use c and d.
  Value Call(std::string_view name) {
    std::deque<Value> values;
    Variables arguments;
    while (!Take(")")) {
      const std::string_view argument = ReadName();
      if (argument.empty() || !Take("=")) Fail();
      values.push_back(ReadSum());
      const auto* text = std::get_if<std::string>(&values.back());
      arguments.insert_or_assign(argument,
                                 text ? ReferenceTemplates::Value(*text) : std::get<std::int64_t>(values.back()));
      if (!Take(",") && Peek() != ')') Fail();
    }
    return rendering_.Render(FindTemplate(name), arguments);
  }

  std::string_view text_;
  std::string_view rest_;
  const Variables& variables_;
  Rendering& rendering_;
};

std::string Rendering::Render(std::string_view text, const Variables& variables) {
  const Level level(this);
  Count(text.size());
  if (text.find("{%") != std::string_view::npos || text.find("{#") != std::string_view::npos) {
    FailUnsupported("statements and comments of templates are not supported: " + std::string(text.substr(0, 100)));
  }
  std::string result;
  for (;;) {
    const std::size_t begin = text.find("{{");
    result += text.substr(0, begin);
    if (begin == std::string_view::npos) return result;
    const std::size_t end = text.find("}}", begin);
    if (end == std::string_view::npos) FailUnsupported("\"{{\" without \"}}\": " + std::string(text.substr(0, 100)));
    const Value value = Expression(text.substr(begin + 2, end - begin - 2), variables, this).Evaluate();
    const auto* const written = std::get_if<std::string>(&value);
    result += written ? *written : ToText(value);
    CheckLength(result);
    text.remove_prefix(end + 2);
  }
}

}  // namespace

ReferenceTemplates::ReferenceTemplates(const zarr::JsonNode& templates) {
  for (const auto& [name, text] : templates.GetMembers()) templates_.insert_or_assign(name, text.AsString());
}

std::string ReferenceTemplates::Render(std::string_view text, const Variables& variables, std::uint64_t* work) const {
  Rendering rendering{templates_};
  std::string result = rendering.Render(text, variables);
  if (work) *work += rendering.work;
  return result;
}

}  // namespace gdal_zarr
