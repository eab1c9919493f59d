package io.entroq.system.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.EntroQ;
import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.system.history.CheckConfig;
import io.entroq.system.history.History;
import io.entroq.system.history.HistoryChecker;
import io.entroq.system.history.Invocation;
import io.entroq.system.history.ObservedTask;
import io.entroq.system.history.Operation;
import io.entroq.system.history.OperationKind;
import io.entroq.system.history.Outcome;
import io.entroq.system.history.Response;
import io.entroq.system.history.TaskVersion;
import io.entroq.system.history.Violation;
import io.entroq.system.history.ViolationKind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** A history of a queue in memory is valid, and invalid after any alteration. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MutatedHistoryTest {
  private static final int WORKERS = 3;
  private static final int ANSWERS = 1_000;
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final Duration LEASE_MAX = Duration.ofMillis(200);
  private static final int TRIES = 20;

  private final long seed = Long.getLong("test.seed", System.nanoTime());
  private final SplittableRandom random = new SplittableRandom(seed);
  private History history;

  @BeforeAll
  void record(@TempDir Path directory) throws Exception {
    System.out.println("MutatedHistoryTest -Dtest.seed=" + seed);
    try (HistoryRecorder recorder = HistoryRecorder.to(directory.resolve("history"));
        EntroQ queue = EmbeddedEntroQ.open(EmbeddedConfig.inMemory().build())) {
      List<Worker> workers = new ArrayList<>();
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < WORKERS; i++) {
        Caller caller = new Caller("w" + i, queue, recorder, LIMIT);
        workers.add(new Worker(caller, seed + i, Duration.ofMillis(1), LEASE_MAX));
        threads.add(new Thread(workers.get(i)));
      }
      threads.forEach(Thread::start);
      while (recorder.answers() < ANSWERS) {
        threads.get(0).join(10);
      }
      workers.forEach(Worker::stop);
      for (Thread thread : threads) {
        thread.join();
      }
      Caller auditor = new Caller("auditor", queue, recorder, LIMIT);
      auditor.audit(Drain.QUEUES);
      assertThat(Drain.run(auditor, LIMIT)).isTrue();
      history = recorder.history();
    }
  }

  @Test
  void shouldBeRightAsItIs() {
    assertThat(HistoryChecker.check(history, CheckConfig.USUAL)).isEmpty();
    assertThat(history.counts()).containsKeys("MODIFY DONE", "MODIFY REFUSED", "CLAIM DONE");
  }

  @Test
  void shouldBeRightWhateverNobodyWasTold() {
    for (int i = 0; i < TRIES; i++) {
      List<Operation> operations =
          history.operations().stream()
              .map(op -> isModify(op) && random.nextInt(10) < 3 ? inDoubt(op) : op)
              .toList();
      assertThat(HistoryChecker.check(new History(operations), CheckConfig.USUAL))
          .as("seed %d", seed)
          .isEmpty();
    }
  }

  @Test
  void shouldNotLetAnybodyElseEndWhatWasEndedByWhomeverNobodyTold() {
    Set<String> observed =
        history.operations().stream()
            .flatMap(
                op ->
                    tasks(op).stream()
                        .map(ObservedTask::writer)
                        .filter(name -> !name.equals(op.op())))
            .collect(Collectors.toSet());
    for (int i = 0; i < TRIES; i++) {
      Operation doubtful =
          any(
              op ->
                  op.isDone()
                      && observed.contains(op.op())
                      && !op.invocation().deletes().isEmpty());
      Operation rival =
          any(op -> isModify(op) && op.isDone() && op.invocation().writes().isEmpty());
      assertThat(violations(inDoubt(doubtful), deleting(rival, doubtful.invocation().deletes())))
          .as("in doubt: %s, seed %d", doubtful, seed)
          .extracting(Violation::kind)
          .contains(ViolationKind.DOUBLED);
    }
  }

  @Test
  void shouldMissWhatAnInsertWasToldWhenItsTaskIsGone() {
    // Its deletion was acknowledged as well; nothing else is known of the task.
    mutate(
        op ->
            op.isDone()
                && op.invocation().deletes().size() == 1
                && op.invocation().writes().isEmpty(),
        op -> as(op, Outcome.NOT_DONE),
        ViolationKind.LOST);
  }

  @Test
  void shouldNotLetARefusedModifyBeDone() {
    mutate(
        op ->
            isModify(op) && op.outcome() == Outcome.REFUSED && !op.invocation().deletes().isEmpty(),
        op -> as(op, Outcome.DONE),
        ViolationKind.DOUBLED,
        ViolationKind.PHANTOM);
  }

  @Test
  void shouldNotLetWhatWasDoneBeRefused() {
    mutate(
        op -> isModify(op) && op.isDone() && !op.invocation().writes().isEmpty(),
        op -> as(op, Outcome.REFUSED),
        ViolationKind.PHANTOM);
  }

  @Test
  void shouldNotLetAnybodyElseHaveWhatWasClaimed() {
    mutate(
        op -> isClaim(op) && !tasks(op).isEmpty(),
        op -> {
          Response claim = op.response().orElseThrow();
          Operation other = any(each -> isClaim(each) && tasks(each).isEmpty());
          return with(other, claim.tasks());
        },
        ViolationKind.DOUBLED);
  }

  @Test
  void shouldNotLetAnybodySeeAnotherVersion() {
    mutate(
        op -> isClaim(op) && !tasks(op).isEmpty(),
        op -> with(op, tasks(op).stream().map(MutatedHistoryTest::later).toList()),
        ViolationKind.PHANTOM,
        ViolationKind.DOUBLED);
  }

  @Test
  void shouldNotLetAnEndBeMissing() {
    mutate(op -> true, op -> new Operation(op.invocation(), Optional.empty()), ViolationKind.STUCK);
  }

  @Test
  void shouldNotLetACallerMissWhatIsThere() {
    mutate(
        op -> op.invocation().kind() == OperationKind.AUDIT && !tasks(op).isEmpty(),
        op -> with(op, tasks(op).subList(1, tasks(op).size())),
        ViolationKind.LOST);
  }

  private void mutate(
      Predicate<Operation> which, UnaryOperator<Operation> alteration, ViolationKind... expected) {
    for (int i = 0; i < TRIES; i++) {
      Operation altered = alteration.apply(any(which));
      assertThat(violations(altered))
          .as("altered: %s, seed %d", altered, seed)
          .extracting(Violation::kind)
          .containsAnyOf(expected);
    }
  }

  /** Checks the history with some operations replaced. */
  private List<Violation> violations(Operation... altered) {
    Map<String, Operation> operations = new LinkedHashMap<>();
    history.operations().forEach(op -> operations.put(op.op(), op));
    Arrays.stream(altered).forEach(op -> operations.put(op.op(), op));
    return HistoryChecker.check(new History(List.copyOf(operations.values())), CheckConfig.USUAL);
  }

  private Operation any(Predicate<Operation> which) {
    List<Operation> found = history.operations().stream().filter(which).toList();
    return found.get(random.nextInt(found.size()));
  }

  private static boolean isModify(Operation op) {
    return op.invocation().kind() == OperationKind.MODIFY;
  }

  private static boolean isClaim(Operation op) {
    return op.invocation().kind() == OperationKind.CLAIM;
  }

  private static List<ObservedTask> tasks(Operation op) {
    return op.response().map(Response::tasks).orElse(List.of());
  }

  private static ObservedTask later(ObservedTask observed) {
    return new ObservedTask(
        observed.id(),
        observed.version() + 1,
        observed.queue(),
        observed.writer(),
        observed.claims());
  }

  private static Operation as(Operation op, Outcome outcome) {
    Response response = op.response().orElseThrow();
    return new Operation(
        op.invocation(),
        Optional.of(
            new Response(
                response.op(),
                response.atNs(),
                outcome,
                response.written(),
                response.tasks(),
                response.missing())));
  }

  private static Operation inDoubt(Operation op) {
    Response response = op.response().orElseThrow();
    return new Operation(
        op.invocation(),
        Optional.of(
            new Response(
                response.op(), response.atNs(), Outcome.UNKNOWN, List.of(), List.of(), List.of())));
  }

  private static Operation deleting(Operation op, List<TaskVersion> deletes) {
    Invocation invocation = op.invocation();
    return new Operation(
        new Invocation(
            invocation.op(),
            invocation.caller(),
            invocation.kind(),
            invocation.atNs(),
            invocation.writes(),
            deletes,
            invocation.queues(),
            invocation.leaseMs(),
            invocation.limitMs(),
            invocation.ids()),
        op.response());
  }

  private static Operation with(Operation op, List<ObservedTask> tasks) {
    Response response = op.response().orElseThrow();
    return new Operation(
        op.invocation(),
        Optional.of(
            new Response(
                response.op(),
                response.atNs(),
                response.outcome(),
                response.written(),
                tasks,
                response.missing())));
  }
}
