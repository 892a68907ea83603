/**
 * The methods of Hook, HookMatcher and HookResponse in snake_case, as in their original format (seed 002). They are in base
 * classes, so that all instances have both spellings. Wrappers around the exported classes were rejected: instances that the
 * classes themselves create would not be wrapped.
 */
export abstract class SnakeCaseHook<Self, Matcher, Config> {
  abstract withMatcher(matcher: Matcher): Self;
  abstract withConfig(config: Config): Self;

  with_matcher(matcher: Matcher): Self {
    return this.withMatcher(matcher);
  }

  with_config(config: Config): Self {
    return this.withConfig(config);
  }
}

export abstract class SnakeCaseMatcher<Self> {
  abstract withTool(name: string): Self;
  abstract withPath(pattern: string): Self;
  abstract withCommand(pattern: string): Self;
  abstract withSession(id: string): Self;

  with_tool(name: string): Self {
    return this.withTool(name);
  }

  with_path(pattern: string): Self {
    return this.withPath(pattern);
  }

  with_command(pattern: string): Self {
    return this.withCommand(pattern);
  }

  with_session(id: string): Self {
    return this.withSession(id);
  }
}

/** Returns the functions that create answers, in both spellings. */
export function withSnakeCase<Responses extends { readonly continueWith: unknown }>(
  responses: Responses,
): Readonly<Responses & { readonly continue_with: Responses['continueWith'] }> {
  return Object.freeze({ ...responses, continue_with: responses.continueWith });
}
