package io.entroq.engine.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogDirectoryTest {
  @TempDir private Path temporary;

  @Test
  void shouldCreateTheDirectoryAndItsParents() throws IOException {
    Path data = temporary.resolve("a/b/c");
    try (LogDirectory directory = LogDirectory.open(data)) {
      assertThat(data.resolve("log")).isDirectory();
      assertThat(directory.runs()).isEmpty();
      assertThat(directory.usableBytes()).isPositive();
      assertThat(Files.readString(data.resolve("lock")).trim())
          .isEqualTo(Long.toString(ProcessHandle.current().pid()));
    }
  }

  @Test
  void shouldSayThatADirectoryCannotBeReadAndNotThatItHasNoLog() throws IOException {
    Path data = Files.createDirectory(temporary.resolve("data"));
    Files.createSymbolicLink(data.resolve("log"), data.resolve("log"));
    assertThatThrownBy(() -> LogDirectory.read(data))
        .isInstanceOf(LogException.class)
        .hasMessageStartingWith("Cannot read the data directory: " + data.resolve("log"));
    Path loop = Files.createSymbolicLink(temporary.resolve("loop"), temporary.resolve("loop"));
    assertThatThrownBy(() -> LogDirectory.read(loop))
        .isInstanceOf(LogException.class)
        .hasMessageStartingWith("Cannot read the data directory: " + loop);
  }

  @Test
  void shouldSayWhoMayNotReadADirectory() throws IOException {
    Path data = Files.createDirectories(temporary.resolve("data/log")).getParent();
    Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("---------"));
    try {
      assumeFalse(Files.isExecutable(data), "the user may do everything");
      assertThatThrownBy(() -> LogDirectory.read(data))
          .isInstanceOf(LogException.class)
          .hasMessageContaining("the user %s may not read", System.getProperty("user.name"));
    } finally {
      Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwx------"));
    }
  }

  @Test
  void shouldRefuseASecondEngineInThisProcess() throws IOException {
    Path data = temporary.resolve("data");
    Path link = Files.createSymbolicLink(temporary.resolve("link"), data);
    try (LogDirectory first = LogDirectory.open(data)) {
      for (Path name : new Path[] {data, link, temporary.resolve("./data")}) {
        assertThatThrownBy(() -> LogDirectory.open(name))
            .isInstanceOf(LogException.class)
            .hasMessageContaining(name.toAbsolutePath().toString())
            .hasMessageContaining(
                "another engine of this process (pid " + ProcessHandle.current().pid() + ")");
      }
      assertThat(first.runs()).isEmpty();
    }
    LogDirectory.open(data).close();
  }

  @Test
  void shouldRefuseAnEngineOfAnotherProcessAndNameItsPid() throws Exception {
    Path data = temporary.resolve("data");
    try (ChildJvm child = ChildJvm.start(List.of(), temporary, LockHolder.class, data.toString())) {
      assertThat(child.readLine()).isEqualTo("locked");
      assertThatThrownBy(() -> LogDirectory.open(data))
          .isInstanceOf(LogException.class)
          .hasMessageContaining(data.toString())
          .hasMessageContaining("in use by process " + child.pid());
      assertThat(LogDirectory.read(data).runs()).hasSize(1);
      child.kill();
      LogDirectory.open(data).close();
    }
  }

  @Test
  void shouldStayLockedAgainstOthersAfterASecondTryInThisProcess() throws Exception {
    Path data = temporary.resolve("data");
    try (LogDirectory first = LogDirectory.open(data)) {
      assertThatThrownBy(() -> LogDirectory.open(data)).isInstanceOf(LogException.class);
      LogDirectory.read(data).runs();
      try (ChildJvm child =
          ChildJvm.start(List.of(), temporary, LockHolder.class, data.toString())) {
        assertThat(child.readLine()).isNull();
        assertThat(child.errors()).contains("in use by process " + ProcessHandle.current().pid());
      }
      assertThat(first.runs()).isEmpty();
    }
  }

  /** As when somebody has copied a data directory without its lock. */
  @Test
  void shouldTakeADirectoryWithEverythingThatAnEngineLeavesThere() throws IOException {
    Path data = Files.createDirectory(temporary.resolve("data"));
    for (String name : List.of("log", "snapshots", "snapshots-set-aside", "readers")) {
      Files.createDirectory(data.resolve(name));
    }
    LogDirectory.open(data).close();
  }

  @Test
  void shouldListRunsInOrderOfTheirMaking() {
    Path data = temporary.resolve("data");
    try (LogDirectory directory = LogDirectory.open(data)) {
      directory.newRun(1);
      directory.newRun(500);
      directory.newRun(40);
    }
    assertThat(LogDirectory.read(data).runs())
        .extracting(LogRun::firstSequence)
        .containsExactly(1L, 500L, 40L);
    assertThat(LogDirectory.read(data).runs()).extracting(LogRun::number).containsExactly(1, 2, 3);
  }

  @Test
  void shouldListSegmentsByNumber() throws IOException {
    Path data = temporary.resolve("data");
    try (LogDirectory directory = LogDirectory.open(data)) {
      Path run = directory.newRun(1);
      for (long number : new long[] {0, 1, 23, 24, 8_760, 400_000}) {
        Files.createFile(run.resolve(SegmentLayout.fileName(number)));
      }
      Files.createFile(run.resolve("metadata.cq4t"));
      assertThat(directory.runs().get(0).segments())
          .extracting(LogSegment::number)
          .containsExactly(0L, 1L, 23L, 24L, 8_760L, 400_000L);
    }
  }

  @Test
  void shouldRefuseSomebodysHome() throws IOException {
    Files.createFile(temporary.resolve("letter.txt"));
    assertThatThrownBy(() -> LogDirectory.open(temporary))
        .isInstanceOf(LogException.class)
        .hasMessageContaining("letter.txt does not belong there")
        .hasMessageContaining("a log can only be created in an empty directory")
        .hasMessageContaining(temporary.toString());
    assertThat(temporary.resolve("lock")).doesNotExist();
  }

  @Test
  void shouldTakeADirectoryThatWasCopiedWithoutItsLock() throws IOException {
    for (String name : List.of("log", "snapshots", "readers")) {
      Files.createDirectory(temporary.resolve(name));
    }
    LogDirectory.open(temporary).close();
  }

  @Test
  void shouldTakeARootOfAFileSystem() throws IOException {
    Files.createDirectory(temporary.resolve("lost+found"));
    LogDirectory.open(temporary).close();
  }

  @Test
  void shouldRefuseForeignContentAmongRunsAndSegments() throws IOException {
    Path data = temporary.resolve("data");
    Path run;
    try (LogDirectory directory = LogDirectory.open(data)) {
      run = directory.newRun(1);
    }
    Path stranger = Files.createFile(run.resolve("19700101-00F.cq4"));
    assertThatThrownBy(() -> LogDirectory.open(data))
        .isInstanceOf(LogException.class)
        .hasMessageContaining("19700101-00F.cq4 does not belong there");
    Files.delete(stranger);
    stranger = Files.createDirectory(data.resolve("log/run-1"));
    assertThatThrownBy(() -> LogDirectory.open(data))
        .hasMessageContaining("run-1 does not belong there");
    Files.delete(stranger);
    LogDirectory.open(data).close();
  }

  @Test
  void shouldRefuseNamesOfRunsThatNoEngineGives() throws IOException {
    Path data = temporary.resolve("data");
    try (LogDirectory directory = LogDirectory.open(data)) {
      Path run = Files.createDirectory(data.resolve("log/run-000001-99999999999999999999"));
      assertThatThrownBy(directory::runs)
          .isInstanceOf(LogException.class)
          .hasMessageContaining("run-000001-99999999999999999999 does not belong there")
          .hasMessageContaining("its name has an invalid sequence");
      Files.delete(run);
      run = Files.createDirectory(data.resolve("log/run-9999999999-00000000000000000001"));
      assertThatThrownBy(directory::runs).hasMessageContaining("does not belong there");
      Files.delete(run);
      Files.createDirectory(data.resolve("log/run-999999999-00000000000000000001"));
      assertThatThrownBy(() -> directory.newRun(1))
          .isInstanceOf(LogException.class)
          .hasMessageContaining(
              "no number left in "
                  + data.resolve("log").toAbsolutePath()
                  + " for another run after")
          .hasMessageContaining("call it run-000001-00000000000000000001");
    }
  }

  @Test
  void shouldAlterNothingWhenOpenedToRead() throws IOException {
    Path data = temporary.resolve("data");
    Path file;
    try (LogDirectory directory = LogDirectory.open(data)) {
      file = Files.createFile(directory.newRun(1).resolve(SegmentLayout.fileName(0)));
    }
    LogDirectory reading = LogDirectory.read(data);
    LogSegment segment = reading.runs().get(0).segments().get(0);
    assertThat(reading.isLocked()).isFalse();
    assertThatThrownBy(() -> reading.removeSegment(segment))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> reading.trim(file, 1)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> reading.removeRun(file.getParent()))
        .isInstanceOf(IllegalStateException.class);
    assertThat(file).exists();
  }

  @Test
  void shouldSayWhenThereIsNothingToRead() {
    assertThatThrownBy(() -> LogDirectory.read(temporary))
        .isInstanceOf(LogException.class)
        .hasMessageContaining("There is no log in " + temporary);
  }

  @Test
  void shouldRefuseAFileInPlaceOfTheDirectory() throws IOException {
    Path file = Files.createFile(temporary.resolve("file"));
    assertThatThrownBy(() -> LogDirectory.open(file))
        .isInstanceOf(LogException.class)
        .hasMessageContaining(file + " exists and is not a directory. Choose another directory");
    assertThatThrownBy(() -> LogDirectory.open(file.resolve("data")))
        .isInstanceOf(LogException.class)
        .hasMessageContaining("Cannot open the data directory " + file.resolve("data"))
        .hasMessageContaining(file + " exists and is not a directory. Choose another directory");
  }

  @Test
  void shouldSayInWordsWhatTheFileSystemRefuses() {
    assertThat(FileErrors.describe(new AccessDeniedException("/data/lock")))
        .contains(
            "has no permission to read and write /data/lock. Grant it, or choose another directory");
    assertThat(FileErrors.describe(new FileSystemException("/data", null, "Read-only file system")))
        .contains("/data: Read-only file system. Fix that, or choose another directory");
    assertThat(FileErrors.describe(new NoSuchFileException("/proc/data")))
        .contains("/proc/data does not exist or cannot be created");
  }

  /** Takes the directory, says so, and waits to be killed. */
  static final class LockHolder {
    private LockHolder() {}

    public static void main(String[] args) throws IOException {
      LogDirectory directory = LogDirectory.open(Path.of(args[0]));
      directory.newRun(1);
      System.out.println("locked");
      int end = System.in.read();
      directory.close();
      System.exit(end);
    }
  }
}
