import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Meter, metrics, type Tracer, trace } from '@opentelemetry/api';
import { readOptions } from '../src/otel-options.js';
import { Providers, packageVersion } from '../src/providers.js';

test('the version of the instrumentation is that of the package', () => {
  const manifest = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8')) as { version: string };
  expect(packageVersion).toBe(manifest.version);
});

/** A provider of either kind, with the number of times that it was asked. */
function provider(made: object = {}) {
  const own = {
    asked: 0,
    made,
    get: () => {
      own.asked += 1;
      return made as Tracer & Meter;
    },
  };
  return { ...own, getTracer: own.get, getMeter: own.get, asked: () => own.asked };
}

test('a provider is asked once, and an SDK that is started or stopped later is found', () => {
  const providers = new Providers(readOptions({}));
  const found = () => [providers.tracer(), providers.meter()];
  try {
    expect(found()).toEqual([undefined, undefined]);
    for (const sdk of [provider({ first: true }), provider({ second: true })]) {
      trace.setGlobalTracerProvider(sdk);
      metrics.setGlobalMeterProvider(sdk);
      for (const signal of [...found(), ...found()]) expect(signal).toBe(sdk.made);
      expect(sdk.asked()).toBe(2);
      for (const api of [trace, metrics]) api.disable();
      expect(found()).toEqual([undefined, undefined]);
    }
  } finally {
    for (const api of [trace, metrics]) api.disable();
  }
});

test('a provider that throws is asked again', () => {
  const made = {} as Tracer & Meter;
  let asked = 0;
  const get = () => {
    asked += 1;
    if (asked % 2 === 1) throw new Error('not yet');
    return made;
  };
  const providers = new Providers(readOptions({ tracerProvider: { getTracer: get }, meterProvider: { getMeter: get } }));
  for (const find of [() => providers.tracer(), () => providers.meter()]) {
    expect(find).toThrow('not yet');
    expect(find()).toBe(made);
    expect(find()).toBe(made);
  }
  expect(asked).toBe(4);
});
