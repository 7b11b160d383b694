#include "fields.h"

#include <cstdint>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

namespace bench {
namespace {

std::vector<std::string> Split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) {
    parts.push_back(part);
  }
  return parts;
}

Extents ReadExtents(const std::string& text) {
  Extents extents;
  for (const std::string& word : Split(text.substr(1, text.size() - 2), ',')) {
    extents.push_back(std::strtoll(word.c_str(), nullptr, 10));
  }
  return extents;
}

}  // namespace

Fields::Fields(const std::string& line) {
  std::istringstream stream(line);
  stream >> what_;
  for (std::string word; stream >> word;) {
    const size_t equals = word.find('=');
    if (equals == std::string::npos) continue;
    values_[word.substr(0, equals)] = word.substr(equals + 1);
  }
}

std::string Fields::Text(const std::string& key) const {
  const auto found = values_.find(key);
  return found == values_.end() ? "" : found->second;
}

std::optional<int64_t> Fields::Number(const std::string& key) const {
  const std::string text = Text(key);
  if (text.empty()) return std::nullopt;
  return std::strtoll(text.c_str(), nullptr, 10);
}

std::optional<Extents> Fields::List(const std::string& key) const {
  const std::string text = Text(key);
  if (text.empty()) return std::nullopt;
  return ReadExtents(text);
}

std::vector<Extents> Fields::Lists(const std::string& key) const {
  std::vector<Extents> lists;
  for (const std::string& text : Split(Text(key), ';')) {
    lists.push_back(ReadExtents(text));
  }
  return lists;
}

std::vector<std::string> Fields::Words(const std::string& key) const {
  return Split(Text(key), ',');
}

}  // namespace bench
