// Runs the tests of the C interface. The last line is `N passed, N failed`.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

static int failures;

void Check(int holds, const char* what, const char* file, int line) {
  if (holds) return;
  // The first failures say enough.
  if (++failures <= 5) printf("%s:%d: %s\n", file, line, what);
}

int HasFailed(void) { return failures != 0; }

void CheckSays(const bl_error* error, const char* part, const char* file,
               int line) {
  char text[600];
  bl_describe_error(error, text, sizeof text);
  if (strstr(text, part) != NULL) return;
  Check(0, part, file, line);
  printf("  not in: %s\n", text);
}

uint64_t Random(uint64_t below) {
  static uint64_t state = 0x9E3779B97F4A7C15u;
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (state >> 11) % below;
}

static void* Allocate(void* context, size_t bytes, size_t alignment) {
  Counter* const counter = context;
  if (counter->made >= counter->refuse_from) return NULL;
  ++counter->made;
  counter->in_use += bytes;
  return aligned_alloc(alignment, bytes);
}

static void Deallocate(void* context, void* memory, size_t bytes,
                       size_t alignment) {
  (void)alignment;
  ((Counter*)context)->in_use -= bytes;
  free(memory);
}

bl_allocator CountingAllocator(Counter* counter) {
  const bl_allocator allocator = {Allocate, Deallocate, counter};
  return allocator;
}

static void* AllocateLittle(void* context, size_t bytes, size_t alignment) {
  (void)context;
  return bytes > (size_t)1 << 20 ? NULL : aligned_alloc(alignment, bytes);
}
static void DeallocateLittle(void* context, void* memory, size_t bytes,
                             size_t alignment) {
  (void)context;
  (void)bytes;
  (void)alignment;
  free(memory);
}
const bl_allocator kLittleAllocator = {AllocateLittle, DeallocateLittle, NULL};

int main(void) {
  static const struct {
    const char* name;
    void (*run)(void);
  } kTests[] = {
      {"abi", TestAbi},
      {"allocation", TestAllocation},
      {"bad input", TestBadInput},
      {"bad input at random", TestBadInputAtRandom},
      {"DLPack", TestDlpack},
      {"DLPack at random", TestDlpackAtRandom},
      {"explanations", TestExplanations},
      {"operators", TestOperators},
      {"broadcasts", TestBroadcasts},
      {"mismatches", TestMismatches},
      {"sums", TestSums},
      {"threads", TestThreads},
  };
  int passed = 0, failed = 0;
  setvbuf(stdout, NULL, _IOLBF, 0);  // what was printed before a crash
  for (size_t i = 0; i < sizeof kTests / sizeof *kTests; ++i) {
    failures = 0;
    kTests[i].run();
    if (failures == 0) {
      ++passed;
    } else {
      ++failed;
      printf("FAILED %s: %d checks\n", kTests[i].name, failures);
    }
  }
  printf("%d passed, %d failed\n", passed, failed);
  return failed != 0;
}
