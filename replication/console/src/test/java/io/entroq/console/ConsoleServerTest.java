package io.entroq.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.service.testing.Await;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConsoleServerTest {
  private static final int TIMES = 100;

  @TempDir private Path directory;

  private static int get(String url) throws IOException, InterruptedException {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.discarding())
        .statusCode();
  }

  private static Set<String> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith("entroq-console") || name.startsWith("entroq-http"))
        .collect(Collectors.toSet());
  }

  @Test
  void shouldShowAnEmbeddedQueue() throws Exception {
    try (EmbeddedEntroQ queue = EmbeddedEntroQ.inMemory();
        ConsoleServer console = ConsoleServer.start(queue)) {
      assertThat(console.url()).matches("http://localhost:\\d+/console");
      assertThat(get(console.url())).isEqualTo(200);
    }
  }

  @Test
  void shouldDoWhatThePageShows() throws Exception {
    try (EmbeddedEntroQ queue = EmbeddedEntroQ.open(directory);
        ConsoleServer console = ConsoleServer.start(queue)) {
      System.out.println(console.url()); // http://localhost:40123/console
      assertThat(get(console.url())).isEqualTo(200);
    }
  }

  @Test
  void shouldLeaveNoThreadBehind() throws Exception {
    try (EmbeddedEntroQ queue = EmbeddedEntroQ.inMemory()) {
      for (int i = 0; i < TIMES; i++) {
        try (ConsoleServer console = ConsoleServer.start(queue)) {
          assertThat(console.url()).isNotEmpty();
        }
      }
      try (ConsoleServer console = ConsoleServer.start(queue)) {
        assertThat(get(console.url())).isEqualTo(200);
      }
    }
    Await.until("no thread of a console is left", () -> threads().isEmpty());
  }
}
