/**
 * Every code that leaves the system, one line of documentation each; `docs/errors.md` is compared with these lists by a test.
 * Codes are stable: programs switch on them, messages are for people.
 */

/** Why a request was not carried out: `error.code` of a response. */
export const errorCodes = {
  invalid_request: 'The request is malformed: no object as input, no text as event name, or a correlation id that is none or is in use.',
  unsupported_event: 'No event of that name exists; the message names the nearest one.',
  validation_failed: 'A field of the input is missing or has the wrong type; details.issues names each path.',
  timeout: 'The time for the whole event ran out; details.outcomes and details.verdict hold what had been answered.',
  cancelled: 'The request was cancelled; details.outcomes and details.verdict hold what had been answered.',
  overloaded: 'More requests are in flight, or more hooks are waiting, than the configured bound.',
  no_responders: 'Nobody on the bus answers this kind of request.',
  disposed: 'The service or the bus was shut down, or the connection to it lost, before the request was answered.',
  invalid_settings: 'A settings file cannot be used; details.diagnostics has file, line, path and remedy.',
  internal_error: 'A bug of ours. The request was not carried out; nothing of another request was touched.',
} as const;

/** Why one hook's outcome is not what its author meant: `outcome.warnings[].code` and `errors[].code`. */
export const hookCodes = {
  exit_code: 'The hook ended with an exit code that means failure in its dialect.',
  signal: 'The hook was ended by a signal.',
  missing_command: 'The command does not exist (exit code 127).',
  not_executable: 'The command exists and cannot be executed (exit code 126).',
  spawn_failed: 'The process could not be started: missing directory, missing shell, or the system refused.',
  timeout: 'The hook did not end within its own timeout and was stopped.',
  cancelled: 'The hook was running when the event was cancelled.',
  not_started: 'The hook had no turn: the event was cancelled, timed out or refused, or too many hooks were waiting.',
  invalid_input: 'The input could not be told to the hook, so the hook was not started.',
  ambiguous_input: 'The input has two meanings, of which the hook would see one; it was not asked, and the operation is denied.',
  output_truncated: 'The output was longer than the capture limit; what was cut off is not obeyed.',
  invalid_utf8: 'The output was not valid UTF-8; the invalid bytes were replaced.',
  mixed_output: 'Text and JSON objects were mixed on stdout; the strictest decision among the objects counts.',
  invalid_json: 'stdout, or a line of it, begins like a JSON object and is none; it was taken as text.',
  decision_in_text: 'stdout holds what looks like a decision within a text; only an object that begins a line counts.',
  other_spelling: 'An output field has the name of a known one in other letters; it has no effect.',
  too_deep: 'An output field is nested deeper than 256 levels; the field was dropped.',
  too_many_fields: 'The output has more than 1000 fields that the format does not know; the first 1000 pass through.',
  more_warnings: 'There were more warnings than are kept.',
  double_encoded: 'stdout was a JSON string that holds a JSON object; it was unwrapped once.',
  not_an_object: 'The answer was no object; it is no opinion.',
  wrong_type: 'A known output field has the wrong type; the field was dropped.',
  reserved_field: 'The output uses a field that this dialect does not have; the field was dropped.',
  wrong_event: 'hookSpecificOutput.hookEventName names another event than the one that was fired.',
  decision_ignored: 'The output held a decision that cannot count, because the hook failed.',
  rewrite_ignored: 'The output held a rewrite that cannot count, because the hook blocked.',
  no_effect: 'The hook said something that has no effect on this event.',
  rewrite_conflict: 'Two hooks that ran side by side wrote different values to one field; the later in plan order counts.',
  left_processes: 'The hook ended and left processes of its group running.',
  ask_counted: 'The hook asked on an event where its own product ignores that; it counts as ask (decision 66).',
  deny_counted: 'The hook denied where its own product does not read it; it counts as deny (decision 68).',
  deferred: 'The hook handed the decision over to the host; it counts as ask (decision 64).',
  unsupported_ask: 'The hook asked where its dialect has no ask; a setting decides.',
  late_answer: 'An answer came after the hook no longer counted.',
  failed_closed: 'The hook failed, or had no turn, and its onError (whatever its format calls it) is "block", so the operation is denied.',
  circuit_open: 'The hook failed too often and is left out for a while; the message says when it is tried again.',
  no_executor: 'Nothing can run this kind of hook here.',
  request_failed: 'The server of a hook could not be reached, or its connection ended before the whole answer was there.',
  http_status: 'The server of a hook answered with a status that is none of success.',
  address_refused: 'The URL of a hook leads to a private address, and http.allowPrivateAddresses does not allow it; nothing was sent.',
  hook_failed: 'A handler or a callback of the host threw, or answered something that is no answer.',
  handler_absent: 'The process of the handler is gone or does not answer; its handlers are not waited for until it announces itself again.',
  internal_error: 'A bug of ours while running this hook; the other hooks count.',
} as const;

/** What is wrong with the settings: `diagnostic.code`. */
export const diagnosticCodes = {
  unreadable_file: 'A settings file cannot be read: it was named and is not there, is no regular file, is too large, or may not be read.',
  invalid_json: 'A settings file is not JSON (comments and trailing commas are fine).',
  duplicate_key: 'A key stands twice in one object; only the last one counts.',
  invalid_document: 'The settings, or their "hooks", are not an object.',
  unknown_event: 'No event of that name exists; the remedy names the nearest one.',
  misplaced_hooks: 'Hooks stand where none are looked for, or a hook where a hook group is expected; they do not run.',
  ineffective_switch: 'A switch of hooks counts for nothing where it stands, or here at all.',
  misplaced_switch: 'A switch of hooks stands where it is not read; the remedy says where to write it.',
  invalid_group: 'A hook group is not an object, or its "hooks" is not an array.',
  invalid_matcher: 'A matcher is not a text, or compiles as nothing; the hooks of its group do not run.',
  invalid_condition: 'A condition of a hook cannot be read, and the hook runs without it; or it can never hold on its event.',
  unset_variable: 'A command uses a variable that hooks of its format are not given; it is empty.',
  unquoted_variable: 'A command uses a variable without quotes, and its value has white space, at which the shell splits it.',
  matcher_ignored: 'The event has nothing to match; the hooks run always.',
  missing_handler: 'A hook of a program has no handler, or a handler no hook.',
  unaccepted_handlers: 'Handlers of another process are on the bus, and the host does not accept them.',
  unmatched_matcher: 'A matcher can match nothing: none of the tools that the agent has, or a tool on an event that is about none.',
  plain_matcher: 'A plain name is searched for anywhere in the tool name; anchor it to mean exactly that name.',
  invalid_hook: 'A hook is not an object, or one that a program registers or announces cannot be what it says.',
  missing_command: 'A hook has no command.',
  missing_script: 'The script that a hook names is at none of the places where it is looked for; the hook fails until it is there.',
  workspace_script: 'A script that the settings of a user name was found in the workspace: it is the repository that speaks.',
  not_executable: 'A script names an interpreter in its first line and is not executable, so that a shell runs it.',
  repeated_key: 'One key of a hook stands in two files; both hooks count.',
  repeated_command: 'The same command stands on one event in settings of two formats; both hooks run.',
  unknown_type: 'A hook is of a type that nothing here runs.',
  invalid_timeout: 'A timeout is not a number of milliseconds from 1 to 2147483647; the default is used.',
  suspicious_timeout: 'A timeout looks like another unit than the one of its dialect.',
  invalid_field: 'A field of a hook has the wrong type and is ignored.',
  unknown_dialect: 'Settings were given for a dialect that is not loaded.',
  foreign_disable: 'hooksConfig.disabled names a hook of a source that this one may not switch off.',
  dialect_failed: 'A bug in a dialect: it could not read these settings, and their hooks do not run.',
  no_home: 'There is no home directory, so no settings of the user are read.',
  unread_file: 'A file that looks like settings lies where none are read.',
  ambiguous_dialect: 'The format of a settings file could be that of several dialects; the message says which one was taken.',
  foreign_format: 'Settings that were read in one format look like those of another; the remedy says which, and where those are read.',
} as const;

/** Why a configured hook did not run: `outcome.skipReason`. */
export const skipReasons = {
  matcher: 'The matcher does not match this event.',
  disabled: 'Settings disable the hook.',
  untrusted: 'The host does not trust the source of the hook, or of what it runs.',
  duplicate: 'The same command stands elsewhere and runs there; duplicateOf names it.',
  'chain-ended': 'A hook before it blocked, stopped or skipped the rest.',
  condition: 'A condition of the hook, other than its matcher, does not hold.',
  invalid: 'The hook was dropped when the settings were read; the warning says why.',
  'circuit-open': 'The hook failed too often and is left out for a while.',
  'no-handler': 'A hook of a program has no handler, or none any more.',
  once: 'The hook runs once in a session, and has run in this one.',
} as const;

export type ErrorCode = keyof typeof errorCodes;
export type HookCode = keyof typeof hookCodes;
export type DiagnosticCode = keyof typeof diagnosticCodes;
export type SkipReason = keyof typeof skipReasons;
