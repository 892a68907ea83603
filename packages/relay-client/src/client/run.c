#include "client.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define PAUSE_MS 5
/* After a signal, "relay run" answers with the guards that have ended. */
#define ENDING_MS 500L

/* "relay run", with the ends of the pipes to its stdin and from its stdout. */
struct run {
  pid_t child;
  int input;
  int output;
};

static const char **arguments_of(const struct call *call, const struct configuration *configuration, const char *reason, const char *left) {
  size_t count = 0;
  while (call->words[count] != NULL) count += 1;
  const char **arguments = calloc(count + 13, sizeof *arguments);
  if (arguments == NULL) return NULL;
  const char *first[] = {configuration->node, configuration->script, "relay", "run", "--agent", call->agent, "--event", call->event};
  size_t at = 0;
  for (; at < 8; at += 1) arguments[at] = first[at];
  for (size_t word = 0; word < count; word += 1) arguments[at++] = call->words[word];
  /* Some of the budget may be spent. The last of two options counts. */
  arguments[at++] = "--budget";
  arguments[at++] = left;
  if (reason != NULL) {
    arguments[at++] = "--without-daemon";
    arguments[at++] = reason;
  }
  return arguments;
}

static bool start_run(const struct call *call, const struct configuration *configuration, const char *reason, struct run *run) {
  char left[32];
  snprintf(left, sizeof left, "%.3f", (double)(call->budget_until - now_ms()) / 1000);
  const char **arguments = arguments_of(call, configuration, reason, left);
  int input[2];
  int output[2];
  if (arguments == NULL || pipe(input) != 0 || pipe(output) != 0) return false;
  run->child = fork();
  if (run->child == 0) {
    dup2(input[0], STDIN_FILENO);
    dup2(output[1], STDOUT_FILENO);
    for (int end = 0; end < 2; end += 1) {
      close(input[end]);
      close(output[end]);
    }
    signal(SIGPIPE, SIG_DFL);
    execv(configuration->node, (char *const *)arguments);
    _exit(127);
  }
  free(arguments);
  close(input[0]);
  close(output[1]);
  run->input = input[1];
  run->output = output[0];
  return run->child > 0;
}

/* Passes on what was read, and the rest of stdin. */
static void pass_input(int to, const struct call *call) {
  long until = call->answer_until - ENDING_MS;
  fcntl(to, F_SETFL, fcntl(to, F_GETFL) | O_NONBLOCK);
  bool is_read = write_until(to, call->input.data, call->input.length, until);
  while (is_read && call->read == PART) {
    struct bytes rest = {0};
    is_read = read_until(STDIN_FILENO, &rest, until) && write_until(to, rest.data, rest.length, until);
    free(rest.data);
  }
  close(to);
}

/* Reads the answer until the process has ended. Returns its exit code; -1 at the deadline, and if it was killed. */
static int read_to_end(const struct run *run, struct bytes *answer, long until) {
  while (read_until(run->output, answer, until)) continue;
  for (;;) {
    int status;
    pid_t ended = waitpid(run->child, &status, WNOHANG);
    if (ended == run->child) return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    if ((ended < 0 && errno != EINTR) || now_ms() >= until) return -1;
    poll(NULL, 0, PAUSE_MS);
  }
}

/* Has the event answered by a process of its own. If that fails too, the answer is the stored text. */
int run_without_daemon(const struct call *call, const struct configuration *configuration, const char *reason) {
  struct run run;
  struct bytes answer = {0};
  if (configuration->node == NULL || configuration->script == NULL) return say_failed(call, configuration);
  if (call->read == LATE || now_ms() >= call->budget_until) return say_failed(call, configuration);
  if (!start_run(call, configuration, reason, &run)) return say_failed(call, configuration);
  pass_input(run.input, call);
  int code = read_to_end(&run, &answer, call->answer_until - ENDING_MS);
  if (code < 0) {
    kill(run.child, SIGTERM);
    code = read_to_end(&run, &answer, call->answer_until);
    if (code < 0) kill(run.child, SIGKILL);
  }
  /* An answer that was given before the process was ended counts. The agent must not get two. */
  if (code < 0 && answer.length > 0) code = 0;
  /* The answers of all agents end with 0 or 2, and wrong arguments with 64. */
  if (code != 0 && code != 2 && code != 64) return say_failed(call, configuration);
  write_all(STDOUT_FILENO, answer.data, answer.length);
  return code;
}
