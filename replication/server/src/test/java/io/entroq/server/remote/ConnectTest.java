package io.entroq.server.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.api.Claim;
import io.entroq.api.EntroQ;
import io.entroq.api.EntroQException;
import io.entroq.api.Modification;
import io.entroq.api.QueueQuery;
import io.entroq.api.Task;
import io.entroq.api.Value;
import io.entroq.client.ClientConfig;
import io.entroq.client.EntroQClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** How a client comes to its server. */
@ParameterizedClass
@EnumSource(Over.class)
class ConnectTest {
  private static final Duration SOON = Duration.ofSeconds(25);

  @Parameter Over over;
  @TempDir Path directory;

  @Test
  void shouldFindTheClientOnTheClassPath() throws Exception {
    try (Served served = new Served(directory);
        EntroQ queue = EntroQ.connect("localhost:" + served.port())) {
      queue.modify(Modification.insert("inbox", "hello")).orThrow();
      assertThat(served.engine().queues(QueueQuery.all())).isEqualTo(Map.of("inbox", 1L));
    }
  }

  @Test
  void shouldGoToTheNextServerWhenOneIsNotThere() throws Exception {
    try (Served gone = new Served(directory.resolve("gone"));
        Served served = new Served(directory.resolve("there"))) {
      String first = "localhost:" + gone.port();
      gone.stop();
      try (EntroQ queue =
          EntroQClient.connect(
              ClientConfig.to(first, "localhost:" + served.port())
                  .streaming(over == Over.STREAM)
                  .build())) {
        queue.modify(Modification.insert("inbox", "hello")).orThrow();
      }
      assertThat(served.engine().queues(QueueQuery.all())).isEqualTo(Map.of("inbox", 1L));
    }
  }

  @Test
  void shouldSayThatNobodyIsThere() throws Exception {
    Served served = new Served(directory);
    served.stop();
    ClientConfig config = over.to(served.port()).connectTimeout(Duration.ofMillis(200)).build();
    assertThatThrownBy(() -> EntroQClient.connect(config))
        .isInstanceOf(EntroQException.Unavailable.class)
        .hasMessageContaining("localhost");
  }

  @Test
  void shouldUseAServerThatComesLater() throws Exception {
    Served served = new Served(directory);
    served.stop();
    ClientConfig config = over.to(served.port()).build();
    try (EntroQ queue = EntroQClient.connectLazily(config)) {
      assertThatThrownBy(() -> queue.withTimeout(Duration.ofMillis(300)).time())
          .isInstanceOf(EntroQException.Unavailable.class)
          .hasMessageStartingWith("no answer from localhost:" + served.port() + ": ")
          .hasMessageContaining("Connection refused");
      CompletableFuture<List<Task>> claim = queue.claimAsync(Claim.from("inbox"));
      CompletableFuture<?> insert = queue.modifyAsync(Modification.insert("inbox", "hello"));
      served.start();
      assertThat(insert).succeedsWithin(SOON);
      assertThat(claim.get(SOON.toSeconds(), TimeUnit.SECONDS)).hasSize(1);
      assertThat(queue.hasPolicies()).isTrue();
    }
    served.close();
  }

  @Test
  void shouldUseTheFirstOfSeveralServersThatComesLater() throws Exception {
    Served gone = new Served(directory.resolve("gone"));
    Served served = new Served(directory.resolve("there"));
    gone.stop();
    served.stop();
    ClientConfig config =
        ClientConfig.to("localhost:" + gone.port(), "localhost:" + served.port())
            .streaming(over == Over.STREAM)
            .build();
    try (EntroQ queue = EntroQClient.connectLazily(config)) {
      assertThatThrownBy(() -> queue.withTimeout(Duration.ofSeconds(1)).time())
          .isInstanceOf(EntroQException.Unavailable.class)
          .hasMessageContaining("localhost:" + gone.port() + " (UNAVAILABLE")
          .hasMessageContaining("localhost:" + served.port() + " (UNAVAILABLE");
      CompletableFuture<?> insert = queue.modifyAsync(Modification.insert("inbox", "hello"));
      served.start();
      assertThat(insert).succeedsWithin(SOON);
    }
    served.close();
  }

  @Test
  void shouldSayWhatIsTooLongForAServer() throws Exception {
    try (Served served = new Served(directory);
        EntroQ queue = served.connect(over)) {
      Value large = Value.bytes(new byte[2 << 20]);
      assertThatThrownBy(() -> queue.modify(Modification.insert("inbox", large)))
          .isInstanceOf(EntroQException.InvalidArgument.class)
          .hasMessageContaining("inserts[0]");
      Modification.Builder many = Modification.builder();
      for (int i = 0; i < 12; i++) {
        many.insert("inbox", Value.bytes(new byte[1_000_000]));
      }
      assertThatThrownBy(() -> queue.modify(many.build()))
          .isInstanceOf(EntroQException.InvalidArgument.class)
          .hasMessageContaining("requestBytesMax");
      queue.modify(Modification.insert("inbox", "small")).orThrow();
    }
  }
}
