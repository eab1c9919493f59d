package io.entroq.examples.pools;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.EntroQ;
import io.entroq.api.QueueQuery;
import io.entroq.api.worker.Worker;
import io.entroq.examples.testing.Served;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OrderedAccountsTest {
  private static final List<String> POSTS = List.of("a", "b", "c", "d");

  @TempDir Path directory;

  private Served served;
  private EntroQ queue;

  @BeforeEach
  void serve() throws IOException {
    served = new Served(directory);
    queue = served.connect();
    OrderedAccounts.order(queue);
  }

  @AfterEach
  void stop() {
    queue.close();
    served.close();
  }

  @Test
  void shouldPostInOrderThoughPostsFail() throws Exception {
    for (String post : POSTS) {
      OrderedAccounts.insert(queue, "one", post);
      OrderedAccounts.insert(queue, "two", post);
    }
    Map<String, List<String>> posted = new ConcurrentHashMap<>();
    CountDownLatch left = new CountDownLatch(2 * POSTS.size());
    AtomicInteger tries = new AtomicInteger();
    OrderedAccounts.Ledger ledger =
        (account, entry) -> {
          if (tries.incrementAndGet() % 3 == 0) {
            throw new IOException("intended");
          }
          posted.computeIfAbsent(account, a -> new CopyOnWriteArrayList<>()).add(entry);
          left.countDown();
        };
    try (Worker worker = OrderedAccounts.start(queue, ledger)) {
      assertThat(left.await(50, TimeUnit.SECONDS)).isTrue();
      assertThat(worker.isRunning()).isTrue();
    }
    assertThat(posted).containsExactlyInAnyOrderEntriesOf(Map.of("one", POSTS, "two", POSTS));
  }

  @Test
  void shouldNotHoldUpOtherAccounts() throws Exception {
    CountDownLatch isReleased = new CountDownLatch(1);
    CountDownLatch left = new CountDownLatch(POSTS.size());
    for (String post : POSTS) {
      OrderedAccounts.insert(queue, "slow", post);
      OrderedAccounts.insert(queue, "fast", post);
    }
    OrderedAccounts.Ledger ledger =
        (account, entry) -> {
          if (account.equals("fast")) {
            left.countDown();
          } else if (!await(isReleased)) {
            throw new IOException("never released");
          }
        };
    try (Worker worker = OrderedAccounts.start(queue, ledger)) {
      assertThat(left.await(50, TimeUnit.SECONDS)).isTrue();
      isReleased.countDown();
      assertThat(worker.isRunning()).isTrue();
    }
  }

  @Test
  void shouldRun() throws InterruptedException {
    OrderedAccounts.main(new String[] {served.address()});
    assertThat(queue.areQueuesEmpty(QueueQuery.startingWith("accounts"))).isTrue();
  }

  private static boolean await(CountDownLatch latch) throws IOException {
    try {
      return latch.await(50, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }
}
