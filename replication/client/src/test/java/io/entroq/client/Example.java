package io.entroq.client;

import io.entroq.api.Claim;
import io.entroq.api.EntroQ;
import io.entroq.api.Modification;
import io.entroq.api.Task;
import io.entroq.api.feed.Effect;
import io.entroq.api.feed.Feed;
import io.entroq.api.feed.FeedIterator;
import io.entroq.api.feed.FeedQuery;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** What the page of this module shows. Not run, as it names servers that are not there. */
final class Example {
  /** An application's own. */
  interface Tokens {
    String current();
  }

  private Example() {}

  static void connect() throws InterruptedException {
    try (EntroQ queue = EntroQ.connect("localhost:37706")) {
      queue.modify(Modification.insert("inbox", "hello")).orThrow();
      Task task = queue.claim(Claim.from("inbox"));
      queue.modify(Modification.delete(task)).orThrow();
    }
  }

  static EntroQ connectWithOptions(Tokens tokens) {
    return EntroQClient.connect(
        ClientConfig.to("queue-1:37706", "queue-2:37706")
            .tls(Path.of("ca.pem"))
            .token(tokens::current)
            .callTimeout(Duration.ofSeconds(10))
            .build());
  }

  static EntroQ connectLazily() {
    EntroQ queue = EntroQClient.connectLazily("localhost:37706");
    return queue;
  }

  static EntroQ connectToACluster() {
    EntroQ queue = EntroQ.connect("queue-1:37706,queue-2:37706,queue-3:37706");
    return queue;
  }

  private static void handle(Effect effect) {
    System.out.println(effect);
  }

  static void follow(EntroQ queue) throws InterruptedException {
    FeedQuery query = FeedQuery.fromNow().queues("inbox").build();
    try (FeedIterator feed = Feed.of(queue).iterator(query)) {
      for (Optional<Effect> next = feed.next(); next.isPresent(); next = feed.next()) {
        handle(next.get());
      }
    }
  }
}
