package io.entroq.service.tracing;

import io.entroq.service.call.CallContext;
import io.entroq.service.call.CallObserver;
import io.entroq.service.call.Headers;
import io.entroq.service.call.Method;
import io.entroq.service.translation.Facade;
import io.grpc.Status;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Creates OpenTelemetry spans. The only class that depends on OpenTelemetry. */
final class Traces implements AutoCloseable {
  private static final AttributeKey<String> SYSTEM = AttributeKey.stringKey("rpc.system");
  private static final AttributeKey<String> SERVICE = AttributeKey.stringKey("rpc.service");
  private static final AttributeKey<String> METHOD = AttributeKey.stringKey("rpc.method");
  private static final AttributeKey<Long> CODE = AttributeKey.longKey("rpc.grpc.status_code");
  private static final AttributeKey<String> SERVICE_NAME = AttributeKey.stringKey("service.name");

  private static final long CLOSE_SECONDS_MAX = 5;

  private final SdkTracerProvider provider;
  private final Tracer tracer;

  Traces(TracingConfig config) {
    provider =
        SdkTracerProvider.builder()
            .setResource(
                Resource.getDefault()
                    .merge(Resource.create(Attributes.of(SERVICE_NAME, config.service()))))
            .addSpanProcessor(
                BatchSpanProcessor.builder(
                        OtlpHttpSpanExporter.builder().setEndpoint(config.url()).build())
                    .build())
            .build();
    tracer = provider.get("io.entroq.server");
  }

  /** Creates a span for each call of an API, inside the caller's span if there is one. */
  CallObserver observer(Facade facade) {
    String service = facade.protoPackage() + ".EntroQ";
    return (method, context) -> started(service, method, context);
  }

  private Consumer<Status.Code> started(String service, Method<?, ?> method, CallContext context) {
    Span span =
        tracer
            .spanBuilder(service + "/" + method.name())
            .setParent(
                W3CTraceContextPropagator.getInstance()
                    .extract(Context.root(), context.headers(), HeaderGetter.INSTANCE))
            .setSpanKind(SpanKind.SERVER)
            .setAttribute(SYSTEM, context.transport())
            .setAttribute(SERVICE, service)
            .setAttribute(METHOD, method.name())
            .startSpan();
    return code -> end(span, code);
  }

  private static void end(Span span, Status.Code code) {
    span.setAttribute(CODE, code.value());
    if (isServerError(code)) {
      span.setStatus(StatusCode.ERROR, code.name());
    }
    span.end();
  }

  /** Other codes are the client's errors. */
  private static boolean isServerError(Status.Code code) {
    return switch (code) {
      case UNKNOWN, DEADLINE_EXCEEDED, UNIMPLEMENTED, INTERNAL, UNAVAILABLE, DATA_LOSS -> true;
      default -> false;
    };
  }

  @Override
  public void close() {
    provider.shutdown().join(CLOSE_SECONDS_MAX, TimeUnit.SECONDS);
  }

  /** Reads the caller's trace context. */
  private enum HeaderGetter implements TextMapGetter<Headers> {
    INSTANCE;

    @Override
    public Iterable<String> keys(Headers headers) {
      return List.of();
    }

    @Override
    public String get(Headers headers, String name) {
      return headers.first(name).orElse(null);
    }
  }
}
