package io.entroq.client;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.api.Claim;
import io.entroq.api.DocClaim;
import io.entroq.api.DocQuery;
import io.entroq.api.EntroQException;
import io.entroq.api.Modification;
import io.entroq.api.NamespaceQuery;
import io.entroq.api.Policies;
import io.entroq.api.QueueQuery;
import io.entroq.api.TaskId;
import io.entroq.api.TaskQuery;
import io.entroq.api.feed.Feed;
import io.entroq.api.feed.FeedIterator;
import io.entroq.api.feed.FeedQuery;
import io.entroq.codec.wire.edge.TimeResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Calls for which the token supplier throws: all of them fail alike. */
class NoTokenTest {
  private static final Claim CLAIM = Claim.from("inbox");

  private StrictServer server;
  private ClientConfig config;
  private volatile Throwable trouble;

  @BeforeEach
  void start() throws Exception {
    server = new StrictServer("1,2");
    server.answering("Time", TimeResponse.newBuilder().setTimeMs(1).build());
    config = ClientConfig.to(server.address()).token(this::token).build();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private String token() {
    if (trouble instanceof Error error) {
      throw error;
    }
    if (trouble != null) {
      throw new IllegalStateException(trouble);
    }
    return "mine";
  }

  @Test
  void shouldRefuseEachCall() {
    try (EntroQClient client = EntroQClient.connect(config)) {
      Map<String, ThrowingCallable> calls = new TreeMap<>();
      calls.put("claim", () -> client.claim(CLAIM));
      calls.put("claim with a time", () -> client.withTimeout(Duration.ofMinutes(1)).claim(CLAIM));
      calls.put("tryClaim", () -> client.tryClaim(CLAIM));
      calls.put("modify", () -> client.modify(Modification.insert("inbox", "x")));
      calls.put("tasks", () -> client.tasks(TaskQuery.in("inbox")));
      calls.put("forEachTask", () -> client.forEachTask(TaskQuery.in("inbox"), task -> {}));
      calls.put("queues", () -> client.queues(QueueQuery.all()));
      calls.put("queueStats", () -> client.queueStats(QueueQuery.all()));
      calls.put("claimDocs", () -> client.claimDocs(DocClaim.of("users", "ann")));
      calls.put("docs", () -> client.docs(DocQuery.in("users")));
      calls.put("namespaces", () -> client.namespaces(NamespaceQuery.all()));
      calls.put("time", client::time);
      calls.put("policies", () -> client.policies().list(Policies.Query.all()));
      calls.put("position", () -> client.position(TaskId.of("a")));
      calls.put("feed", () -> nextOfFeed(client));
      calls.put("feedRange", client::feedRange);
      trouble = new IOException("no token");
      calls.forEach(NoTokenTest::assertRefused);
      trouble = new NoClassDefFoundError("no token");
      calls.forEach(NoTokenTest::assertRefused);
    }
  }

  private static void nextOfFeed(EntroQClient client) throws InterruptedException {
    try (FeedIterator feed = Feed.of(client).iterator(FeedQuery.fromNow().build())) {
      feed.next();
    }
  }

  @Test
  void shouldRefuseToConnect() {
    trouble = new IOException("no token");
    assertRefused("connect", () -> EntroQClient.connect(config).close());
  }

  @Test
  void shouldRefuseEachCallOfAnAdministrator() {
    trouble = new IOException("no token");
    try (AdminClient admin = AdminClient.of(config)) {
      assertRefused("status", admin::status);
      assertRefused(
          "backup",
          () -> {
            try (PieceStream<?> pieces = admin.backup(60_000)) {
              pieces.next();
            }
          });
      assertRefused(
          "image",
          () -> {
            try (PieceStream<?> pieces = admin.image(1, 0, 60_000)) {
              pieces.next();
            }
          });
    }
  }

  private static void assertRefused(String name, ThrowingCallable call) {
    assertThatThrownBy(call)
        .as(name)
        .isInstanceOf(EntroQException.PermissionDenied.class)
        .hasMessageStartingWith("the token supplier failed: ")
        .hasMessageEndingWith("no token");
  }
}
