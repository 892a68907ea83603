import * as z from '@tenterhook/runtime/schema';
import { compileUrlPattern, shownUrl } from '@tenterhook/runtime/text';

/** What the administrator, or a program, allows of trust. */
export interface TrustPolicy {
  /**
   * What happens with hooks of a repository: `ask`: those that were accepted run; `pinned`: only those in `pins`; `never`: none.
   * **Default** `ask`
   */
  readonly project: 'ask' | 'pinned' | 'never';
  /** The pins of hooks that may run without a question. **Default** there is no list */
  readonly pins?: readonly string[];
  /** Whether a hook can be trusted that runs code which is not listed (`Reach.open`). **Default** `allow` */
  readonly open: 'allow' | 'never';
  /** Whether a program or a flag may trust everything of a project. **Default** true */
  readonly trustAll: boolean;
  /** Whether only hooks of the administrator run, in all formats. **Default** false */
  readonly managedHooksOnly: boolean;
  readonly http: {
    /**
     * Lists of patterns of the URLs that http hooks may call, as in `compileUrlPattern`. A URL must match a pattern in each list.
     * **Default** there is no list
     */
    readonly hosts: readonly (readonly string[])[];
    /** The variables that http hooks may send in headers. **Default** there is no list */
    readonly env?: readonly string[];
  };
  /** `snapshot`: programs are started from a private copy of what was checked. **Default** `checked` */
  readonly run: 'checked' | 'snapshot';
  /** What a guard that has changed means: the user is asked, or the operation is denied. **Default** `ask` */
  readonly onChanged: 'ask' | 'deny';
}

/** The policy where there is none. */
export const noPolicy: TrustPolicy = {
  project: 'ask',
  open: 'allow',
  trustAll: true,
  managedHooksOnly: false,
  http: { hosts: [] },
  run: 'checked',
  onChanged: 'ask',
};

/** The policy where there is one that cannot be used: no hook of a repository runs. */
export const closedPolicy: TrustPolicy = { ...noPolicy, project: 'never', pins: [], open: 'never', trustAll: false, onChanged: 'deny' };

const pin = z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits, as tenterhook trust --pins prints them');
const urlPattern = z.string().refine((pattern) => compileUrlPattern(pattern) !== undefined, {
  error: ({ input }) =>
    `is ${JSON.stringify(shownUrl(String(input)))}, and must be a URL with * for any text, such as "https://*.example.com/hooks/*"`,
});

/** A policy as it is written. Every key can be left out, and there are no others. */
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

/** Returns a policy as it is written, with the defaults of the keys that are left out. */
export function completePolicy({ http = {}, ...written }: z.infer<typeof policySchema>): TrustPolicy {
  const given = Object.fromEntries(Object.entries(written).filter(([, value]) => value !== undefined));
  const { hosts, env } = http;
  return { ...noPolicy, ...given, http: { hosts: hosts === undefined ? [] : [hosts], ...(env === undefined ? {} : { env }) } };
}

/**
 * Returns the policy that allows only what all of them allow. Pure. Of lists of pins or variables what is in all of them counts; a policy
 * without a list does not limit those of the others.
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

/** Returns the value that comes later in the order, which is from the least strict to the strictest. */
function stricter<Value>(order: readonly Value[], one: Value, other: Value): Value {
  return order.indexOf(one) > order.indexOf(other) ? one : other;
}

function inBoth(one: readonly string[] | undefined, other: readonly string[] | undefined): readonly string[] | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  const allowed = new Set(other);
  return one.filter((item) => allowed.has(item));
}
