import * as z from '@tenterhook/runtime/schema';

/**
 * All error, warning and diagnostic codes, each with one line of documentation. A test compares `docs/errors.md` with these lists. Codes
 * are stable, because programs compare them; messages may change.
 */

/** Why a request was not carried out: `error.code` of a response. */
export const errorCodes = {
  invalid_request:
    'The request is malformed: the input is not an object, the event name is not a string, or the correlation ID is invalid or already in use.',
  unsupported_event: 'No event has that name. The message names the nearest one.',
  validation_failed: 'A field of the input is missing, has the wrong type, or cannot be written as JSON. details.issues lists each path.',
  timeout: 'The whole event timed out. details.outcomes and details.verdict contain the answers so far.',
  cancelled: 'The request was cancelled. details.outcomes and details.verdict contain the answers so far.',
  overloaded: 'The configured limit of requests in flight or of waiting hooks is reached.',
  no_responders: 'No responder on the bus answers this kind of request.',
  disposed: 'The service or the bus was shut down, or the connection was lost, before the request was answered.',
  invalid_settings: 'A settings file cannot be used. details.diagnostics has its file, line, path and remedy.',
  internal_error: 'A bug in Tenterhook. The request was not carried out. Other requests are not affected.',
} as const;

/** Problems of one hook: `outcome.warnings[].code` and `errors[].code`. */
export const hookCodes = {
  exit_code: 'The hook exited with a code that means failure in its dialect.',
  signal: 'The hook was terminated by a signal.',
  missing_command: 'The command does not exist (exit code 127), or the script continued after a command in it was not found.',
  not_executable: 'The command exists but cannot be executed (exit code 126).',
  spawn_failed: 'The process could not be started: the directory or the shell is missing, or the system refused.',
  timeout: 'The hook did not end within its timeout and was stopped.',
  cancelled: 'The hook was running when the event was cancelled.',
  not_started: 'The hook was never started: the event was cancelled, timed out or was refused, or too many hooks were waiting.',
  invalid_input: 'The input could not be passed to the hook, so the hook was not started.',
  ambiguous_input:
    'The input is ambiguous: the hook would see one meaning and the tool could act on another. The hook was not started, and the operation is denied.',
  output_truncated: 'The output was longer than the capture limit. The part beyond the limit is ignored.',
  invalid_utf8: 'The output was not valid UTF-8. The invalid bytes were replaced.',
  mixed_output:
    'stdout contains JSON objects, but also other text or several objects. Only a deny, an ask and a stop in them have an effect; the message names what is ignored.',
  invalid_json: 'stdout, or a line of it, begins like a JSON object but is not valid JSON. It was read as text.',
  decision_in_text:
    'Text on stdout contains what looks like a decision. It is ignored, because only an object at the start of a line is read.',
  decision_on_stderr: 'The hook exited with 0 and printed an objection to stderr, which is a log. It has no effect.',
  other_spelling:
    'An output field has no effect: its name differs from a known one only in spelling, such as upper case, or it is a field with which hooks of another format deny or ask.',
  too_deep: 'An output field is nested deeper than 256 levels. The field was dropped.',
  too_many_fields: 'The output has more than 1000 fields that the format does not define. Only the first 1000 are kept.',
  more_warnings: 'The hook caused more warnings than are kept.',
  double_encoded: 'stdout was a JSON string that contains a JSON object. Only a deny, an ask and a stop in it have an effect.',
  repeated_field:
    'The answer contains a field that decides twice, or an object with such a field twice. A deny, an ask and a stop in either of the two have an effect; everything else is ignored.',
  not_an_object: 'The answer was not an object. It is ignored: it neither allows nor denies.',
  wrong_type: 'A known output field has the wrong type. The field was dropped.',
  reserved_field: 'The output uses a field that this dialect does not have. The field was dropped.',
  wrong_event: 'hookSpecificOutput.hookEventName is not the name of the event that was fired.',
  decision_ignored: 'The decision in the output was ignored, because the hook failed.',
  rewrite_ignored:
    'The rewrite in the output was ignored, because the hook blocked, printed other text around it, or has a format that cannot change this field.',
  no_effect: 'The output contains something that has no effect on this event.',
  unstable_rewrite:
    'The hook was asked again about an input that had been rewritten, and rewrote it again. The operation is denied, whatever its onError is.',
  untrusted: 'The hook is not trusted, so it did not run. The message says why, and how to trust it.',
  guard_untrusted:
    'A hook that could have objected was trusted before, and it or a file that it reaches has changed since. It did not run, and the operation is denied.',
  changed_while_running:
    'A file that the hook reaches changed while the hook ran. Only a deny, an ask or a stop of this run has an effect. If its onError is "block", the run has failed.',
  guard_killed:
    'A signal ended the hook, or stopped it until its timeout. Hooks of a lower level ran before, and one of them may have sent the signal. The hook is run once more. If the same happens again, the operation is denied.',
  asked_again: 'The hook was run twice, because another hook may have ended its first run. The result of the second run is used.',
  async_ignored:
    'The hook asked to run in the background. The event waited for it nevertheless, because its settings do not allow that, because its onError is "block", or because it is not a command.',
  allow_lapsed: 'The hook allowed an input that was rewritten afterwards. Its allow has no effect.',
  rewrite_conflict:
    'Two hooks that ran in parallel wrote different values to one field. The value of the hook that is later in the plan is used. On AfterTool, BeforeModel and AfterModel, one hook is instead run again on the value of the other.',
  rewrite_unchecked:
    'A hook of a lower level rewrote data that this hook had checked, and this hook failed, or printed what cannot be read, when it was run again on the new data. The data are withheld, whatever its onError is.',
  rewrite_kept:
    'A hook of a lower level overwrote what this hook had rewritten, and this hook found nothing to rewrite when it was run again on the new data. Its earlier rewrite is used, and what the other hook took out stays out, too.',
  left_processes: 'The hook ended but left processes of its group running.',
  ask_counted:
    'The hook asked, on an event where the agent of its format ignores a question. Tenterhook does not ignore it: the verdict is an ask.',
  deny_counted:
    'The hook denied, on an event where the agent of its format ignores a deny. Tenterhook does not ignore it: the verdict is a deny.',
  deferred: 'The hook left the decision to the host. This is treated as an ask.',
  unsupported_ask: 'The hook asked, but its dialect has no ask. A setting decides what happens.',
  late_answer: 'The answer came too late and was ignored.',
  failed_closed:
    'The hook failed or was never started, and its onError (whatever its format calls it) is "block". The operation is denied.',
  circuit_open: 'The hook failed too often and is skipped for a while. The message says when it is tried again.',
  reentrant: 'The hook is skipped: its agent runs inside four or more nested hooks, and one of them is this hook.',
  too_nested:
    'The hook was not started: its agent runs inside eight nested hooks, each started by an agent that runs in the one before. On events that can be blocked, the operation is denied, whatever its onError is.',
  no_executor: 'The program that runs the hooks has no executor for this type of hook.',
  request_failed:
    'The hook\'s server could not be reached, or the connection ended before the answer was complete. For a hook whose onError is "block", this includes an empty answer without a length.',
  http_status: "The hook's server returned a non-2xx status.",
  address_refused: "The hook's URL resolves to a private address that http.allowPrivateAddresses does not allow. Nothing was sent.",
  hook_failed: 'A handler or a callback of the host threw an error or returned an invalid answer.',
  unserialisable:
    'The result of a tool contains something that cannot be shown to hooks, such as a stream or a cycle. Hooks ran for it, so the result was withheld, unless a hook replaced it.',
  handler_absent: "The handler's process is gone or does not answer. Its handlers are skipped until that process announces itself again.",
  internal_error: 'A bug in Tenterhook while running this hook. The other hooks are not affected.',
} as const;

/** What is wrong with the settings: `diagnostic.code`. */
export const diagnosticCodes = {
  unreadable_file:
    'A settings file cannot be read: it was named but does not exist, is not a regular file, is too large, or the system denies access.',
  settings_too_large:
    'A settings file of a repository or an extension has too many hooks, patterns or problems. Nothing in it is used. Settings of other levels are used.',
  more_diagnostics: 'A settings file of a repository or an extension has more problems than are reported. The message says how many.',
  invalid_json: 'A settings file is not valid JSON. Comments and trailing commas are allowed.',
  duplicate_key: 'An object has the same key twice. Only the last one is used.',
  invalid_document: 'The settings, or their "hooks", must be an object.',
  unknown_event: 'No event has that name. The remedy names the nearest one.',
  misplaced_hooks: 'Hooks are in a place where none are read, or a hook is in the place of a hook group. They do not run.',
  ineffective_switch: 'A setting that switches hooks on or off has no effect in this file, or in Tenterhook at all.',
  misplaced_switch: 'A setting that switches hooks on or off is in a place where it is not read. The remedy says where to write it.',
  invalid_group: 'A hook group is not an object, or its "hooks" is not an array.',
  invalid_matcher: 'A matcher is not a string or does not compile. The hooks of its group do not run.',
  invalid_condition:
    'A condition of a hook is invalid and is ignored, so the hook runs without it. Or the condition is valid but can never hold on this event.',
  unset_variable: 'A command uses a variable that hooks of its format do not receive. The variable is empty.',
  unquoted_variable: 'A command uses a variable without quotes. The value contains white space, so the shell splits it.',
  matcher_ignored: 'The event has nothing to match. The hooks always run.',
  missing_handler: 'A hook of a program has no handler, or a handler has no hook.',
  unaccepted_handlers: 'Another process offers handlers on the bus, but the host does not accept them.',
  unmatched_matcher:
    'A matcher matches nothing that is known: the agent has no such tool, the event has no tool, or the matcher is a pattern of another kind.',
  plain_matcher: 'A plain name matches anywhere in a tool name, and therefore also longer names. Anchor it to match exactly that name.',
  invalid_hook: 'A hook is not an object, or a hook that a program registers or announces is invalid.',
  missing_command: 'A hook has no command.',
  missing_script: 'The script of a hook does not exist at any path where Tenterhook looks for it. The hook fails until the script exists.',
  crlf_script: 'The lines of a script end with CR LF, so that its interpreter is not found. The hook fails.',
  missing_interpreter: 'A command, or the first line of a script, names an interpreter that is not installed. The hook fails.',
  workspace_script: 'A script named in user settings was found in the workspace, so the repository controls what it does.',
  not_executable:
    'A script is not executable, or is a directory. The hook fails; in the format of ECA a shell runs the script, whatever its first line names.',
  repeated_key: 'Two files define a hook with the same key. Both hooks run.',
  repeated_command: 'Settings of two formats have the same command on the same event. Both hooks run.',
  unknown_type: 'A hook has a type that the program that runs the hooks does not support.',
  private_address: 'The URL of a hook is a private address that the host does not allow. Requests to it are refused.',
  invalid_timeout: 'A timeout must be a number of milliseconds from 1 to 2147483647. The default is used.',
  suspicious_timeout: 'A timeout looks as if it were written in a different unit than that of its dialect.',
  invalid_field: 'A field of a hook has the wrong type and is ignored.',
  unknown_dialect: 'Settings were passed for a dialect that is not loaded.',
  hooks_off:
    'A setting for all hooks switches hooks off, or the setting that would switch them on is missing. The position is that of the setting or, if it is missing, of "hooks".',
  disabled_hook: 'hooksConfig.disabled names a hook, which therefore does not run.',
  unknown_hook: 'A name in hooksConfig.disabled is not that of a hook, but is similar to one. It disables no hook.',
  duplicate_hook: 'Settings of one format have the same hook on the same event. One of them runs; the message says which.',
  foreign_disable: 'A switch or a list is meant to disable a hook of a higher level. It cannot: the hook runs.',
  inline_interpreter:
    'A guard in user settings passes code to an interpreter on the command line. Modules that the code imports may come from the project.',
  disguised_request: 'A repository has an http hook with credentials in its URL, or with a Host header. It does not run.',
  unlisted_variable:
    'An http hook of a repository names a variable for its headers that neither the user nor the administrator has listed. It is not sent.',
  dialect_failed: 'A bug in a dialect: it could not read these settings. Their hooks do not run.',
  no_project: 'The project directory is not a directory, so no settings of the project are read, and its hooks do not run.',
  trust_store:
    'A decision about a hook of a repository does not count, or the store of such decisions cannot be used. The message names the file and the reason. Hooks without a decision do not run.',
  trust_policy:
    'The policy of the administrator cannot be used: its file is invalid, unreadable, or not under the control of root. No hook of a repository runs.',
  trust_pins:
    'The file of --trust-pins cannot be used: it is inside of the project, is not a regular file, or contains something other than pins.',
  trust_by_host: 'The program passes isTrusted and no trust, so isTrusted alone decides which hooks of the project run.',
  trusted_hook_gone: 'A hook of a repository was trusted, and no settings file defines it any more.',
  foreign_owner: 'A file, or a directory on its path, belongs to a user who is not trusted. What it defines or contains does not run.',
  writable_by_others: 'Other users may write to a file, or to a directory on its path. What it defines or contains does not run.',
  no_home: 'There is no home directory, so user settings are not read.',
  unread_file: 'A file that looks like a settings file is in a place where none are read.',
  ambiguous_dialect: 'The format of a settings file fits several dialects. The message says which one was used.',
  foreign_format: 'Settings were read in one format but look like another. The remedy names that format and where its files are read.',
} as const;

/** Why a configured hook did not run: `outcome.skipReason`. */
export const skipReasons = {
  matcher: 'The matcher does not match this event.',
  disabled: 'Settings disable the hook.',
  untrusted: 'The host does not trust the source of the hook, or of what the hook runs.',
  duplicate: 'The hook is a duplicate of another one, which runs. duplicateOf names that hook.',
  'chain-ended': 'An earlier hook blocked, stopped or skipped the rest.',
  condition: 'A condition of the hook, apart from its matcher, does not hold.',
  invalid: 'The hook was dropped when the settings were read. The warning says why.',
  'circuit-open': 'The hook failed too often and is skipped for a while.',
  reentrant: 'The agent of the hook runs inside four or more nested hooks, and one of them is this hook.',
  'no-handler': 'A hook of a program has no handler, or no longer has one.',
  once: 'The hook runs once per session and has already run in this one.',
} as const;

/** Why a request was not carried out. */
export type ErrorCode = keyof typeof errorCodes;
/** Why the outcome of a hook is not what its author meant. */
export type HookCode = keyof typeof hookCodes;
/** What is wrong with the settings. */
export type DiagnosticCode = keyof typeof diagnosticCodes;
/** Why a configured hook did not run. */
export type SkipReason = keyof typeof skipReasons;
/** The code of a warning of an outcome: of its run, or why it did not run. A hook that settings dropped has the code of the diagnostic. */
export type WarningCode = HookCode | SkipReason | DiagnosticCode;

/**
 * Returns a code in a message. Any string is accepted: a service of another version may have other codes, and its result must not be
 * refused for that.
 */
export function codeSchema<Code extends string>(): z.ZodType<Code> {
  return z.string() as unknown as z.ZodType<Code>;
}
