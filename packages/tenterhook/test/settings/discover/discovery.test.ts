import { fireTool, inPlace, type Place, toolHooks } from '../../hooks-rig.js';

const places = { project: 'project/.llxprt/settings.json', user: 'home/.llxprt/settings.json', system: 'etc/settings.json' } as const;
type Level = keyof typeof places;
const levels = Object.keys(places) as Level[];

/** Writes settings of each level, with the given switch and one hook whose name shows the level. */
function writeLevels(place: Place, switches: Readonly<Partial<Record<Level, boolean>>>): void {
  for (const level of levels) {
    const enableHooks = switches[level];
    const tools = enableHooks === undefined ? {} : { tools: { enableHooks } };
    place.write(places[level], { ...tools, ...toolHooks({ name: level, command: `true ${level}` }) });
  }
}

const switched: Record<string, [switches: Partial<Record<Level, boolean>>, on: Level[]]> = {
  'no settings say anything: nothing runs': [{}, []],
  'the project says yes: only for itself': [{ project: true }, ['project']],
  'the user says yes: for the project too': [{ user: true }, ['project', 'user']],
  'the system says yes: for all': [{ system: true }, ['project', 'user', 'system']],
  'the project says no: only for itself': [{ project: false, user: true }, ['user']],
  'the user says no: also for a project that does not say': [{ user: false, system: true }, ['system']],
  'the user says no and the project yes: the project is off': [{ project: true, user: false }, []],
  'the system says no: all are off': [{ system: false }, []],
  'the system says no and the user yes': [{ user: true, system: false }, []],
};

test.each(Object.entries(switched))('enableHooks: %s', async (_, [switches, on]) => {
  await inPlace(async (place) => {
    writeLevels(place, switches);
    const hooks = await place.create();
    expect(hooks.hooks.BeforeTool.map((hook) => hook.name)).toEqual(on);
    expect(hooks.off.BeforeTool.map(({ hook }) => hook.name)).toEqual(levels.filter((level) => !on.includes(level)));
    expect(hooks.has('BeforeTool')).toBe(on.length > 0);
    expect((await fireTool(hooks)).outcomes.map((outcome) => [outcome.source, outcome.status])).toEqual(
      on.map((level) => [level, 'succeeded']),
    );
  });
});

test('hooks.files lists each place that was looked at, and follows a reload', async () => {
  await inPlace(async (place) => {
    place.write(places.project, toolHooks('true'));
    place.write(places.system, '{');
    const hooks = await place.create();
    const states = () => hooks.files.map(({ file, source, dialect, state }) => [file, source, dialect, state]);
    expect(states()).toEqual([
      [place.at(places.project), 'project', 'llxprt', 'read'],
      [place.at(places.user), 'user', 'llxprt', 'missing'],
      [place.at(places.system), 'system', 'llxprt', 'broken'],
    ]);
    place.write(places.user, {});
    await hooks.reload();
    expect(states()[1]).toEqual([place.at(places.user), 'user', 'llxprt', 'read']);
  });
});

test('hooks.off and has() follow a reload, and the reason names the file that decided', async () => {
  await inPlace(async (place) => {
    place.write(places.project, toolHooks({ name: 'guard', command: 'exit 2' }));
    place.write(places.user, { tools: { enableHooks: false } });
    const hooks = await place.create();
    expect(hooks.has('BeforeTool')).toBe(false);
    expect(hooks.off.BeforeTool).toMatchObject([
      {
        hook: { id: 'llxprt/project/BeforeTool/guard' },
        reason: expect.stringContaining(`tools.enableHooks is false in ${place.at(places.user)}:1.`),
      },
    ]);
    place.write(places.user, { tools: { enableHooks: true } });
    await hooks.reload();
    expect([hooks.has('BeforeTool'), hooks.off.BeforeTool]).toEqual([true, []]);
    expect((await fireTool(hooks)).verdict.kind).toBe('deny');
    expect([hooks.has('SessionStart'), hooks.has('constructor' as never)]).toEqual([false, false]);
  });
});

test('given settings are on without a switch, and what would be discovered stays out', async () => {
  await inPlace(async (place) => {
    writeLevels(place, { system: true });
    const hooks = await place.create({ settings: [place.write('given.json', toolHooks({ name: 'given', command: 'true' }))] });
    expect(hooks.hooks.BeforeTool.map((hook) => hook.name)).toEqual(['given']);
    expect(hooks.files).toMatchObject([{ file: place.at('given.json'), source: 'settings', state: 'read' }]);
    const off = await place.create({ settings: { tools: { enableHooks: false }, ...toolHooks('true') } });
    expect(off.has('BeforeTool')).toBe(false);
  });
});

test('a guard stays in force while its file is garbage', async () => {
  await inPlace(async (place) => {
    place.write(places.user, { tools: { enableHooks: true }, ...toolHooks({ name: 'guard', command: 'exit 2' }) });
    const hooks = await place.create();
    place.write(places.user, '{ "tools": ');
    await hooks.reload();
    expect(hooks.diagnostics).toMatchObject([{ code: 'invalid_json', message: expect.stringContaining('last good state stays in use') }]);
    expect((await fireTool(hooks)).verdict.kind).toBe('deny');
  });
});

const off: Record<string, [switches: Partial<Record<Level, boolean>>, level: Level, reason: (place: Place) => string]> = {
  'no settings say anything': [
    {},
    'project',
    ({ at }) => `neither ${at(places.project)} nor a level above it sets tools.enableHooks to true`,
  ],
  'the project says no': [{ project: false, user: true }, 'project', ({ at }) => `is false in ${at(places.project)}:1.`],
  'the user says no to a project that does not say': [{ user: false }, 'project', ({ at }) => `is false in ${at(places.user)}:1.`],
  'the system says no to all': [{ system: false }, 'project', ({ at }) => `is false in ${at(places.system)}:1.`],
  'the user says no to his own': [{ project: true, user: false, system: true }, 'user', ({ at }) => `is false in ${at(places.user)}:1.`],
};

test.each(Object.entries(off))('explain names the file that decided: %s', async (_, [switches, level, reason]) => {
  await inPlace(async (place) => {
    writeLevels(place, switches);
    const hooks = await place.create();
    expect(hooks.explain('BeforeTool').hooks).toContainEqual(
      expect.objectContaining({
        hookId: `llxprt/${level}/BeforeTool/${level}`,
        wouldRun: false,
        reason: expect.stringContaining(reason(place)),
      }),
    );
  });
});

test('a hook of the project that the user disables is an outcome that names the file and the entry', async () => {
  await inPlace(async (place) => {
    place.write(places.project, { tools: { enableHooks: true }, ...toolHooks({ name: 'guard', command: 'exit 2' }) });
    place.write(places.user, { hooksConfig: { disabled: ['guard'] } });
    const hooks = await place.create();
    const reason = `"guard" is listed in hooksConfig.disabled of ${place.at(places.user)}:1.`;
    expect(hooks.explain('BeforeTool').hooks).toMatchObject([{ wouldRun: false, skipReason: 'disabled', reason }]);
    expect((await fireTool(hooks)).outcomes).toMatchObject([{ name: 'guard', status: 'skipped', skipReason: 'disabled' }]);
    expect(hooks.diagnostics).toMatchObject([{ code: 'disabled_hook', severity: 'note', file: place.at(places.user), line: 1 }]);
  });
});

test('a file in the wrong place is a warning that says where settings are read from, if nothing is read there', async () => {
  await inPlace(async (place) => {
    const wrong = place.write('project/.llxprt/hooks.json', toolHooks('exit 2'));
    const above = place.write('.llxprt/settings.json', toolHooks('exit 2'));
    const hooks = await place.create();
    expect(hooks.diagnostics).toMatchObject([
      { code: 'unread_file', severity: 'warning', file: wrong, message: expect.stringContaining(place.at(places.project)) },
      { code: 'unread_file', severity: 'warning', file: above, message: expect.stringContaining(place.at(places.project)) },
    ]);
    expect((await place.create({ settings: {} })).diagnostics).toEqual([]);
    place.write(places.project, {});
    expect((await place.create()).diagnostics).toMatchObject([{ code: 'unread_file', severity: 'note', file: wrong }]);
  });
});

test('tools that the agent has: a matcher that fits none is said, also after a reload', async () => {
  await inPlace(async (place) => {
    const guard = (matcher: string) => ({
      tools: { enableHooks: true },
      hooks: { BeforeTool: [{ matcher, hooks: [{ name: 'guard', command: 'exit 2' }] }] },
    });
    place.write(places.project, guard('^writefile$'));
    const hooks = await place.create({ toolNames: ['write_file', 'read_file'] });
    expect(hooks.diagnostics).toMatchObject([
      { code: 'unmatched_matcher', file: place.at(places.project), line: 1, remedy: 'Write "^write_file$".' },
    ]);
    expect((await fireTool(hooks)).outcomes).toMatchObject([{ status: 'skipped', skipReason: 'matcher' }]);
    place.write(places.project, guard('^write_file$'));
    await hooks.reload();
    expect([hooks.diagnostics, (await fireTool(hooks)).verdict.kind]).toEqual([[], 'deny']);
  });
});
