package io.entroq.cluster.member;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import org.agrona.concurrent.AgentRunner;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What comes to an end by itself does so soon. */
class MemberEndTest {
  /** For so long the container's client waits for the container, which waits for it. */
  private static final Duration LATCH = Duration.ofMillis(3L * AgentRunner.RETRY_CLOSE_TIMEOUT_MS);

  @TempDir Path directory;

  @Test
  void shouldEndSoonWhenTheDriverHasGivenUpItsContainer() throws Exception {
    try (LoneMember lone = new LoneMember(directory).bootstrap()) {
      lone.awaitLeader();
      DriverClients clients = new DriverClients(lone.member());
      Await.until("the container is there", () -> clients.giveUp("clustered-service-0-0"));
      long beganNs = System.nanoTime();
      assertThat(lone.awaitEnd()).hasMessageContaining("has ended by itself");
      assertThat(Duration.ofNanos(System.nanoTime() - beganNs)).isLessThan(LATCH);
    }
  }
}
