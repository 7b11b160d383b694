// Runs what could hang, crash or use up the process in a child process, so that
// it fails one test and not all of them.

#ifndef BROADLOOM_TESTS_UNIT_CHILD_H_
#define BROADLOOM_TESTS_UNIT_CHILD_H_

#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <string>

#include "unit/allocation_watch.h"

namespace testing {

// Long enough for a loaded machine under a sanitizer; a hang has no end.
inline constexpr unsigned kChildSeconds = 60;

// Runs `body` in a forked process. "" when it returned true; else what became
// of it: "false", "hung", "signal 11", "exit 1".
template <class Body>
[[nodiscard]] std::string RunInChild(Body body) {
  const pid_t child = fork();
  if (child < 0) return "no process";
  if (child == 0) {
    // Unless it is caught, the signal ends the process, whatever that waits
    // for.
    std::signal(SIGALRM, SIG_DFL);
    alarm(kChildSeconds);
    // A crash is reported once, by the parent, unless a sanitizer can say more.
    if (HeapIsWatched()) {
      for (const int crash : {SIGSEGV, SIGABRT, SIGILL, SIGFPE, SIGBUS}) {
        std::signal(crash, SIG_DFL);
      }
    }
    // Not exit: what the parent has registered is the parent's to run.
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
