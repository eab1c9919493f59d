package io.entroq.server.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.api.Durability;
import io.entroq.api.EntroQ;
import io.entroq.api.Modification;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.examples.mapreduce.Corpus;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DemoTest {
  @TempDir private Path directory;
  private final Random random = Corpus.random("DemoTest");
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private Path root;
  private Path data;

  @BeforeEach
  void writeCorpus() throws IOException {
    root = directory.toRealPath().resolve("text files");
    data = directory.resolve("data");
    Corpus.write(random, root, 20, 1_000);
  }

  @ParameterizedTest
  @EnumSource(Durability.class)
  void shouldCountRightWhenManyWorkersDieAndHang(Durability durability) {
    assertThat(demo(durability, 15, 15, () -> false).run()).isTrue();
    assertThat(err.toString()).contains("Right: the result equals a direct count");
    assertThat(out.toString().lines()).hasSize(1);
    assertThat(out.toString())
        .startsWith("{")
        .contains("\"lost\":0,\"committedTwice\":0")
        .contains("\"quarantined\":2,\"poison\":2")
        .contains("\"equal\":true,\"right\":true}")
        .containsPattern("\"crashes\":[1-9]")
        .containsPattern("\"lateCommitsRefused\":[1-9]")
        .endsWith("}" + System.lineSeparator());
    assertThat(err.toString()).contains("100 %");
  }

  @Test
  void shouldPrintTheResultAgainWhenItIsFinished() throws IOException {
    assertThat(calmDemo().run()).isTrue();
    String first = json();
    Files.delete(root.resolve("file 0.txt"));
    err.getBuffer().setLength(0);
    assertThat(calmDemo().run()).isTrue();
    assertThat(err.toString())
        .contains("This count has already finished; printing its result again.")
        .contains("Ignored because the count has finished: --poison, --workers.")
        .containsPattern("The result was right when the run finished at 20\\d\\d-")
        .doesNotContain("equals a direct count");
    assertThat(json()).contains("\"repeated\":true");
    assertThat(withoutWhatMayDiffer(json())).isEqualTo(withoutWhatMayDiffer(first));
  }

  @Test
  void shouldGoOnWithWhatWasListedWhenInterrupted() throws IOException {
    BooleanSupplier afterSomeTasks = () -> err.toString().contains("tasks committed");
    assertThat(demo(Durability.OS, 20, 20, afterSomeTasks).run()).isFalse();
    assertThat(err.toString()).contains("Interrupted. Run again with --data " + data);
    Files.writeString(root.resolve("new.txt"), "not listed");
    assertThat(demo(Durability.OS, 0, 0, () -> false).run()).isTrue();
    assertThat(err.toString())
        .contains("Continuing to count")
        .containsPattern(
            "in\\s+all\\s+runs;\\s+in\\s+the\\s+last\\s+run\\s+0\\s+workers\\s+crashed,\\s+0\\s+hung");
    assertThat(json()).contains("\"files\":20,").contains("\"right\":true");
  }

  @Test
  void shouldSayWhichFilesChangedWhenRunAgain() throws IOException {
    BooleanSupplier afterSomeTasks = () -> err.toString().contains("tasks committed");
    assertThat(demo(Durability.OS, 20, 20, afterSomeTasks).run()).isFalse();
    Files.writeString(root.resolve("file 0.txt"), "something else altogether");
    Files.delete(root.resolve("below it/file 1.txt"));
    assertThatThrownBy(() -> calmDemo().run())
        .isInstanceOf(DemoException.class)
        .hasMessageContaining("file 0.txt has changed")
        .hasMessageContaining("below it/file 1.txt no longer exists");
  }

  @Test
  void shouldSayWhichFileChangedWhileItWasCounted() {
    BooleanSupplier spoil =
        () -> {
          boolean counted = err.toString().contains("Counting the files directly");
          if (counted) {
            overwrite(root.resolve("file 0.txt"));
          }
          return false;
        };
    assertThatThrownBy(() -> demo(Durability.OS, 0, 0, spoil).run())
        .isInstanceOf(DemoException.class)
        .hasMessageContaining("file 0.txt has changed");
  }

  @Test
  void shouldCountADirectoryWithoutFiles() throws IOException {
    root = Files.createDirectory(directory.resolve("empty"));
    assertThat(calmDemo().run()).isTrue();
    assertThat(json()).contains("\"files\":0,").contains("\"words\":0,");
    assertThat(err.toString()).contains("There was nothing to count").doesNotContain("Right:");
  }

  @Test
  void shouldRefuseADataDirectoryOfAnotherCount() throws IOException {
    assertThat(calmDemo().run()).isTrue();
    root = Files.createDirectory(directory.resolve("other"));
    assertThatThrownBy(() -> calmDemo().run())
        .isInstanceOf(DemoException.class)
        .hasMessageContaining("data contains a count of " + directory.toRealPath().resolve("text"))
        .hasMessageContaining("Use another --data");
  }

  @Test
  void shouldRefuseADataDirectoryWithQueuesOfOthers() {
    try (EntroQ queue = EmbeddedEntroQ.open(data)) {
      queue.modify(Modification.insert("inbox", "hello")).orThrow();
    }
    assertThatThrownBy(() -> calmDemo().run())
        .isInstanceOf(DemoException.class)
        .hasMessageContaining("contains the queue inbox");
  }

  @Test
  void shouldRefuseADataDirectoryInUse() {
    EntroQ queue = EmbeddedEntroQ.open(data);
    try (queue) {
      assertThatThrownBy(() -> calmDemo().run())
          .isInstanceOf(DemoException.class)
          .hasMessageContaining("is in use");
    }
  }

  @Test
  void shouldRemoveATemporaryDirectoryAfterSuccess() {
    data = null;
    assertThat(calmDemo().run()).isTrue();
    String path = err.toString().replaceAll("(?s).*data in (\\S+).*", "$1");
    assertThat(Path.of(path)).isAbsolute().doesNotExist();
  }

  @Test
  void shouldSayThatTheSummaryCouldNotBeWritten() throws IOException {
    Writer closed = Writer.nullWriter();
    closed.close();
    PrintWriter full = new PrintWriter(closed);
    assertThatThrownBy(
            () ->
                new Demo(config(Durability.OS, 0, 0), full, new PrintWriter(err), () -> false)
                    .run())
        .isInstanceOf(DemoException.class)
        .hasMessageContaining("could not be written");
    assertThat(calmDemo().run()).isTrue();
    assertThat(json()).contains("\"repeated\":true");
  }

  private static String withoutWhatMayDiffer(String json) {
    return json.replaceAll("\"(log|repeated).*?,", "");
  }

  private String json() {
    return out.toString().lines().reduce((first, second) -> second).orElseThrow();
  }

  private static void overwrite(Path file) {
    try {
      Files.writeString(file, "something else altogether");
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private Demo calmDemo() {
    return demo(Durability.OS, 0, 0, () -> false);
  }

  private Demo demo(
      Durability durability, double crashPercent, double hangPercent, BooleanSupplier stop) {
    DemoConfig config = config(durability, crashPercent, hangPercent);
    return new Demo(config, new PrintWriter(out), new PrintWriter(err), stop);
  }

  private DemoConfig config(Durability durability, double crashPercent, double hangPercent) {
    return new DemoConfig(
        Optional.of(root),
        Optional.ofNullable(data),
        durability,
        4,
        false,
        crashPercent,
        hangPercent,
        2,
        OptionalLong.of(random.nextInt(1_000)),
        Duration.ofMillis(200),
        700,
        true,
        true,
        true,
        List.of("--poison", "--workers"));
  }
}
