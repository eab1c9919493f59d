package io.entroq.opentelemetry;

import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The context of a span as the trace of a task: a W3C {@code traceparent}, 55 characters. A trace
 * state would not fit.
 */
final class TraceText {
  private static final String PARENT = "traceparent";

  /** Reads a single header. */
  private enum Getter implements TextMapGetter<String> {
    INSTANCE;

    @Override
    public Iterable<String> keys(String carrier) {
      return List.of(PARENT);
    }

    @Override
    public String get(String carrier, String key) {
      return key.equals(PARENT) ? carrier : null;
    }
  }

  private TraceText() {}

  /** Empty if there is no span. */
  static String of(Context context) {
    Map<String, String> headers = new HashMap<>();
    W3CTraceContextPropagator.getInstance().inject(context, headers, Map::put);
    return headers.getOrDefault(PARENT, "");
  }

  /** Without a span if the text is not from one: applications may use it for something else. */
  static Context context(String trace) {
    return W3CTraceContextPropagator.getInstance().extract(Context.root(), trace, Getter.INSTANCE);
  }
}
