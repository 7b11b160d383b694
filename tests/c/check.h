// What the C tests share: counted test cases, and seeded random numbers.

#ifndef BROADLOOM_TESTS_C_CHECK_H_
#define BROADLOOM_TESTS_C_CHECK_H_

#include <broadloom/c.h>
#include <stddef.h>
#include <stdint.h>

// Fails the running test case, and prints where, unless `holds` is true.
#define CHECK(holds) Check((holds) != 0, #holds, __FILE__, __LINE__)
void Check(int holds, const char* what, const char* file, int line);

// Whether the running test case has failed.
int HasFailed(void);

// That the sentence of the error contains `part`.
#define CHECK_SAYS(error, part) CheckSays(error, part, __FILE__, __LINE__)
void CheckSays(const bl_error* error, const char* part, const char* file,
               int line);

// A random number in [0, below).
uint64_t Random(uint64_t below);

// An allocator that counts what is in use, and refuses every allocation from
// number `refuse_from` on.
typedef struct {
  size_t in_use;
  size_t made;
  size_t refuse_from;
} Counter;
bl_allocator CountingAllocator(Counter* counter);

// An allocator that refuses more than 1 MiB at once: random requests may ask
// for any number of bytes.
extern const bl_allocator kLittleAllocator;

// The test cases, each in the file of its name.
void TestAbi(void);
void TestAllocation(void);
void TestBadInput(void);
void TestBadInputAtRandom(void);
void TestDlpack(void);
void TestDlpackAtRandom(void);
void TestExplanations(void);
void TestOperators(void);
void TestBroadcasts(void);
void TestMismatches(void);
void TestSums(void);
void TestThreads(void);

#endif  // BROADLOOM_TESTS_C_CHECK_H_
