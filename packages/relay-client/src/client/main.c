#include "client.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define STARTING_MS 3000L
#define WRONG_USAGE 64

static bool is_daemon_wanted(const struct call *call) {
  const char *wanted = getenv("TENTERHOOK_RELAY_DAEMON");
  return call->read == WHOLE && (wanted == NULL || strcmp(wanted, "0") != 0);
}

/* Has the event answered, by the first of these that can: the daemon, "relay run", a stored text. */
static int answer(const struct call *call, const char *program) {
  struct configuration configuration;
  char path[4200];
  const char *reason = NULL;
  int connection = -1;
  bool is_wanted = is_daemon_wanted(call);
  if (is_wanted) reason = find_socket(path, sizeof path);
  bool is_possible = is_wanted && reason == NULL;
  if (is_possible) connection = connect_to(path);
  /* The file is read only if something fails, because most events never need it. */
  bool is_read = connection < 0;
  if (is_read) read_configuration(program, &configuration);
  if (is_possible && connection < 0) {
    long third_ms = (call->budget_until - now_ms()) / 3;
    long wait_ms = third_ms < STARTING_MS ? third_ms : STARTING_MS;
    connection = start_daemon(path, &configuration, wait_ms);
    if (connection < 0) reason = "the daemon could not be started";
  }
  if (connection >= 0) {
    int exit_code = 0;
    enum reply reply = ask_daemon(connection, call, &exit_code);
    close(connection);
    if (reply == ANSWERED) return exit_code;
    if (!is_read) read_configuration(program, &configuration);
    if (reply == LOST) return say_failed(call, &configuration);
    reason = "the daemon did not take the event";
  }
  return run_without_daemon(call, &configuration, reason);
}

int main(int argc, char **argv) {
  struct call call;
  const char *problem = read_call(argc, argv, &call);
  if (problem != NULL) {
    write_all(STDERR_FILENO, problem, strlen(problem));
    write_all(STDERR_FILENO, "\n", 1);
    return WRONG_USAGE;
  }
  /* An agent that reads nothing any more must not end this program before the event is answered. */
  signal(SIGPIPE, SIG_IGN);
  /* If the agent ignores this signal, the end of a child could not be waited for. */
  signal(SIGCHLD, SIG_DFL);
  read_input(&call);
  return answer(&call, argv[0]);
}
