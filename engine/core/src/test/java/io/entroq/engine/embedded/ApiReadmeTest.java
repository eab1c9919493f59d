package io.entroq.engine.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.EntroQ;
import io.entroq.api.EntroQException;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.ModifyResult;
import io.entroq.api.TaskQuery;
import io.entroq.api.feed.Effect;
import io.entroq.api.feed.Feed;
import io.entroq.api.feed.FeedQuery;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Flow;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the page of the API shows works, and stands here. */
class ApiReadmeTest {
  private static final Path README = Path.of("..", "api", "README.md");
  private static final Pattern ROW =
      Pattern.compile("^\\| `EntroQException\\.` .*?\n\n", Pattern.DOTALL | Pattern.MULTILINE);
  private static final Pattern NAME = Pattern.compile("(?m)^\\| `(\\w+)` \\|");

  @TempDir private Path directory;

  @Test
  void shouldListAllExceptions() throws IOException {
    String table =
        ROW.matcher(Files.readString(README)).results().findFirst().orElseThrow().group();
    assertThat(NAME.matcher(table).results().map(row -> row.group(1)))
        .containsExactlyInAnyOrderElementsOf(
            Arrays.stream(EntroQException.class.getPermittedSubclasses())
                .map(Class::getSimpleName)
                .toList());
  }

  @Test
  void shouldInsertOnceHoweverOftenItIsTried() {
    Insert order = Insert.into("orders").withId("order 7").withValue("a book");
    try (EntroQ queue = EmbeddedEntroQ.inMemory()) {
      for (int i = 0; i < 3; i++) {
        EntroQ impatient = queue.withTimeout(Duration.ofSeconds(2));
        ModifyResult result = impatient.modify(Modification.insert(order));
        if (result instanceof ModifyResult.OutcomeUnknown) {
          // It may be there, or come yet. Under an id of its own it collides if it is there.
          result = queue.modifySkippingColliding(Modification.insert(order));
        }
        assertThat(result.isCommitted()).isEqualTo(i == 0);
      }
      assertThat(queue.tasks(TaskQuery.in("orders"))).hasSize(1);
    }
  }

  @Test
  void shouldShowEffectsToASubscriber() {
    Queue<String> shown = new ConcurrentLinkedQueue<>();
    Queue<Throwable> problems = new ConcurrentLinkedQueue<>();
    EntroQ queue = EmbeddedEntroQ.open(directory);
    new Object() {
      void show(Effect effect) {
        shown.add(effect.task().orElseThrow().id().text());
      }

      void run() {
        Feed.of(queue)
            .publisher(FeedQuery.from(Instant.EPOCH).queues("inbox").build())
            .subscribe(
                new Flow.Subscriber<Effect>() {
                  private Flow.Subscription subscription;

                  @Override
                  public void onSubscribe(Flow.Subscription newSubscription) {
                    subscription = newSubscription;
                    subscription.request(1);
                  }

                  @Override
                  public void onNext(Effect effect) {
                    show(effect);
                    subscription.request(1);
                  }

                  @Override
                  public void onError(Throwable failure) {
                    problems.add(failure);
                  }

                  @Override
                  public void onComplete() {}
                });
      }
    }.run();
    for (int i = 0; i < 3; i++) {
      queue.modify(Modification.insert(Insert.into("inbox").withId("task " + i))).orThrow();
    }
    Await.until("all are shown", () -> shown.size() == 3);
    assertThat(shown).containsExactly("task 0", "task 1", "task 2");
    queue.close();
    Await.until("the end is told", () -> !problems.isEmpty());
    assertThat(problems.remove()).isInstanceOf(EntroQException.Closed.class);
  }
}
