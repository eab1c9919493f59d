package io.entroq.cluster.member;

import static org.assertj.core.api.Assertions.assertThat;

import io.aeron.cluster.ConsensusModule;
import io.aeron.protocol.HeaderFlyweight;
import io.aeron.protocol.SetupFlyweight;
import io.entroq.api.Modification;
import java.nio.file.Path;
import java.time.Duration;
import org.agrona.DirectBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A member joins although each step of it takes longer than it first has. */
class SlowJoinIT {
  private static final Duration TIMEOUT = Duration.ofMillis(400);

  /** A step has twice the timeout first, then four times. */
  private static final Duration JOIN_TIME = TIMEOUT.multipliedBy(3);

  @TempDir Path directory;

  @BeforeEach
  void installFaults() {
    FaultyEndpoints.install();
  }

  @AfterEach
  void removeFaults() {
    FaultyEndpoints.remove();
  }

  @Test
  void shouldGiveItselfMoreTimeEachTimeThatItFails() throws Exception {
    try (MemberMessages messages = new MemberMessages();
        TestCluster cluster =
            new TestCluster(
                    directory, config -> config.liveness(Liveness.withHeartbeatTimeout(TIMEOUT)))
                .bootstrap()) {
      int leader = cluster.awaitLeader();
      int follower = cluster.follower(leader);
      cluster.stop(follower);
      cluster.queue(leader).modify(Modification.insert("inbox", "meanwhile")).orThrow();
      FaultyEndpoints.add(
          cluster.config(follower).build(),
          (frame, length, age) -> offersLog(frame) && age.compareTo(JOIN_TIME) < 0);
      cluster.start(follower);
      cluster.awaitAgreement();
      assertThat(messages.lines())
          .anyMatch(line -> line.contains("member " + follower + " could not join the cluster"));
    }
  }

  private static boolean offersLog(DirectBuffer frame) {
    SetupFlyweight setup = new SetupFlyweight();
    setup.wrap(frame);
    return setup.headerType() == HeaderFlyweight.HDR_TYPE_SETUP
        && setup.streamId() == ConsensusModule.Configuration.logStreamId();
  }
}
