package io.entroq.examples.ratelimit;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.EntroQ;
import io.entroq.api.Modification;
import io.entroq.api.QueueQuery;
import io.entroq.api.codec.ValueCodec;
import io.entroq.api.worker.Handler;
import io.entroq.api.worker.Worker;
import io.entroq.examples.testing.Served;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ApiCallsTest {
  private static final int REQUESTS = 60;
  private static final int BUSY_CALL = 20;
  private static final Duration BUSY = Duration.ofMillis(700);
  private static final QueueQuery CALLS = QueueQuery.startingWith("calls/");

  @TempDir Path directory;

  private final AtomicInteger calls = new AtomicInteger();
  private final AtomicInteger atOnce = new AtomicInteger();
  private final AtomicInteger atOnceMost = new AtomicInteger();
  private final Queue<String> done = new ConcurrentLinkedQueue<>();

  /** By log time. */
  private final Queue<Long> startsMs = new ConcurrentLinkedQueue<>();

  /** Of several processes, of which each has a client and a worker. */
  @Test
  @SuppressWarnings("try") // workers need nothing but to run
  void shouldCallNoMoreThanTheApiAllows() throws Exception {
    try (Served served = new Served(directory);
        EntroQ one = served.connect();
        EntroQ two = served.connect()) {
      ApiLimits.set(one);
      Modification.Builder inserts = Modification.builder();
      for (int i = 0; i < REQUESTS; i++) {
        inserts.insert(i % 2 == 0 ? ApiLimits.URGENT : ApiLimits.NIGHTLY, "request " + i);
      }
      one.modify(inserts.build()).orThrow();
      try (Worker first = start(one);
          Worker second = start(two)) {
        while (!one.areQueuesEmpty(CALLS)) {
          LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
        }
      }
    }
    assertThat(done).containsExactlyInAnyOrderElementsOf(requests());
    assertThat(calls).hasValue(REQUESTS + 1);
    assertThat(atOnceMost.get()).isBetween(1, ApiLimits.IN_FLIGHT);
    long[] times = startsMs.stream().mapToLong(Long::longValue).sorted().toArray();
    assertRate(times);
    // While it was paused nothing started.
    assertThat(longestGapMs(times)).isGreaterThanOrEqualTo(BUSY.toMillis());
  }

  private static List<String> requests() {
    List<String> requests = new ArrayList<>();
    for (int i = 0; i < REQUESTS; i++) {
      requests.add("request " + i);
    }
    return requests;
  }

  private Worker start(EntroQ queue) {
    Handler<String> handler = new ApiHandler(this::call);
    return Worker.on(queue)
        .from(ApiLimits.URGENT, ApiLimits.NIGHTLY)
        .values(ValueCodec.text())
        .concurrency(2 * ApiLimits.IN_FLIGHT)
        .start(
            work -> {
              startsMs.add(work.task().modified().toEpochMilli());
              return handler.handle(work);
            });
  }

  private RemoteApi.Response call(String request) {
    atOnceMost.accumulateAndGet(atOnce.incrementAndGet(), Math::max);
    LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
    atOnce.decrementAndGet();
    if (calls.incrementAndGet() == BUSY_CALL) {
      return new RemoteApi.Response(RemoteApi.TOO_MANY, BUSY);
    }
    done.add(request);
    return new RemoteApi.Response(200, Duration.ZERO);
  }

  /** Starts in any window of w: at most burst + w / interval, with 50 a second and a burst of 5. */
  private static void assertRate(long[] times) {
    for (int i = 0; i < times.length; i++) {
      for (int j = i; j < times.length; j++) {
        assertThat(j - i + 1).isLessThanOrEqualTo((int) (5 + (times[j] - times[i]) / 20));
      }
    }
  }

  private static long longestGapMs(long[] times) {
    return Arrays.stream(gaps(times)).max().orElseThrow();
  }

  private static long[] gaps(long[] times) {
    long[] gaps = new long[times.length - 1];
    Arrays.setAll(gaps, i -> times[i + 1] - times[i]);
    return gaps;
  }
}
