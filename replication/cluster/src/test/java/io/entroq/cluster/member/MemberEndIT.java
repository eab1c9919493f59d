package io.entroq.cluster.member;

import static org.assertj.core.api.Assertions.assertThat;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.cluster.codecs.BooleanType;
import io.aeron.cluster.codecs.JoinLogEncoder;
import io.aeron.cluster.codecs.MessageHeaderEncoder;
import io.aeron.cluster.service.Cluster;
import io.aeron.cluster.service.ClusteredServiceContainer;
import io.aeron.exceptions.RegistrationException;
import io.entroq.engine.time.SlewedClock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.AgentRunner;
import org.agrona.concurrent.AgentTerminationException;
import org.agrona.concurrent.SleepingMillisIdleStrategy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Components that end by themselves end quickly. */
class MemberEndIT {
  /** How long the container's client and the container would wait for each other. */
  private static final Duration LATCH = Duration.ofMillis(3L * AgentRunner.RETRY_CLOSE_TIMEOUT_MS);

  private static final int STREAM_ID = 77;
  private static final int ATTEMPTS_MAX = 10;

  @TempDir Path directory;

  @Test
  void shouldEndSoonWhenTheDriverHasGivenUpItsContainer() throws Exception {
    try (LoneMember lone = new LoneMember(directory).bootstrap()) {
      lone.awaitLeader();
      DriverClients clients = new DriverClients(lone.member());
      Await.until("the container is there", () -> clients.giveUp("clustered-service-0-0"));
      long beganNs = System.nanoTime();
      assertThat(lone.awaitEnd()).hasMessageContaining("has ended unexpectedly");
      assertThat(Duration.ofNanos(System.nanoTime() - beganNs)).isLessThan(LATCH);
    }
  }

  /**
   * The client of the consensus module unmaps its counters before the member knows that it ends.
   * Reading them then ends the process.
   */
  @Test
  void shouldTellItsStatusAfterTheClientOfItsConsensusModule() throws Exception {
    AtomicBoolean isHeld = new AtomicBoolean();
    CompletableFuture<Void> held = new CompletableFuture<>();
    CompletableFuture<Void> released = new CompletableFuture<>();
    LongSupplier nanoTime =
        () -> {
          if (isHeld.get() && isOfConsensusModule()) {
            held.complete(null);
            released.join();
            throw new AgentTerminationException("its client is closed");
          }
          return System.nanoTime();
        };
    try (LoneMember lone =
        new LoneMember(directory).start(settings -> timedBy(settings, nanoTime))) {
      lone.awaitLeader();
      ClusterMember member = lone.member();
      isHeld.set(true);
      held.join();
      try {
        member.closeConsensusClient();
        assertThat(member.status().memberId()).isZero();
      } catch (IllegalStateException e) {
        assertThat(e).hasMessage("the member has ended");
      } finally {
        released.complete(null);
      }
      // The service container may have ended first.
      assertThat(lone.awaitEnd()).hasMessageContaining("has ended unexpectedly");
    }
  }

  private static boolean isOfConsensusModule() {
    return Thread.currentThread().getName().contains("consensus-module");
  }

  private static MemberConfig.Builder timedBy(
      MemberConfig.Builder settings, LongSupplier nanoTime) {
    return settings
        .bootstrap(true)
        .clock(() -> new SlewedClock(nanoTime, System::currentTimeMillis, difference -> {}));
  }

  @Test
  void shouldStartWhenItsProcessMayStallForADay() throws Exception {
    try (LoneMember lone = startPatient()) {
      lone.awaitLeader();
    }
  }

  /** Aeron's clients give up a driver that they have not heard for ten seconds, by default. */
  @Test
  void shouldGoOnWhenItsDriverStallsNoLongerThanItsProcessMay() throws Exception {
    try (LoneMember lone = startPatient()) {
      lone.awaitLeader();
      new DriverClients(lone.member()).showStalled(Duration.ofMinutes(1));
      assertThat(lone.member().ended()).isNotDone();
      assertThat(lone.member().status().isLeader()).isTrue();
    }
  }

  /** A member whose process may stall for a day. */
  private LoneMember startPatient() throws Exception {
    Liveness usual = Liveness.DEFAULT;
    Liveness patient =
        new Liveness(
            usual.heartbeatInterval(),
            usual.heartbeatTimeout(),
            usual.electionTimeout(),
            usual.canvassTimeout(),
            usual.sessionTimeout(),
            Duration.ofDays(1));
    return new LoneMember(directory).start(settings -> settings.bootstrap(true).liveness(patient));
  }

  /** As when errors cannot be recorded on a full disk. */
  @Test
  void shouldEndWhenAThreadOfAComponentDies() throws Exception {
    AtomicBoolean isBroken = new AtomicBoolean();
    LongSupplier nanoTime =
        () -> {
          if (isBroken.get() && isOfConsensusModule()) {
            throw new UnspeakableError();
          }
          return System.nanoTime();
        };
    try (LoneMember lone =
        new LoneMember(directory).start(settings -> timedBy(settings, nanoTime))) {
      lone.awaitLeader();
      isBroken.set(true);
      assertThat(lone.awaitEnd())
          .hasMessageContaining("its consensus module has ended unexpectedly");
    }
  }

  /** As when the stream of a catch-up closes before the container has read it to its end. */
  @Test
  void shouldEndWhenItsContainerHasLostAPartOfTheLog() throws Exception {
    try (LoneMember lone = new LoneMember(directory).bootstrap();
        Aeron client = client(lone.member().config())) {
      lone.awaitLeader();
      // Before that it could begin with the other log.
      Await.until(
          "the container reads the log", () -> lone.member().status().appliedSequence() > 0);
      ExclusivePublication log = client.addExclusivePublication("aeron:ipc", STREAM_ID);
      joinLog(client, log);
      assertThat(lone.awaitEnd())
          .hasMessageContaining("its service container has ended unexpectedly")
          .cause()
          .hasMessageContaining("expectedPosition")
          .hasMessageContaining("joinPosition=0");
    }
  }

  /** Tells the service container to go on with another log, as the consensus module does. */
  private static void joinLog(Aeron client, ExclusivePublication log) {
    ExclusivePublication control =
        client.addExclusivePublication(
            ClusteredServiceContainer.Configuration.controlChannel(),
            ClusteredServiceContainer.Configuration.serviceStreamId());
    Await.until("the container listens", control::isConnected);
    MutableDirectBuffer buffer = new ExpandableArrayBuffer();
    JoinLogEncoder message =
        new JoinLogEncoder()
            .wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder())
            .logPosition(0)
            .maxLogPosition(Long.MAX_VALUE)
            .memberId(0)
            .logSessionId(log.sessionId())
            .logStreamId(log.streamId())
            .isStartup(BooleanType.FALSE)
            .role(Cluster.Role.FOLLOWER.code())
            .isStandby(BooleanType.FALSE)
            .logChannel(log.channel());
    int length = MessageHeaderEncoder.ENCODED_LENGTH + message.encodedLength();
    Await.until("the message is sent", () -> control.offer(buffer, 0, length) > 0);
  }

  /** As when its archive does not answer in time on a busy machine. */
  @Test
  void shouldNoticeAComponentThatCannotStart() throws Exception {
    AtomicReference<Throwable> reported = new AtomicReference<>();
    CompletableFuture<Void> ended = new CompletableFuture<>();
    Agent agent =
        new Agent() {
          @Override
          public void onStart() {
            throw new IllegalStateException("cannot start");
          }

          @Override
          public int doWork() {
            return 0;
          }

          @Override
          public String roleName() {
            return "test";
          }
        };
    AgentRunner runner =
        new AgentRunner(new SleepingMillisIdleStrategy(), reported::set, null, agent);
    AgentRunner.startOnThread(
        runner, each -> MemberComponents.watched(each, reported::set, () -> ended.complete(null)));
    ended.get(1, TimeUnit.MINUTES);
    assertThat(reported.get()).hasMessage("cannot start");
  }

  /** Whoever handles it fails as well. */
  private static final class UnspeakableError extends Error {
    private static final long serialVersionUID = 1L;

    @Override
    public String getMessage() {
      throw new IllegalStateException("cannot be handled");
    }
  }

  /**
   * A leader sends missing log to a follower in a stream of one session. If the stream fails, the
   * follower asks again after the heartbeat timeout.
   */
  @Test
  void shouldLetGoOfAStreamBeforeAFollowerAsksForItAgain() throws Exception {
    String channel =
        "aeron:udp?endpoint=127.0.0.1:%d|session-id=7|linger=0"
            .formatted(new UnusedPorts("127.0.0.1").take(1));
    try (LoneMember lone = new LoneMember(directory).bootstrap();
        Aeron client = client(lone.member().config())) {
      Duration timeout = lone.member().config().liveness().heartbeatTimeout();
      Duration taken = Duration.ofDays(1);
      // A delay caused by a busy machine is not a failure.
      for (int i = 0; i < ATTEMPTS_MAX && taken.compareTo(timeout) > 0; i++) {
        awaitPublication(client, channel).revoke();
        long beganNs = System.nanoTime();
        awaitPublication(client, channel).revoke();
        taken = Duration.ofNanos(System.nanoTime() - beganNs);
      }
      assertThat(taken).isLessThan(timeout);
    }
  }

  private static Aeron client(MemberConfig config) {
    return Aeron.connect(
        new Aeron.Context().aeronDirectoryName(config.driverDirectory().toString()));
  }

  private static ExclusivePublication awaitPublication(Aeron client, String channel) {
    AtomicReference<ExclusivePublication> found = new AtomicReference<>();
    Await.until(
        "the session is free",
        () -> {
          try {
            found.set(client.addExclusivePublication(channel, STREAM_ID));
          } catch (RegistrationException e) {
            // The previous stream still exists.
          }
          return found.get() != null;
        });
    return found.get();
  }
}
