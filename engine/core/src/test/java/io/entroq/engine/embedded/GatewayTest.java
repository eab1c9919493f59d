package io.entroq.engine.embedded;

import static io.entroq.engine.embedded.GatewayCalls.claim;
import static io.entroq.engine.embedded.GatewayCalls.slice;
import static io.entroq.engine.embedded.GatewayCalls.waitingClaim;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.api.EntroQException;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.QueueQuery;
import io.entroq.codec.command.ModifyEncoder;
import io.entroq.codec.result.ListQueuesEncoder;
import io.entroq.codec.result.ListTasksEncoder;
import io.entroq.codec.result.ResultCodes;
import io.entroq.codec.result.ResultDecoder;
import io.entroq.codec.result.TaskDecoder;
import io.entroq.engine.embedded.GatewayCalls.Heard;
import io.entroq.engine.gateway.Completion;
import io.entroq.engine.gateway.Gateway;
import io.entroq.engine.gateway.Listing;
import io.entroq.engine.gateway.WaitingClaim;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Requests of a server: nothing blocks, and what does not fit is refused. */
class GatewayTest {
  private static final int IN_FLIGHT = 4;

  private final EmbeddedEntroQ queue =
      EmbeddedEntroQ.open(
          EmbeddedConfig.inMemory()
              .requestsInFlightMax(IN_FLIGHT)
              .waitingClaimsMax(2)
              .commandBytesMax(4 << 10)
              .build());
  private final Gateway gateway = queue.gateway();

  @AfterEach
  void close() {
    queue.close();
  }

  @Test
  void shouldClaimWhatIsThereAndSayIfNothingIs() {
    Heard empty = new Heard();
    gateway.claim(0, claim("q"), empty);
    assertThat(empty.await().code).isEqualTo(ResultCodes.EMPTY);

    insert("q");
    Heard one = new Heard();
    gateway.claim(0, claim("q"), one);
    assertThat(one.await().code).isEqualTo(ResultCodes.OK);
    assertThat(one.claimed).isEqualTo(1);
    assertThat(one.version).isEqualTo(1);
  }

  @Test
  void shouldModifyAndTellTheTime() {
    Heard done = new Heard();
    gateway.modify(0, 1 << 20, buffer -> new ModifyEncoder().wrap(buffer, 0).length(), done);
    assertThat(done.await().code).isEqualTo(ResultCodes.OK);

    Heard time = new Heard();
    gateway.time(time);
    assertThat(time.await().code).isEqualTo(ResultCodes.OK);
  }

  @Test
  void shouldDoSomethingAfterTheAnswersThatAreReady() throws InterruptedException {
    List<String> calls = new CopyOnWriteArrayList<>();
    CountDownLatch isFirstTold = new CountDownLatch(1);
    CountDownLatch isDone = new CountDownLatch(1);
    gateway.time(
        answered(
            () -> {
              calls.add("first");
              gateway.afterAnswers(
                  () -> {
                    calls.add("after");
                    isDone.countDown();
                  });
              awaitUninterrupted(isFirstTold);
            }));
    gateway.time(answered(() -> calls.add("second")));
    awaitAsleep();
    isFirstTold.countDown();
    assertThat(isDone.await(30, TimeUnit.SECONDS)).isTrue();
    assertThat(calls).containsExactly("first", "second", "after");

    gateway.afterAnswers(() -> calls.add("at once"));
    assertThat(calls).endsWith("at once");
  }

  @Test
  void shouldAnswerAWaitingClaimAsSoonAsThereIsATask() {
    Heard heard = new Heard();
    WaitingClaim claim = gateway.waitingClaim(0, waitingClaim("q"), heard);
    awaitAsleep();
    assertThat(heard.isHeard()).isFalse();

    insert("q");

    assertThat(heard.await().claimed).isEqualTo(1);
    claim.settle();
    claim.cancel();
    awaitAsleep();
    assertThat(available("q")).isZero();
  }

  @Test
  void shouldTakeNothingForAWaitingClaimThatWasCancelled() {
    Heard heard = new Heard();
    WaitingClaim claim = gateway.waitingClaim(0, waitingClaim("q"), heard);
    awaitAsleep();

    claim.cancel();
    insert("q");
    awaitAsleep();

    assertThat(available("q")).isEqualTo(1);
    assertThat(heard.isHeard()).isFalse();
  }

  @Test
  void shouldGiveBackWhatWasAnsweredButNotSettled() {
    insert("q");
    Heard heard = new Heard();
    WaitingClaim claim = gateway.waitingClaim(0, waitingClaim("q"), heard);
    assertThat(heard.await().version).isEqualTo(1);

    claim.cancel();

    awaitAvailable("q");
    Heard again = new Heard();
    WaitingClaim next = gateway.waitingClaim(0, waitingClaim("q"), again);
    assertThat(again.await().version).isEqualTo(3);
    next.settle();
  }

  @Test
  void shouldRefuseAtOnceWhenThereIsNoRoom() {
    List<WaitingClaim> claims = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      claims.add(gateway.waitingClaim(0, waitingClaim("q"), new Heard()));
    }
    assertThatThrownBy(() -> gateway.waitingClaim(0, waitingClaim("q"), new Heard()))
        .isInstanceOf(EntroQException.ResourceExhausted.class)
        .hasMessageContaining("waitingClaimsMax");

    claims.forEach(WaitingClaim::cancel);
    awaitAsleep();

    claims.set(0, gateway.waitingClaim(0, waitingClaim("q"), new Heard()));
    claims.set(1, gateway.waitingClaim(0, waitingClaim("q"), new Heard()));
    claims.forEach(WaitingClaim::cancel);
  }

  @Test
  void shouldKeepTheRoomOfAClaimUntilItIsSettled() {
    insert("q");
    insert("q");
    List<WaitingClaim> claims = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      Heard heard = new Heard();
      claims.add(gateway.waitingClaim(0, waitingClaim("q"), heard));
      heard.await();
    }
    assertThatThrownBy(() -> gateway.waitingClaim(0, waitingClaim("q"), new Heard()))
        .isInstanceOf(EntroQException.ResourceExhausted.class);

    claims.get(0).settle();

    gateway.waitingClaim(0, waitingClaim("q"), new Heard()).cancel();
  }

  @Test
  void shouldLoseNoRoomByRefusals() {
    for (int i = 0; i < 2 * IN_FLIGHT; i++) {
      assertThatThrownBy(() -> gateway.modify(0, 1 << 20, buffer -> 1 << 20, new Heard()))
          .isInstanceOf(EntroQException.InvalidArgument.class)
          .hasMessageContaining("commandBytesMax");
      assertThatThrownBy(
              () ->
                  gateway.waitingClaim(
                      0,
                      (buffer, identity) -> {
                        throw new EntroQException.InvalidArgument("queues");
                      },
                      new Heard()))
          .isInstanceOf(EntroQException.InvalidArgument.class)
          .hasMessage("queues");
      assertThatThrownBy(() -> gateway.tasks(buffer -> 3).next(new Heard()))
          .isInstanceOf(EntroQException.InvalidArgument.class);
      Heard unread = new Heard();
      gateway.modify(0, 1 << 20, buffer -> 3, unread);
      assertThat(unread.await().failure).isInstanceOf(EntroQException.InvalidArgument.class);
    }
    Heard heard = new Heard();
    gateway.time(heard);
    assertThat(heard.await().code).isEqualTo(ResultCodes.OK);
  }

  @Test
  void shouldGoOnWhenACompletionThrows() {
    gateway.time(
        new Completion() {
          @Override
          public void onResult(ResultDecoder result) {
            Thread.currentThread().setUncaughtExceptionHandler((thread, thrown) -> {});
            throw new IllegalStateException("a mistake of the server");
          }

          @Override
          public void onFailure(EntroQException failure) {}
        });
    Heard heard = new Heard();
    gateway.time(heard);
    assertThat(heard.await().code).isEqualTo(ResultCodes.OK);
  }

  @Test
  void shouldTellNothingToWhoHasCancelled() {
    CountDownLatch isHeld = new CountDownLatch(1);
    CountDownLatch goesOn = new CountDownLatch(1);
    gateway.time(
        new Completion() {
          @Override
          public void onResult(ResultDecoder result) {
            isHeld.countDown();
            awaitUninterrupted(goesOn);
          }

          @Override
          public void onFailure(EntroQException failure) {}
        });
    awaitUninterrupted(isHeld);
    List<Heard> cancelled = new ArrayList<>();
    for (int i = 0; i < 100 * IN_FLIGHT; i++) {
      Heard heard = new Heard();
      try {
        gateway.time(heard).cancel();
        cancelled.add(heard);
      } catch (EntroQException.ResourceExhausted e) {
        // Those that were answered before are in the queue of replies, which is held up.
        break;
      }
    }
    goesOn.countDown();
    Heard last = new Heard();
    Await.until("there is room", () -> isTaken(last));

    assertThat(last.await().code).isEqualTo(ResultCodes.OK);
    assertThat(cancelled).isNotEmpty().noneMatch(Heard::isHeard);
  }

  private boolean isTaken(Heard heard) {
    try {
      gateway.time(heard);
      return true;
    } catch (EntroQException.ResourceExhausted e) {
      return false;
    }
  }

  @Test
  void shouldListEachTaskOncePageByPage() {
    Set<String> names = new HashSet<>();
    for (int i = 0; i < 300; i++) {
      String name = "task %03d ".formatted(i) + "x".repeat(40);
      names.add(name);
      queue.modify(Modification.insert(Insert.into("q").withAttempt(1, name))).orThrow();
    }
    Listing listing =
        gateway.tasks(buffer -> new ListTasksEncoder().wrap(buffer, 0).queue(slice("q")).length());
    int pages = 0;
    Set<String> seen = new HashSet<>();
    do {
      pages++;
      for (String err : page(listing)) {
        assertThat(seen.add(err)).isTrue();
      }
    } while (!listing.isComplete());

    assertThat(pages).isGreaterThan(1);
    assertThat(seen).isEqualTo(names);
  }

  @Test
  void shouldListQueues() {
    insert("a");
    insert("b");
    Listing listing =
        gateway.queues(
            buffer -> new ListQueuesEncoder().wrap(buffer, 0).matchExact(slice("a")).length());
    CountDownLatch replied = new CountDownLatch(1);
    List<Long> sizes = new ArrayList<>();
    listing.next(
        new Completion() {
          @Override
          public void onResult(ResultDecoder result) {
            for (int i = 0; i < result.queueCount(); i++) {
              sizes.add(result.queue(i).tasks());
            }
            replied.countDown();
          }

          @Override
          public void onFailure(EntroQException failure) {}
        });
    awaitUninterrupted(replied);
    assertThat(sizes).containsExactly(1L);
    assertThat(listing.isComplete()).isTrue();
  }

  @Test
  void shouldRefuseWhenTheEngineIsClosed() {
    Heard waiting = new Heard();
    gateway.waitingClaim(0, waitingClaim("q"), waiting);
    awaitAsleep();
    queue.close();
    assertThat(waiting.await().code).isEqualTo(ResultCodes.CANCELLED);
    assertThatThrownBy(() -> gateway.time(new Heard())).isInstanceOf(EntroQException.Closed.class);
  }

  private static Completion answered(Runnable then) {
    return new Completion() {
      @Override
      public void onResult(ResultDecoder result) {
        then.run();
      }

      @Override
      public void onFailure(EntroQException failure) {}
    };
  }

  private static List<String> page(Listing listing) {
    List<String> errs = new ArrayList<>();
    CountDownLatch replied = new CountDownLatch(1);
    ResultDecoder[] page = new ResultDecoder[1];
    listing.next(
        new Completion() {
          @Override
          public void onResult(ResultDecoder result) {
            page[0] = result;
            replied.countDown();
          }

          @Override
          public void onFailure(EntroQException failure) {}
        });
    awaitUninterrupted(replied);
    // A page may be read when its completion has returned.
    for (int i = 0; i < page[0].taskCount(); i++) {
      TaskDecoder task = page[0].task(i);
      errs.add(page[0].buffer().getStringWithoutLengthUtf8(task.errOffset(), task.errLength()));
    }
    return errs;
  }

  private void insert(String name) {
    queue.modify(Modification.insert(name, "v")).orThrow();
  }

  private long available(String name) {
    return queue.queueStats(QueueQuery.named(name)).get(name).available();
  }

  private void awaitAvailable(String name) {
    Await.until("the task is back", () -> available(name) == 1);
  }

  private void awaitAsleep() {
    Await.until("the engine is idle", () -> queue.engine().isAsleep());
  }

  private static void awaitUninterrupted(CountDownLatch latch) {
    try {
      assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
