package io.entroq.engine.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.TaskQuery;
import io.entroq.engine.log.LogDirectory;
import io.entroq.engine.log.LogRun;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An engine where people write numbers in other digits. */
class LocaleTest {
  private static final int TASKS = 200;

  @TempDir private Path directory;
  private final Locale before = Locale.getDefault();

  @BeforeEach
  void moveToEgypt() {
    Locale.setDefault(Locale.forLanguageTag("ar-EG"));
    assertThat("%d".formatted(1)).isNotEqualTo("1");
  }

  @AfterEach
  void moveBack() {
    Locale.setDefault(before);
  }

  private EmbeddedEntroQ open() {
    return EmbeddedEntroQ.open(
        EmbeddedConfig.in(directory)
            .segmentBytes(16 << 10)
            .snapshotLogBytes(64 << 10)
            .snapshotInterval(Duration.ofDays(1))
            .build());
  }

  private static void insert(EmbeddedEntroQ queue) {
    for (int i = 0; i < TASKS; i++) {
      queue.modify(Modification.insert(Insert.into("work").withValue("x".repeat(500)))).orThrow();
    }
    Await.until("a snapshot is taken", () -> queue.stats().snapshots().sequence() > 0);
  }

  @Test
  void shouldReadWhatItHasWrittenThereAndElsewhere() {
    try (EmbeddedEntroQ queue = open()) {
      insert(queue);
      assertThat(queue.stats().snapshots().failed()).isZero();
    }
    try (EmbeddedEntroQ queue = open()) {
      assertThat(queue.stats().snapshots().sequence()).isPositive();
      assertThat(queue.tasks(TaskQuery.in("work"))).hasSize(TASKS);
      insert(queue);
    }
    moveBack();
    try (EmbeddedEntroQ queue = open()) {
      assertThat(queue.tasks(TaskQuery.in("work"))).hasSize(2 * TASKS);
    }
    try (LogDirectory log = LogDirectory.open(directory)) {
      assertThat(log.closedMark()).isNotNull();
      assertThat(log.runs()).extracting(LogRun::directory).allMatch(run -> isAscii(run.toString()));
    }
  }

  private static boolean isAscii(String name) {
    return name.chars().allMatch(character -> character < 128);
  }
}
