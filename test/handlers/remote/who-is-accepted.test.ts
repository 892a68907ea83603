import type { AnnouncedEngine } from '@tenterhook/handlers';
import type { PayloadOf } from '@tenterhook/protocol';
import { type RemoteRig, remoteRig } from './rig.js';

type Announcement = PayloadOf<'HOOK_HANDLER_ANNOUNCE'>;

let rig: RemoteRig;
afterEach(() => rig.dispose());

const guard = { id: 'guard', event_type: 'pre_tool_use' };

function announce(announcement: Partial<Announcement> & { engineId: string }): void {
  rig.engineBus.publish({ type: 'HOOK_HANDLER_ANNOUNCE', payload: { hooks: [guard], ...announcement } });
}

function engineIds(): string[] {
  return rig.remote.engines.map(({ engineId }) => engineId);
}

function messages(): string[] {
  return rig.remote.diagnostics.filter(({ code }) => code === 'unaccepted_handlers').map(({ message }) => message);
}

describe('with an engine that was accepted', () => {
  async function withPolicy(accept: (engine: AnnouncedEngine) => boolean): Promise<void> {
    rig = await remoteRig({ accept });
    announce({ engineId: 'real', name: 'policy' });
    expect(engineIds()).toEqual(['real']);
  }

  test('a stranger of the same name that is refused does not take its place', async () => {
    await withPolicy(({ engineId }) => engineId === 'real');
    announce({ engineId: 'stranger', name: 'policy' });
    announce({ engineId: 'stranger', name: 'policy', hooks: [] });
    expect(engineIds()).toEqual(['real']);
    expect(rig.remote.hooksFor('BeforeTool')).toHaveLength(1);
  });

  test('a stranger for which accept throws does not take its place', async () => {
    await withPolicy(({ engineId }) => {
      if (engineId !== 'real') throw new Error('a bug of accept');
      return true;
    });
    announce({ engineId: 'stranger', name: 'policy' });
    expect(engineIds()).toEqual(['real']);
    expect(messages()).toEqual([expect.stringContaining('"accept" threw')]);
  });

  test.each([true, false])('one without a name whose id is that name is another engine, accepted or not: %s', async (isAccepted) => {
    await withPolicy(({ engineId }) => engineId === 'real' || isAccepted);
    announce({ engineId: 'policy' });
    expect(engineIds()).toEqual(isAccepted ? ['real', 'policy'] : ['real']);
    announce({ engineId: 'policy', hooks: [] });
    expect(engineIds()).toEqual(['real']);
  });

  test('it is gone when what it announces later is refused, and back when it takes that back', async () => {
    await withPolicy(({ hooks }) => hooks.every(({ id }) => id === 'guard'));
    announce({ engineId: 'real', name: 'policy', hooks: [guard, { ...guard, id: 'spy' }] });
    expect(engineIds()).toEqual([]);
    expect(rig.remote.hooksFor('BeforeTool')).toEqual([]);
    expect(messages()).toHaveLength(1);
    announce({ engineId: 'real', name: 'policy' });
    expect(engineIds()).toEqual(['real']);
    expect(messages()).toEqual([]);
  });
});

describe('of an engine that is refused', () => {
  const evil = [{ ...guard, matcher: { command_pattern: '(' } }];

  test('no pattern is compiled', async () => {
    rig = await remoteRig({ accept: ({ name }) => name === 'policy' });
    announce({ engineId: 'stranger', hooks: evil });
    expect(rig.remote.diagnostics).toMatchObject([{ code: 'unaccepted_handlers' }]);
    // The same hooks from an engine that is accepted: the expression is compiled, and is invalid.
    announce({ engineId: 'real', name: 'policy', hooks: evil });
    expect(rig.remote.diagnostics).toMatchObject([{ code: 'unaccepted_handlers' }, { code: 'invalid_hook' }]);
  });

  test('accept is asked once for what it says again and again', async () => {
    const asked: AnnouncedEngine[] = [];
    rig = await remoteRig({
      accept: (engine) => {
        asked.push(engine);
        return false;
      },
    });
    for (let each = 0; each < 5; each += 1) announce({ engineId: 'stranger' });
    expect(asked).toHaveLength(1);
    announce({ engineId: 'stranger', hooks: [{ ...guard, id: 'other' }] });
    expect(asked).toHaveLength(2);
    expect(messages()).toHaveLength(1);
  });

  test('the diagnostics go with its hooks, and come again with them', async () => {
    rig = await remoteRig({ accept: () => false });
    announce({ engineId: 'stranger' });
    announce({ engineId: 'stranger', hooks: [] });
    expect(messages()).toEqual([]);
    announce({ engineId: 'stranger' });
    expect(messages()).toHaveLength(1);
  });
});

test('however many strangers announce themselves, 64 of them have a diagnostic', async () => {
  rig = await remoteRig({ accept: () => false });
  for (let each = 0; each < 200; each += 1) announce({ engineId: `stranger ${each}` });
  expect(messages()).toHaveLength(64);
  expect(messages().at(-1)).toContain('"stranger 199"');
});

test('however many engines are accepted, 64 take part', async () => {
  rig = await remoteRig();
  for (let each = 0; each < 65; each += 1) announce({ engineId: `engine ${each}` });
  expect(engineIds()).toHaveLength(64);
  expect(messages()).toEqual([expect.stringMatching(/"engine 64".* more than 64 engines/)]);
  announce({ engineId: 'engine 3', hooks: [] });
  announce({ engineId: 'engine 65' });
  expect(engineIds()).toContain('engine 65');
});

describe('accept is not even asked', () => {
  const long = 'x'.repeat(257);
  test.each([
    ['an id of 257 characters', { engineId: long }],
    ['a name of 257 characters', { engineId: 'stranger', name: long }],
    ['an announcement of more than 500,000 characters', { engineId: 'stranger', hooks: [{ ...guard, note: 'x'.repeat(500_000) }] }],
  ])('about %s', async (_what, announcement) => {
    const asked: unknown[] = [];
    rig = await remoteRig({ accept: (engine) => asked.push(engine) > 0 });
    announce(announcement);
    expect(asked).toEqual([]);
    expect(engineIds()).toEqual([]);
    expect(messages()).toEqual([expect.stringContaining('too long')]);
    expect(messages()[0]?.length).toBeLessThan(300);
  });

  test('about one that is just short enough it is', async () => {
    rig = await remoteRig();
    announce({ engineId: 'x'.repeat(256), name: 'y'.repeat(256) });
    expect(rig.remote.engines).toHaveLength(1);
  });
});
