import * as z from '@tenterhook/runtime/schema';

/**
 * All codes of errors, warnings and diagnostics, each with a short explanation. Programs compare codes, so a code never changes.
 * The messages may change.
 */

/** Why a request was not carried out: `error.code` of a response. */
export const errorCodes = {
  invalid_request:
    'The request is malformed: the input is not an object, the event name is not a string, or the correlation ID is invalid or already in use.',
  unsupported_event: 'No event has that name. The message names the nearest one.',
  validation_failed: 'A field of the input is missing, has the wrong type, or cannot be written as JSON. details.issues lists each path.',
  timeout: 'The whole event timed out. details.outcomes and details.verdict contain the answers so far.',
  cancelled: 'The request was cancelled. details.outcomes and details.verdict contain the answers so far.',
  overloaded: 'Too many requests or hooks are waiting: the configured limit is reached.',
  no_responders: 'No responder on the bus answers this kind of request.',
  disposed: 'The service or the bus was shut down, or the connection was lost, before the request was answered.',
  not_recorded:
    'A recording answers in place of the hooks, and has no such request. details.nearest has the most similar recorded request. The verdict in details is a deny.',
  invalid_settings: 'A settings file cannot be used. details.diagnostics has its file, line, path and remedy.',
  internal_error: 'A bug in Tenterhook. The request was not carried out. Other requests are not affected.',
} as const;

/** Problems of one hook: `outcome.warnings[].code` and `errors[].code`. */
export const hookCodes = {
  exit_code: 'The hook exited with a code that means failure in its dialect.',
  signal: 'The hook was terminated by a signal.',
  missing_command:
    'The shell exited with 127, because it did not find the command. Or a command in the script was not found, and the script continued.',
  not_executable: 'The command exists but cannot be executed (exit code 126).',
  spawn_failed: 'The process could not be started: the directory or the shell is missing, or the system refused.',
  timeout: 'The hook did not end within its timeout and was stopped.',
  cancelled: 'The event was cancelled while the hook was running.',
  not_started: 'The hook was never started: the event was cancelled, timed out or was refused, or too many hooks were waiting.',
  invalid_input: 'The input could not be passed to the hook, so the hook was not started.',
  ambiguous_input:
    'Two keys of the input mean the same argument and have different values, so the hook could check one value while the tool uses the other. The hook was not started, and the operation is denied.',
  rejected_output:
    'The agent of the format rejects this output as a whole, so the hook has failed and nothing of the output is used. The message says why.',
  output_truncated: 'The output was longer than the capture limit. The part beyond the limit is ignored.',
  invalid_utf8: 'The output was not valid UTF-8. The invalid bytes were replaced.',
  mixed_output:
    'stdout contains several JSON objects, or a JSON object and other text. Only a deny, an ask or a stop has an effect. The message names what is ignored.',
  invalid_json: 'stdout, or a line of it, begins like a JSON object but is not valid JSON. It was read as text.',
  decision_in_text:
    'Text on stdout contains what looks like a decision. It is ignored, because only an object at the start of a line is read.',
  decision_on_stderr:
    'The hook exited with 0 and printed a deny or an ask to stderr. The decision has no effect, because stderr is only a log.',
  other_spelling:
    'The output has a field that has no effect. Either the name is a misspelling of a known name, such as one in upper case, or hooks of another format use this field to deny or ask.',
  too_deep: 'An output field is nested deeper than 256 levels. The field was dropped.',
  too_many_fields: 'The output has more than 1000 fields that the format does not define. Only the first 1000 are kept.',
  more_warnings: 'The hook caused more warnings than Tenterhook keeps.',
  double_encoded: 'stdout was a JSON string that contains a JSON object. Only a deny, an ask or a stop in the object has an effect.',
  repeated_field:
    'The answer contains a key twice, for example "decision" or "hookSpecificOutput". A deny, an ask or a stop in either value has an effect. Everything else is ignored.',
  not_an_object: 'The answer was not an object. It is ignored: it neither allows nor denies.',
  wrong_type: 'A known output field has the wrong type. The field was dropped.',
  reserved_field: 'The output has a field that the format of the hook does not have. The field was dropped.',
  wrong_event: 'hookSpecificOutput.hookEventName is the name of another event than the one that was fired.',
  decision_ignored: 'The decision in the output was ignored, because the hook failed.',
  rewrite_ignored:
    'The rewrite in the output was ignored. The hook blocked, or it printed other text around the JSON, or its format does not allow hooks to change this field.',
  no_effect: 'The output contains something that has no effect on this event.',
  unstable_rewrite:
    'The hook ran again on an input that another hook had rewritten, and rewrote it again. The operation is denied, whatever onError is.',
  untrusted: 'The hook is not trusted, so it did not run. The message says why, and how to trust it.',
  guard_untrusted:
    'The hook was trusted, and then it or a file that it depends on changed. The hook does not run, and the operation is denied, because the hook may be a guard.',
  changed_while_running:
    'A file that the hook depends on changed while the hook ran. Only a deny, an ask or a stop of this run has an effect. If onError of the hook is "block", the run counts as failed.',
  guard_killed:
    'A signal ended the hook, or stopped it until its timeout. The signal may come from a hook of a lower level that ran before. So the hook is run once more. If the same happens again, the operation is denied.',
  asked_again: 'The hook was run twice, because another hook may have ended its first run. The result of the second run is used.',
  async_ignored:
    'The hook asked to run in the background, but the event waited for it. Only a command may run in the background, and only if its settings allow it and its onError is not "block".',
  allow_lapsed: 'The hook allowed an input that was rewritten afterwards. Its allow has no effect.',
  rewrite_conflict:
    'Two hooks that ran in parallel wrote different values to one field. The value of the hook that is later in the plan is used. On AfterTool, BeforeModel and AfterModel, one of the two hooks also runs again and checks the value of the other.',
  rewrite_unchecked:
    'A hook of a lower level rewrote data that this hook had checked. This hook ran again on the new data, and it failed or gave no valid answer. Therefore nothing of the data is passed on, whatever onError is.',
  rewrite_kept:
    'A hook of a lower level replaced data that this hook had rewritten. This hook then ran again, and did not rewrite the replaced data. Its first rewrite could otherwise be undone, so its first version of the data is used. Parts that the other hook removed stay removed.',
  left_processes: 'The hook ended but left processes of its group running.',
  ask_counted: 'The agent that this format comes from ignores an ask on this event. Tenterhook does not ignore it: the verdict is an ask.',
  deny_counted: 'The agent that this format comes from ignores a deny on this event. Tenterhook does not ignore it: the verdict is a deny.',
  uncertain_effect: 'It is not known whether the agent that this format comes from obeys this part of the answer. Tenterhook obeys it.',
  deferred: 'The hook printed defer, which leaves the decision to another program. Tenterhook treats this as an ask.',
  unsupported_ask: 'The hook answered with an ask, but hooks of its dialect cannot ask. A setting decides what happens instead.',
  late_answer: 'The answer came too late and was ignored.',
  failed_closed:
    'The hook failed or was never started. Its settings say that a failure denies: onError, or the field of its format with this meaning, is "block". The operation is denied.',
  circuit_open: 'The hook failed too often and is skipped for a while. The message says when it is tried again.',
  reentrant:
    'The hook is skipped because it would start itself again and again: its agent runs inside four or more nested hooks, and one of them is this hook.',
  too_nested:
    'The hook was not started, because its agent runs inside eight nested hooks: each hook started the agent that ran the next. On events that can be blocked, the operation is denied, whatever onError is.',
  no_executor: 'The program has no executor for hooks of this type.',
  request_failed:
    'The hook\'s server could not be reached, or the connection ended before the answer was complete. If onError of the hook is "block", an empty answer without a content length counts as incomplete.',
  http_status: "The hook's server returned a non-2xx status.",
  address_refused: "The hook's URL resolves to a private address that http.allowPrivateAddresses does not allow. Nothing was sent.",
  hook_failed: 'A handler or a callback of the program threw an error or returned an invalid answer.',
  unserialisable:
    'The result of a tool contains something that cannot be shown to hooks, such as a stream or a cycle. The hooks could not check all of the result. So the result was withheld, unless a hook replaced it.',
  resident_failed:
    'The resident process of the hook gave no valid answer to the event: it exited with 0, closed its output, or answered in another form. Another process is started for the next event.',
  resident_output:
    'The resident process of the hook printed lines that are not the answer to the event. They are ignored. It may also have answered twice.',
  resident_restarted:
    'The resident process of the hook ended between two events, or another program paused it. Another one was started, so the event was answered.',
  handler_absent:
    "The handler's process has ended or does not answer. All handlers of this process fail until the process announces itself again.",
  internal_error: 'A bug in Tenterhook while running this hook. The other hooks are not affected.',
} as const;

/** What is wrong with the settings: `diagnostic.code`. */
export const diagnosticCodes = {
  unreadable_file:
    'A settings file cannot be read: it was named but does not exist, is not a regular file, is too large, or the system denies access.',
  settings_too_large:
    'A settings file of a repository or an extension has too many hooks, patterns or problems. Nothing in it is used. Settings of other levels are used.',
  more_diagnostics: 'A settings file of a repository or an extension has more problems than are reported. The message says how many.',
  invalid_json:
    'A settings file is not valid JSON, in which comments and trailing commas are allowed. Or a file with the ending .toml is not valid TOML.',
  duplicate_key: 'An object has the same key twice. Only the last one is used.',
  invalid_document: 'The settings, or their "hooks", must be an object.',
  unknown_event: 'No event has that name. The remedy names the nearest one.',
  misplaced_hooks:
    'Hooks are in a place where Tenterhook reads no hooks, or a hook is in the place of a hook group. These hooks do not run.',
  ineffective_switch: 'A setting that switches hooks on or off has no effect in this file, or in Tenterhook at all.',
  misplaced_switch: 'A setting that switches hooks on or off is in a place where it is not read. The remedy says where to write it.',
  invalid_group: 'A hook group is not an object, or its "hooks" is not an array.',
  invalid_matcher: 'A matcher is not a string or does not compile. The hooks of its group do not run.',
  invalid_condition:
    'A condition of a hook is invalid and is ignored, so the hook runs whenever its matcher matches. Or the condition is valid, but never true for this event.',
  unset_variable: 'A command uses a variable that hooks of its format do not receive. The variable is empty.',
  unsent_field:
    'Hooks of the event expect a field that the program does not pass, such as the content of a file that will be read. The field is empty.',
  unquoted_variable: 'A command uses a variable without quotes. The value contains white space, so the shell splits it.',
  matcher_ignored: 'The event has no field that a matcher could be compared with. The matcher is ignored, and the hooks run every time.',
  missing_handler: 'A program registered a hook without a handler, or a handler without a hook.',
  unaccepted_handlers: 'Another process offers handlers on the bus, but the agent does not accept them.',
  unmatched_matcher:
    'A matcher never matches: the agent has no such tool, the event has no tool, or the matcher is a pattern of another kind.',
  plain_matcher:
    'A matcher that is a plain name also matches longer tool names that contain the name. To match only this name, write ^ before it and $ after it.',
  invalid_hook: 'A hook is not an object, or a hook that a program registers or announces is invalid.',
  missing_command: 'A hook has no command.',
  missing_script:
    'The script of a hook does not exist at any path where Tenterhook looks for it. Until the script exists, each run of the hook fails.',
  crlf_script:
    "The lines of a script end with CR LF. The system takes the CR as a part of the interpreter's name and does not find the interpreter. The hook fails.",
  missing_interpreter: 'A command, or the first line of a script, names an interpreter that is not installed. The hook fails.',
  workspace_script: 'A hook in user settings names a script that is in the workspace, so the repository controls what the script does.',
  not_executable:
    'A script is not executable, or is a directory. The hook fails. In the format of ECA, a script that is not executable is run by a shell, which ignores the first line of the script.',
  repeated_key: 'Two files contain a hook with the same key. Neither replaces the other: both hooks run.',
  split_hooks: 'Hooks of one level are in two files, and the agent of the format expects them in one. All of them run.',
  repeated_command: 'Settings of two formats have the same command on the same event. Both hooks run.',
  unknown_type: 'A hook has a type that the program that runs the hooks does not support.',
  private_address: 'The URL of a hook has a private address that the program does not allow. Requests to it are refused.',
  invalid_timeout: 'A timeout must be a number of milliseconds from 1 to 2147483647. The default is used.',
  suspicious_timeout: 'A timeout looks as if it were meant in another unit, for example in seconds instead of milliseconds.',
  invalid_field: 'A field of a hook has the wrong type and is ignored.',
  unknown_dialect: 'Settings of a format were passed, but the dialect for this format is not loaded.',
  hooks_off:
    'A setting switches all hooks off, or the setting that switches them on is missing. The diagnostic names the line of that setting. If the setting is missing, it names the line of "hooks".',
  disabled_hook: 'hooksConfig.disabled names a hook, which therefore does not run.',
  unknown_hook: 'An entry of hooksConfig.disabled is similar to the name of a hook, but different. It disables no hook.',
  duplicate_hook: 'Settings of one format configure the same hook twice on the same event. One of the two runs; the message says which.',
  foreign_disable:
    'A switch or a list in settings of a lower level names a hook of a higher level. It cannot disable this hook, so the hook runs.',
  inline_interpreter:
    'A guard in user settings starts an interpreter with code in its arguments, as in python -c. Modules that the code imports may come from the project.',
  disguised_request: 'A repository has an http hook with credentials in its URL, or with a Host header. The hook does not run.',
  unlisted_variable:
    'An http hook of a repository names a variable for its headers that neither the user nor the administrator has listed. The value of the variable is not sent.',
  dialect_failed: 'A bug in a dialect: it could not read these settings. Their hooks do not run.',
  no_project: 'The project directory is not a directory, so no settings of the project are read, and its hooks do not run.',
  trust_store:
    'A stored decision about a hook of a repository is invalid, or the store of these decisions cannot be used. The message names the file and the reason. Hooks without a decision do not run.',
  trust_policy:
    'The policy of the administrator cannot be used: its file is invalid, unreadable, or not under the control of root. No hook of a repository runs.',
  trust_pins:
    'The file of --trust-pins cannot be used: it is inside of the project, is not a regular file, or contains something other than pins.',
  trust_by_host: 'The program passes the option "isTrusted" but not "trust". So only isTrusted decides which hooks of the project run.',
  trusted_hook_gone: 'A hook of a repository was trusted, and no settings file defines it any more.',
  foreign_owner:
    'A file, or a directory on its path, belongs to a user who is not trusted. Hooks in the file, and hooks that run it, do not run.',
  writable_by_others:
    'Other users may write to a file, or to a directory on its path. Hooks in the file, and hooks that run it, do not run.',
  no_home: 'There is no home directory, so user settings are not read.',
  unread_file: 'A file that looks like a settings file is in a place where Tenterhook reads no settings.',
  ambiguous_dialect: 'The format of a settings file fits several dialects. The message says which one was used.',
  foreign_format:
    'A settings file of one format has content of another format. The remedy names that format and the files that belong to it.',
} as const;

/** Why a configured hook did not run: `outcome.skipReason`. */
export const skipReasons = {
  matcher: 'The matcher does not match this event.',
  disabled: 'Settings disable the hook.',
  untrusted: 'The source of the hook, or of the code that it runs, is not trusted.',
  duplicate: 'The hook is a duplicate of another one, which runs. duplicateOf names that hook.',
  'chain-ended': 'An earlier hook denied, stopped the agent, or skipped the remaining hooks.',
  condition: "A condition of the hook is not met, for example its if in Claude Code's format.",
  invalid: 'The hook was dropped when the settings were read. The warning says why.',
  'circuit-open': 'The hook failed too often and is skipped for a while.',
  reentrant: 'The agent of the hook runs inside four or more nested hooks, and one of them is this hook.',
  'no-handler': 'The hook was registered by a program, and no handler belongs to it.',
  once: 'The hook runs once in each session, and has already run in this session.',
  relay: 'The hook is the entry with which an agent asks Tenterhook. Tenterhook does not run it, because it would ask itself.',
  'run-by-agent': 'The agent that asks runs this hook itself.',
} as const;

/** Why a request was not carried out. */
export type ErrorCode = keyof typeof errorCodes;
/** Why the effect of a hook differs from what its author probably wanted. */
export type HookCode = keyof typeof hookCodes;
/** What is wrong with the settings. */
export type DiagnosticCode = keyof typeof diagnosticCodes;
/** Why a configured hook did not run. */
export type SkipReason = keyof typeof skipReasons;
/**
 * The code of a warning about a hook. For a hook that was dropped because its settings are invalid, this is the code of the
 * diagnostic.
 */
export type WarningCode = HookCode | SkipReason | DiagnosticCode;

/**
 * Creates the schema of a code in a message. Any string is valid, because a service of another version may send codes that this
 * version does not have.
 */
export function codeSchema<Code extends string>(): z.ZodType<Code> {
  return z.string() as unknown as z.ZodType<Code>;
}
