package io.entroq.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.Claim;
import io.entroq.api.Modification;
import io.entroq.api.Task;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.service.testing.Await;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Instant;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pages of the past of an embedded queue with all that it has. */
class PastOfQueueTest {
  private static final Pattern STEP = Pattern.compile("after step ([0-9,]+)\\.");
  private static final Pattern FIRST =
      Pattern.compile("id=\"slide\" name=\"slide\" min=\"(\\d+)\" max=\"(\\d+)\"");

  @TempDir private Path directory;
  private final HttpClient client = HttpClient.newHttpClient();
  private EmbeddedEntroQ queue;
  private ConsoleServer console;

  @BeforeEach
  void open() throws IOException {
    queue = EmbeddedEntroQ.open(directory);
    console = ConsoleServer.start(queue);
  }

  @AfterEach
  void close() {
    console.close();
    queue.close();
  }

  private HttpResponse<String> get(String path) throws Exception {
    return client.send(
        HttpRequest.newBuilder(URI.create(console.url() + path)).build(),
        HttpResponse.BodyHandlers.ofString());
  }

  private String page(String path) throws Exception {
    HttpResponse<String> response = get(path);
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    return response.body();
  }

  /** Returns the step after which it was done. */
  private long insert(String name, String value) {
    queue.modify(Modification.insert(name, value)).orThrow();
    return queue.feed().kept().lastSequence();
  }

  @Test
  void shouldShowWhatWasThen() throws Exception {
    Task old = queue.modify(Modification.insert("inbox", "old")).orThrow().inserted().get(0);
    long inserted = queue.feed().kept().lastSequence();
    Task claimed = queue.tryClaim(Claim.from("inbox").withClaimant("worker 7")).orElseThrow();
    long held = queue.feed().kept().lastSequence();
    queue.modify(Modification.delete(claimed).withClaimant("worker 7")).orThrow();
    insert("young", "new");

    String before = page("/task?id=" + old.id().text() + "&at=" + inserted);
    assertThat(before)
        .contains("after step %,d.".formatted(inserted), "Available", "Inserted into inbox", "old")
        .doesNotContain("worker 7", "Retry now");
    String then = page("/task?id=" + old.id().text() + "&at=" + held);
    assertThat(then)
        .contains("Claimed by worker 7; its lease ends in", "<td>Claimed by worker 7")
        .doesNotContain("Done: deleted");
    assertThat(page("/queues?at=" + held)).contains(">inbox</a>").doesNotContain(">young</a>");
    assertThat(page("/workers?at=" + held)).contains(">worker 7</a>", old.id().text());
    assertThat(page("?at=" + held)).contains("<dt>Claimed by workers</dt>");
    assertThat(page("/queue?name=young&at=" + held)).contains("There were no tasks in it then.");
    assertThat(page("/dead?at=" + held)).contains("There are no dead tasks.");
    assertThat(page("/task?id=" + old.id().text()))
        .contains("There is no such task now", "Done: deleted by its worker");
  }

  @Test
  void shouldTakeTimes() throws Exception {
    insert("inbox", "old");
    long thenMs = System.currentTimeMillis();
    Await.until(
        "time has passed",
        () -> {
          insert("meanwhile", "x");
          return System.currentTimeMillis() > thenMs + 10;
        });
    insert("young", "new");
    String page = page("/queues?at=" + Instant.ofEpochMilli(thenMs));
    assertThat(page).contains(">inbox</a>", "after step").doesNotContain(">young</a>");
    Matcher step = STEP.matcher(page);
    assertThat(step.find()).isTrue();
    Matcher slider = FIRST.matcher(page("/time"));
    assertThat(slider.find()).isTrue();
    long firstMs = Long.parseLong(slider.group(1));
    assertThat(firstMs).isLessThanOrEqualTo(thenMs);
    assertThat(page("/queues?at=" + Instant.ofEpochMilli(firstMs))).contains("after step");
  }

  @Test
  void shouldSayWhatIsNotThere() throws Exception {
    insert("inbox", "x");
    HttpResponse<String> future = get("/queues?at=999999");
    assertThat(future.statusCode()).isEqualTo(400);
    assertThat(future.body()).contains("The past cannot be shown", "Back to now", "Records 1 to ");
    assertThat(get("/queues?at=2999-01-01T00:00").body()).contains("The past cannot be shown");
    console.close();
    try (EmbeddedEntroQ memory = EmbeddedEntroQ.inMemory()) {
      console = ConsoleServer.start(memory);
      assertThat(get("/queues?at=1").body()).contains("The past cannot be shown");
      assertThat(page("/time")).contains("Pages show only the present");
      console.close();
    }
  }
}
