package io.entroq.service.metrics;

import io.entroq.service.call.CallContext;
import io.entroq.service.call.CallEnd;
import io.entroq.service.call.CallObserver;
import io.entroq.service.call.Method;
import io.entroq.service.translation.Facade;
import io.grpc.Status;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Counts the requests of one API. Any thread. */
final class RequestMeters implements CallObserver {
  /** From what memory does to what a slow disk does. */
  private static final Duration[] BOUNDS = {
    Duration.ofNanos(100_000),
    Duration.ofNanos(250_000),
    Duration.ofNanos(500_000),
    Duration.ofMillis(1),
    Duration.ofNanos(2_500_000),
    Duration.ofMillis(5),
    Duration.ofMillis(10),
    Duration.ofMillis(25),
    Duration.ofMillis(50),
    Duration.ofMillis(100),
    Duration.ofMillis(250),
    Duration.ofMillis(500),
    Duration.ofSeconds(1),
    Duration.ofMillis(2_500),
    Duration.ofSeconds(5),
    Duration.ofSeconds(10),
  };

  private final MeterRegistry registry;
  private final Facade facade;
  private final Timer claims;
  private final Timer modifies;
  private final Map<String, Map<Method, MethodMeter>> byTransport = new ConcurrentHashMap<>();

  RequestMeters(MeterRegistry registry, Facade facade) {
    this.registry = registry;
    this.facade = facade;
    this.claims =
        timer("entroq.claim.duration", "How long TryClaim takes, until its answer is handed over.");
    this.modifies =
        timer("entroq.modify.duration", "How long Modify takes, until its answer is handed over.");
  }

  private Timer timer(String name, String description) {
    return Timer.builder(name)
        .description(description)
        .serviceLevelObjectives(BOUNDS)
        .register(registry);
  }

  @Override
  public CallEnd begun(Method method, CallContext context) {
    MethodMeter meter = byTransport.computeIfAbsent(context.transport(), this::meters).get(method);
    long beginNs = System.nanoTime();
    return code -> meter.ended(code, beginNs);
  }

  private Map<Method, MethodMeter> meters(String transport) {
    Map<Method, MethodMeter> meters = new EnumMap<>(Method.class);
    for (Method method : Method.values()) {
      meters.put(method, new MethodMeter(code -> counter(transport, method, code), timer(method)));
    }
    return meters;
  }

  private Optional<Timer> timer(Method method) {
    return switch (method) {
      case TRY_CLAIM -> Optional.of(claims);
      case MODIFY -> Optional.of(modifies);
      default -> Optional.empty();
    };
  }

  private Counter counter(String transport, Method method, Status.Code code) {
    return Counter.builder("entroq.requests")
        .description("Requests that have ended, by the status that their callers got.")
        .tag("api", facade == Facade.V0 ? "v0" : "v1")
        .tag("transport", transport)
        .tag("method", method.label())
        .tag("code", code.name())
        .register(registry);
  }
}
