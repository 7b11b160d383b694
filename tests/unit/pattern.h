// Regular expressions, each compiled when it is first used, since compiling
// takes much longer than matching a sentence.

#ifndef BROADLOOM_TESTS_UNIT_PATTERN_H_
#define BROADLOOM_TESTS_UNIT_PATTERN_H_

#include <map>
#include <regex>
#include <string>

namespace testing {

inline const std::regex& Pattern(const std::string& text) {
  static std::map<std::string, std::regex> compiled;
  const auto found = compiled.find(text);
  if (found != compiled.end()) return found->second;
  return compiled.emplace(text, std::regex(text)).first->second;
}

}  // namespace testing

#endif  // BROADLOOM_TESTS_UNIT_PATTERN_H_
