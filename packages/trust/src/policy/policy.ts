import * as z from '@tenterhook/runtime/schema';
import { compileUrlPattern, shownUrl } from '@tenterhook/runtime/text';

/** What the administrator, or a program, permits users to trust. */
export interface TrustPolicy {
  /**
   * Which hooks of repositories run. `ask`: those that the user accepted. `pinned`: only those whose pins are in `pins`. `never`: none.
   * **Default** `ask`
   */
  readonly project: 'ask' | 'pinned' | 'never';
  /** The pins of hooks that may run without a question. **Default** no list */
  readonly pins?: readonly string[];
  /** Whether the user can trust a hook that may run code which is not in its pin (`Reach.open`). **Default** `allow` */
  readonly open: 'allow' | 'never';
  /** Whether a program or a flag of the command line may trust all hooks of a project without a question. **Default** true */
  readonly trustAll: boolean;
  /** Whether only hooks of the administrator run, in all formats. **Default** false */
  readonly managedHooksOnly: boolean;
  readonly http: {
    /**
     * Lists of patterns of the URLs that http hooks may call, as in `compileUrlPattern`. A URL must match a pattern of each list.
     * **Default** no limit
     */
    readonly hosts: readonly (readonly string[])[];
    /** The variables that http hooks may send in headers. **Default** no limit */
    readonly env?: readonly string[];
  };
  /**
   * `checked`: hooks run from the project, after their files were checked. `snapshot`: hooks run from a private copy of the checked
   * files. **Default** `checked`
   */
  readonly run: 'checked' | 'snapshot';
  /**
   * What happens with a call that a changed guard would check. Until the user accepts the changed guard, either the user is asked about
   * each such call, or the call is denied. **Default** `ask`
   */
  readonly onChanged: 'ask' | 'deny';
}

/** The policy if the administrator has none. It limits nothing. */
export const noPolicy: TrustPolicy = {
  project: 'ask',
  open: 'allow',
  trustAll: true,
  managedHooksOnly: false,
  http: { hosts: [] },
  run: 'checked',
  onChanged: 'ask',
};

/** The policy if the file cannot be used: no hook of a repository runs. */
export const closedPolicy: TrustPolicy = { ...noPolicy, project: 'never', pins: [], open: 'never', trustAll: false, onChanged: 'deny' };

const pin = z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits, as tenterhook trust --pins prints them');
const urlPattern = z.string().refine((pattern) => compileUrlPattern(pattern) !== undefined, {
  error: ({ input }) =>
    `is ${JSON.stringify(shownUrl(String(input)))}, and must be a URL with * for any text, such as "https://*.example.com/hooks/*"`,
});

/** A policy file. Every key is optional, and other keys are errors. */
export const policySchema = z.strictObject({
  project: z.enum(['ask', 'pinned', 'never']).optional(),
  pins: z.array(pin).optional(),
  open: z.enum(['allow', 'never']).optional(),
  trustAll: z.boolean().optional(),
  managedHooksOnly: z.boolean().optional(),
  http: z.strictObject({ hosts: z.array(urlPattern).optional(), env: z.array(z.string()).optional() }).optional(),
  run: z.enum(['checked', 'snapshot']).optional(),
  onChanged: z.enum(['ask', 'deny']).optional(),
});

/** Fills the missing keys of a policy file with their defaults. */
export function completePolicy({ http = {}, ...written }: z.infer<typeof policySchema>): TrustPolicy {
  const given = Object.fromEntries(Object.entries(written).filter(([, value]) => value !== undefined));
  const { hosts, env } = http;
  return { ...noPolicy, ...given, http: { hosts: hosts === undefined ? [] : [hosts], ...(env === undefined ? {} : { env }) } };
}

/**
 * Returns a policy that allows only what all given policies allow. If several policies have a list of pins or variables, only the entries
 * that are in all lists are kept.
 */
export function mergePolicies(policies: readonly TrustPolicy[]): TrustPolicy {
  return policies.reduce((one, other) => {
    const pins = inBoth(one.pins, other.pins);
    const env = inBoth(one.http.env, other.http.env);
    return {
      project: stricter(['ask', 'pinned', 'never'], one.project, other.project),
      ...(pins === undefined ? {} : { pins }),
      open: stricter(['allow', 'never'], one.open, other.open),
      trustAll: one.trustAll && other.trustAll,
      managedHooksOnly: one.managedHooksOnly || other.managedHooksOnly,
      http: { hosts: [...one.http.hosts, ...other.http.hosts], ...(env === undefined ? {} : { env }) },
      run: stricter(['checked', 'snapshot'], one.run, other.run),
      onChanged: stricter(['ask', 'deny'], one.onChanged, other.onChanged),
    };
  }, noPolicy);
}

/** Returns the value that is later in `order`, which goes from the least strict to the strictest. */
function stricter<Value>(order: readonly Value[], one: Value, other: Value): Value {
  return order.indexOf(one) > order.indexOf(other) ? one : other;
}

function inBoth(one: readonly string[] | undefined, other: readonly string[] | undefined): readonly string[] | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  const allowed = new Set(other);
  return one.filter((item) => allowed.has(item));
}
