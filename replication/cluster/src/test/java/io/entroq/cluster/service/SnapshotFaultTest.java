package io.entroq.cluster.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.aeron.archive.client.ArchiveException;
import io.entroq.cluster.mirror.Mirror;
import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.engine.feed.FeedHub;
import io.entroq.engine.replica.ReplicaEnvironment;
import io.entroq.engine.replica.ReplicatedEngine;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.agrona.concurrent.AgentTerminationException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Failures of a snapshot. The consensus module waits for its end forever, so the member must report
 * the failure, or end.
 */
class SnapshotFaultTest {
  private final ReplicatedEngine engine =
      ReplicatedEngine.driven(
          EmbeddedConfig.inMemory().build(),
          () -> 1_000_000,
          Duration.ofMinutes(10),
          new ReplicaEnvironment(new Random(1), System::nanoTime),
          FeedHub.RING_BYTES);
  private final List<Throwable> failures = new ArrayList<>();

  @AfterEach
  void end() {
    engine.close();
    engine.end();
  }

  @Test
  void shouldEndTheMemberIfItsStateMayBeDamaged() {
    Throwable fault = new IllegalStateException("it");
    assertThatThrownBy(() -> service(fault).onTakeSnapshot(null))
        .isInstanceOf(AgentTerminationException.class)
        .cause()
        .isSameAs(fault);
    assertThat(failures).containsExactly(fault);
  }

  @Test
  void shouldEndTheMemberOnOutOfMemory() {
    Throwable fault = new OutOfMemoryError("chunk");
    assertThatThrownBy(() -> service(fault).onTakeSnapshot(null))
        .isInstanceOf(AgentTerminationException.class);
    assertThat(failures).singleElement().isInstanceOf(NoMemoryException.class);
    assertThat(failures.get(0)).hasCause(fault);
  }

  @Test
  void shouldContinueAfterASnapshotThatCannotBeRecorded() {
    for (RuntimeException fault :
        List.of(new SnapshotException("not recorded"), new ArchiveException("gone"))) {
      assertThatThrownBy(() -> service(fault).onTakeSnapshot(null)).isSameAs(fault);
      assertThat(failures).isEmpty();
    }
    assertThat(engine.hasFailed()).isFalse();
  }

  /** A service that fails when it starts a snapshot. */
  private QueueService service(Throwable fault) {
    Mirror mirror =
        (Mirror)
            Proxy.newProxyInstance(
                Mirror.class.getClassLoader(),
                new Class<?>[] {Mirror.class},
                (proxy, method, args) -> {
                  throw fault;
                });
    return new QueueService(
        engine, new Listener(), null, null, null, mirror, null, null, null, null);
  }

  private final class Listener implements ServiceListener {
    @Override
    public void onClusterId(long high, long low) {
      throw new AssertionError("nothing has been applied");
    }

    @Override
    public void onLeaderLeaving(int memberId) {}

    @Override
    public void onFailure(Throwable cause) {
      failures.add(cause);
    }
  }
}
