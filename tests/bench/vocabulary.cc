#include "vocabulary.h"

#include <string>
#include <vector>

namespace bench {

std::string VocabularyText() {
  std::string json;
  ForEachComputation([&](const broadloom::OpInfo& op,
                         const std::vector<broadloom::DType>& dtypes,
                         const broadloom::OpAttributes&,
                         const std::string& attribute) {
    std::string names;
    for (const broadloom::DType dtype : dtypes) {
      if (!names.empty()) names += ',';
      names += '"';
      names += broadloom::Info(dtype).name;
      names += '"';
    }
    json += json.empty() ? "[" : ",";
    json += "{\"op\":\"" + std::string(op.name) + "\",\"dtypes\":[" + names +
            "],\"attribute\":\"" + attribute + "\"}";
  });
  return json + "]";
}

}  // namespace bench
