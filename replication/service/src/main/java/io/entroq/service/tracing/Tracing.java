package io.entroq.service.tracing;

import io.entroq.service.call.ObservedService;
import io.entroq.service.call.Service;
import java.util.Optional;

/** Traces calls if a collector is configured. Close it after the last call. */
public final class Tracing implements AutoCloseable {
  private final Optional<Traces> traces;

  private Tracing(Optional<Traces> traces) {
    this.traces = traces;
  }

  /** The collector need not be reachable. */
  public static Tracing of(TracingConfig config) {
    return new Tracing(config.isOn() ? Optional.of(new Traces(config)) : Optional.empty());
  }

  /** Traces the calls of a service; returns the service itself if tracing is off. */
  public Service trace(Service service) {
    return traces.isEmpty()
        ? service
        : new ObservedService(service, traces.get().observer(service.facade()));
  }

  /** Sends the remaining spans; takes a few seconds at most. */
  @Override
  public void close() {
    traces.ifPresent(Traces::close);
  }
}
