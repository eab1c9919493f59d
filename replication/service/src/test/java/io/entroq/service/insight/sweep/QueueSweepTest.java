package io.entroq.service.insight.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.api.EntroQException;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.engine.gateway.Gateway;
import io.entroq.service.testing.Await;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class QueueSweepTest {
  private final EmbeddedEntroQ queue = EmbeddedEntroQ.open(EmbeddedConfig.inMemory().build());
  private final AtomicLong nowNs = new AtomicLong();
  private final AtomicInteger listings = new AtomicInteger();
  private volatile boolean isRefused;
  private volatile boolean isWithoutMemory;

  /** A look takes so long. */
  private volatile long lookNs;

  private final Gateway counted =
      (Gateway)
          Proxy.newProxyInstance(
              Gateway.class.getClassLoader(),
              new Class<?>[] {Gateway.class},
              (proxy, method, arguments) -> {
                if (method.getName().equals("queues")) {
                  listings.incrementAndGet();
                  nowNs.addAndGet(lookNs);
                  if (isWithoutMemory) {
                    throw new OutOfMemoryError("on purpose");
                  }
                  if (isRefused) {
                    throw new EntroQException.ResourceExhausted("on purpose");
                  }
                }
                try {
                  return method.invoke(queue.gateway(), arguments);
                } catch (InvocationTargetException e) {
                  throw e.getCause();
                }
              });

  @AfterEach
  void close() {
    queue.close();
  }

  private QueueSweep sweep(int max) {
    return new QueueSweep(counted, max, Runnable::run, nowNs::get);
  }

  private void insert(String... queues) {
    queue.modify(Modification.insert(Arrays.stream(queues).map(Insert::into).toList())).orThrow();
  }

  private static List<String> names(SweepColumns found, int[] rows) {
    return Arrays.stream(rows).mapToObj(found::name).toList();
  }

  @Test
  void shouldFindQueuesByNameAndPrefixInTheOrderOfTheirBytes() {
    List<String> names = new ArrayList<>(List.of("a", "a/", "a/b", "ab", "b", "é", "z", "aa", "A"));
    Collections.shuffle(names, new Random(1));
    insert(names.toArray(String[]::new));
    SweepColumns found = sweep(100).look().join();
    assertThat(names(found, found.page(found.withPrefix(""), null, false, 0, 100)))
        .containsExactly("A", "a", "a/", "a/b", "aa", "ab", "b", "z", "é");
    assertThat(names(found, found.page(found.withPrefix("a"), null, false, 1, 3)))
        .containsExactly("a/", "a/b", "aa");
    assertThat(names(found, found.page(found.withPrefix("a"), null, true, 0, 2)))
        .containsExactly("ab", "aa");
    assertThat(found.withPrefix("é")).isEqualTo(new SweepColumns.Rows(8, 9));
    assertThat(found.withPrefix("y")).isEqualTo(new SweepColumns.Rows(7, 7));
    assertThat(found.find("a/b")).isEqualTo(3);
    assertThat(found.find("a/c")).isNegative();
    assertThat(found.find("zz")).isNegative();
    assertThat(found.isComplete()).isTrue();
  }

  @Test
  void shouldSortByAFigure() {
    insert("one", "two", "two", "three", "three", "three");
    SweepColumns found = sweep(100).look().join();
    SweepColumns.Rows all = found.withPrefix("");
    assertThat(names(found, found.page(all, SweepColumn.TASKS, true, 0, 2)))
        .containsExactly("three", "two");
    assertThat(names(found, found.page(found.withPrefix("t"), SweepColumn.TASKS, false, 0, 9)))
        .containsExactly("two", "three");
    assertThat(names(found, found.page(all, SweepColumn.TASKS, false, 1, 1)))
        .containsExactly("two");
    assertThat(found.value(SweepColumn.READY, found.find("three"))).isEqualTo(3);
  }

  @Test
  void shouldReadManyQueuesInPages() {
    for (int i = 0; i < 20; i++) {
      String[] names = new String[1_000];
      for (int k = 0; k < names.length; k++) {
        names[k] = "queue with a long name, so that there are several pages/" + (1_000 * i + k);
      }
      insert(names);
    }
    SweepColumns found = sweep(1_000_000).look().join();
    assertThat(found.size()).isEqualTo(20_000);
    assertThat(found.find("queue with a long name, so that there are several pages/19999"))
        .isNotNegative();
    SweepColumns some = sweep(1_000).look().join();
    assertThat(some.size()).isEqualTo(1_000);
    assertThat(some.isComplete()).isFalse();
  }

  @Test
  void shouldEndALookForWhichThereIsNoMemory() {
    isWithoutMemory = true;
    QueueSweep sweep = sweep(100);
    assertThatThrownBy(() -> sweep.look().get(30, TimeUnit.SECONDS))
        .hasCauseInstanceOf(OutOfMemoryError.class);
  }

  @Test
  void shouldLookOnlyWhenSomebodyAsksAndNotTooOften() {
    insert("q");
    QueueSweep sweep = sweep(100);
    assertThat(listings.get()).isZero();
    SweepColumns first = sweep.look().join();
    nowNs.addAndGet(QueueSweep.INTERVAL_NS - 1);
    assertThat(sweep.look().join()).isSameAs(first);
    assertThat(listings.get()).isEqualTo(1);
    nowNs.addAndGet(1);
    Await.until("there is another look", () -> sweep.look().join() != first);
    assertThat(listings.get()).isEqualTo(2);
    assertThat(sweep.ageNs()).isZero();
  }

  @Test
  void shouldRestAHundredTimesAsLongAsALookTakes() {
    insert("q");
    lookNs = QueueSweep.INTERVAL_NS;
    QueueSweep sweep = sweep(100);
    SweepColumns first = sweep.look().join();
    nowNs.addAndGet(QueueSweep.REST_PARTS * lookNs - 1);
    assertThat(sweep.look().join()).isSameAs(first);
    nowNs.addAndGet(1);
    sweep.look().join();
    assertThat(listings.get()).isEqualTo(2);
  }

  @Test
  void shouldKeepTheLastLookIfTheEngineRefuses() {
    insert("q");
    isRefused = true;
    QueueSweep sweep = sweep(100);
    assertThatThrownBy(() -> sweep.look().join())
        .isInstanceOf(CompletionException.class)
        .hasCauseInstanceOf(EntroQException.ResourceExhausted.class);
    isRefused = false;
    SweepColumns first = sweep.look().join();
    assertThat(first.size()).isEqualTo(1);
    isRefused = true;
    nowNs.addAndGet(QueueSweep.INTERVAL_NS);
    assertThat(sweep.look().join()).isSameAs(first);
  }

  @Test
  void shouldTellWhichNamesAreOfDeadQueues() {
    insert("jobs/err", "jobs", "err");
    SweepColumns found = sweep(100).look().join();
    assertThat(found.namedDead()).containsExactly(found.find("jobs/err"));
  }
}
