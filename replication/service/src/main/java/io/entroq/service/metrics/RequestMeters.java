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
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;

/** Counts the calls of one API. Any thread. */
final class RequestMeters implements CallObserver {
  /** From memory latency to that of a server that is overloaded: 100 µs to 5 min. */
  private static final Duration[] BUCKETS =
      IntStream.of(
              100,
              250,
              500,
              1_000,
              2_500,
              5_000,
              10_000,
              25_000,
              50_000,
              100_000,
              250_000,
              500_000,
              1_000_000,
              2_500_000,
              5_000_000,
              10_000_000,
              30_000_000,
              60_000_000,
              300_000_000)
          .mapToObj(micros -> Duration.of(micros, ChronoUnit.MICROS))
          .toArray(Duration[]::new);

  private final MeterRegistry registry;
  private final Facade facade;
  private final Timer claims;
  private final Timer modifies;
  private final Map<String, MethodMeter[]> byTransport = new ConcurrentHashMap<>();

  RequestMeters(MeterRegistry registry, Facade facade) {
    this.registry = registry;
    this.facade = facade;
    claims = timer("entroq.claim.duration", "Time until the response to a TryClaim is sent.");
    modifies = timer("entroq.modify.duration", "Time until the response to a Modify is sent.");
  }

  private Timer timer(String name, String description) {
    return Timer.builder(name)
        .description(description)
        .serviceLevelObjectives(BUCKETS)
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
        .description("Finished requests, by the status that their callers got.")
        .tag("api", facade == Facade.V0 ? "v0" : "v1")
        .tag("transport", transport)
        .tag("method", method.name())
        .tag("code", code.name())
        .register(registry);
  }

  /** Counts, and perhaps times, the calls of one method over one transport. */
  private static final class MethodMeter {
    private final AtomicReferenceArray<Counter> byCode =
        new AtomicReferenceArray<>(Status.Code.values().length);
    private final Function<Status.Code, Counter> counters;
    private final Optional<Timer> timer;

    /**
     * @param counters finds or creates the counter of a code; most codes never occur
     */
    MethodMeter(Function<Status.Code, Counter> counters, Optional<Timer> timer) {
      this.counters = counters;
      this.timer = timer;
    }

    /** Records the end of a call that started at this {@link System#nanoTime}. */
    void ended(Status.Code code, long beginNs) {
      Counter counter = byCode.get(code.value());
      if (counter == null) {
        counter = counters.apply(code);
        byCode.set(code.value(), counter);
      }
      counter.increment();
      timer.ifPresent(t -> t.record(System.nanoTime() - beginNs, TimeUnit.NANOSECONDS));
    }
  }
}
