package io.entroq.server.remote;

import static io.entroq.service.testing.Await.until;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.protobuf.ByteString;
import io.entroq.api.Claim;
import io.entroq.api.EntroQ;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.QueueQuery;
import io.entroq.api.QueueStats;
import io.entroq.api.Task;
import io.entroq.api.Value;
import io.entroq.client.EntroQClient;
import io.entroq.codec.wire.published.stream.StreamRequest;
import io.entroq.server.cli.Cli;
import io.entroq.server.cli.ServerProcess;
import io.entroq.service.grpc.RawStream;
import io.entroq.service.grpc.V1;
import io.entroq.service.grpc.WireClient;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Leases of callers with an identity who say nothing more, and a server that is killed then. */
class KilledLeaseIT {
  private static final Duration LEASE = Duration.ofHours(1);

  @TempDir Path data;

  private ServerProcess server;

  @AfterEach
  void end() throws IOException {
    if (server != null) {
      server.close();
    }
  }

  @Test
  void shouldKeepTheLeasesOfThoseWhoHaveHadTheirAnswers() throws Exception {
    start(0);
    List<EntroQ> clients = new ArrayList<>();
    List<Task> held = new ArrayList<>();
    try {
      for (Over over : Over.values()) {
        EntroQ queue = EntroQClient.connect(over.to(server.port()).build());
        clients.add(queue);
        queue.modify(inserts(3)).orThrow();
        held.add(queue.claim(Claim.from("q").withLease(LEASE)));
        held.add(queue.tryClaim(Claim.from("q").withLease(LEASE)).orElseThrow());
        held.add(
            queue
                .modify(
                    Modification.builder()
                        .insert(Insert.into("beside"))
                        .thenClaim(Claim.from("q").withLease(LEASE))
                        .build())
                .orThrow()
                .claimed()
                .get(0));
      }
      // Of each client the try is acknowledged by the Modify behind it.
      until("the log says that the rest has left", () -> delivered() == 2L * clients.size());

      server.kill();
      start(server.port());

      assertThat(stats(clients.get(0), "q").available()).isZero();
      for (int i = 0; i < held.size(); i++) {
        clients.get(i / 3).modify(Modification.delete(held.get(i))).orThrow();
      }
    } finally {
      clients.forEach(EntroQ::close);
    }
  }

  @Test
  void shouldGiveBackWhatAnAnswerHoldsThatHasNotLeft() throws Exception {
    start(0);
    try (EntroQ queue = EntroQ.connect("localhost:" + server.port());
        WireClient client = new WireClient(server.port());
        RawStream stream = RawStream.open(client, "0123456789abcdef")) {
      Insert large = Insert.into("large").withValue(Value.bytes(new byte[900_000]));
      queue.modify(Modification.builder().insert(large).insert(large).build()).orThrow();
      queue.modify(inserts(1)).orThrow();
      stream.send(tryClaim(3, "nothing"));
      stream.response();
      stream.pause();
      // This it takes still, as it had asked for one more message.
      stream.send(tryClaim(4, "nothing"));
      stream.response();
      // And now nothing, so that the second of these answers does not follow the first.
      stream.send(tryClaim(1, "large"));
      until("the large ones are claimed", () -> stats(queue, "large").available() == 0);
      stream.send(tryClaim(2, "q"));
      until("the other is claimed", () -> stats(queue, "q").available() == 0);
      until("the log says that the first has left", () -> delivered() == 1);
      server.kill();
    }
    start(server.port());
    try (EntroQ queue = EntroQ.connect("localhost:" + server.port())) {
      assertThat(stats(queue, "q").available()).isEqualTo(1);
      assertThat(stats(queue, "large").available()).isZero();
    }
  }

  private static StreamRequest.Builder tryClaim(long number, String queue) {
    return StreamRequest.newBuilder()
        .setNumber(number)
        .setTryClaim(
            V1.claim("c", queue)
                .setDurationMs(LEASE.toMillis())
                .setLimit(2)
                .setClientId(ByteString.copyFromUtf8("fedcba98" + "0000000" + number))
                .setRequestNumber(1));
  }

  private static Modification inserts(int count) {
    Modification.Builder modification = Modification.builder();
    for (int i = 0; i < count; i++) {
      modification.insert(Insert.into("q"));
    }
    return modification.build();
  }

  private static QueueStats stats(EntroQ queue, String name) {
    return queue.queueStats(QueueQuery.named(name)).get(name);
  }

  /** Of how many answers the log says that they have left. */
  private long delivered() {
    long count = 0;
    for (JsonNode line : Cli.run("log", "dump", data).lines()) {
      count += line.at("/command/delivered").size();
    }
    return count;
  }

  private void start(int port) throws IOException {
    server = ServerProcess.start(port, "--data", data.toString());
  }
}
