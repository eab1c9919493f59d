package io.entroq.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.Claim;
import io.entroq.api.Modification;
import io.entroq.api.QueuePolicy;
import io.entroq.api.QueueQuery;
import io.entroq.api.Task;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.service.testing.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A newcomer's way from the overview to a retry, on an embedded queue with all that it has. */
class ThreeClicksTest {
  private static final Pattern FIELD =
      Pattern.compile("<input type=\"hidden\" name=\"([^\"]*)\" value=\"([^\"]*)\"");

  private static final Pattern COUNTED =
      Pattern.compile("<dt>Inserted in the last minute</dt><dd>[1-9]");

  private final EmbeddedEntroQ queue = EmbeddedEntroQ.inMemory();
  private final HttpClient client = HttpClient.newHttpClient();
  private ConsoleServer console;

  @BeforeEach
  void open() throws IOException {
    console = ConsoleServer.start(queue);
    // What happens just after the start is not seen.
    Await.until(
        "events are counted",
        () -> {
          queue.modify(Modification.insert("other", "x")).orThrow();
          return COUNTED.matcher(send(request("/console")).body()).find();
        });
  }

  @AfterEach
  void close() {
    console.close();
    queue.close();
  }

  private HttpResponse<String> send(HttpRequest.Builder request) {
    try {
      return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(console.url()).resolve(path));
  }

  /** A page once it shows something. */
  private String awaitPage(String path, String shown) {
    AtomicReference<String> page = new AtomicReference<>();
    Await.until(
        path + " shows " + shown,
        () -> {
          page.set(send(request(path)).body());
          return page.get().contains(shown);
        });
    return page.get();
  }

  /** Follows the first link of a page with a text, which may be a beginning. */
  private String click(String page, String text) {
    Matcher link = Pattern.compile("<a href=\"([^\"]*)\">" + Pattern.quote(text)).matcher(page);
    assertThat(link.find()).as("a link '%s' in %s", text, page).isTrue();
    String url = link.group(1).replace("&amp;", "&");
    return awaitPage(url, "</html>");
  }

  @Test
  void shouldFindAFailingTaskItsErrorItsHistoryAndItsRetry() {
    queue.policies().put(QueuePolicy.of("mail").attempts(1));
    queue.modify(Modification.insert("mail", "to: ann")).orThrow();
    Task task = queue.tryClaim(Claim.from("mail").withClaimant("worker 7")).orElseThrow();
    queue.modify(Modification.fail(task, "mailbox 17 is full").withClaimant("worker 7")).orThrow();
    String overview = awaitPage("/console", task.id().text());
    assertThat(overview).contains("mailbox 17 is full", "died, now in mail/err");
    String page = click(overview, task.id().text());
    assertThat(page)
        .contains("mailbox 17 is full", "to: ann", "<h2>Attempts</h2>", "<h2>History</h2>")
        .contains("Claimed by worker 7", "Moved to mail/err: failed too often");
    String confirmation = click(page, "Retry now");
    assertThat(confirmation).contains("Moves the task back to mail");
    HttpResponse<String> response = confirm(confirmation, "/console/do/retry");
    assertThat(response.statusCode()).as(response.body()).isEqualTo(303);
    assertThat(queue.queues(QueueQuery.startingWith("mail"))).isEqualTo(Map.of("mail", 1L));
  }

  private HttpResponse<String> confirm(String page, String path) {
    String form = page.substring(page.indexOf("action=\"" + path));
    Matcher fields = FIELD.matcher(form.substring(0, form.indexOf("</form>")));
    StringBuilder body = new StringBuilder();
    while (fields.find()) {
      body.append(body.isEmpty() ? "" : "&").append(fields.group(1)).append('=');
      body.append(fields.group(2));
    }
    return send(
        request(path)
            .header("content-type", "application/x-www-form-urlencoded")
            .header("sec-fetch-site", "same-origin")
            .POST(HttpRequest.BodyPublishers.ofString(body.toString())));
  }

  @Test
  void shouldShowWhatHappensInTheQueue() {
    queue.policies().put(QueuePolicy.of("mail").attempts(1));
    for (int i = 0; i < 5; i++) {
      queue.modify(Modification.insert("mail", "x")).orThrow();
      Task task = queue.tryClaim(Claim.from("mail").withClaimant("worker 7")).orElseThrow();
      queue
          .modify(
              Modification.fail(task, "mailbox %d is full".formatted(i)).withClaimant("worker 7"))
          .orThrow();
    }
    queue.modify(Modification.insert("mail", "x")).orThrow();
    Task held = queue.tryClaim(Claim.from("mail").withClaimant("worker 7")).orElseThrow();
    assertThat(awaitPage("/console/queues?q=ma", ">mail</a>")).contains(">mail/err</a>");
    assertThat(awaitPage("/console/workers?q=worker", "worker 7")).contains(held.id().text());
    String dead = awaitPage("/console/dead", "mail/err");
    assertThat(dead).contains("mailbox # is full", "failed too often");
    assertThat(click(dead, "Redrive these")).contains("5 tasks would go back");
  }

  @Test
  void shouldKnowWhatHappenedBeforeARestart(@TempDir Path directory) throws IOException {
    Task task;
    try (EmbeddedEntroQ before = EmbeddedEntroQ.open(directory)) {
      before.modify(Modification.insert("mail", "to: ann").withClaimant("app")).orThrow();
      task = before.tryClaim(Claim.from("mail").withClaimant("worker 7")).orElseThrow();
      before.modify(Modification.fail(task, "no").withClaimant("worker 7")).orThrow();
    }
    console.close();
    try (EmbeddedEntroQ after = EmbeddedEntroQ.open(directory)) {
      console = ConsoleServer.start(after);
      String page = awaitPage("/console/task?all=yes&id=" + task.id().text(), "down to its insert");
      assertThat(page).contains("Inserted into mail", "Claimed by worker 7", ">no");
      console.close();
    }
  }
}
