package io.entroq.perf.served;

import com.google.common.util.concurrent.ListenableFuture;
import io.entroq.codec.wire.edge.ClaimRequest;
import io.entroq.codec.wire.edge.ClaimResponse;
import io.entroq.codec.wire.edge.ModifyRequest;
import io.entroq.codec.wire.edge.ModifyResponse;
import io.entroq.codec.wire.edge.Task;
import io.entroq.codec.wire.edge.TaskData;
import io.entroq.perf.report.LatencyTable;
import io.entroq.perf.report.Report;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.stub.ClientCalls;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/**
 * How long a waiting claim takes to return once its task is available: inserted over another
 * connection, due, or free because its lease expired.
 */
final class WakeUps {
  private static final String QUEUE = "inbox";
  private static final long LEASE_MS = 60_000;
  private static final long SHORT_MS = 5;
  private static final long IDLE_NS = TimeUnit.MILLISECONDS.toNanos(2);

  private final ManagedChannel claims;
  private final ManagedChannel changes;
  private final int times;
  private final ClaimRequest claim = Messages.claim(QUEUE, 1, LEASE_MS);

  WakeUps(Connections connections, int port, int times) {
    this.claims = connections.connect(port);
    this.changes = connections.connect(port);
    this.times = times;
  }

  /**
   * Measures.
   *
   * @param echo makes every second insert
   */
  void measure(WakeUps echo, Report report) throws Exception {
    Histogram inserts = LatencyTable.histogram();
    Histogram echoInserts = LatencyTable.histogram();
    repeat(
        isMeasured -> {
          record(insert(), isMeasured, inserts);
          record(echo.insert(), isMeasured, echoInserts);
        });
    Histogram due = LatencyTable.histogram();
    repeat(isMeasured -> record(due(), isMeasured, due));
    Histogram expired = LatencyTable.histogram();
    repeat(isMeasured -> record(expired(), isMeasured, expired));
    LatencyTable.inMicros(report)
        .add("an insert reaches a waiting claim", inserts)
        .add("the same in the echo", echoInserts)
        .add("a due task reaches a waiting claim", due)
        .add("an expired lease reaches a waiting claim", expired)
        .print();
  }

  /** Half as many times to warm up, then the times that count. */
  private void repeat(Once once) throws Exception {
    for (int i = -times / 2; i < times; i++) {
      once.measure(i >= 0);
    }
  }

  private static void record(long ns, boolean isMeasured, Histogram nanos) {
    if (isMeasured) {
      nanos.recordValue(Math.max(0, ns));
    }
  }

  private long insert() throws InterruptedException, ExecutionException {
    AtomicLong claimedNs = new AtomicLong();
    ListenableFuture<ClaimResponse> claimed = claim();
    claimed.addListener(() -> claimedNs.set(System.nanoTime()), Runnable::run);
    // Long enough for the claim to wait and for all threads to sleep.
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

  /** May be negative: log time may be slewed against the clock of the system. */
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

  @FunctionalInterface
  private interface Once {
    void measure(boolean isMeasured) throws Exception;
  }
}
