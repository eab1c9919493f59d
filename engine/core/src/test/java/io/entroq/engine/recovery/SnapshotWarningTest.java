package io.entroq.engine.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.engine.snapshot.SnapshotDamagedException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class SnapshotWarningTest {
  @Test
  void shouldSayOnceWhatToDo() {
    Path file = Path.of("/data/snapshots/snapshot-7/state");
    String text = SnapshotWarning.text(new SnapshotDamagedException(file, 9, "a bit is wrong"));
    assertThat(text)
        .isEqualTo(
            "The snapshot is damaged: /data/snapshots/snapshot-7/state at offset 9: a bit is wrong."
                + " It was skipped: an older snapshot and the log lead to the same state. Move"
                + " /data/snapshots/snapshot-7 out of the data directory, so that it is not read"
                + " again.");
  }
}
