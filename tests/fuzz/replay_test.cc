// Runs the C++ harnesses on the bytes in corpus/: inputs that once failed, and
// inputs that reach each branch.

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <vector>

#include "catch2/catch_test_macros.hpp"
#include "fuzz/harness.h"

namespace {

void Replay(const char* name,
            std::string (*fault_of)(std::span<const uint8_t>)) {
  size_t count = 0;
  const auto folder = std::string(BROADLOOM_TESTS_DIR) + "/fuzz/corpus/" + name;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    std::ifstream file(entry.path(), std::ios::binary);
    const std::vector<char> read(std::istreambuf_iterator<char>(file), {});
    const std::vector<uint8_t> bytes(read.begin(), read.end());
    INFO(entry.path().filename().string());
    CHECK(fault_of(bytes) == "");
    // Any part of an input is a valid input, too.
    CHECK(fault_of(std::span(bytes).first(bytes.size() / 2)) == "");
    ++count;
  }
  REQUIRE(count >= 20);
}

TEST_CASE("fuzz: the corpus of texts") { Replay("text", fuzz::FaultOfText); }
TEST_CASE("fuzz: the corpus of pastes") { Replay("paste", fuzz::FaultOfPaste); }
TEST_CASE("fuzz: the corpus of plans") { Replay("plans", fuzz::FaultOfPlan); }
TEST_CASE("fuzz: the corpus of plan texts") {
  Replay("plan-texts", fuzz::FaultOfPlanText);
}

}  // namespace
