package io.entroq.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.EntroQ;
import io.entroq.api.Modification;
import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.engine.log.Forcer;
import io.entroq.engine.log.SegmentLayout;
import io.entroq.engine.snapshot.Snapshot;
import io.entroq.engine.snapshot.SnapshotDirectory;
import io.entroq.service.testing.Await;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Unexpected files in the place of the engine's files and directories. */
class OddFilesTest {
  private static final int TOOLS = 6;

  /** Files that an engine does not need. */
  private static final List<String> MAY_BE_SPOILT = List.of("closed", "manifest", "state");

  @TempDir private Path temporary;
  private Path pristine;
  private List<Path> places;
  private int number;

  /** Files that are allowed anywhere. */
  enum Thing {
    DIRECTORY {
      @Override
      void putAt(Path place) throws IOException {
        Files.createDirectories(place.resolve("inside"));
      }
    },
    PIPE {
      @Override
      void putAt(Path place) throws Exception {
        run("mkfifo", place.toString());
      }
    },
    LOOP {
      @Override
      void putAt(Path place) throws IOException {
        Files.createSymbolicLink(place, place.getFileName());
      }
    },
    LINK_TO_NOTHING {
      @Override
      void putAt(Path place) throws IOException {
        Files.createSymbolicLink(place, Path.of("nothing"));
      }
    },
    DEVICE {
      @Override
      void putAt(Path place) throws IOException {
        Files.createSymbolicLink(place, Path.of("/dev/null"));
      }
    },
    SOCKET {
      @Override
      void putAt(Path place) throws Exception {
        // The path of a socket must be short.
        Path near = Files.createTempDirectory("s").resolve("s");
        try (ServerSocketChannel channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
          channel.bind(UnixDomainSocketAddress.of(near));
        }
        run("mv", near.toString(), place.toString());
        Files.delete(near.getParent());
      }
    };

    abstract void putAt(Path place) throws Exception;

    static void run(String... command) throws Exception {
      assertThat(new ProcessBuilder(command).start().waitFor()).isZero();
    }
  }

  @BeforeEach
  void makeDirectory() throws IOException {
    pristine = temporary.resolve("pristine");
    EmbeddedConfig config =
        EmbeddedConfig.in(pristine)
            .segmentBytes(4 << 10)
            .snapshotInterval(Duration.ofMillis(1))
            .build();
    try (EntroQ queue = EmbeddedEntroQ.open(config)) {
      for (int i = 0; i < 15; i++) {
        queue.modify(Modification.insert("inbox", "x".repeat(300))).orThrow();
      }
      Await.until("there is a snapshot", () -> !snapshots().isEmpty());
    }
    Path run = only(pristine.resolve("log"));
    Path snapshot = snapshots().get(0).directory();
    places =
        Stream.of(
                pristine,
                pristine.resolve("log"),
                pristine.resolve("log/stray"),
                run,
                run.resolve(SegmentLayout.fileName(0)),
                run.resolve(SegmentLayout.fileName(1)),
                pristine.resolve("closed"),
                pristine.resolve("lock"),
                pristine.resolve("snapshots"),
                snapshot,
                snapshot.resolve("manifest"),
                snapshot.resolve("state"))
            .map(pristine::relativize)
            .toList();
  }

  private List<Snapshot> snapshots() {
    return new SnapshotDirectory(pristine, Forcer.DISK).newestFirst();
  }

  private static Path only(Path directory) throws IOException {
    try (Stream<Path> entries = Files.list(directory)) {
      return entries.findFirst().orElseThrow();
    }
  }

  @ParameterizedTest
  @EnumSource(Thing.class)
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void shouldReportUnexpectedFileInDataDirectoryInOneLine(Thing thing) throws Exception {
    int turn = thing.ordinal();
    for (Path place : places) {
      Path data = spoilt(pristine, place, thing);
      // Open the directory, then run the tools in turn.
      require(data, place, commands(data).get(0));
      require(data, place, commands(data).get(1 + turn++ % TOOLS));
    }
  }

  @ParameterizedTest
  @EnumSource(Thing.class)
  @Tag("long")
  @Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void shouldReportUnexpectedFileInDataDirectoryByEveryTool(Thing thing) throws Exception {
    for (Path place : places) {
      Path data = spoilt(pristine, place, thing);
      for (List<Object> command : commands(data)) {
        require(data, place, command);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Thing.class)
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void shouldReportUnexpectedFileInBackupInOneLine(Thing thing) throws Exception {
    Path backup = temporary.resolve("backup");
    Cli.run("backup", pristine, backup).assertGood();
    Path run = only(backup.resolve("log"));
    Path segment = backup.relativize(run.resolve(SegmentLayout.fileName(1)));
    for (Path place : List.of(Path.of("backup.json"), segment)) {
      Path spoilt = spoilt(backup, place, thing);
      Cli cli = Cli.run("restore", spoilt, temporary.resolve("restored"));
      requireRefusal(cli, place, thing + " at " + place);
    }
  }

  private Path spoilt(Path directory, Path place, Thing thing) throws Exception {
    Path copy = temporary.resolve("copy-" + number++);
    Thing.run("cp", "-r", directory.toString(), copy.toString());
    Path at = place.toString().isEmpty() ? copy : copy.resolve(place);
    Thing.run("rm", "-rf", at.toString());
    thing.putAt(at);
    return copy;
  }

  private List<List<Object>> commands(Path data) {
    return List.of(
        List.of("qs", "--data", data),
        List.of("log", "verify", data),
        List.of("backup", data, temporary.resolve("backup-" + number++)),
        List.of("log", "stats", data),
        List.of("log", "repair", data, "--cut-at", "3"),
        List.of("level", data),
        List.of("log", "dump", data));
  }

  private void require(Path data, Path place, List<Object> command) {
    Cli cli = Cli.run(command.toArray());
    String what = place + ": " + command;
    boolean isRepair = command.contains("repair");
    if ((cli.status() != 1 || isRepair) && MAY_BE_SPOILT.contains(place.getFileName().toString())) {
      return;
    }
    if (!isLookedAt(place, command)) {
      // A repair may be refused for its position, since the times of snapshots vary.
      assertThat(isRepair ? 0 : cli.status()).as(what + cli.err()).isNotEqualTo(1);
      return;
    }
    requireRefusal(cli, place.toString().isEmpty() ? data : place, what);
  }

  private static void requireRefusal(Cli cli, Path place, String what) {
    assertThat(cli.status()).as(what + ": " + cli.err()).isEqualTo(1);
    assertThat(cli.err().lines()).as(what).hasSize(1);
    assertThat(cli.err())
        .as(what)
        .contains(place.getFileName().toString())
        .doesNotContain("java.", "cut-at", "null")
        .containsAnyOf(
            "ove it away",
            "Name the data directory",
            "out of the data directory",
            "is not a complete backup",
            "Use another backup");
  }

  /** Whether the file affects a command. */
  private static boolean isLookedAt(Path place, List<Object> command) {
    String last = place.getFileName().toString();
    String tool = command.get(0).equals("log") ? command.get(1).toString() : "" + command.get(0);
    return switch (last) {
      case "lock" -> tool.equals("qs");
      case "state" -> !List.of("stats", "dump", "level").contains(tool);
      default -> !(place.startsWith("snapshots") && tool.equals("dump"));
    };
  }
}
