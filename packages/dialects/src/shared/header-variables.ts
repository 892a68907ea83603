/**
 * Replaces variables in headers. A variable that the settings do not allow may be a secret, which must not reach a server. It
 * becomes an empty text, as in the agents.
 */
export function fillInHeaders(
  headers: Readonly<Record<string, string>>,
  allowedEnvVars: readonly string[],
  environment: Readonly<Record<string, string>>,
) {
  const held = (name: string) => (Object.hasOwn(environment, name) ? (environment[name] ?? '') : '');
  const value = (name: string) => (allowedEnvVars.includes(name) ? held(name) : '');
  const filled = (text: string) =>
    text.replace(/\$\{(\w+)\}|\$(\w+)/g, (_written, braced: string | undefined, bare: string | undefined) => value(braced ?? bare ?? ''));
  return Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, filled(text)]));
}
