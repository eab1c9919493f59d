package io.entroq.simulator.client.worker;

import io.entroq.simulator.call.LogTime;
import io.entroq.simulator.call.Request;
import io.entroq.simulator.fault.Faults;
import io.entroq.simulator.virtual.EventQueue;
import io.entroq.simulator.virtual.Trace;
import java.util.function.LongSupplier;
import java.util.function.ToIntFunction;

/** What the workers of one world share, and what they hear of the engine. */
final class WorkerContext {
  /** After a refusal the engine is not taken to be well for so long. */
  private static final long UNHEALTHY_NS = 5_000_000_000L;

  /** For so long after a loss messages may still speak of what was lost. */
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

  /** How many copies of a request are on their way, now that it is sent. */
  int send(Request request) {
    requests++;
    trace.add(
        (long) request.client() << 32 | (long) request.type() << 24 | request.command().capacity());
    return network.applyAsInt(request);
  }

  /** How many requests were sent, resends included. */
  long requests() {
    return requests;
  }

  /** Somebody has heard that his Modify was done. */
  void committed() {
    commits++;
  }

  /** How many Modifies were done, as far as those know who have sent them. */
  long commits() {
    return commits;
  }

  /**
   * A result has come.
   *
   * @param askedNs when the request was sent first
   */
  void heard(Request request, long askedNs, long logTimeMs, int code) {
    results++;
    trace.add(logTimeMs << 16 ^ ((long) request.client() << 8 | code));
    logTime.saw(logTimeMs, askedNs);
  }

  /** The engine was not there, or had no room. */
  void refused() {
    refusedNs = events.nowNs();
  }

  /** What was not heard may have been taken back, or lost. */
  void troubled() {
    troubledNs = Math.max(troubledNs, events.nowNs());
  }

  /**
   * Something that was heard is lost, and whatever was known of it with it. A process that claims a
   * task which it holds already, as far as it knows, cannot tell one lease from the other until
   * those of before have run out.
   *
   * @param leaseNs how long the longest of them lasts
   */
  void lost(long leaseNs) {
    lostNs = events.nowNs();
    troubledNs = lostNs + leaseNs;
    invariants.lost();
    logTime.lost();
  }

  /** Whether what was heard at that time may be lost. */
  boolean mayBeLost(long sinceNs) {
    return lostNs >= 0 && sinceNs <= lostNs + LATE_NS;
  }

  /** Until when there was trouble for all of them last; below 0: never. */
  long troubledNs() {
    return troubledNs;
  }

  /** For how long the engine has been well, in nanoseconds: has answered, and refused nothing. */
  long healthyNs() {
    return healthyNs;
  }

  /** So much time has passed since this was called last. */
  void passed(long ns) {
    boolean isHealthy = events.nowNs() - refusedNs >= UNHEALTHY_NS && results > resultsBefore;
    healthyNs += isHealthy ? ns : 0;
    resultsBefore = results;
  }

  /** What log time is taken to be. */
  long nowMs() {
    return logTime.nowMs();
  }

  /**
   * Log time, or more: what is heard of it may have been under way for long, and it may stand still
   * or go slowly since. An age that is told by it is never too small.
   */
  long newestMs() {
    return Math.max(nowMs(), newestMs.getAsLong());
  }
}
