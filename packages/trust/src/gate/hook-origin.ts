import type { HookDefinition } from '@tenterhook/protocol';
import { isOfRepository, levelOf } from '@tenterhook/protocol/internal';
import type { HookOrigin } from '../states/states.js';

/** What decides whether a settings file comes with the repository. */
export interface ProjectPlace {
  /** Whether a path is in the project directory. All links in the path must have been resolved. */
  readonly isInProject: (path: string) => boolean;
  /**
   * Whether the project directory is the home directory of the user. If so, the user settings in it are trusted, although they are in the
   * project.
   */
  readonly isHome: boolean;
}

/**
 * Returns where a hook comes from. Returns undefined for a hook that a program passes itself, because then the program is responsible for
 * it.
 */
export function originOf(hook: HookDefinition, { isInProject, isHome }: ProjectPlace): HookOrigin | undefined {
  const isFileInProject = hook.file !== undefined && isInProject(hook.file);
  const level = levelOf(hook);
  // An extension in the project directory belongs to the repository. For an extension elsewhere, the program that passes it is
  // responsible.
  if (isOfRepository(level) && (level !== 'extension' || isFileInProject)) return 'repository';
  if (!isTrustedPlace(hook)) return undefined;
  return isFileInProject && !isHome ? 'user settings in the project' : 'user';
}

/**
 * Tests whether settings are trusted because of their location: those of the user and of the administrator. For settings that a program
 * passes, the program is responsible.
 */
export function isTrustedPlace({ source }: { readonly source: string }): boolean {
  return source === 'user' || source === 'system' || source === 'managed';
}
