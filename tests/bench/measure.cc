#include "measure.h"

#include <cstddef>
#include <sstream>
#include <string>
#include <vector>

namespace bench {

std::string TimeInTurn(std::vector<Timed>& all, size_t rounds) {
  for (Timed& timed : all) timed.Clear();
  for (size_t round = 0; round < rounds; ++round) {
    for (Timed& timed : all) timed.Round();
  }
  std::ostringstream json;
  json << '{';
  const char* separator = "";
  for (const Timed& timed : all) {
    json << separator << '"' << timed.name() << "\":[";
    separator = "";
    for (const double ns : timed.times()) {
      json << separator << ns;
      separator = ",";
    }
    json << ']';
    separator = ",";
  }
  json << '}';
  return json.str();
}

}  // namespace bench
