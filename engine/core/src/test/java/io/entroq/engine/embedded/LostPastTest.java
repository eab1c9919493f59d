package io.entroq.engine.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.api.Durability;
import io.entroq.api.EntroQException;
import io.entroq.api.Modification;
import io.entroq.api.feed.Effect;
import io.entroq.api.feed.Feed;
import io.entroq.api.feed.FeedIterator;
import io.entroq.api.feed.FeedPosition;
import io.entroq.api.feed.FeedQuery;
import io.entroq.engine.maintenance.HistoryPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A log that has lost its end, as by a loss of power at durability os, and goes on differently. */
@Timeout(60)
class LostPastTest {
  private static final int LOST = 3;

  @TempDir private Path directory;

  /** After the last step that was not lost, and after each of those that were. */
  private final List<FeedPosition> positions = new ArrayList<>();

  private Path data() {
    return directory.resolve("data");
  }

  private EmbeddedEntroQ open() {
    return EmbeddedEntroQ.open(
        EmbeddedConfig.in(data())
            .durability(Durability.OS)
            .history(HistoryPolicy.OF_CONSOLE)
            .build());
  }

  private static void insert(EmbeddedEntroQ queue, int count) {
    for (int i = 0; i < count; i++) {
      queue.modify(Modification.insert("inbox", "x")).orThrow();
    }
  }

  /** Shows steps, and loses all but the first of them. */
  private void losePast() throws IOException, InterruptedException {
    try (EmbeddedEntroQ queue = open();
        FeedIterator feed = Feed.of(queue).iterator(FeedQuery.fromNow().build())) {
      insert(queue, 1);
      positions.add(position(feed));
    }
    copy(data(), directory.resolve("kept"));
    try (EmbeddedEntroQ queue = open();
        FeedIterator feed = Feed.of(queue).iterator(FeedQuery.fromNow().build())) {
      for (int i = 0; i < LOST; i++) {
        insert(queue, 1);
        positions.add(position(feed));
      }
    }
    Files.move(data(), directory.resolve("lost"));
    Files.move(directory.resolve("kept"), data());
  }

  private static FeedPosition position(FeedIterator feed) throws InterruptedException {
    return FeedPosition.of(feed.next().orElseThrow().position().orElseThrow().text());
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(from.relativize(file)));
      }
    }
  }

  private void assertLostPastIsRefused(EmbeddedEntroQ queue) throws InterruptedException {
    try (FeedIterator feed = after(queue, positions.get(0))) {
      assertThat(feed.next()).isPresent();
    }
    for (FeedPosition lost : positions.subList(1, positions.size())) {
      FeedPosition whole =
          new FeedPosition(lost.sequence(), FeedPosition.WHOLE_STEP, lost.log(), lost.timeMs());
      for (FeedPosition position : List.of(lost, whole)) {
        try (FeedIterator feed = after(queue, position)) {
          assertThatThrownBy(feed::next)
              .isInstanceOf(EntroQException.InvalidArgument.class)
              .hasMessageContaining("a past that was lost: the step " + lost.sequence());
        }
      }
    }
    List<Effect> seen = new ArrayList<>();
    FeedPosition bare = FeedPosition.after(positions.get(1).sequence());
    try (FeedIterator feed = after(queue, bare)) {
      feed.next().ifPresent(seen::add);
    }
    assertThat(seen).as("of a position without a time it is not known").hasSize(1);
  }

  private static FeedIterator after(EmbeddedEntroQ queue, FeedPosition position) {
    return Feed.of(queue).iterator(FeedQuery.after(position).build());
  }

  @Test
  void shouldBeNoticedFromMemory() throws Exception {
    losePast();
    try (EmbeddedEntroQ queue = open();
        FeedIterator keeper = Feed.of(queue).iterator(FeedQuery.fromNow().build())) {
      insert(queue, 2 * LOST);
      assertThat(keeper.next()).isPresent();
      assertLostPastIsRefused(queue);
    }
  }

  @Test
  void shouldBeNoticedFromTheHistory() throws Exception {
    losePast();
    try (EmbeddedEntroQ queue = open()) {
      insert(queue, 2 * LOST);
    }
    try (EmbeddedEntroQ queue = open()) {
      assertLostPastIsRefused(queue);
    }
  }

  @Test
  void shouldBeNoticedWhenTheLogGoesOnWhileAReaderWaits() throws Exception {
    losePast();
    try (EmbeddedEntroQ queue = open();
        FeedIterator feed = after(queue, positions.get(LOST))) {
      insert(queue, LOST + 1);
      assertThatThrownBy(feed::next)
          .isInstanceOf(EntroQException.InvalidArgument.class)
          .hasMessageContaining("a past that was lost");
    }
  }
}
