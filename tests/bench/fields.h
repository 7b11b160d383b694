// One request to the bench: a word that says what, then KEY=VALUE words.
//   open op=Add rule=pdpd axis=1 dtypes=f32,f32 shapes=[8,64,56,56];[64]

#ifndef BROADLOOM_TESTS_BENCH_FIELDS_H_
#define BROADLOOM_TESTS_BENCH_FIELDS_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace bench {

using Extents = std::vector<int64_t>;

class Fields {
 public:
  explicit Fields(const std::string& line);

  const std::string& what() const { return what_; }
  // "" if it is missing.
  std::string Text(const std::string& key) const;
  std::optional<int64_t> Number(const std::string& key) const;
  // [2,3]
  std::optional<Extents> List(const std::string& key) const;
  // [2,3];[];[4]
  std::vector<Extents> Lists(const std::string& key) const;
  // a,b,c
  std::vector<std::string> Words(const std::string& key) const;

 private:
  std::string what_;
  std::map<std::string, std::string> values_;
};

}  // namespace bench

#endif  // BROADLOOM_TESTS_BENCH_FIELDS_H_
