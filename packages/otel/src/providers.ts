import { createNoopMeter, type Meter, type MeterProvider, metrics, type Tracer, type TracerProvider, trace } from '@opentelemetry/api';
import type { Settings } from './otel-options.js';

const scope = '@tenterhook/otel';

/** The version of this package, as the version of the instrumentation. A test compares it with package.json. */
export const packageVersion = '0.1.0';

/** The provider of the API, which has that of the SDK as its delegate. */
type Delegating = TracerProvider & {
  getDelegate?(): TracerProvider;
  getDelegateTracer?(name: string, version: string): Tracer | undefined;
};

const noopMeter = createNoopMeter();

/**
 * Finds the tracer and the meter of the SDK. It looks at each event, because a program may start its SDK later, or stop it. A provider is
 * asked once, because it searches its tracers by a key that it builds from name and version: two fifths of a microsecond for an event.
 */
export class Providers {
  readonly #settings: Settings;
  #tracerProvider: TracerProvider | undefined;
  #tracer: Tracer | undefined;
  #meterProvider: MeterProvider | undefined;
  #meter: Meter | undefined;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  /** Returns undefined if there is no SDK. The provider that the API has then creates spans too, and each takes longer than this look. */
  tracer(): Tracer | undefined {
    if (this.#settings.spans === 'none') return undefined;
    const given: Delegating = this.#settings.tracerProvider ?? trace.getTracerProvider();
    const provider = given.getDelegate === undefined ? given : given.getDelegate();
    return provider === this.#tracerProvider ? this.#tracer : this.#askForTracer(given, provider);
  }

  #askForTracer(given: Delegating, provider: TracerProvider): Tracer | undefined {
    this.#tracer =
      given.getDelegateTracer === undefined ? given.getTracer(scope, packageVersion) : given.getDelegateTracer(scope, packageVersion);
    // Only now, so that a provider that throws is asked again.
    this.#tracerProvider = provider;
    return this.#tracer;
  }

  /** Returns undefined if there is no SDK. */
  meter(): Meter | undefined {
    const provider = this.#settings.meterProvider ?? metrics.getMeterProvider();
    if (provider !== this.#meterProvider) {
      const meter = provider.getMeter(scope, packageVersion);
      this.#meter = meter === noopMeter ? undefined : meter;
      this.#meterProvider = provider;
    }
    return this.#meter;
  }
}
