package io.entroq.service.grpc;

import static io.entroq.service.grpc.ServedQueue.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.Policies;
import io.entroq.api.QueuePolicy;
import io.entroq.api.Task;
import io.entroq.api.TaskId;
import io.entroq.api.TaskQuery;
import io.entroq.codec.wire.published.v1.ChangeMode;
import io.entroq.codec.wire.published.v1.ModifyRequest;
import io.entroq.codec.wire.published.v1.TaskChange;
import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.engine.time.ManualClock;
import io.grpc.Status;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Rules of queues hold for EntroQ's own clients, which know nothing of them and use no extension.
 */
class PoliciesOfOldClientsTest {
  private static final String ID = "12345678-9abc-4def-8123-456789abcdef";
  private static final Duration LEASE = Duration.ofSeconds(30);
  private static final Duration HOUR = Duration.ofHours(1);

  /** The clients' protocols. */
  enum Protocol {
    V0,
    ONE,
    TWO
  }

  private final ManualClock clock = new ManualClock(Instant.parse("2026-01-01T00:00:00Z"));
  private final ServedQueue served =
      new ServedQueue(EmbeddedConfig.inMemory().clock(clock).build());
  private final WireClient two = WireClient.declaring(served.server.port(), "2");

  @AfterEach
  void close() {
    two.close();
    served.close();
  }

  /** What is due by then has happened when this returns. */
  private void advance(Duration time) {
    clock.advance(time);
    assertThat(served.queue.time()).isEqualTo(clock.now());
  }

  private Task task() {
    return served.queue.tasks(TaskQuery.withIds(TaskId.of(ID))).get(0);
  }

  private OldClient client(Protocol protocol) {
    return switch (protocol) {
      case V0 -> new ClientOfV0(new V0(served.client));
      case ONE -> new ClientOfV1(new V1(served.client), false);
      case TWO -> new ClientOfV1(new V1(two), true);
    };
  }

  @ParameterizedTest
  @EnumSource
  void shouldKeepAttributesOverRenewals(Protocol protocol) {
    OldClient client = client(protocol);
    served.queue.policies().put(QueuePolicy.of("q").timeToLive(HOUR).lapses(3));
    Insert insert = Insert.into("q").withId(ID).withTrace("00-trace-01");
    served.queue.modify(Modification.insert(insert)).orThrow();
    Instant expires = clock.now().plus(HOUR);
    assertThat(client.claim("q")).isPresent();
    advance(LEASE);
    assertThat(task().lapses()).isEqualTo(1);

    Held held = client.claim("q").orElseThrow();
    while (clock.now().plus(LEASE).isBefore(expires)) {
      advance(LEASE.dividedBy(2));
      held = client.renew(held);
      assertThat(task().isInFlight()).isTrue();
      assertThat(task().lapses()).isEqualTo(1);
      assertThat(task().expires()).contains(expires);
      assertThat(task().trace()).isEqualTo("00-trace-01");
    }
    // A renewal does not lengthen its life.
    advance(LEASE);
    Held late = held;
    assertThat(refusal(() -> client.delete(late)).getStatus().getCode())
        .isEqualTo(Status.Code.NOT_FOUND);
  }

  @ParameterizedTest
  @EnumSource
  void shouldStartNoMoreThanTheRateAllows(Protocol protocol) {
    OldClient client = client(protocol);
    Duration interval = Duration.ofSeconds(10);
    served.queue.policies().put(QueuePolicy.of("q").rate(1, interval).burst(2));
    for (int i = 0; i < 4; i++) {
      client.insert("q", ID.replace("12345678", "1234567" + i));
    }
    client.delete(client.claim("q").orElseThrow());
    Held second = client.claim("q").orElseThrow();
    assertThat(client.claim("q")).isEmpty();
    advance(interval.minusMillis(1));
    assertThat(client.claim("q")).isEmpty();
    advance(Duration.ofMillis(1));
    assertThat(client.claim("q")).isPresent();
    // A renewal is no start.
    client.renew(second);
    advance(interval);
    assertThat(client.claim("q")).isPresent();
  }

  @ParameterizedTest
  @EnumSource
  void shouldHoldNoMoreThanMayBeInFlight(Protocol protocol) {
    OldClient client = client(protocol);
    served.queue.policies().put(QueuePolicy.of("q").inFlight(1));
    client.insert("q", ID);
    client.insert("q", ID.replace('1', '2'));
    Held first = client.claim("q").orElseThrow();
    advance(LEASE.dividedBy(2));
    first = client.renew(first);
    advance(LEASE.dividedBy(2));
    assertThat(client.claim("q")).isEmpty();
    client.delete(first);
    assertThat(client.claim("q")).isPresent();
    assertThat(client.claim("q")).isEmpty();
    advance(LEASE);
    assertThat(client.claim("q")).isPresent();
    assertThat(client.claim("q")).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void shouldRetryAndDieAsThePolicySays(Protocol protocol) {
    OldClient client = client(protocol);
    served.queue.policies().put(retrying().attempts(2));
    client.insert("q", ID);
    client.fail(client.claim("q").orElseThrow(), "no");
    assertThat(task().attempt()).isEqualTo(1);
    assertThat(task().err()).isEqualTo("no");
    assertThat(task().arrivalTime()).isEqualTo(clock.now().plus(HOUR));

    advance(HOUR);
    client.fail(client.claim("q").orElseThrow(), "still no");
    assertDied(Task.DeadReason.FAILED);
    assertThat(task().attempt()).isEqualTo(2);
    // It is found where these clients look for it, and handed out to them.
    client.delete(client.claim("q/err").orElseThrow());
  }

  @ParameterizedTest
  @EnumSource
  void shouldDieAfterLapses(Protocol protocol) {
    OldClient client = client(protocol);
    served.queue.policies().put(retrying().lapses(2));
    client.insert("q", ID);
    for (int i = 0; i < 2; i++) {
      assertThat(task().queue()).isEqualTo("q");
      assertThat(client.claim("q")).isPresent();
      advance(LEASE);
    }
    assertDied(Task.DeadReason.LAPSED);
  }

  @ParameterizedTest
  @EnumSource
  void shouldGetNothingFromAPausedQueue(Protocol protocol) {
    OldClient client = client(protocol);
    served.queue.policies().pause(Policies.Target.prefix("q"), HOUR);
    client.insert("q", ID);
    assertThat(client.claim("q")).isEmpty();
    advance(HOUR);
    client.delete(client.claim("q").orElseThrow());
  }

  private static QueuePolicy retrying() {
    return QueuePolicy.of("q").retry(QueuePolicy.Retry.constant(HOUR));
  }

  private void assertDied(Task.DeadReason reason) {
    assertThat(task().queue()).isEqualTo("q/err");
    assertThat(task().origin()).contains("q");
    assertThat(task().reason()).contains(reason);
    assertThat(task().deadAt()).contains(clock.now());
  }

  /** A task as its holder knows it. */
  private record Held(String queue, String id, int version, int attempt) {}

  /** What the workers of EntroQ do with a task. */
  private interface OldClient {
    void insert(String queue, String id);

    Optional<Held> claim(String queue);

    Held renew(Held task);

    /** For another try at once. */
    void fail(Held task, String err);

    void delete(Held task);
  }

  private final class ClientOfV0 implements OldClient {
    private final V0 v0;

    ClientOfV0(V0 v0) {
      this.v0 = v0;
    }

    @Override
    public void insert(String queue, String id) {
      v0.insert(V0.data(queue).setId(id));
    }

    @Override
    public Optional<Held> claim(String queue) {
      var response = v0.tryClaim(V0.BOB, queue);
      return response.hasTask() ? Optional.of(held(response.getTask())) : Optional.empty();
    }

    private static Held held(io.entroq.codec.wire.published.v0.Task task) {
      return new Held(task.getQueue(), task.getId(), task.getVersion(), task.getAttempt());
    }

    private Held change(Held task, io.entroq.codec.wire.published.v0.TaskData.Builder data) {
      var change =
          io.entroq.codec.wire.published.v0.TaskChange.newBuilder()
              .setOldId(id(task))
              .setNewData(data.setId(task.id()));
      return held(v0.modify(V0.by(V0.BOB).addChanges(change)).getChanged(0));
    }

    private static io.entroq.codec.wire.published.v0.TaskID.Builder id(Held task) {
      return io.entroq.codec.wire.published.v0.TaskID.newBuilder()
          .setId(task.id())
          .setVersion(task.version());
    }

    @Override
    public Held renew(Held task) {
      return change(
          task,
          V0.data(task.queue())
              .setAtMs(clock.nowMs() + LEASE.toMillis())
              .setAttempt(task.attempt()));
    }

    @Override
    public void fail(Held task, String err) {
      Held unused = change(task, V0.data(task.queue()).setAttempt(task.attempt() + 1).setErr(err));
    }

    @Override
    public void delete(Held task) {
      v0.modify(V0.by(V0.BOB).addDeletes(id(task)));
    }
  }

  private final class ClientOfV1 implements OldClient {
    private final V1 v1;
    private final boolean isOfProtocolTwo;

    ClientOfV1(V1 v1, boolean isOfProtocolTwo) {
      this.v1 = v1;
      this.isOfProtocolTwo = isOfProtocolTwo;
    }

    @Override
    public void insert(String queue, String id) {
      v1.insert(queue, id);
    }

    @Override
    public Optional<Held> claim(String queue) {
      var response = v1.tryClaim("bob", queue);
      return response.hasTask() ? Optional.of(held(response.getTask())) : Optional.empty();
    }

    private static Held held(io.entroq.codec.wire.published.v1.Task task) {
      return new Held(task.getQueue(), task.getId(), task.getVersion(), task.getAttempt());
    }

    private static io.entroq.codec.wire.published.v1.TaskID.Builder id(Held task) {
      return io.entroq.codec.wire.published.v1.TaskID.newBuilder()
          .setId(task.id())
          .setVersion(task.version())
          .setQueue(task.queue());
    }

    private static ModifyRequest.Builder byBob() {
      return ModifyRequest.newBuilder().setClaimantId("bob");
    }

    @Override
    public Held renew(Held task) {
      TaskChange.Builder change = TaskChange.newBuilder().setOldId(id(task));
      if (isOfProtocolTwo) {
        change.setMode(ChangeMode.CHANGE_LEASE).getNewDataBuilder().setByMs(LEASE.toMillis());
      } else {
        change.setNewData(
            V1.data(task.queue())
                .setId(task.id())
                .setAtMs(clock.nowMs() + LEASE.toMillis())
                .setAttempt(task.attempt()));
      }
      return held(v1.modify(byBob().addChanges(change)).getChanged(0));
    }

    @Override
    public void fail(Held task, String err) {
      TaskChange.Builder change = TaskChange.newBuilder().setOldId(id(task));
      change
          .getNewDataBuilder()
          .setQueue(task.queue())
          .setId(task.id())
          .setAttempt(task.attempt() + 1)
          .setErr(err);
      if (isOfProtocolTwo) {
        change.setMode(ChangeMode.CHANGE_RESET_CLAIMS);
      } else {
        change.getNewDataBuilder().setAtMs(ServedQueue.GO_NO_TIME_MS);
      }
      v1.modify(byBob().addChanges(change));
    }

    @Override
    public void delete(Held task) {
      v1.modify(byBob().addDeletes(id(task)));
    }
  }
}
