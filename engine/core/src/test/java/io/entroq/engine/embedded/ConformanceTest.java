package io.entroq.engine.embedded;

import io.entroq.api.Durability;
import io.entroq.api.EntroQ;
import io.entroq.api.conformance.EntroQConformance;
import io.entroq.api.conformance.QueueUnderTest;
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
    protected QueueUnderTest open() {
      TestEntroQ queue = TestEntroQ.open();
      return new QueueUnderTest() {
        @Override
        public EntroQ queue() {
          return queue;
        }

        @Override
        public void advance(Duration duration) {
          queue.advance(duration);
        }
      };
    }
  }

  @Nested
  class AtLevelOs extends EntroQConformance {
    @TempDir Path directory;

    @Override
    protected QueueUnderTest open() {
      return openIn(directory, Durability.OS);
    }
  }

  @Nested
  class AtLevelDisk extends EntroQConformance {
    @TempDir Path directory;

    @Override
    protected QueueUnderTest open() {
      return openIn(directory, Durability.DISK);
    }
  }

  private static QueueUnderTest openIn(Path directory, Durability durability) {
    ManualClock clock = new ManualClock(TestEntroQ.START);
    EmbeddedEntroQ queue =
        EmbeddedEntroQ.open(
            EmbeddedConfig.in(directory).durability(durability).clock(clock).build());
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
    };
  }
}
