package io.entroq.engine.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.api.Durability;
import io.entroq.api.EntroQException;
import io.entroq.api.Modification;
import io.entroq.api.ModifyResult;
import io.entroq.api.TaskQuery;
import io.entroq.api.Value;
import io.entroq.codec.command.TaskDataFields;
import io.entroq.codec.message.IdFields;
import io.entroq.codec.result.ResultCodes;
import io.entroq.engine.log.ChildJvm;
import io.entroq.engine.log.LogException;
import io.entroq.engine.space.DiskSpace;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** File systems that let an engine down in earnest. Left out where the test may not mount any. */
class DiskTroubleIT {
  private static final long MIB = 1 << 20;
  private static final int SEGMENT_BYTES = 64 << 10;

  @TempDir Path scratch;

  private static EmbeddedConfig config(Path directory, Durability level, int segmentBytes) {
    return EmbeddedConfig.in(directory)
        .durability(level)
        .segmentBytes(segmentBytes)
        .diskLowBytes(20 * MIB)
        .diskFullBytes(18 * MIB)
        .build();
  }

  private static EmbeddedConfig config(Path directory) {
    return config(directory, Durability.OS, SEGMENT_BYTES);
  }

  private static ModifyResult insert(EmbeddedEntroQ queue) {
    return queue.modify(Modification.insert("q", Value.bytes(new byte[5_000])));
  }

  /** How many are acknowledged before something else happens. */
  private static int insertWhileItGoes(EmbeddedEntroQ queue) {
    int acknowledged = 0;
    while (insert(queue).isCommitted()) {
      acknowledged++;
    }
    return acknowledged;
  }

  /** In memory, where whoever looks at a hole in a file takes room for it: one segment. */
  @Test
  void shouldLiveOnAFullDiskAndLoseNothing() throws Exception {
    try (Mount disk = Mount.tmpfs(scratch.resolve("disk"), "size=120m")) {
      fillAndKill(disk.path(), Durability.OS, 64 << 20, 50 * MIB);
    }
  }

  @Test
  void shouldLiveOnAFullDiskAndLoseNothingThatWasForced() throws Exception {
    try (Mount disk = Mount.ext4(scratch.resolve("disk"), scratch.resolve("image"), 96 * MIB)) {
      fillAndKill(disk.path(), Durability.DISK, 4 << 20, 10 * MIB);
    }
  }

  private void fillAndKill(Path disk, Durability level, int segmentBytes, long ballastBytes)
      throws Exception {
    Path directory = disk.resolve("data");
    Path ballast = disk.resolve("ballast");
    LowDiskChild.fill(ballast, ballastBytes);
    Set<String> tasks = new HashSet<>();
    Map<String, String> told = new HashMap<>();
    try (ChildJvm child =
        ChildJvm.start(
            List.of(),
            scratch,
            LowDiskChild.class,
            directory.toString(),
            level.name(),
            Integer.toString(segmentBytes),
            ballast.toString(),
            ballast + "2")) {
      read(child, tasks, told);
      child.kill();
    }
    System.out.println("goes on " + told.get("HEALED") + ": " + told.get("END"));
    assertThat(told.get("LOW"))
        .contains("bytes are free on the file system of " + directory)
        .contains("diskLowBytes keeps 33,554,432 free");
    assertThat(told.get("FULL")).contains("diskFullBytes keeps 25,165,824 free");
    assertThat(Integer.parseInt(told.get("READ"))).isEqualTo(tasks.size() - 21);
    assertThat(tasks).hasSizeGreaterThan(80);

    EmbeddedConfig config = LowDiskChild.config(directory, level, segmentBytes);
    try (EmbeddedEntroQ queue = EmbeddedEntroQ.open(config)) {
      Set<String> found = new HashSet<>();
      TaskQuery ids = TaskQuery.in("q").withoutValues();
      queue.tasks(ids).forEach(task -> found.add(task.id().text()));
      assertThat(found).isEqualTo(tasks);
    }
  }

  private static void read(ChildJvm child, Set<String> tasks, Map<String, String> told)
      throws IOException {
    while (!told.containsKey("END")) {
      String line = child.readLine();
      assertThat(line).as("the child has died: %s", child.errors()).isNotNull();
      if (line.startsWith("@")) {
        String[] words = line.substring(1).split(" ", 2);
        switch (words[0]) {
          case "I" -> tasks.add(words[1]);
          case "D" -> tasks.remove(words[1]);
          default -> told.put(words[0], words[1]);
        }
      }
    }
  }

  @Test
  void shouldEndClearlyWhenThereIsNoInodeForTheNextSegment() throws Exception {
    try (Mount disk = Mount.tmpfs(scratch.resolve("disk"), "size=400m,nr_inodes=30")) {
      Path directory = disk.path().resolve("data");
      EmbeddedEntroQ queue = EmbeddedEntroQ.open(config(directory));
      List<Path> ballast = takeAllInodes(disk.path());

      int acknowledged = insertWhileItGoes(queue);

      assertThat(acknowledged).isEqualTo(SEGMENT_BYTES / 5_200);
      assertThatThrownBy(() -> insert(queue))
          .isInstanceOf(EntroQException.Closed.class)
          .hasMessageContaining("Appending record " + (acknowledged + 2) + " to " + directory)
          .hasMessageContaining("No space left on device")
          .hasMessageContaining("(df -i)");
      queue.close();
      assertThat(queue.stats().appendedSequence()).isEqualTo(acknowledged + 1);
      // Freed one by one, so that an opening fails wherever it can.
      for (Path file : ballast.subList(0, 2)) {
        assertThatThrownBy(() -> EmbeddedEntroQ.open(config(directory)))
            .isInstanceOf(EntroQException.Storage.class)
            .hasMessageMatching("(?s).*(No space left on device|df -i).*");
        Files.delete(file);
      }
      try (EmbeddedEntroQ again = EmbeddedEntroQ.open(config(directory))) {
        assertThat(again.tasks(TaskQuery.in("q"))).hasSize(acknowledged);
        assertThat(insert(again)).isInstanceOf(ModifyResult.OutcomeUnknown.class);
      }
      for (Path file : ballast.subList(2, ballast.size())) {
        Files.delete(file);
      }
      try (EmbeddedEntroQ again = EmbeddedEntroQ.open(config(directory))) {
        assertThat(again.tasks(TaskQuery.in("q"))).hasSize(acknowledged);
        insert(again).orThrow();
      }
    }
  }

  private static List<Path> takeAllInodes(Path directory) {
    List<Path> files = new ArrayList<>();
    try {
      while (true) {
        files.add(Files.createFile(directory.resolve("ballast" + files.size())));
      }
    } catch (IOException e) {
      return files;
    }
  }

  @Test
  void shouldRefuseToOpenWhatIsReadOnly() throws Exception {
    try (Mount disk = Mount.tmpfs(scratch.resolve("disk"), "size=100m")) {
      Path directory = disk.path().resolve("data");
      try (EmbeddedEntroQ queue = EmbeddedEntroQ.open(config(directory))) {
        insert(queue).orThrow();
      }
      disk.remount("ro");

      assertThatThrownBy(() -> EmbeddedEntroQ.open(config(directory)))
          .isInstanceOf(EntroQException.Storage.class)
          .hasMessageContaining(directory.toString())
          .hasMessageContaining("Read-only file system");
      assertThatThrownBy(() -> EmbeddedEntroQ.open(config(disk.path().resolve("other"))))
          .isInstanceOf(EntroQException.Storage.class)
          .hasMessageContaining("Read-only file system");

      disk.remount("rw");
      try (EmbeddedEntroQ queue = EmbeddedEntroQ.open(config(directory))) {
        assertThat(queue.tasks(TaskQuery.in("q"))).hasSize(1);
      }
    }
  }

  @Test
  void shouldEndAtTheNextForceWhenTheDiskTurnsReadOnly() throws Exception {
    try (Mount disk = Mount.ext4(scratch.resolve("disk"), scratch.resolve("image"), 96 * MIB)) {
      Path directory = disk.path().resolve("data");
      EmbeddedEntroQ queue = EmbeddedEntroQ.open(config(directory, Durability.DISK, 64 << 20));
      insert(queue).orThrow();
      disk.turnReadOnly();

      assertThat(insert(queue)).isInstanceOf(ModifyResult.OutcomeUnknown.class);

      assertThatThrownBy(() -> insert(queue))
          .isInstanceOf(EntroQException.Closed.class)
          .hasMessageContaining("Forcing " + directory)
          .hasMessageContaining("Read-only file system");
      queue.close();
      assertThatThrownBy(() -> EmbeddedEntroQ.open(config(directory)))
          .isInstanceOf(EntroQException.Storage.class)
          .hasMessageContaining("Read-only file system");
    }
  }

  @Test
  void shouldEndADrivenEngineAtTheNextForceWhenTheDiskTurnsReadOnly() throws Exception {
    try (Mount disk = Mount.ext4(scratch.resolve("disk"), scratch.resolve("image"), 96 * MIB)) {
      EmbeddedConfig config = config(disk.path().resolve("data"), Durability.DISK, SEGMENT_BYTES);
      DrivenEngine engine = DrivenEngine.open(config, (sequence, result) -> {});
      IdFields id = new IdFields();
      TaskDataFields data = new TaskDataFields();
      data.queue().wrap("q".getBytes(StandardCharsets.UTF_8));
      engine.modify().insert(id.set(1, 1), data);
      assertThat(engine.execute()).isEqualTo(ResultCodes.OK);
      disk.turnReadOnly();

      engine.modify().insert(id.set(1, 2), data);
      assertThatThrownBy(engine::execute)
          .isInstanceOf(LogException.class)
          .hasMessageContaining("Forcing ")
          .hasMessageContaining("Read-only file system");

      assertThat(engine.stats().forcedSequence()).isEqualTo(2);
      engine.modify().insert(id.set(1, 3), data);
      assertThatThrownBy(engine::execute)
          .hasMessageContaining("has failed before")
          .hasMessageContaining("Read-only file system");
      engine.close();
    }
  }

  @Test
  void shouldEndAtTheNextSegmentWhenTheDiskTurnsReadOnlyAndNothingIsForced() throws Exception {
    try (Mount disk = Mount.ext4(scratch.resolve("disk"), scratch.resolve("image"), 96 * MIB)) {
      Path directory = disk.path().resolve("data");
      EmbeddedEntroQ queue = EmbeddedEntroQ.open(config(directory));
      insert(queue).orThrow();
      disk.turnReadOnly();

      assertThat(insertWhileItGoes(queue)).isLessThan(SEGMENT_BYTES / 5_000);

      assertThatThrownBy(() -> insert(queue))
          .isInstanceOf(EntroQException.Closed.class)
          .hasMessageContaining("to " + directory)
          .hasMessageContaining("Read-only file system");
      queue.close();
    }
  }

  @Test
  void shouldTakeAReadOnlyDiskForAFullOne() throws Exception {
    try (Mount disk = Mount.tmpfs(scratch.resolve("disk"), "size=1m")) {
      assertThat(DiskSpace.FILE_SYSTEM.usableBytes(disk.path())).isPositive();
      disk.remount("ro");
      assertThat(DiskSpace.FILE_SYSTEM.usableBytes(disk.path())).isZero();
    }
    assertThat(DiskSpace.FILE_SYSTEM.usableBytes(scratch.resolve("gone"))).isZero();
  }
}
