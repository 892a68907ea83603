import { failing, type HookKind, hanging, hostile } from './hook-kind.js';

/** Hooks that play with what they read and write. */
export const streamKinds: readonly HookKind[] = [
  failing('floods-stdout', 'yes | head -c 67108864', { exitCode: 0 }),
  hostile('floods-stderr', 'yes | head -c 67108864 >&2', { exitCode: 0 }),
  hostile('floods-and-denies', 'yes | head -c 16777216; echo "still no" >&2; exit 2', { says: 'deny', exitCode: 2 }),
  hanging('floods-until-killed', 'exec yes', { weight: 0.5 }),
  hostile('prints-garbage', 'head -c 4096 /dev/urandom; exit 0', { isBroken: true, exitCode: 0 }),
  hostile('prints-half-an-object', `printf '{"decision":"deny","reason":'`, { isBroken: true, exitCode: 0 }),
  hostile('prints-nul-bytes', `printf 'a\\0b\\0\\n'`, { isBroken: true, exitCode: 0 }),
  hostile('prints-a-huge-object', `printf '{"systemMessage":"'; yes | head -c 900000 | tr -d '\\n'; printf '"}'`, { exitCode: 0 }),
  hostile('prints-escapes', `printf '\\033]0;title\\007\\033[2Jlog {"decision":"deny"}\\r'`, { isBroken: true, exitCode: 0 }),
  hostile('never-reads', 'sleep 0.1; exit 0', { exitCode: 0 }),
  hostile('closes-everything', 'exec 0<&- 1>&- 2>&-; sleep 0.1; exit 0', { exitCode: 0 }),
  hostile('closes-everything-and-denies', 'exec 0<&- 1>&- 2>&-; exit 2', { says: 'deny', exitCode: 2 }),
  hostile('empties-the-private-directory-and-denies', 'rm -f "$(dirname "$(readlink /proc/$$/fd/0)")"/p*; echo gone >&2; exit 2', {
    says: 'deny',
    exitCode: 2,
  }),
  hostile('opens-its-output-anew-and-denies', `echo first; echo '{"decision":"allow"}' > /dev/stdout; echo no > /dev/stderr; exit 2`, {
    says: 'deny',
    exitCode: 2,
  }),
];
