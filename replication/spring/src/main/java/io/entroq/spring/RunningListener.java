package io.entroq.spring;

import io.entroq.api.worker.Worker;
import io.entroq.api.worker.WorkerMetrics;

/** A listener and its present worker. Thread-safe. */
final class RunningListener {
  private static final WorkerMetrics NONE = new WorkerMetrics(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

  private final ListenerDefinition definition;
  private volatile Worker worker;

  RunningListener(ListenerDefinition definition) {
    this.definition = definition;
  }

  ListenerDefinition definition() {
    return definition;
  }

  void use(Worker started) {
    worker = started;
  }

  /** Null before the first start. */
  Worker worker() {
    return worker;
  }

  boolean isRunning() {
    Worker current = worker;
    return current != null && current.isRunning();
  }

  /** That of the present worker; before the first start that of the definition. */
  int concurrency() {
    Worker current = worker;
    return current == null ? definition.concurrency() : current.concurrency();
  }

  /** Since its last start. */
  WorkerMetrics metrics() {
    Worker current = worker;
    return current == null ? NONE : current.metrics();
  }
}
