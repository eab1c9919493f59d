package io.entroq.examples.ratelimit;

import io.entroq.api.EntroQ;
import io.entroq.api.Modification;
import io.entroq.api.QueueQuery;
import io.entroq.api.codec.ValueCodec;
import io.entroq.api.worker.Worker;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Sends requests to an API, which says "too many" to a few of them, and prints how long that took.
 * Run it in several terminals at once: all of them together keep the limits.
 */
public final class ApiCalls {
  private static final Duration POLL = Duration.ofMillis(100);
  private static final RemoteApi.Response OK = new RemoteApi.Response(200, Duration.ZERO);
  private static final RemoteApi.Response BUSY =
      new RemoteApi.Response(RemoteApi.TOO_MANY, Duration.ofSeconds(2));

  private ApiCalls() {}

  /**
   * Runs the example.
   *
   * @param args the address of a server; the number of requests, 300 by default
   */
  public static void main(String[] args) {
    int count = args.length > 1 ? Integer.parseInt(args[1]) : 300;
    try (EntroQ queue = EntroQ.connect(args[0])) {
      ApiLimits.set(queue);
      Modification.Builder requests = Modification.builder();
      for (int i = 0; i < count; i++) {
        requests.insert(i % 3 == 0 ? ApiLimits.URGENT : ApiLimits.NIGHTLY, "request " + i);
      }
      queue.modify(requests.build()).orThrow();
      long startNs = System.nanoTime();
      AtomicInteger calls = new AtomicInteger();
      Worker worker = start(queue, request -> call(calls.incrementAndGet()));
      while (!queue.areQueuesEmpty(QueueQuery.named(ApiLimits.URGENT, ApiLimits.NIGHTLY))) {
        LockSupport.parkNanos(POLL.toNanos());
      }
      worker.close();
      System.out.printf(
          "%d calls in %d ms%n",
          calls.get(), Duration.ofNanos(System.nanoTime() - startNs).toMillis());
    }
  }

  /** Starts a worker with more threads than the API allows calls at once. */
  static Worker start(EntroQ queue, RemoteApi api) {
    return Worker.on(queue)
        .from(ApiLimits.URGENT, ApiLimits.NIGHTLY)
        .values(ValueCodec.text())
        .concurrency(2 * ApiLimits.IN_FLIGHT)
        .maxRuntime(Duration.ofSeconds(30))
        .start(new ApiHandler(api));
  }

  private static RemoteApi.Response call(int number) {
    LockSupport.parkNanos(Duration.ofMillis(ThreadLocalRandom.current().nextInt(50)).toNanos());
    return number % 100 == 0 ? BUSY : OK;
  }
}
