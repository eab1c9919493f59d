package io.entroq.engine.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.api.EntroQ;
import io.entroq.api.EntroQException;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.QueueQuery;
import io.entroq.api.QueueStats;
import io.entroq.api.TaskQuery;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A directory that is only read. */
class ReadOnlyTest {
  private static final long MIB = 1 << 20;

  @TempDir private Path temporary;

  private static EntroQ read(Path data) {
    return EmbeddedEntroQ.open(EmbeddedConfig.in(data).readOnly(true).build());
  }

  private static void fill(Path data) {
    try (EntroQ queue = EmbeddedEntroQ.open(data)) {
      queue.modify(Modification.insert("inbox", "x")).orThrow();
      queue.modify(Modification.insert("inbox", "y")).orThrow();
    }
  }

  @Test
  void shouldChangeNoFile() throws IOException {
    Path data = temporary.resolve("data");
    fill(data);
    Map<String, String> before = files(data);
    try (EntroQ queue = read(data)) {
      assertThat(queue.queues(QueueQuery.all())).containsEntry("inbox", 2L);
      assertThat(queue.tasks(TaskQuery.in("inbox"))).hasSize(2);
      assertThatThrownBy(() -> queue.modify(Modification.insert("inbox", "z")).orThrow())
          .isInstanceOf(EntroQException.PermissionDenied.class)
          .hasMessageContaining("is open for reading only");
    }
    assertThat(files(data)).isEqualTo(before);
  }

  @Test
  void shouldShowTasksAsDueByNow() {
    Path data = temporary.resolve("data");
    try (EntroQ queue = EmbeddedEntroQ.open(data)) {
      Insert soon = Insert.into("inbox").availableIn(Duration.ofMillis(1));
      Insert later = Insert.into("inbox").availableIn(Duration.ofHours(1));
      queue.modify(Modification.builder().insert(soon).insert(later).build()).orThrow();
    }
    try (EntroQ queue = read(data)) {
      QueueStats stats = queue.queueStats(QueueQuery.all()).get("inbox");
      assertThat(stats.available()).isEqualTo(1);
      assertThat(stats.future()).isEqualTo(1);
    }
  }

  @Test
  void shouldRefuseDirectoryInUseOrMissing() {
    Path data = temporary.resolve("data");
    try (EntroQ queue = EmbeddedEntroQ.open(data)) {
      assertThatThrownBy(() -> read(data))
          .isInstanceOf(EntroQException.Storage.class)
          .hasMessageContaining("is in use by");
      assertThat(queue.queues(QueueQuery.all())).isEmpty();
    }
    assertThatThrownBy(() -> read(temporary.resolve("none")))
        .isInstanceOf(EntroQException.Storage.class)
        .hasMessageContaining("There is no log in");
    assertThat(temporary.resolve("none")).doesNotExist();
  }

  @Test
  void shouldReadOnFullDisk() throws IOException {
    try (Mount disk = Mount.tmpfs(temporary.resolve("disk"), "size=400m")) {
      Path data = disk.path().resolve("data");
      fill(data);
      try (var filler = Files.newOutputStream(disk.path().resolve("filler"))) {
        assertThatThrownBy(
                () -> {
                  while (true) {
                    filler.write(new byte[(int) MIB]);
                  }
                })
            .isInstanceOf(IOException.class);
      }
      assertThat(disk.path().toFile().getUsableSpace()).isZero();
      assertThatThrownBy(() -> EmbeddedEntroQ.open(data))
          .isInstanceOf(EntroQException.Storage.class);
      try (EntroQ queue = read(data)) {
        assertThat(queue.queues(QueueQuery.all())).containsEntry("inbox", 2L);
      }
    }
  }

  @Test
  void shouldReadOnReadOnlyDisk() throws IOException {
    try (Mount disk = Mount.tmpfs(temporary.resolve("disk"), "size=400m")) {
      Path data = disk.path().resolve("data");
      fill(data);
      disk.remount("ro");
      try (EntroQ queue = read(data)) {
        assertThat(queue.queues(QueueQuery.all())).containsEntry("inbox", 2L);
      }
    }
  }

  /** Length and time of the last change by name. The lock file names the last process. */
  private static Map<String, String> files(Path data) throws IOException {
    Map<String, String> files = new TreeMap<>();
    try (Stream<Path> paths = Files.walk(data)) {
      for (Path path : paths.filter(path -> !path.endsWith("lock")).toList()) {
        files.put(path.toString(), Files.size(path) + " " + Files.getLastModifiedTime(path));
      }
    }
    return files;
  }
}
