package io.entroq.engine.embedded;

import static io.entroq.engine.embedded.GatewayCalls.claim;
import static io.entroq.engine.embedded.GatewayCalls.slice;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.api.Modification;
import io.entroq.api.QueueQuery;
import io.entroq.api.QueueStats;
import io.entroq.api.Task;
import io.entroq.api.TaskQuery;
import io.entroq.codec.command.ClaimEncoder;
import io.entroq.codec.command.ModifyEncoder;
import io.entroq.codec.command.TaskDataFields;
import io.entroq.codec.message.IdFields;
import io.entroq.codec.result.ResultCodes;
import io.entroq.engine.embedded.GatewayCalls.Heard;
import io.entroq.engine.gateway.ClaimWriter;
import io.entroq.engine.gateway.Gateway;
import io.entroq.engine.gateway.Identity;
import io.entroq.engine.gateway.RevocableClaim;
import java.nio.charset.StandardCharsets;
import org.agrona.ExpandableArrayBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Claims that do not wait, also inside a Modify, whose callers go or cannot be told. */
class GatewayGiveBackTest {
  private static final Identity OWN = new Identity(7, 8, 1, 1);

  private final EmbeddedEntroQ queue = EmbeddedEntroQ.inMemory();
  private final Gateway gateway = queue.gateway();

  @AfterEach
  void close() {
    queue.close();
  }

  @Test
  void shouldGiveBackUntilItIsSettled() {
    insert("q");
    Heard first = new Heard();
    RevocableClaim dead = gateway.claim(0, claim("q"), first);
    assertThat(first.await().version).isEqualTo(1);
    dead.cancel();
    Await.until("the task is back", () -> stats().available() == 1);
    assertThat(stats().maxClaims()).isZero();

    Heard second = new Heard();
    RevocableClaim alive = gateway.claim(0, claim("q"), second);
    assertThat(second.await().version).isEqualTo(3);
    alive.settle();
    alive.cancel();
    awaitAsleep();
    assertThat(stats().available()).isZero();
    assertThat(queue.engine().entrance().lanes().made()).isEqualTo(1);
  }

  @Test
  void shouldTakeNothingForWhoGoesBeforeTheAnswer() {
    insert("q");
    for (int i = 0; i < 1_000; i++) {
      gateway.claim(0, claim("q"), new Heard()).cancel();
    }
    awaitAsleep();
    assertThat(stats().available()).isEqualTo(1);
    assertThat(stats().maxClaims()).isZero();
  }

  @Test
  void shouldLogNoClaimThatFindsNothing() {
    long before = queue.engine().stats().appendedSequence();
    for (int i = 0; i < 10; i++) {
      Heard empty = new Heard();
      RevocableClaim claim = gateway.claim(0, claim("q"), empty);
      assertThat(empty.await().code).isEqualTo(ResultCodes.EMPTY);
      claim.settle();
    }
    assertThat(queue.engine().stats().appendedSequence()).isEqualTo(before);
    insert("q");
    Heard found = new Heard();
    gateway.claim(0, claim("q"), found);
    assertThat(found.await().claimed).isEqualTo(1);
  }

  @Test
  void shouldUseTheNumberAgainOfAClaimThatWasNeverLogged() {
    assertThatThrownBy(
            () ->
                gateway.claim(
                    0,
                    (buffer, identity) -> {
                      throw new IllegalArgumentException("not written");
                    },
                    new Heard()))
        .hasMessage("not written");
    for (int i = 0; i < 2; i++) {
      Heard empty = new Heard();
      RevocableClaim claim = gateway.claim(0, numbered(1, claim("q")), empty);
      assertThat(empty.await().code).isEqualTo(ResultCodes.EMPTY);
      claim.settle();
    }
    insert("q");
    Heard found = new Heard();
    gateway.claim(0, numbered(1, claim("q")), found);
    assertThat(found.await().claimed).isEqualTo(1);
    assertThat(queue.engine().entrance().lanes().made()).isEqualTo(1);
  }

  /** Demands that a claim gets a certain number. */
  private static ClaimWriter numbered(long number, ClaimWriter writer) {
    return (buffer, identity) -> {
      assertThat(identity.number()).isEqualTo(number);
      return writer.write(buffer, identity);
    };
  }

  @Test
  void shouldKeepWhatAModifyHasDoneAndGiveBackWhatItHasClaimed() {
    insert("q");
    Heard heard = new Heard();
    RevocableClaim modify = gateway.claimingModify(0, 1 << 20, insertAndClaim("made", "q"), heard);
    assertThat(heard.await().claimed).isEqualTo(1);
    modify.cancel();
    Await.until("the task is back", () -> stats().available() == 1);
    assertThat(queue.tasks(TaskQuery.in("made"))).hasSize(1);

    long before = queue.engine().stats().appendedSequence();
    Heard refused = new Heard();
    gateway.claimingModify(0, 1 << 20, insertAndClaim("made", "q"), refused);
    assertThat(refused.await().code).isEqualTo(ResultCodes.DEPENDENCY);
    assertThat(queue.engine().stats().appendedSequence()).isEqualTo(before);
  }

  @Test
  void shouldGiveBackWhatCannotBeToldWhoseverIdentityItHas() {
    insert("q");
    Heard lost = new Heard();
    gateway.claim(OWN, 0, claim("q"), lost);
    assertThat(lost.await().claimed).isEqualTo(1);
    Heard again = new Heard();
    RevocableClaim claim = gateway.claim(OWN, 0, claim("q"), again);
    assertThat(again.await().version).isEqualTo(lost.version);
    claim.cancel();
    awaitAsleep();
    assertThat(stats().available()).isZero();

    Heard large = new Heard();
    RevocableClaim refused = gateway.claim(OWN, 0, claim("q"), large);
    large.await();
    refused.refuse();
    Await.until("the task is back", () -> stats().available() == 1);
    refused.settle();
    Heard late = new Heard();
    gateway.claim(OWN, 0, claim("q"), late);
    assertThat(late.await().code).isEqualTo(ResultCodes.CANCELLED);
    Task task = queue.tasks(TaskQuery.in("q")).get(0);
    assertThat(task.version()).isEqualTo(2);
    assertThat(task.claims()).isZero();
  }

  @Test
  void shouldNotSettleOrRefuseWhatHasNoAnswer() {
    RevocableClaim claim = gateway.waitingClaim(0, GatewayCalls.waitingClaim("q"), new Heard());
    assertThatThrownBy(claim::settle).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(claim::refuse).isInstanceOf(IllegalStateException.class);
    claim.cancel();
    claim.refuse();
  }

  private static ClaimWriter insertAndClaim(String into, String from) {
    return (buffer, identity) -> {
      ExpandableArrayBuffer inner = new ExpandableArrayBuffer();
      int length = new ClaimEncoder().wrap(inner, 0).queue(slice(from)).leaseMs(60_000).length();
      IdFields id = new IdFields();
      id.set(0, 4_711);
      TaskDataFields data = new TaskDataFields();
      data.queue().wrap(into.getBytes(StandardCharsets.UTF_8));
      return new ModifyEncoder()
          .wrap(buffer, 0)
          .identity(
              identity.clientHigh(), identity.clientLow(), identity.number(), identity.ackedBelow())
          .insert(id, data)
          .thenClaim(inner, 0, length)
          .length();
    };
  }

  private void insert(String name) {
    queue.modify(Modification.insert(name, "v")).orThrow();
  }

  private QueueStats stats() {
    return queue.queueStats(QueueQuery.named("q")).get("q");
  }

  private void awaitAsleep() {
    Await.until("the engine is idle", () -> queue.engine().isAsleep());
  }
}
