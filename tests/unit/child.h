// Runs code that could hang, crash or exhaust the process in a child process,
// so that only one test fails.

#ifndef BROADLOOM_TESTS_UNIT_CHILD_H_
#define BROADLOOM_TESTS_UNIT_CHILD_H_

#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <string>

#include "unit/allocation_watch.h"

namespace testing {

// Long enough for a loaded machine under a sanitizer.
inline constexpr unsigned kChildSeconds = 60;

// Runs `body` in a forked process. Returns "" if it returned true, else the
// outcome: "false", "hung", "signal 11", "exit 1".
template <class Body>
[[nodiscard]] std::string RunInChild(Body body) {
  const pid_t child = fork();
  if (child < 0) return "no process";
  if (child == 0) {
    // The default action of the signal ends the process, whatever it is waiting
    // for.
    std::signal(SIGALRM, SIG_DFL);
    alarm(kChildSeconds);
    // The parent reports a crash once, unless a sanitizer can report more.
    if (HeapIsWatched()) {
      for (const int crash : {SIGSEGV, SIGABRT, SIGILL, SIGFPE, SIGBUS}) {
        std::signal(crash, SIG_DFL);
      }
    }
    // Not exit(), which would run the parent's exit handlers.
    _exit(body() ? 0 : 100);
  }
  int status = 0;
  if (waitpid(child, &status, 0) != child) return "lost";
  if (WIFSIGNALED(status)) {
    const int signal = WTERMSIG(status);
    return signal == SIGALRM ? "hung" : "signal " + std::to_string(signal);
  }
  const int code = WEXITSTATUS(status);
  if (code == 0) return "";
  return code == 100 ? "false" : "exit " + std::to_string(code);
}

}  // namespace testing

#endif  // BROADLOOM_TESTS_UNIT_CHILD_H_
