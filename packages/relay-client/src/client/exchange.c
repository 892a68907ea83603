#include "client.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#ifndef TENTERHOOK_VERSION
#define TENTERHOOK_VERSION "0"
#endif

/* A daemon that does nothing for so long does not take the event any more. */
#define TAKING_MS 5000L
#define PART_BYTES ((size_t)65536)

extern char **environ;

static bool is_plain(const char *word) {
  if (*word == '\0') return false;
  for (const char *at = word; *at != '\0'; at += 1)
    if ((unsigned char)*at <= ' ' || *at == 127) return false;
  return true;
}

static bool append_text(struct bytes *to, const char *text) {
  return append(to, text, strlen(text));
}

/* The line of the request, the working directory, and the environment. */
static bool write_head(const struct call *call, struct bytes *head) {
  if (!is_plain(call->agent) || !is_plain(call->event)) return false;
  if (!append_text(head, "TH1 " TENTERHOOK_VERSION " ") || !append_text(head, call->agent)) return false;
  if (!append_text(head, " ") || !append_text(head, call->event)) return false;
  for (char **word = call->words; *word != NULL; word += 1)
    if (!is_plain(*word) || !append_text(head, " ") || !append_text(head, *word)) return false;
  char left[48];
  snprintf(left, sizeof left, " --left %.3f\n", (double)(call->budget_until - now_ms()) / 1000);
  if (!append_text(head, left)) return false;
  char folder[4096];
  if (getcwd(folder, sizeof folder) != NULL && (!append_text(head, "=") || !append(head, folder, strlen(folder) + 1))) return false;
  for (char **variable = environ; *variable != NULL; variable += 1) {
    if ((*variable)[0] == '=' || (*variable)[0] == '\0') continue;
    if (!append(head, *variable, strlen(*variable) + 1) || head->length > MAX_ENVIRONMENT_BYTES) return false;
  }
  return append(head, "", 1);
}

/* If the daemon has not taken the event, a process of its own needs time to answer it. */
static long taken_until(long budget_until) {
  long now = now_ms();
  long half = now + (budget_until - now) / 2;
  return half < now + TAKING_MS ? half : now + TAKING_MS;
}

/* Sends a part of the request. A daemon that reads nothing for a while does not take the event. */
static bool send_all(int connection, const struct bytes *bytes, long budget_until) {
  for (size_t sent = 0; sent < bytes->length;) {
    size_t part = bytes->length - sent < PART_BYTES ? bytes->length - sent : PART_BYTES;
    if (!write_until(connection, bytes->data + sent, part, taken_until(budget_until))) return false;
    sent += part;
  }
  return true;
}

/* Reads a number that ends with the given character. Returns -1 if there is none. */
static long read_number(const char **at, char end) {
  char *rest;
  if (**at < '0' || **at > '9') return -1;
  errno = 0;
  long number = strtol(*at, &rest, 10);
  if (errno != 0 || *rest != end || number > (long)MAX_INPUT_BYTES) return -1;
  *at = rest + 1;
  return number;
}

/* Prints the answer after the `+`: "TH1 <exit> <bytes> <bytes>", stdout, stderr. */
static enum reply read_answer(int connection, struct bytes *answer, long until, int *exit_code) {
  char *line;
  while ((line = memchr(answer->data, '\n', answer->length)) == NULL)
    if (answer->length > 200 || !read_until(connection, answer, until)) return LOST;
  *line = '\0';
  if (strncmp(answer->data, "+TH1 ", 5) != 0) return LOST;
  const char *at = answer->data + 5;
  long code = read_number(&at, ' ');
  long out = code < 0 ? -1 : read_number(&at, ' ');
  long error = out < 0 ? -1 : read_number(&at, '\0');
  if (code > 255 || error < 0) return LOST;
  size_t begin = (size_t)(line - answer->data) + 1;
  while (answer->length - begin < (size_t)out + (size_t)error)
    if (!read_until(connection, answer, until)) return LOST;
  write_all(STDERR_FILENO, answer->data + begin + out, (size_t)error);
  write_all(STDOUT_FILENO, answer->data + begin, (size_t)out);
  *exit_code = (int)code;
  return ANSWERED;
}

enum reply ask_daemon(int connection, const struct call *call, int *exit_code) {
  struct bytes head = {0};
  struct bytes answer = {0};
  long until = call->budget_until;
  if (!write_head(call, &head) || !send_all(connection, &head, until) || !send_all(connection, &call->input, until)) return NOT_TAKEN;
  if (shutdown(connection, SHUT_WR) != 0) return NOT_TAKEN;
  if (!read_until(connection, &answer, taken_until(until)) || answer.data[0] != '+') return NOT_TAKEN;
  return read_answer(connection, &answer, call->answer_until, exit_code);
}
