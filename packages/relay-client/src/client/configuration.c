#include "client.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Returns the path of this program with its links resolved, or NULL. */
static char *own_path(const char *program) {
  if (strchr(program, '/') != NULL) return realpath(program, NULL);
  const char *path = getenv("PATH");
  while (path != NULL && *path != '\0') {
    size_t length = strcspn(path, ":");
    char file[4096];
    int written = snprintf(file, sizeof file, "%.*s/%s", (int)length, path, program);
    if (length > 0 && written > 0 && (size_t)written < sizeof file && access(file, X_OK) == 0) return realpath(file, NULL);
    path += length + (path[length] == ':');
  }
  return NULL;
}

static char *read_file(const char *path) {
  int file = open(path, O_RDONLY);
  if (file < 0) return NULL;
  struct bytes bytes = {0};
  while (read_some(file, &bytes)) continue;
  close(file);
  return append(&bytes, "", 1) ? bytes.data : NULL;
}

/* Returns the rest of the line that begins with a key and a tab. The lines are those of the file, each ended by NUL. */
static char *find_line(char *text, const char *key) {
  size_t length = strlen(key);
  for (char *line = text; line != NULL && *line != '\0'; line += strlen(line) + 1)
    if (strncmp(line, key, length) == 0 && line[length] == '\t') return line + length + 1;
  return NULL;
}

void read_configuration(const char *program, struct configuration *configuration) {
  memset(configuration, 0, sizeof *configuration);
  char *own = own_path(program);
  char file[4200];
  int length = own == NULL ? -1 : snprintf(file, sizeof file, "%s.conf", own);
  free(own);
  if (length <= 0 || (size_t)length >= sizeof file) return;
  char *text = read_file(file);
  if (text == NULL) return;
  for (char *at = text; *at != '\0'; at += 1)
    if (*at == '\n') *at = '\0';
  configuration->text = text;
  configuration->node = find_line(text, "node");
  configuration->script = find_line(text, "script");
  configuration->log = find_line(text, "log");
}

/* Writes a text in which \n, \t and \\ are a line end, a tab and a backslash, and \c is nothing. */
static void write_text(int to, const char *text, size_t length) {
  struct bytes bytes = {0};
  for (size_t at = 0; at < length; at += 1) {
    char next = text[at];
    if (next == '\\' && at + 1 < length) {
      at += 1;
      if (text[at] == 'c') continue;
      next = text[at] == 'n' ? '\n' : text[at] == 't' ? '\t' : text[at];
    }
    if (!append(&bytes, &next, 1)) break;
  }
  write_all(to, bytes.data, bytes.length);
  free(bytes.data);
}

/* Without a stored text. Most agents read exit code 2 as a deny. */
static int say_unknown(const struct call *call) {
  static const char text[] = "tenterhook-hook: the guards could not be asked, and there is no stored answer. Run tenterhook relay install.\n";
  if (!call->is_closed) return 0;
  write_all(STDERR_FILENO, text, sizeof text - 1);
  return 2;
}

/* Prints the answer of the agent's format for an event that could not be answered. Returns its exit code. */
int say_failed(const struct call *call, const struct configuration *configuration) {
  char key[512];
  int length = snprintf(key, sizeof key, "%s %s %s", call->is_closed ? "closed" : "open", call->agent, call->event);
  char *answer = length > 0 && (size_t)length < sizeof key ? find_line(configuration->text, key) : NULL;
  char *out = answer == NULL ? NULL : strchr(answer, '\t');
  char *error = out == NULL ? NULL : strchr(out + 1, '\t');
  if (error == NULL) return say_unknown(call);
  write_text(STDOUT_FILENO, out + 1, (size_t)(error - out - 1));
  write_text(STDERR_FILENO, error + 1, strlen(error + 1));
  return (int)strtol(answer, NULL, 10);
}
