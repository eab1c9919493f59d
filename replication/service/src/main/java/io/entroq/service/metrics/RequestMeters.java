package io.entroq.service.metrics;

import io.entroq.service.call.CallContext;
import io.entroq.service.call.CallObserver;
import io.entroq.service.call.Method;
import io.entroq.service.translation.Facade;
import io.grpc.Status;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** Counts the calls of one API. Any thread. */
final class RequestMeters implements CallObserver {
  /** From the latency of memory to that of a slow disk. */
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
  private final Map<String, MethodMeter[]> byTransport = new ConcurrentHashMap<>();

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
  public Consumer<Status.Code> started(Method<?, ?> method, CallContext context) {
    MethodMeter meter =
        byTransport.computeIfAbsent(context.transport(), this::meters)[method.index()];
    long beginNs = System.nanoTime();
    return code -> meter.ended(code, beginNs);
  }

  private MethodMeter[] meters(String transport) {
    return Method.ALL.stream()
        .map(method -> new MethodMeter(code -> counter(transport, method, code), timer(method)))
        .toArray(MethodMeter[]::new);
  }

  private Optional<Timer> timer(Method<?, ?> method) {
    if (method == Method.TRY_CLAIM) {
      return Optional.of(claims);
    }
    return method == Method.MODIFY ? Optional.of(modifies) : Optional.empty();
  }

  private Counter counter(String transport, Method<?, ?> method, Status.Code code) {
    return Counter.builder("entroq.requests")
        .description("Requests that have ended, by the status that their callers got.")
        .tag("api", facade == Facade.V0 ? "v0" : "v1")
        .tag("transport", transport)
        .tag("method", method.name())
        .tag("code", code.name())
        .register(registry);
  }
}
