package io.entroq.server.remote;

import static io.entroq.service.testing.Await.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.api.Claim;
import io.entroq.api.EntroQ;
import io.entroq.api.EntroQException;
import io.entroq.api.Modification;
import io.entroq.api.QueueQuery;
import io.entroq.api.Task;
import io.entroq.client.ClientConfig;
import io.entroq.client.EntroQClient;
import io.entroq.service.tls.ServerTls;
import io.entroq.service.tls.TestCertificates;
import io.entroq.service.tls.TestCertificates.Pair;
import io.entroq.service.tls.TlsFiles;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** A client that knows all members of a cluster, over connections that nobody else reads. */
@ParameterizedClass
@EnumSource(Over.class)
@Timeout(180)
class SecureMembersIT {
  @Parameter Over over;
  @TempDir Path temporary;

  private Pair trusted;
  private Pair other;
  private ServerTls tls;
  private Members members;

  @BeforeEach
  void serve() throws Exception {
    trusted = TestCertificates.ready(temporary, "server");
    other = TestCertificates.ready(temporary, "client");
    tls = ServerTls.read(new TlsFiles(trusted.certificate(), trusted.key(), Optional.empty()));
    members = new Members(3, Optional.of(tls));
  }

  @AfterEach
  void close() throws Exception {
    members.close();
    tls.close();
  }

  @Test
  void shouldGoFromMemberToMember() throws Exception {
    try (EntroQ queue = EntroQClient.connect(patient().tls(trusted.certificate()).build())) {
      CompletableFuture<List<Task>> claim = queue.claimAsync(Claim.from("late"));
      for (int gone = 0; gone < 2; gone++) {
        queue.modify(Modification.insert("inbox", "task")).orThrow();
        until("the claim waits", () -> members.blockedClaims() == 1);
        members.proxy(members.inUse()).close();
      }
      queue.modify(Modification.insert("inbox", "task")).orThrow();
      assertThat(queue.queues(QueueQuery.all())).containsEntry("inbox", 3L);
      queue.modify(Modification.insert("late", "x")).orThrow();
      assertThat(claim.get(60, TimeUnit.SECONDS).get(0).claims()).isEqualTo(1);
    }
  }

  /** One that takes nobody for gone who is only slow with a handshake. */
  private ClientConfig.Builder patient() {
    return members.config(over).silence(Duration.ofSeconds(20));
  }

  @Test
  void shouldTrustNoMemberThatSomebodyElseHasSignedFor() {
    assertThatThrownBy(
            () ->
                EntroQClient.connect(
                        members
                            .config(over)
                            .tls(other.certificate())
                            .connectTimeout(Duration.ofSeconds(1))
                            .build())
                    .close())
        .isInstanceOf(EntroQException.Unavailable.class);
  }
}
