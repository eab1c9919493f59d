package io.entroq.service.redrive;

import static io.entroq.service.testing.Await.until;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Message;
import io.entroq.api.Claim;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.QueuePolicy;
import io.entroq.api.QueueQuery;
import io.entroq.api.Task;
import io.entroq.api.TaskQuery;
import io.entroq.api.Value;
import io.entroq.codec.wire.edge.DeadReason;
import io.entroq.codec.wire.edge.FullQueue;
import io.entroq.codec.wire.edge.ModifyRequest;
import io.entroq.codec.wire.edge.RedriveRequest;
import io.entroq.codec.wire.edge.RedriveResponse;
import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.service.call.Call;
import io.entroq.service.call.CallContext;
import io.entroq.service.call.Headers;
import io.entroq.service.call.Method;
import io.entroq.service.call.Reply;
import io.entroq.service.call.Service;
import io.entroq.service.call.ServiceFilter;
import io.entroq.service.queue.BlockedClaims;
import io.entroq.service.queue.QueueService;
import io.entroq.service.translation.Facade;
import io.entroq.service.translation.Refusal;
import io.grpc.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RedriveServiceTest {
  private static final CallContext CONTEXT = CallContext.of("test");

  private final EmbeddedEntroQ queue = EmbeddedEntroQ.open(EmbeddedConfig.inMemory().build());
  private final Recording recording =
      new Recording(new QueueService(Facade.V1, queue.gateway(), new BlockedClaims(), 1 << 20));
  private final Service service = new RedriveService(recording, new Redrives());

  @AfterEach
  void close() {
    queue.close();
  }

  @Test
  void shouldMoveTasksBack() throws Exception {
    quarantine("inbox/err", 250);
    RedriveResponse response = run(from("inbox/err"));
    assertThat(response)
        .isEqualTo(
            RedriveResponse.newBuilder()
                .setExamined(250)
                .setMatched(250)
                .setMoved(250)
                .setComplete(true)
                .build());
    assertThat(recording.moves()).hasSize(3);
    assertThat(queue.tasks(TaskQuery.in("inbox")))
        .hasSize(250)
        .allMatch(task -> task.attempt() == 0 && task.err().isEmpty() && task.claims() == 0)
        .allMatch(task -> task.isAvailableAt(queue.time()) && task.claimant().isEmpty())
        .extracting(Task::text)
        .contains("value 0", "value 249");
  }

  @Test
  void shouldStopAtItsLimitAndContinue() throws Exception {
    quarantine("inbox/err", 1_150);
    assertThat(run(from("inbox/err").setLimit(120)).getMoved()).isEqualTo(120);
    RedriveResponse bounded = run(from("inbox/err"));
    assertThat(bounded.getMoved()).isEqualTo(1_000);
    assertThat(bounded.getComplete()).isFalse();
    RedriveResponse last = run(from("inbox/err"));
    assertThat(last.getMoved()).isEqualTo(30);
    assertThat(last.getComplete()).isTrue();
  }

  @Test
  void shouldReachItsLimitThoughOthersHoldSome() throws Exception {
    quarantine("inbox/err", 10);
    queue.tryClaimMany(Claim.from("inbox/err").withLimit(6).withClaimant("other"));
    RedriveResponse response = run(from("inbox/err").setLimit(4));
    assertThat(response.getMoved()).isEqualTo(4);
    assertThat(response.getHeld()).isLessThanOrEqualTo(6);
  }

  @Test
  void shouldCountInADryRun() throws Exception {
    quarantine("inbox/err", 5);
    RedriveResponse response = run(from("inbox/err").setDryRun(true).setErr("brok"));
    assertThat(response.getMatched()).isEqualTo(5);
    assertThat(response.getMoved()).isZero();
    assertThat(recording.moves()).isEmpty();
    assertThat(run(from("inbox/err").setDryRun(true).setLimit(2)).getMatched()).isEqualTo(2);
  }

  @Test
  void shouldReturnTasksByOriginAndReason() throws Exception {
    for (String name : List.of("a", "b")) {
      queue.policies().put(QueuePolicy.of(name).attempts(1).deadQueue("dead"));
      queue.modify(Modification.insert(name, name)).orThrow();
      queue.modify(Modification.fail(queue.tryClaim(Claim.from(name)).orElseThrow(), "no"));
    }
    quarantine("dead", 1);
    assertThat(run(from("dead").setReason(DeadReason.DEAD_LAPSED)).getMatched()).isZero();
    assertThat(run(from("dead").setOrigin("a").setNewerThanMs(3_600_000)).getMoved()).isEqualTo(1);
    RedriveResponse rest = run(from("dead"));
    assertThat(rest.getMoved()).isEqualTo(1);
    assertThat(rest.getUnplaced()).isEqualTo(1);
    assertThat(rest.getComplete()).isTrue();
    assertThat(queue.tasks(TaskQuery.in("a")).get(0).attributes())
        .isEqualTo(Task.Attributes.none());
    assertThat(queue.tasks(TaskQuery.in("b"))).hasSize(1);
    assertThat(run(from("dead").setTo("c").setAttemptsMin(5)).getMoved()).isEqualTo(1);
  }

  @Test
  void shouldReturnTasksOfAnExactShape() throws Exception {
    queue.policies().put(QueuePolicy.of("q").attempts(1).deadQueue("dead"));
    for (String err : List.of("order 1: timeout", "order 22: timeout", "order 3: timeout!", "")) {
      queue.modify(Modification.insert("q", "1")).orThrow();
      queue.modify(Modification.fail(queue.tryClaim(Claim.from("q")).orElseThrow(), err));
    }
    queue
        .modify(Modification.insert(Insert.into("dead").withAttempt(1, "order 4: timeout")))
        .orThrow();
    assertThat(run(from("dead").setShape("order #: timeout").setDryRun(true)).getMatched())
        .isEqualTo(3);
    RedriveResponse moved = run(from("dead").setShape("order #: timeout").setOrigin("q"));
    assertThat(moved.getMoved()).isEqualTo(2);
    assertThat(run(from("dead").setShape("").setDryRun(true)).getMatched()).isEqualTo(1);
    assertThat(run(from("dead").setWithoutOrigin(true).setDryRun(true)).getMatched()).isEqualTo(1);
    assertThat(queue.queues(QueueQuery.all())).isEqualTo(Map.of("q", 2L, "dead", 3L));
  }

  @Test
  void shouldMoveWhatFitsAndNameTheQueueThatIsFull() throws Exception {
    String full = "queue b has none";
    for (String name : List.of(full, "b")) {
      queue.policies().put(QueuePolicy.of(name).attempts(1).deadQueue("dead"));
      for (int i = 0; i < 70; i++) {
        queue.modify(Modification.insert(name, name)).orThrow();
        queue.modify(Modification.fail(queue.tryClaim(Claim.from(name)).orElseThrow(), "no"));
      }
    }
    queue.policies().put(QueuePolicy.of(full).maxTasks(9));
    RedriveResponse response = run(from("dead"));
    assertThat(response.getMoved()).isEqualTo(79);
    assertThat(response.getComplete()).isTrue();
    assertThat(response.getFullList())
        .containsExactly(FullQueue.newBuilder().setQueue(full).setTasks(61).build());
    assertThat(queue.queues(QueueQuery.all())).isEqualTo(Map.of(full, 9L, "b", 70L, "dead", 61L));
    assertThat(run(from("dead").setLimit(5)).getFull(0).getTasks()).isPositive();
    assertThat(recording.moves()).hasSizeLessThan(40);
  }

  @Test
  void shouldSkipClaimedAndChangedTasks() throws Exception {
    List<Task> tasks = quarantine("inbox/err", 150);
    queue.tryClaimMany(Claim.from("inbox/err").withLimit(10).withClaimant("other"));
    recording.beforeFirstMove =
        () -> {
          for (Task task : queue.tasks(TaskQuery.in("inbox/err").notLeasedByOthersThan("me"))) {
            if (task.id().equals(tasks.get(149).id())) {
              queue.modify(Modification.delete(task));
            }
          }
        };
    RedriveResponse response = run(from("inbox/err"));
    assertThat(response.getHeld()).isEqualTo(10);
    assertThat(response.getMoved() + response.getChanged() + response.getHeld())
        .isEqualTo(response.getMatched());
    assertThat(queue.tasks(TaskQuery.in("inbox/err"))).hasSize(10);
  }

  @Test
  void shouldMoveLargeAndNamedTasks() throws Exception {
    for (int i = 0; i < 5; i++) {
      queue
          .modify(
              Modification.insert(
                  Insert.into("q/err").withId("t" + i).withValue(Value.bytes(new byte[700_000]))))
          .orThrow();
    }
    assertThat(run(from("q/err").addTaskId("t1").addTaskId("none")).getMoved()).isEqualTo(1);
    assertThat(run(from("q/err")).getMoved()).isEqualTo(4);
    assertThat(recording.moves()).hasSize(5);
  }

  @Test
  void shouldMoveAtARate() throws Exception {
    quarantine("q/err", 6);
    long begin = System.nanoTime();
    assertThat(run(from("q/err").setRate(50)).getMoved()).isEqualTo(6);
    assertThat(System.nanoTime() - begin).isGreaterThanOrEqualTo(Duration.ofMillis(95).toNanos());
  }

  @Test
  void shouldEndBeforeTheDeadlineOfItsCaller() throws Exception {
    quarantine("q/err", 3);
    CallContext hurried =
        new CallContext("test", Headers.NONE, OptionalLong.of(System.nanoTime() + 20_000_000_000L));
    Heard heard = new Heard();
    service.handle(Method.REDRIVE, hurried, from("q/err").setRate(1).setLimit(3).build(), heard);
    assertThat(heard.get().getMoved()).isEqualTo(3);
    CallContext late =
        new CallContext("test", Headers.NONE, OptionalLong.of(System.nanoTime() - 1));
    quarantine("q/err", 500);
    Heard second = new Heard();
    service.handle(Method.REDRIVE, late, from("q/err").build(), second);
    assertThat(second.get().getComplete()).isFalse();
    assertThat(second.get().getMoved()).isLessThanOrEqualTo(1);
  }

  @Test
  void shouldReportWhatWasMovedBeforeARefusal() throws Exception {
    quarantine("q/err", 250);
    recording.refuse = moves -> moves == 2;
    Heard heard = begin(from("q/err"));
    assertThat(heard.refusal().message()).isEqualTo("stop (already moved: 100)");
    assertThat(queue.tasks(TaskQuery.in("q"))).hasSize(100);
  }

  @Test
  void shouldEndWithItsCallerAndBoundHowManyRun() throws Exception {
    quarantine("q/err", 3);
    recording.stalls = true;
    List<Call> running = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      running.add(service.handle(Method.REDRIVE, CONTEXT, from("q/err").build(), new Heard()));
    }
    assertThat(begin(from("q/err")).refusal().code()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    running.forEach(Call::cancel);
    running.forEach(Call::cancel);
    recording.stalls = false;
    until("the listings are over", () -> recording.moves().size() <= 4);
    for (int i = 0; i < 5; i++) {
      assertThat(run(from("none/err")).getComplete()).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "from",
        "to",
        "limit",
        "rate",
        "ids",
        "attempts",
        "older",
        "newer",
        "long",
        "shape",
        "origin"
      })
  void shouldRefuseWhatIsOutOfRange(String what) throws Exception {
    RedriveRequest.Builder request = from("q");
    switch (what) {
      case "from" -> request.setFrom("");
      case "to" -> request.setTo("q");
      case "limit" -> request.setLimit(10_001);
      case "rate" -> request.setRate(-1);
      case "ids" -> request.addTaskId("");
      case "attempts" -> request.setAttemptsMin(-1);
      case "older" -> request.setOlderThanMs(-1);
      case "shape" -> request.setShape("x".repeat(121));
      case "origin" -> request.setWithoutOrigin(true).setOrigin("a");
      case "newer" -> request.setOlderThanMs(2).setNewerThanMs(1);
      default -> request.setTo("x".repeat(1_025));
    }
    Refusal refusal = begin(request).refusal();
    assertThat(refusal.code()).isEqualTo(Status.Code.INVALID_ARGUMENT);
    assertThat(refusal.message()).startsWith("redrive: ");
  }

  private List<Task> quarantine(String name, int count) {
    Modification.Builder inserts = Modification.builder();
    for (int i = 0; i < count; i++) {
      inserts.insert(Insert.into(name).withValue("value " + i).withAttempt(5, "broken"));
    }
    return queue.modify(inserts.build()).orThrow().inserted();
  }

  private static RedriveRequest.Builder from(String name) {
    return RedriveRequest.newBuilder().setFrom(name);
  }

  private Heard begin(RedriveRequest.Builder request) {
    Heard heard = new Heard();
    Call unused = service.handle(Method.REDRIVE, CONTEXT, request.build(), heard);
    return heard;
  }

  private RedriveResponse run(RedriveRequest.Builder request) throws Exception {
    return begin(request).get();
  }

  /** Records the Modifys, and may hold or refuse calls. */
  private static final class Recording extends ServiceFilter {
    private final List<ModifyRequest> moves = new CopyOnWriteArrayList<>();
    private volatile Runnable beforeFirstMove = () -> {};
    private volatile Predicate<Integer> refuse = moves -> false;
    private volatile boolean stalls;

    Recording(Service next) {
      super(next);
    }

    List<ModifyRequest> moves() {
      return moves;
    }

    @Override
    public <Q extends Message, S extends Message> Call handle(
        Method<Q, S> method, CallContext context, Q request, Reply<S> reply) {
      if (stalls) {
        return Call.done();
      }
      if (request instanceof ModifyRequest modify) {
        moves.add(modify);
        if (refuse.test(moves.size())) {
          reply.fail(Refusal.exhausted("stop"));
          return Call.done();
        }
        if (moves.size() == 1) {
          // Not on this thread, which may be the engine's.
          CompletableFuture<Void> unused =
              CompletableFuture.runAsync(beforeFirstMove)
                  .thenRun(() -> next.handle(method, context, request, reply));
          return Call.done();
        }
      }
      return next.handle(method, context, request, reply);
    }
  }

  private static final class Heard implements Reply<RedriveResponse> {
    private final CompletableFuture<RedriveResponse> response = new CompletableFuture<>();
    private final CompletableFuture<Refusal> refused = new CompletableFuture<>();

    RedriveResponse get() throws Exception {
      refused.thenAccept(
          refusal -> response.completeExceptionally(new AssertionError(refusal.toString())));
      return response.get(50, TimeUnit.SECONDS);
    }

    Refusal refusal() throws Exception {
      return refused.get(50, TimeUnit.SECONDS);
    }

    @Override
    public void position(long position) {
      assertThat(position).isPositive();
    }

    @Override
    public void send(RedriveResponse sent) {
      response.complete(sent);
    }

    @Override
    public void fail(Refusal refusal) {
      refused.complete(refusal);
    }
  }
}
