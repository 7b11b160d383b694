// Shared code of the C++ peers. They answer the same requests as peer.py, each
// with its own way to compute a case. Compiled by scripts/bench/peers-setup.mjs
// with the usual optimisation, for this machine.

#ifndef BROADLOOM_TESTS_BENCH_PEERS_PEER_H_
#define BROADLOOM_TESTS_BENCH_PEERS_PEER_H_

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace peer {

using Shape = std::vector<size_t>;

struct Case {
  std::string op;
  std::string dtype;  // of all operands
  std::string out;    // of the result
  std::vector<Shape> shapes;
  Shape target;
  std::vector<void*> inputs;
  void* output;
};

// Prepares a case; an empty function if it is not supported.
std::function<void()> Prepare(const Case& it);
std::string Version();

// --- Below: nothing of it differs between peers ------------------------------

inline size_t Count(const Shape& shape) {
  size_t count = 1;
  for (const size_t extent : shape) count *= extent;
  return count;
}

inline size_t WidthOf(const std::string& dtype) {
  if (dtype == "bool" || dtype == "u8" || dtype == "i8") return 1;
  if (dtype == "u16" || dtype == "i16" || dtype == "f16") return 2;
  if (dtype == "f64" || dtype == "i64" || dtype == "u64") return 8;
  return 4;
}

// Placed as in tests/bench/memory.h.
struct Buffer {
  Buffer(size_t size, size_t number) : bytes(size) {
    constexpr size_t kPage = size_t{2} << 20;
    const size_t all = (size + 4096 + kPage) / kPage * kPage;
    whole.reset(static_cast<char*>(std::aligned_alloc(kPage, all)));
#if defined(__linux__)
    madvise(whole.get(), all, MADV_HUGEPAGE);
#endif
    std::memset(whole.get(), 0, size + 4096);
    data = whole.get() + number * 256;
  }
  struct Free {
    void operator()(char* memory) const { std::free(memory); }
  };
  std::unique_ptr<char, Free> whole;
  char* data;
  size_t bytes;
};

inline void ReadFile(const std::string& file, Buffer& to) {
  std::ifstream(file, std::ios::binary)
      .read(to.data, static_cast<std::streamsize>(to.bytes));
}

inline Shape ShapeOf(const std::string& text) {
  Shape shape;
  std::istringstream stream(text.substr(1, text.size() - 2));
  for (std::string word; std::getline(stream, word, ',');) {
    shape.push_back(std::strtoull(word.c_str(), nullptr, 10));
  }
  return shape;
}

inline bool Agree(const Case& it, const Buffer& got, const Buffer& right) {
  if (it.op != "Pow" || it.dtype != "f32") {
    return std::memcmp(got.data, right.data, got.bytes) == 0;
  }
  const auto* x = reinterpret_cast<const float*>(got.data);
  const auto* y = reinterpret_cast<const float*>(right.data);
  for (size_t i = 0; i < got.bytes / sizeof(float); ++i) {
    if (!(std::fabs(x[i] - y[i]) <= 1e-6f * std::fabs(y[i]))) return false;
  }
  return true;
}

class Session {
 public:
  std::string Open(const std::map<std::string, std::string>& words) {
    buffers_.clear();
    run_ = nullptr;
    it_ = {};
    it_.op = words.at("op");
    it_.out = words.at("out");
    const std::string& dtypes = words.at("dtypes");
    it_.dtype = dtypes.substr(0, dtypes.find(','));
    std::istringstream shapes(words.at("shapes"));
    for (std::string text; std::getline(shapes, text, ';');) {
      it_.shapes.push_back(ShapeOf(text));
    }
    it_.target = ShapeOf(words.at("target"));
    const std::string& folder = words.at("folder");
    Buffer right(Count(it_.target) * WidthOf(it_.out), 0);
    ReadFile(folder + "/result", right);
    buffers_.emplace_back(right.bytes, 0);
    for (size_t i = 0; i < it_.shapes.size(); ++i) {
      buffers_.emplace_back(Count(it_.shapes[i]) * WidthOf(it_.dtype), i + 1);
      ReadFile(folder + "/operand" + std::to_string(i), buffers_.back());
      it_.inputs.push_back(buffers_.back().data);
    }
    it_.output = buffers_[0].data;
    run_ = Prepare(it_);
    if (!run_) return R"({"unsupported":"not written for it"})";
    run_();
    if (!Agree(it_, buffers_[0], right)) return R"({"wrong":"it differs"})";
    constexpr double kLeast = 1e6, kLong = 100e6;
    for (count_ = 1;; count_ *= 2) {
      const double ns = TimeAll();
      warms_ = ns / static_cast<double>(count_) < kLong;
      if (ns * kTries >= kLeast) return "{}";
    }
  }

  std::string Time(int rounds) {
    std::ostringstream json;
    json << "{\"work\":[";
    for (int round = 0; round < rounds; ++round) {
      if (warms_) run_();
      double best = TimeAll();
      for (int left = warms_ ? kTries - 1 : 0; left > 0; --left) {
        best = std::min(best, TimeAll());
      }
      json << (round > 0 ? "," : "") << best / static_cast<double>(count_);
    }
    json << "]}";
    return json.str();
  }

 private:
  static constexpr int kTries = 3;

  double TimeAll() const {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point begin = Clock::now();
    for (size_t i = 0; i < count_; ++i) {
      run_();
      asm volatile("" : : "r"(it_.output) : "memory");
    }
    return std::chrono::duration<double, std::nano>(Clock::now() - begin)
        .count();
  }

  Case it_;
  std::vector<Buffer> buffers_;
  std::function<void()> run_;
  size_t count_ = 1;
  bool warms_ = true;
};

inline int Main() {
  Session session;
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream stream(line);
    std::string what;
    stream >> what;
    std::map<std::string, std::string> words;
    for (std::string word; stream >> word;) {
      const size_t equals = word.find('=');
      words[word.substr(0, equals)] = word.substr(equals + 1);
    }
    if (what == "about") {
      std::cout << "{\"version\":\"" << Version() << "\"}" << std::endl;
    } else if (what == "open") {
      std::cout << session.Open(words) << std::endl;
    } else {
      std::cout << session.Time(std::atoi(words["rounds"].c_str()))
                << std::endl;
    }
  }
  return 0;
}

}  // namespace peer

#endif  // BROADLOOM_TESTS_BENCH_PEERS_PEER_H_
