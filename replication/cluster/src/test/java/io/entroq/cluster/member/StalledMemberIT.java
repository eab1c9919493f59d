package io.entroq.cluster.member;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.Modification;
import io.entroq.api.Value;
import io.entroq.engine.ThroughInterrupts;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A member whose consensus module stalls takes nobody for dead afterwards. */
class StalledMemberIT {
  /** Long compared with the stalls of a busy machine. */
  private static final Duration TIMEOUT = Duration.ofSeconds(2);

  private static final int TERM_BYTES = 128 << 10;
  private static final int MISSED_BYTES = 8 * TERM_BYTES;
  private static final int VALUE_BYTES = 4 << 10;

  private final Map<Integer, StallingClock> clocks = new HashMap<>();

  @TempDir Path directory;

  @BeforeEach
  void installFaults() {
    FaultyEndpoints.install();
  }

  @AfterEach
  void removeFaults() {
    FaultyEndpoints.remove();
  }

  private TestCluster start() throws Exception {
    return start(UnaryOperator.identity());
  }

  private TestCluster start(UnaryOperator<MemberConfig.Builder> more) throws Exception {
    return new TestCluster(
            directory,
            settings -> {
              StallingClock clock = new StallingClock();
              clocks.put(settings.build().memberId(), clock);
              return more.apply(
                  settings.clock(() -> clock).liveness(Liveness.withHeartbeatTimeout(TIMEOUT)));
            })
        .bootstrap();
  }

  @Test
  void shouldFollowItsLeaderAfterAStallOfItsOwn() throws Exception {
    try (MemberMessages messages = new MemberMessages();
        TestCluster cluster = start()) {
      int leader = awaitFirstTask(cluster);
      int follower = cluster.follower(leader);
      clocks.get(follower).stall();
      insertFor(TIMEOUT.multipliedBy(2), cluster, leader);
      clocks.get(follower).goOn();
      cluster.awaitAgreement();
      assertThat(messages.lines())
          .noneMatch(line -> line.contains("member " + follower + " starts an election"))
          .anyMatch(line -> line.contains("member " + follower + " stalled in its consensus mod"));
    }
  }

  @Test
  void shouldFollowItsLeaderAfterAStallOfItsDriver() throws Exception {
    CountDownLatch stalled = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    try (MemberMessages messages = new MemberMessages();
        TestCluster cluster = start()) {
      int leader = awaitFirstTask(cluster);
      int follower = cluster.follower(leader);
      FaultyEndpoints.add(
          cluster.member(follower).config(),
          (frame, length, age) -> {
            stalled.countDown();
            ThroughInterrupts.await(end::await);
            return false;
          });
      stalled.await();
      insertFor(TIMEOUT.multipliedBy(2), cluster, leader);
      end.countDown();
      cluster.awaitAgreement();
      assertThat(messages.lines())
          .noneMatch(line -> line.contains("member " + follower + " starts an election"))
          .anyMatch(line -> line.contains("member " + follower + " stalled in its media driver"));
    } finally {
      end.countDown();
    }
  }

  @Test
  void shouldLeadAfterAStallShorterThanTheTimeout() throws Exception {
    try (MemberMessages messages = new MemberMessages();
        TestCluster cluster = start()) {
      int leader = awaitFirstTask(cluster);
      clocks.get(leader).stall();
      long beganNs = System.nanoTime();
      Await.until("half the timeout has passed", () -> hasPassed(TIMEOUT.dividedBy(2), beganNs));
      clocks.get(leader).goOn();
      cluster.queue(leader).modify(Modification.insert("inbox", "after")).orThrow();
      cluster.awaitAgreement();
      assertThat(messages.lines()).noneMatch(line -> line.contains("starts an election"));
    }
  }

  /**
   * The leader can resend half a term of the log. A follower that has missed more receives nothing
   * any more, so its driver gives the stream up after the process timeout, and it joins anew.
   */
  @Test
  @Tag("long")
  void shouldCatchUpThoughTheLeaderCannotResendWhatItMissed() throws Exception {
    try (TestCluster cluster = start(settings -> settings.lengths(TERM_BYTES, TERM_BYTES))) {
      int leader = awaitFirstTask(cluster);
      int follower = cluster.follower(leader);
      clocks.get(follower).stall();
      Value value = Value.bytes(new byte[VALUE_BYTES]);
      for (int bytes = 0; bytes < MISSED_BYTES; bytes += VALUE_BYTES) {
        cluster.queue(leader).modify(Modification.insert("inbox", value)).orThrow();
      }
      clocks.get(follower).goOn();
      cluster.awaitAgreement();
    }
  }

  /** Waits until all have joined, and returns the leader. */
  private static int awaitFirstTask(TestCluster cluster) {
    int leader = cluster.awaitLeader();
    cluster.queue(leader).modify(Modification.insert("inbox", "first")).orThrow();
    cluster.awaitAgreement();
    return leader;
  }

  private static void insertFor(Duration time, TestCluster cluster, int member) {
    long beganNs = System.nanoTime();
    Await.until(
        time + " have passed",
        () -> {
          cluster.queue(member).modify(Modification.insert("inbox", "meanwhile")).orThrow();
          return hasPassed(time, beganNs);
        });
  }

  private static boolean hasPassed(Duration time, long beganNs) {
    return System.nanoTime() - beganNs >= time.toNanos();
  }
}
