// The newer SDK under the names and with the constructors of the older one, for the tests that run with both.
const sdk = require('@opentelemetry/sdk-trace');

class SimpleSpanProcessor extends sdk.SimpleSpanProcessor {
  constructor(exporter) {
    super({ exporter });
  }
}

class BatchSpanProcessor extends sdk.BatchSpanProcessor {
  constructor(exporter, options = {}) {
    super({ exporter, ...options });
  }
}

exports.AlwaysOffSampler = sdk.AlwaysOffSampler;
exports.AlwaysOnSampler = sdk.AlwaysOnSampler;
exports.BasicTracerProvider = sdk.TracerProvider;
exports.BatchSpanProcessor = BatchSpanProcessor;
exports.InMemorySpanExporter = sdk.InMemorySpanExporter;
exports.SimpleSpanProcessor = SimpleSpanProcessor;
