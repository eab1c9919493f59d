package io.entroq.simulator.client.worker;

import io.entroq.simulator.call.LogTime;
import io.entroq.simulator.call.Request;
import io.entroq.simulator.fault.Faults;
import io.entroq.simulator.virtual.EventQueue;
import io.entroq.simulator.virtual.Trace;
import java.util.function.LongSupplier;
import java.util.function.ToIntFunction;

/** The shared state of the workers of one world, and the health of the engine. */
final class WorkerContext {
  /** How long the engine counts as unhealthy after a refusal. */
  private static final long UNHEALTHY_NS = 5_000_000_000L;

  /** How long after a loss messages may still show lost data. */
  private static final long LATE_NS = 120_000_000_000L;

  final WorkersConfig config;
  final EventQueue events;
  final Faults faults;
  final WorkerInvariants invariants;
  private final ToIntFunction<Request> network;
  private final Trace trace;
  private final LogTime logTime;
  private final LongSupplier newestMs;
  private long requests;
  private long results;
  private long commits;
  private long resultsBefore;
  private long refusedNs = -UNHEALTHY_NS;
  private long healthyNs;
  private long troubledNs = -1;
  private long lostNs = -1;

  WorkerContext(
      WorkersConfig config,
      EventQueue events,
      Faults faults,
      ToIntFunction<Request> network,
      Trace trace,
      LongSupplier newestMs) {
    this.config = config;
    this.events = events;
    this.faults = faults;
    this.network = network;
    this.trace = trace;
    this.logTime = new LogTime(events, config.startMs());
    this.newestMs = newestMs;
    this.invariants = new WorkerInvariants();
  }

  /** Sends a request and returns the number of copies in flight. */
  int send(Request request) {
    requests++;
    trace.add(
        (long) request.client() << 32 | (long) request.type() << 24 | request.command().capacity());
    return network.applyAsInt(request);
  }

  /** The number of requests, including resends. */
  long requests() {
    return requests;
  }

  /** A worker has learned that its Modify was executed. */
  void committed() {
    commits++;
  }

  /** The number of Modifies that their senders know to be done. */
  long commits() {
    return commits;
  }

  /**
   * A result has arrived.
   *
   * @param sentNs when the request was first sent
   */
  void heard(Request request, long sentNs, long logTimeMs, int code) {
    results++;
    trace.add(logTimeMs << 16 ^ ((long) request.client() << 8 | code));
    logTime.observe(logTimeMs, sentNs);
  }

  /** The engine was down or had no room. */
  void refused() {
    refusedNs = events.nowNs();
  }

  /** Undelivered claims may have been given back, or something lost. */
  void troubled() {
    troubledNs = Math.max(troubledNs, events.nowNs());
  }

  /**
   * Answered requests are lost. A process that claims a task which it believes to hold already
   * cannot tell the two leases apart until the former one has ended.
   *
   * @param leaseNs the longest lease
   */
  void lost(long leaseNs) {
    lostNs = events.nowNs();
    troubledNs = lostNs + leaseNs;
    invariants.lost();
    logTime.lost();
  }

  /** Whether replies from that time may be lost. */
  boolean mayBeLost(long sinceNs) {
    return lostNs >= 0 && sinceNs <= lostNs + LATE_NS;
  }

  /** The end of the last disturbance of all workers; below 0: none. */
  long troubledNs() {
    return troubledNs;
  }

  /** How long the engine has been healthy in total, in nanoseconds: answering and not refusing. */
  long healthyNs() {
    return healthyNs;
  }

  /** Updates the health after some time. */
  void passed(long ns) {
    boolean isHealthy = events.nowNs() - refusedNs >= UNHEALTHY_NS && results > resultsBefore;
    healthyNs += isHealthy ? ns : 0;
    resultsBefore = results;
  }

  /** The estimated log time. */
  long nowMs() {
    return logTime.nowMs();
  }

  /**
   * An upper estimate of log time, so that ages are never too small: replies may have been delayed,
   * and the clock slow since.
   */
  long newestMs() {
    return Math.max(nowMs(), newestMs.getAsLong());
  }
}
