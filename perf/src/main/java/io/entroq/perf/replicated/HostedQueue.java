package io.entroq.perf.replicated;

import io.entroq.api.Claim;
import io.entroq.api.EntroQ;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.Task;
import io.entroq.api.Value;
import io.entroq.cluster.member.ClusterMember;
import io.entroq.cluster.member.MemberConfig;
import io.entroq.cluster.member.MemberStatus;
import io.entroq.load.async.AsyncRun;
import io.entroq.load.async.FutureLoop;
import io.entroq.perf.fixture.Values;
import io.entroq.perf.report.LatencyTable;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/** A member that serves a queue, and its callers. */
final class HostedQueue implements Hosted {
  /** Tasks in a batch. */
  static final int BATCH = 100;

  private static final String QUEUE = "inbox";

  private final ClusterMember member;

  HostedQueue(MemberConfig config) {
    member = ClusterMember.start(config);
  }

  EntroQ queue() {
    return member.queue();
  }

  @Override
  public MemberStatus status() {
    return member.status();
  }

  /** Requests a snapshot; false if the member does not lead. */
  boolean takeSnapshot() {
    return member.takeSnapshot();
  }

  /** Inserts and deletes in turns, so that the queue does not grow. */
  @Override
  public Outcome alone(Duration duration, int bytes) {
    Histogram callNs = LatencyTable.histogram();
    Value value = value(bytes);
    long startNs = System.nanoTime();
    long endNs = startNs + duration.toNanos();
    long nowNs = startNs;
    while (nowNs - endNs < 0) {
      Task task = queue().modify(Modification.insert(QUEUE, value)).orThrow().inserted().get(0);
      long insertedNs = System.nanoTime();
      queue().modify(Modification.delete(task)).orThrow();
      callNs.recordValue(insertedNs - nowNs);
      nowNs = System.nanoTime();
      callNs.recordValue(nowNs - insertedNs);
    }
    return Outcome.of(callNs, nowNs - startNs);
  }

  @Override
  public Outcome flood(int inFlight, Duration duration, int bytes) {
    Value value = value(bytes);
    return run(inFlight, duration, loop -> insertAndDelete(loop, value));
  }

  private CompletableFuture<?> insertAndDelete(FutureLoop loop, Value value) {
    return loop.timed(() -> queue().modifyAsync(Modification.insert(QUEUE, value)))
        .thenCompose(
            inserted -> {
              Task task = inserted.orThrow().inserted().get(0);
              return loop.timed(() -> queue().modifyAsync(Modification.delete(task)));
            });
  }

  @Override
  public Outcome batches(int callers, Duration duration, int bytes) {
    Value value = value(bytes);
    return run(callers, duration, loop -> cycle(loop, value));
  }

  private CompletableFuture<?> cycle(FutureLoop loop, Value value) {
    String name = "batches " + loop.number();
    Modification.Builder inserts = Modification.builder();
    for (int i = 0; i < BATCH; i++) {
      inserts.insert(Insert.into(name).withValue(value));
    }
    Claim claim = Claim.from(name).withLimit(BATCH).withLease(Duration.ofMinutes(5));
    return loop.timed(() -> queue().modifyAsync(inserts.build()))
        .thenCompose(
            inserted -> {
              inserted.orThrow();
              return loop.timed(() -> queue().tryClaimAsync(claim));
            })
        .thenCompose(
            tasks -> {
              if (tasks.size() != BATCH) {
                throw new IllegalStateException("claimed " + tasks.size() + " tasks");
              }
              Modification.Builder deletes = Modification.builder();
              tasks.forEach(deletes::delete);
              return loop.timed(() -> queue().modifyAsync(deletes.build()));
            })
        .thenAccept(deleted -> deleted.orThrow());
  }

  private static Outcome run(
      int count, Duration duration, Function<FutureLoop, CompletableFuture<?>> cycle) {
    Histogram callNs = new ConcurrentHistogram(LatencyTable.NS_MAX, 3);
    AsyncRun run =
        new AsyncRun(
            IntStream.range(0, count).mapToObj(i -> new FutureLoop(i, callNs, cycle)).toList());
    long startNs = System.nanoTime();
    run.begin();
    try {
      TimeUnit.NANOSECONDS.sleep(startNs + duration.toNanos() - System.nanoTime());
      long nanos = System.nanoTime() - startNs;
      run.end();
      return Outcome.of(callNs, nanos);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  private static Value value(int bytes) {
    return Values.random(new SplittableRandom(bytes), bytes);
  }

  @Override
  public void commit() {
    queue().modify(Modification.insert("probes", "")).orThrow();
  }

  @Override
  public void close() {
    member.close();
  }
}
