package io.entroq.workers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.entroq.api.EntroQException;
import io.entroq.api.Insert;
import io.entroq.api.Task;
import io.entroq.api.Value;
import io.entroq.api.worker.Outcome;
import io.entroq.api.worker.Worker;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AppendHandlerTest extends WorkersTestBase {
  @TempDir private Path temporary;
  private Path file;

  @BeforeEach
  void chooseFile() {
    file = temporary.resolve("journal");
  }

  private AppendHandler open() throws IOException {
    return AppendHandler.to(file, 0);
  }

  private static List<JsonNode> lines(Path file) throws IOException {
    String text = Files.readString(file);
    assertThat(text)
        .satisfiesAnyOf(t -> assertThat(t).isEmpty(), t -> assertThat(t).endsWith("\n"));
    List<JsonNode> lines = new ArrayList<>();
    for (String line : text.lines().toList()) {
      lines.add(Json.MAPPER.readTree(line));
    }
    return lines;
  }

  /** Works on all tasks up to the commit, as a process that is killed then. */
  private void workWithoutCommit() throws Exception {
    try (AppendHandler handler = open();
        Worker worker =
            start(
                work -> {
                  handler.handle(work);
                  return Outcome.retry("killed");
                })) {
      assertThat(worker.isRunning()).isTrue();
      queue.awaitIdle(PATIENCE, "in");
    }
    queue.advance(RETRY_DELAY);
  }

  private void workAndClose() throws Exception {
    try (AppendHandler handler = open()) {
      work(handler);
    }
  }

  @Test
  void shouldAppendALineForEachTask() throws Exception {
    Task first = insert("{\"x\":\"a\\nb\"}");
    workAndClose();
    insert(Value.bytes("{\"x\":9007199254740993}".getBytes(StandardCharsets.UTF_8)));
    workAndClose();
    insert(Value.bytes(new byte[] {1, 2}));
    workAndClose();
    insert(Insert.into("in"));
    workAndClose();
    List<JsonNode> lines = lines(file);
    assertThat(lines.get(0).toString())
        .isEqualTo(
            "{\"id\":\"%s\",\"queue\":\"in\",\"created\":\"2026-01-01T00:00:00Z\",\"value\":{\"x\":\"a\\nb\"}}"
                .formatted(first.id()));
    assertThat(lines.get(1).get("value").get("x").longValue()).isEqualTo(9_007_199_254_740_993L);
    assertThat(lines.get(2).get("bytes").textValue()).isEqualTo("AQI=");
    assertThat(lines.get(2).has("value")).isFalse();
    assertThat(lines.get(3).get("value").isNull()).isTrue();
    assertThat(lines).hasSize(4);
    assertThat(queue.queues(io.entroq.api.QueueQuery.all())).isEmpty();
  }

  @Test
  void shouldAppendOneLineIfTheWorkIsRepeatedAfterARestart() throws Exception {
    insert("1");
    workWithoutCommit();
    workWithoutCommit();
    workAndClose();
    assertThat(lines(file)).hasSize(1);
    assertThat(queue.queues(io.entroq.api.QueueQuery.all())).isEmpty();
  }

  @Test
  void shouldAppendAnotherLineForAnotherTaskOfTheSameId() throws Exception {
    insert(Insert.into("in").withId("again").withValue("1"));
    workAndClose();
    queue.advance(Duration.ofMillis(1));
    insert(Insert.into("in").withId("again").withValue("2"));
    workAndClose();
    assertThat(lines(file)).hasSize(2);
  }

  @Test
  void shouldInsertWhatItAppendedIfSomebodyWantsIt() throws Exception {
    Task task = insert("1");
    try (AppendHandler handler = open().withOutbox("appended")) {
      work(handler);
    }
    assertThat(result("appended").toString())
        .isEqualTo("{\"file\":\"journal\",\"id\":\"%s\"}".formatted(task.id()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"{", "{\"id\":", "{\"id\":\"x\",\"queue\":\"in\",\"va"})
  void shouldCutOffALineThatACrashLeftIncomplete(String rest) throws Exception {
    insert("1");
    workAndClose();
    Files.writeString(file, rest, StandardOpenOption.APPEND);
    insert("2");
    workAndClose();
    assertThat(lines(file)).extracting(line -> line.get("value").intValue()).containsExactly(1, 2);
  }

  @Test
  void shouldCutOffALongIncompleteLine() throws Exception {
    insert("1");
    workAndClose();
    Files.writeString(file, "{\"id\":\"" + "x".repeat(200_000), StandardOpenOption.APPEND);
    workAndClose();
    assertThat(lines(file)).hasSize(1);
  }

  @Test
  void shouldNotTouchAFileOfOthers() throws Exception {
    Files.writeString(file, "one\ntwo");
    assertThatThrownBy(this::open)
        .isInstanceOf(IOException.class)
        .hasMessage(
            file + " does not end with a line of this worker; move it away, or end its last line");
    assertThat(file).hasContent("one\ntwo");
    Files.writeString(file, "one\n[]\n{}\n{\"id\":\"\",\"created\":7}\n\n");
    insert("1");
    workAndClose();
    assertThat(Files.readAllLines(file)).hasSize(6);
  }

  @Test
  void shouldRefuseLinks() throws Exception {
    Path target = Files.createFile(temporary.resolve("target"));
    Files.createSymbolicLink(file, target);
    assertThatThrownBy(this::open).hasMessage(file + " is a symbolic link");
    Files.delete(file);
    Files.createSymbolicLink(temporary.resolve("journal.lock"), target);
    assertThatThrownBy(this::open).hasMessageContaining("journal.lock is a symbolic link");
  }

  @Test
  void shouldLetOneAppendAtATime() throws Exception {
    try (AppendHandler handler = open()) {
      assertThat(handler).isNotNull();
      assertThatThrownBy(this::open).hasMessage(file + " is in use by another appender");
      Path link = Files.createSymbolicLink(temporary.resolve("link"), temporary);
      assertThatThrownBy(() -> AppendHandler.to(link.resolve("journal"), 0))
          .hasMessageContaining("is in use by another appender");
      assertThat(isLocked()).as("refused ones leave the lock alone").isTrue();
    }
    assertThat(isLocked()).isFalse();
    open().close();
  }

  /** Whether the system knows of a lock, which keeps other processes away. */
  private boolean isLocked() throws IOException {
    Object inode = Files.getAttribute(temporary.resolve("journal.lock"), "unix:ino");
    return Files.readString(Path.of("/proc/locks")).contains(":" + inode + " ");
  }

  @Test
  void shouldFreeTheFileOnceWhenClosedTwice() throws Exception {
    AppendHandler first = open();
    first.close();
    try (AppendHandler second = open()) {
      assertThat(second).isNotNull();
      first.close();
      assertThatThrownBy(this::open).hasMessageContaining("is in use by another appender");
    }
  }

  @Test
  void shouldGoOnAfterANewFileCouldNotBeBegun() throws Exception {
    byte[] line = "x".repeat(4_096).getBytes(StandardCharsets.UTF_8);
    try (AppendFile lines = AppendFile.open(file, 4_096, 10)) {
      lines.append("1", line);
      Files.move(file, temporary.resolve("away"));
      assertThatThrownBy(() -> lines.append("2", new byte[] {'2'})).isInstanceOf(IOException.class);
      lines.append("2", new byte[] {'2'});
      lines.append("3", new byte[] {'3'});
    }
    assertThat(Files.readAllLines(file)).containsExactly("2", "3");
  }

  @Test
  void shouldAppendNothingOnceClosed() throws Exception {
    AppendFile lines = AppendFile.open(file, 0, 10);
    lines.close();
    assertThatThrownBy(() -> lines.append("1", new byte[] {'1'})).hasMessage(file + " is closed");
  }

  @Test
  void shouldBeginANewFileAndKnowTheOldOne() throws Exception {
    try (AppendHandler handler = AppendHandler.to(file, 4_096)) {
      for (int i = 0; i < 10; i++) {
        insert("\"%s\"".formatted("x".repeat(1_000)));
        work(handler);
      }
    }
    assertThat(temporary.toFile().list())
        .containsExactlyInAnyOrder("journal", "journal.1", "journal.2", "journal.lock");
    assertThat(lines(temporary.resolve("journal.1"))).hasSize(4);
    assertThat(lines(temporary.resolve("journal.2"))).hasSize(4);
    assertThat(lines(file)).hasSize(2);
    Files.delete(file);
    String last = lines(temporary.resolve("journal.2")).get(3).get("id").textValue();
    insert(Insert.into("in").withId(last).withValue("7"));
    workAndClose();
    assertThat(file).as("its line is in the file before").isEmptyFile();
  }

  @Test
  void shouldNotLoseTheFileIfAWorkerIsInterrupted() throws Exception {
    try (AppendHandler handler = open()) {
      CountDownLatch begun = new CountDownLatch(1);
      insert("1");
      try (Worker worker =
          start(
              work -> {
                begun.countDown();
                while (!work.isCancelled()) {
                  Thread.onSpinWait();
                }
                Thread.currentThread().interrupt();
                return handler.handle(work);
              })) {
        begun.await();
        worker.close(Duration.ZERO);
      }
      insert("2");
      work(handler);
    }
    assertThat(lines(file)).hasSize(2);
  }

  @Test
  void shouldForgetWorkOfLongAgo() throws Exception {
    try (AppendFile lines = AppendFile.open(file, 0, 3)) {
      for (int i = 0; i <= 3; i++) {
        lines.append("key" + i, new byte[] {'0'});
      }
      lines.append("key1", new byte[] {'1'});
      lines.append("key0", new byte[] {'2'});
    }
    assertThat(Files.readAllLines(file)).containsExactly("0", "0", "0", "0", "2");
  }

  @Test
  void shouldRefuseImpossibleOptions() {
    assertThatThrownBy(() -> AppendHandler.to(file, 4_095))
        .isInstanceOf(EntroQException.InvalidArgument.class)
        .hasMessageContaining("file bytes must be from 4,096");
    assertThatThrownBy(() -> AppendHandler.to(temporary.resolve("no/file"), 0))
        .isInstanceOf(IOException.class);
  }
}
