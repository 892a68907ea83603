#include "client.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DEFAULT_BUDGET_MS 63000L
#define LONGEST_BUDGET_S 86400.0
/* The answer comes within the budget. It needs some time to arrive. */
#define ARRIVAL_MS 1500L

const char *read_call(int argc, char **argv, struct call *call) {
  memset(call, 0, sizeof *call);
  long budget_ms = DEFAULT_BUDGET_MS;
  if (argc < 3) return "usage: tenterhook-hook <agent> <event> [option…]";
  call->agent = argv[1];
  call->event = argv[2];
  call->words = argv + 3;
  for (char **word = call->words; *word != NULL; word += 1) {
    const char *value = word[1];
    if (strcmp(*word, "--closed") == 0) call->is_closed = true;
    if (value == NULL) continue;
    if (strcmp(*word, "--on-failure") == 0 && strcmp(value, "closed") == 0) call->is_closed = true;
    if (strcmp(*word, "--budget") == 0) {
      double seconds = strtod(value, NULL);
      if (seconds > 0 && seconds <= LONGEST_BUDGET_S) budget_ms = (long)(seconds * 1000);
    }
  }
  call->budget_until = now_ms() + budget_ms;
  call->answer_until = call->budget_until + ARRIVAL_MS;
  return NULL;
}

/* Reads stdin to its end, until it is too long for the daemon, or until the budget is spent. */
void read_input(struct call *call) {
  while (call->input.length <= MAX_INPUT_BYTES) {
    if (!wait_for(STDIN_FILENO, POLLIN, call->budget_until)) {
      call->read = LATE;
      return;
    }
    if (!read_some(STDIN_FILENO, &call->input)) return;
  }
  call->read = PART;
}
