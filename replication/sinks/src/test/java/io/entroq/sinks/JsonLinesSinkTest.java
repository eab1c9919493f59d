package io.entroq.sinks;

import static io.entroq.sinks.TestEffects.batch;
import static io.entroq.sinks.TestEffects.existing;
import static io.entroq.sinks.TestEffects.inserted;
import static io.entroq.sinks.TestEffects.step;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.api.feed.FeedPosition;
import io.entroq.api.feed.FeedQuery;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Effects in a file. */
class JsonLinesSinkTest {
  private static final FeedQuery QUERY = FeedQuery.fromNow().build();

  @TempDir private Path directory;

  private Path file() {
    return directory.resolve("effects.jsonl");
  }

  private Optional<FeedPosition> append(SinkBatch... batches) {
    try (JsonLinesSink sink = new JsonLinesSink(file())) {
      Optional<FeedPosition> position = sink.open(QUERY);
      Arrays.stream(batches).forEach(sink::apply);
      return position;
    }
  }

  @Test
  void shouldWriteALineForEachEffect() throws IOException {
    assertThat(append(batch(1))).isEmpty();
    assertThat(append(batch(2))).contains(inserted(1, 0).position().orElseThrow());
    assertThat(Files.readAllLines(file()))
        .hasSize(2)
        .first()
        .asString()
        .isEqualTo(
            "{\"time\":\"1970-01-01T00:00:01Z\",\"position\":\"1-0@"
                + TestEffects.LOG
                + "\",\"kind\":\"inserted\",\"queue\":\"inbox\",\"id\":\"1-0\",\"version\":0,"
                + "\"insertSequence\":1,\"at\":\"1970-01-01T00:00:01Z\"}");
  }

  @Test
  void shouldGoOnAfterEachPlaceWhereItMayHaveDied() throws IOException {
    append(batch(1), batch(2), batch(3));
    byte[] whole = Files.readAllBytes(file());
    int line = whole.length / 3;
    for (int length = 0; length <= whole.length; length++) {
      Files.write(file(), Arrays.copyOf(whole, length));
      int lines = length / line;
      Optional<FeedPosition> last = append();
      assertThat(last.map(FeedPosition::sequence).orElse(0L)).isEqualTo(lines);
      for (int i = lines + 1; i <= 3; i++) {
        append(batch(i));
      }
      assertThat(Files.readAllBytes(file())).isEqualTo(whole);
    }
  }

  @Test
  void shouldRemoveAStateThatIsNotComplete() throws IOException {
    SinkBatch state = new SinkBatch(List.of(existing("a"), existing("b")), Optional.empty());
    append(state);
    assertThat(append()).isEmpty();
    assertThat(file()).isEmptyFile();
    append(state, new SinkBatch(List.of(), Optional.of(step(9))));
    assertThat(append()).contains(step(9));
    assertThat(Files.readAllLines(file()))
        .hasSize(3)
        .last()
        .asString()
        .isEqualTo("{\"position\":\"9@" + TestEffects.LOG + "\",\"kind\":\"mark\"}");
  }

  @Test
  void shouldFindThePositionFarBack() throws IOException {
    append(batch(1));
    SinkBatch state = new SinkBatch(List.of(existing("a".repeat(1_000))), Optional.empty());
    SinkBatch[] states = new SinkBatch[200];
    Arrays.fill(states, state);
    append(states);
    assertThat(append()).contains(inserted(1, 0).position().orElseThrow());
    assertThat(Files.readAllLines(file())).hasSize(1);
  }

  @Test
  void shouldLeaveOtherFilesAlone() throws IOException {
    for (String text : List.of("Dear all,\n", "[1]\n", "{\"position\":\"here\"}\n")) {
      Files.writeString(file(), text);
      assertThatThrownBy(this::append)
          .isInstanceOf(SinkException.class)
          .hasMessageContaining("choose another file");
      assertThat(file()).hasContent(text);
    }
  }

  @Test
  void shouldRefuseASecondSink() {
    try (JsonLinesSink first = new JsonLinesSink(file());
        JsonLinesSink second = new JsonLinesSink(file())) {
      first.open(QUERY);
      assertThatThrownBy(() -> second.open(QUERY))
          .isInstanceOf(SinkException.class)
          .hasMessageContaining("another sink has it open");
    }
  }

  @Test
  void shouldWaitForADirectory() {
    try (JsonLinesSink sink = new JsonLinesSink(directory.resolve("none").resolve("file"))) {
      assertThatThrownBy(() -> sink.open(QUERY))
          .isInstanceOfSatisfying(SinkException.class, e -> assertThat(e.isTemporary()).isTrue());
    }
  }
}
