package io.entroq.perf.served;

import com.google.common.util.concurrent.ListenableFuture;
import io.entroq.codec.wire.edge.ClaimRequest;
import io.entroq.codec.wire.edge.ClaimResponse;
import io.entroq.codec.wire.edge.ModifyRequest;
import io.entroq.codec.wire.edge.ModifyResponse;
import io.entroq.codec.wire.edge.Task;
import io.entroq.codec.wire.edge.TaskData;
import io.entroq.perf.report.Report;
import io.entroq.perf.report.Table;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.stub.ClientCalls;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/**
 * How long a claim over one connection waits on when its task is there: inserted over another one,
 * from the call that inserts; due, or free again as its lease has run out, from that millisecond.
 */
final class WakeUps {
  private static final String QUEUE = "inbox";
  private static final long LEASE_MS = 60_000;
  private static final long SHORT_MS = 5;
  private static final long IDLE_NS = TimeUnit.MILLISECONDS.toNanos(2);
  private static final long NANOS_MAX = TimeUnit.SECONDS.toNanos(60);

  private final ManagedChannel claims;
  private final ManagedChannel changes;
  private final RunLengths lengths;
  private final ClaimRequest claim = Messages.claim(QUEUE, 1, LEASE_MS);

  WakeUps(Connections connections, int port, RunLengths lengths) {
    this.claims = connections.connect(port);
    this.changes = connections.connect(port);
    this.lengths = lengths;
  }

  /**
   * Measures.
   *
   * @param ceiling the echo, by turns with which inserts are made
   */
  void measure(WakeUps ceiling, Report report) throws InterruptedException, ExecutionException {
    Table table = new Table("us", "least", "p50", "p99", "p99.9", "longest");
    Histogram inserts = new Histogram(NANOS_MAX, 3);
    Histogram echo = new Histogram(NANOS_MAX, 3);
    for (int i = -lengths.times() / 2; i < lengths.times(); i++) {
      measure(this::insert, i, inserts);
      measure(ceiling::insert, i, echo);
    }
    tell("an insert reaches a waiting claim", inserts, table, report);
    tell("the same in the echo", echo, table, report);
    tell("a due task reaches a waiting claim", this::due, table, report);
    tell("an expired lease reaches a waiting claim", this::expired, table, report);
    table.print();
  }

  private void tell(String what, Once once, Table table, Report report)
      throws InterruptedException, ExecutionException {
    Histogram nanos = new Histogram(NANOS_MAX, 3);
    for (int i = -lengths.times() / 2; i < lengths.times(); i++) {
      measure(once, i, nanos);
    }
    tell(what, nanos, table, report);
  }

  /**
   * Measures once.
   *
   * @param time which it is; those below 0 do not count
   */
  private static void measure(Once once, int time, Histogram nanos)
      throws InterruptedException, ExecutionException {
    long ns = once.measure();
    if (time >= 0) {
      nanos.recordValue(Math.max(0, ns));
    }
  }

  private static void tell(String what, Histogram nanos, Table table, Report report) {
    Map<String, Object> micros = new LinkedHashMap<>();
    micros.put("p50", nanos.getValueAtPercentile(50) / 1e3);
    micros.put("p99", nanos.getValueAtPercentile(99) / 1e3);
    micros.put("p99.9", nanos.getValueAtPercentile(99.9) / 1e3);
    micros.put("max", nanos.getMaxValue() / 1e3);
    micros.put("min", nanos.getMinValue() / 1e3);
    table.row(
        what,
        micros.get("min"),
        micros.get("p50"),
        micros.get("p99"),
        micros.get("p99.9"),
        micros.get("max"));
    report.figure(what + ", us", micros);
  }

  private long insert() throws InterruptedException, ExecutionException {
    AtomicLong claimedNs = new AtomicLong();
    ListenableFuture<ClaimResponse> claimed = claim();
    claimed.addListener(() -> claimedNs.set(System.nanoTime()), Runnable::run);
    // Long enough for the claim to wait and for all threads to have gone to sleep.
    LockSupport.parkNanos(IDLE_NS);
    long startNs = System.nanoTime();
    insert(0);
    ClaimResponse task = claimed.get();
    while (claimedNs.get() == 0) {
      Thread.onSpinWait();
    }
    delete(task);
    return claimedNs.get() - startNs;
  }

  private long due() throws InterruptedException, ExecutionException {
    long dueMs = insert(System.currentTimeMillis() + SHORT_MS).getAtMs();
    ClaimResponse task = claim().get();
    long lateNs = sinceNs(dueMs);
    delete(task);
    return lateNs;
  }

  private long expired() throws InterruptedException, ExecutionException {
    insert(0);
    long endMs =
        ClientCalls.blockingUnaryCall(
                changes,
                Messages.TRY_CLAIM,
                CallOptions.DEFAULT,
                Messages.claim(QUEUE, 1, SHORT_MS))
            .getTask()
            .getAtMs();
    ClaimResponse task = claim().get();
    long lateNs = sinceNs(endMs);
    delete(task);
    return lateNs;
  }

  /** Log time may be slewed against the clock of the system. */
  private static long sinceNs(long timeMs) {
    return TimeUnit.MICROSECONDS.toNanos(
        ChronoUnit.MICROS.between(Instant.ofEpochMilli(timeMs), Instant.now()));
  }

  private ListenableFuture<ClaimResponse> claim() {
    return ClientCalls.futureUnaryCall(claims.newCall(Messages.CLAIM, CallOptions.DEFAULT), claim);
  }

  private Task insert(long atMs) {
    TaskData task = TaskData.newBuilder().setQueue(QUEUE).setAtMs(atMs).build();
    return modify(Messages.insert(task, 1)).getInserted(0);
  }

  private void delete(ClaimResponse task) {
    modify(Messages.delete(task));
  }

  private ModifyResponse modify(ModifyRequest request) {
    return ClientCalls.blockingUnaryCall(changes, Messages.MODIFY, CallOptions.DEFAULT, request);
  }

  /** One of the times, in nanoseconds. */
  @FunctionalInterface
  private interface Once {
    long measure() throws InterruptedException, ExecutionException;
  }
}
