package io.entroq.engine.embedded;

import io.entroq.api.Durability;
import io.entroq.api.EntroQ;
import io.entroq.api.conformance.EntroQConformance;
import io.entroq.api.conformance.Hold;
import io.entroq.api.conformance.QueueUnderTest;
import io.entroq.engine.time.LogClock;
import io.entroq.engine.time.ManualClock;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.io.TempDir;

/** What every EntroQ does alike, by the embedded ones. */
class ConformanceTest {
  @Nested
  class InMemory extends EntroQConformance {
    @Override
    protected QueueUnderTest open(long queueTasksMax) {
      return ConformanceTest.open(EmbeddedConfig.inMemory().queueTasksMax(queueTasksMax));
    }
  }

  /** Whose queues all have a policy, which changes nothing. */
  @Nested
  class UnderPolicies extends InMemory {
    @Override
    protected boolean isUnderPolicies() {
      return true;
    }
  }

  @Nested
  class AtLevelOs extends EntroQConformance {
    @TempDir Path directory;

    @Override
    protected QueueUnderTest open(long queueTasksMax) {
      return ConformanceTest.open(
          EmbeddedConfig.in(directory).durability(Durability.OS).queueTasksMax(queueTasksMax));
    }
  }

  @Nested
  class AtLevelDisk extends EntroQConformance {
    @TempDir Path directory;

    @Override
    protected QueueUnderTest open(long queueTasksMax) {
      return ConformanceTest.open(
          EmbeddedConfig.in(directory).durability(Durability.DISK).queueTasksMax(queueTasksMax));
    }
  }

  private static QueueUnderTest open(EmbeddedConfig.Builder config) {
    ManualClock clock = new ManualClock(TestEntroQ.START);
    Hold hold = new Hold();
    EmbeddedEntroQ queue =
        EmbeddedEntroQ.open(config.clock(hold.before("nowMs", LogClock.class, clock)).build());
    return new QueueUnderTest() {
      @Override
      public EntroQ queue() {
        return queue;
      }

      @Override
      public void advance(Duration duration) {
        clock.advance(duration);
        queue.time();
      }

      @Override
      public boolean hold() {
        hold.begin();
        return true;
      }

      @Override
      public void goOn() {
        hold.end();
      }
    };
  }
}
