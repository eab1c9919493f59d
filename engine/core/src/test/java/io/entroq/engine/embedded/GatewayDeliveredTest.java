package io.entroq.engine.embedded;

import static io.entroq.engine.embedded.GatewayCalls.claim;
import static io.entroq.engine.embedded.GatewayCalls.waitingClaim;
import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.Modification;
import io.entroq.api.QueueQuery;
import io.entroq.engine.embedded.GatewayCalls.Heard;
import io.entroq.engine.gateway.Gateway;
import io.entroq.engine.gateway.Identity;
import io.entroq.engine.gateway.RevocableClaim;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Claims of callers with an identity of their own who say nothing more once they have been told,
 * and an engine that is killed then.
 */
class GatewayDeliveredTest {
  @TempDir Path directory;

  private EmbeddedEntroQ queue;

  @AfterEach
  void close() {
    if (queue != null) {
      queue.close();
    }
  }

  @Test
  void shouldKeepWhatWasToldAndGiveBackWhatWasNot() {
    open();
    insert(5);
    List<Heard> heard = new ArrayList<>();
    Gateway gateway = queue.gateway();
    RevocableClaim tried = gateway.claim(caller(1), 0, claim("q"), hear(heard));
    RevocableClaim waited = gateway.waitingClaim(caller(2), 0, waitingClaim("q"), hear(heard));
    RevocableClaim late = gateway.claim(caller(3), 0, claim("q"), hear(heard));
    RevocableClaim cut = gateway.claim(caller(4), 0, claim("q"), hear(heard));
    gateway.claim(caller(5), 0, claim("q"), hear(heard));
    heard.forEach(each -> assertThat(each.await().claimed).isEqualTo(1));
    long told = appended();
    tried.settle();
    waited.settle();
    cut.cancel();
    Await.until("it is said that two have left", () -> appended() > told);
    late.settle();
    Await.until("it is said that the third has left, too", () -> appended() > told + 1);

    kill();
    open();

    assertThat(available()).as("of one who was cut, and one who was never told").isEqualTo(2);
    Heard again = new Heard();
    queue.gateway().claim(caller(3), 0, claim("q"), again);
    assertThat(again.await().version).as("the first answer").isEqualTo(1);
    assertThat(available()).isEqualTo(2);
  }

  @Test
  void shouldSayAtOnceWhatHasLeftWhenItCloses() {
    open();
    insert(2);
    told(caller(1)).settle();
    told(caller(2));
    queue.close();
    open();
    assertThat(available()).isEqualTo(1);
  }

  @Test
  void shouldSayNothingWhereTheNextRequestHasOrNothingIsLeftToGiveBack() {
    open();
    insert(3);
    Gateway gateway = queue.gateway();
    told(caller(1)).settle();
    Heard next = new Heard();
    gateway.claim(new Identity(7, 1, 2, 2), 0, claim("none"), next);
    next.await();
    told(caller(2)).settle();
    Heard cancelled = new Heard();
    gateway.cancelClaim(caller(2), cancelled);
    cancelled.await();
    RevocableClaim quiet = told(caller(3));
    long before = appended();
    quiet.settle();
    Await.until("it is said that one has left", () -> appended() > before);
    assertThat(appended()).isEqualTo(before + 1);

    kill();
    open();
    assertThat(available()).as("what was cancelled").isEqualTo(1);
  }

  /** The engine's own thread sleeps, and nobody comes but for one claim. */
  @Test
  void shouldWakeTheEngineToSayWhatALentThreadWasTold() throws Exception {
    open();
    insert(1);
    ExecutorService loop = Executors.newSingleThreadExecutor();
    try {
      loop.submit(() -> queue.gateway().lendThread(loop)).get();
      Await.until("the engine sleeps", () -> queue.engine().isAsleep());
      CountDownLatch told = new CountDownLatch(1);
      Heard heard = new Heard();
      RevocableClaim[] claim = new RevocableClaim[1];
      loop.execute(
          () -> {
            claim[0] = queue.gateway().claim(caller(1), 0, claim("q"), heard);
            told.countDown();
          });
      told.await();
      heard.await();
      long before = appended();
      claim[0].settle();
      Await.until("it is said", () -> appended() > before);
      Await.until("the engine sleeps", () -> queue.engine().isAsleep());
    } finally {
      loop.shutdownNow();
    }
    kill();
    open();
    assertThat(available()).isZero();
  }

  /** A claim of one task that has its answer. */
  private RevocableClaim told(Identity caller) {
    Heard heard = new Heard();
    RevocableClaim claim = queue.gateway().claim(caller, 0, claim("q"), heard);
    assertThat(heard.await().claimed).isEqualTo(1);
    return claim;
  }

  private static Heard hear(List<Heard> all) {
    Heard heard = new Heard();
    all.add(heard);
    return heard;
  }

  /** The first request of a client. */
  private static Identity caller(long low) {
    return new Identity(7, low, 1, 1);
  }

  private void insert(int count) {
    for (int i = 0; i < count; i++) {
      queue.modify(Modification.insert("q", "v")).orThrow();
    }
  }

  private long appended() {
    return queue.stats().appendedSequence();
  }

  private long available() {
    return queue.queueStats(QueueQuery.named("q")).get("q").available();
  }

  private void open() {
    queue = EmbeddedEntroQ.open(directory);
  }

  /** As after a kill: nothing more is said, the log just ends. */
  private void kill() {
    queue.engine().state().fail(new IllegalStateException("killed"));
    queue.close();
  }
}
