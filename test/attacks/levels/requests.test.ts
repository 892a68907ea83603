import { withServer } from '../../formats/claude-code/http-server.js';
import { withEnvironment } from '../../support/environment.js';
import { formats } from '../../support/formats.js';
import { attack } from '../attack.js';
import { callShell, managedFile, withLevels } from './places.js';

describe('requests', () => {
  const http = (url: string, fields: object = {}) => ({ hooks: { PreToolUse: [{ hooks: [{ type: 'http', url, ...fields }] }] } });

  attack(
    {
      id: 'repo-fits-url-list-by-text',
      attacker: 'the settings of a repository',
      attempt:
        "have a URL with the host that the administrator's allowedHttpHookUrls allows in its path, its query or its user name, or after a backslash",
      result: 'patterns are compared with the parts of the parsed URL, and nothing is sent',
    },
    async () => {
      await withLevels(async (places, discover) => {
        places.write(managedFile, { allowedHttpHookUrls: ['http://*.example.com/*', 'http://hooks.example.org:8080/ask/*'] });
        const refused = [
          'http://evil.test/x.example.com/',
          'http://evil.test/?.example.com/',
          'http://evil.test/#.example.com/',
          'http://evil.test\\.example.com/',
          'http://x.example.com@evil.test/',
          'http://example.com/',
          'https://x.example.com/',
          'http://x.example.com:8080/',
          'http://x.example.com.evil.test/',
          'http://hooks.example.org/ask/a',
          'http://hooks.example.org:8080/ask/../tell',
          'http://hooks.example.org:8080/asking',
        ];
        const allowed = ['http://x.example.com/', 'http://a.b.example.com/hook?q=1', 'http://hooks.example.org:8080/ask/a'];
        const groups = [...refused, ...allowed].map((url) => ({ hooks: [{ type: 'http', url }] }));
        places.write(formats['claude-code'].project, { hooks: { PreToolUse: groups } });
        await discover(async ({ hooks }) => {
          const active = hooks
            .list('BeforeTool')
            .flatMap(({ hook, state }) => (state === 'active' && hook.action.kind === 'http' ? [hook.action.url] : []));
          expect(active).toEqual(allowed);
        });
      });
    },
  );

  attack(
    {
      id: 'repo-disguises-request',
      attacker: 'the settings of a repository',
      attempt: 'send a request with a Host header, or with credentials in its URL',
      result: 'such a hook of a repository does not run, and an error names it',
    },
    async () => {
      for (const settings of [
        http('https://hooks.example.org/', { headers: { host: 'intranet.example.org' } }),
        http('https://user:secret@hooks.example.org/'),
        http('https://user@hooks.example.org/'),
      ]) {
        await withLevels(async (places, discover) => {
          places.write(formats['claude-code'].project, settings);
          await discover(async (scene) => {
            expect((await callShell(scene)).outcomes).toMatchObject([{ status: 'skipped', skipReason: 'invalid' }]);
            expect(scene.hooks.diagnostics).toMatchObject([
              { code: 'disguised_request', severity: 'error', file: places.at(formats['claude-code'].project), line: 1 },
            ]);
            expect(JSON.stringify(scene.hooks.diagnostics)).not.toContain('secret');
          });
        });
      }
    },
  );

  attack(
    {
      id: 'repo-sends-variables',
      attacker: 'the settings of a repository',
      attempt: 'list variables with secrets of the agent in allowedEnvVars, so that they are sent in headers',
      result: 'only variables that the user, the administrator or the program has listed are sent, and a warning names the others',
    },
    async () => {
      const names = ['HOOK_TOKEN', 'HOOK_SECRET'];
      const user = { httpHookAllowedEnvVars: ['HOOK_TOKEN'] };
      const cases = [
        { project: { httpHookAllowedEnvVars: names }, sent: 'Bearer', unlisted: names },
        { user, sent: 'Bearer t0ken', unlisted: ['HOOK_SECRET'] },
        { managed: user, sent: 'Bearer t0ken', unlisted: ['HOOK_SECRET'] },
        { env: ['HOOK_TOKEN'], sent: 'Bearer t0ken', unlisted: ['HOOK_SECRET'] },
        // A list of the administrator also limits what the user and the program list.
        { managed: { httpHookAllowedEnvVars: [] }, user, env: names, sent: 'Bearer', unlisted: [] },
      ];
      for (const { project = {}, user: ofUser = {}, managed = {}, env, sent, unlisted } of cases) {
        await withServer({}, async ({ url, posted }) => {
          await withLevels(async (places, discover) => {
            const hook = { headers: { authorization: 'Bearer $HOOK_TOKEN $HOOK_SECRET' }, allowedEnvVars: names };
            places.write(formats['claude-code'].project, { ...http(`${url}/`, hook), ...project });
            places.write(formats['claude-code'].user, ofUser);
            places.write(managedFile, managed);
            const options = { http: { allowPrivateAddresses: true, ...(env === undefined ? {} : { env }) } };
            await withEnvironment({ HOOK_TOKEN: 't0ken', HOOK_SECRET: 's3cret' }, () => discover(callShell, options));
            await discover(async ({ hooks }) => {
              const expected = { code: 'unlisted_variable', severity: 'warning', file: places.at(formats['claude-code'].project), line: 1 };
              const found = hooks.diagnostics.filter(({ code }) => code === 'unlisted_variable');
              expect(found).toMatchObject(unlisted.length === 0 ? [] : [expected]);
              for (const name of unlisted) expect(found[0]?.message).toContain(`"${name}"`);
            }, options);
          });
          expect(posted.map(({ headers }) => headers.authorization)).toEqual([sent]);
        });
      }
    },
  );
});
