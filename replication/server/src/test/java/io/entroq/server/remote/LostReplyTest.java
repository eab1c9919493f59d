package io.entroq.server.remote;

import static io.entroq.service.testing.Await.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.Claim;
import io.entroq.api.EntroQ;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.ModifyResult;
import io.entroq.api.QueueQuery;
import io.entroq.api.Task;
import io.entroq.api.TaskQuery;
import io.entroq.client.EntroQClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Requests that are done and whose replies do not arrive. */
@ParameterizedClass
@EnumSource(Over.class)
class LostReplyTest {
  @Parameter Over over;
  @TempDir Path directory;

  private Served served;
  private CuttingProxy proxy;
  private EntroQ queue;

  @BeforeEach
  void open() throws Exception {
    served = new Served(directory);
    proxy = new CuttingProxy(served.port());
    queue = Served.connect(proxy.port(), over);
  }

  @AfterEach
  void close() throws Exception {
    queue.close();
    proxy.close();
    served.close();
  }

  private long tasks(String name) {
    return served.engine().queues(QueueQuery.all()).getOrDefault(name, 0L);
  }

  @Test
  void shouldLearnWhatBecameOfAModify() throws Exception {
    queue.modify(Modification.insert("inbox", "first")).orThrow();
    proxy.loseReplies();
    CompletableFuture<ModifyResult> insert =
        queue.modifyAsync(Modification.insert("inbox", "second"));
    until("it is done", () -> tasks("inbox") == 2);
    proxy.cut();

    Task task = insert.get(10, TimeUnit.SECONDS).orThrow().inserted().get(0);

    assertThat(tasks("inbox")).isEqualTo(2);
    assertThat(served.engine().tasks(TaskQuery.withIds(task.id()))).containsExactly(task);
  }

  @Test
  void shouldLearnWhyAModifyFailed() throws Exception {
    Task task = queue.modify(Modification.insert("inbox", "x")).orThrow().inserted().get(0);
    proxy.loseReplies();
    CompletableFuture<ModifyResult> delete = queue.modifyAsync(Modification.delete(task));
    CompletableFuture<ModifyResult> again = queue.modifyAsync(Modification.delete(task));
    until("it is done", () -> tasks("inbox") == 0);
    proxy.cut();

    assertThat(delete.get(10, TimeUnit.SECONDS).isCommitted()).isTrue();
    assertThat(again.get(10, TimeUnit.SECONDS))
        .isInstanceOf(ModifyResult.DependencyFailure.class)
        .matches(failure -> ((ModifyResult.DependencyFailure) failure).concerns(task.id()));
  }

  @Test
  void shouldGetTheTaskThatItHasClaimedAlready() throws Exception {
    queue.modify(Modification.insert("inbox", "x")).orThrow();
    proxy.loseReplies();
    CompletableFuture<List<Task>> tried = queue.tryClaimAsync(Claim.from("inbox"));
    until(
        "the engine has done it",
        () -> served.engine().tasks(TaskQuery.in("inbox")).get(0).claims() == 1);
    proxy.cut();

    assertThat(tried.get(10, TimeUnit.SECONDS).get(0).claims()).isEqualTo(1);
  }

  @Test
  void shouldGetTheTaskThatAWaitingClaimWasGiven() throws Exception {
    CompletableFuture<List<Task>> claim = queue.claimAsync(Claim.from("inbox"));
    until("the claim waits", () -> served.blockedClaims() == 1);
    proxy.loseReplies();
    served.engine().modify(Modification.insert("inbox", "x")).orThrow();
    proxy.cut();

    assertThat(claim.get(10, TimeUnit.SECONDS).get(0).claims()).isEqualTo(1);
  }

  @Test
  void shouldLeaveNothingClaimedByACancelledClaimWhoseReplyWasLost() throws Exception {
    CompletableFuture<List<Task>> claim = queue.claimAsync(Claim.from("inbox"));
    until("the claim waits", () -> served.blockedClaims() == 1);
    proxy.loseReplies();
    served.engine().modify(Modification.insert("inbox", "x")).orThrow();

    assertThat(claim.cancel(false)).isTrue();
    proxy.cut();

    until(
        "the engine has done it",
        () -> served.engine().tasks(TaskQuery.in("inbox")).get(0).claims() == 0);
  }

  @Test
  @Tag("long")
  @Timeout(180)
  void shouldNoticeAConnectionThatIsDead() throws Exception {
    queue.close();
    queue =
        EntroQClient.connect(
            over.to(proxy.port()).keepAlive(Duration.ofSeconds(10), Duration.ofSeconds(2)).build());
    CompletableFuture<List<Task>> claim = queue.claimAsync(Claim.from("inbox"));
    until("the claim waits", () -> served.blockedClaims() == 1);
    proxy.fallSilent();
    CompletableFuture<ModifyResult> insert = queue.modifyAsync(Modification.insert("inbox", "x"));

    // The client asks after 10 s, and sends both again over another connection.
    assertThat(insert.get(25, TimeUnit.SECONDS).isCommitted()).isTrue();
    assertThat(claim.get(5, TimeUnit.SECONDS).get(0).claims()).isEqualTo(1);
    assertThat(served.connections()).isEqualTo(2);
    // The server asks after 60 s, and gives up after 20 more.
    until("the server has noticed", Duration.ofSeconds(100), () -> served.connections() == 1);
  }

  @Test
  void shouldDoEachThingOnceHoweverOftenConnectionsBreak() throws Exception {
    int count = 400;
    List<CompletableFuture<ModifyResult>> inserts = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      inserts.add(
          queue.modifyAsync(Modification.insert(Insert.into("inbox").withValue("task " + i))));
      if (i % 40 == 20) {
        proxy.loseReplies();
      }
      if (i % 40 == 30) {
        proxy.cut();
      }
    }
    proxy.cut();
    for (CompletableFuture<ModifyResult> insert : inserts) {
      assertThat(insert.get(30, TimeUnit.SECONDS).isCommitted()).isTrue();
    }
    assertThat(served.engine().queues(QueueQuery.all())).isEqualTo(Map.of("inbox", (long) count));
  }
}
