package io.entroq.system.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.EntroQ;
import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.system.history.Asked;
import io.entroq.system.history.CheckConfig;
import io.entroq.system.history.Finding;
import io.entroq.system.history.Harm;
import io.entroq.system.history.History;
import io.entroq.system.history.HistoryChecker;
import io.entroq.system.history.Kind;
import io.entroq.system.history.Operation;
import io.entroq.system.history.Outcome;
import io.entroq.system.history.Seen;
import io.entroq.system.history.TaskVersion;
import io.entroq.system.history.Told;
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

/**
 * What callers of a queue in memory take down is found to be right, and wrong as soon as anything
 * in it is altered.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MutatedHistoryTest {
  private static final int WORKERS = 3;
  private static final int ANSWERS = 1_000;
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Duration LEASE_MAX = Duration.ofMillis(200);
  private static final int TRIES = 20;

  private final long seed = Long.getLong("test.seed", System.nanoTime());
  private final SplittableRandom random = new SplittableRandom(seed);
  private History history;

  @BeforeAll
  void record(@TempDir Path directory) throws Exception {
    System.out.println("MutatedHistoryTest -Dtest.seed=" + seed);
    try (Recorder recorder = Recorder.to(directory.resolve("history"));
        EntroQ queue = EmbeddedEntroQ.open(EmbeddedConfig.inMemory().build())) {
      List<Worker> workers = new ArrayList<>();
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < WORKERS; i++) {
        Caller caller = new Caller("w" + i, queue, recorder, PATIENCE);
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
      Caller auditor = new Caller("auditor", queue, recorder, PATIENCE);
      auditor.audit(Drain.QUEUES);
      assertThat(Drain.run(auditor, PATIENCE)).isTrue();
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
    Set<String> seen =
        history.operations().stream()
            .flatMap(
                op -> tasks(op).stream().map(Seen::writer).filter(name -> !name.equals(op.op())))
            .collect(Collectors.toSet());
    for (int i = 0; i < TRIES; i++) {
      Operation doubtful =
          any(op -> op.isDone() && seen.contains(op.op()) && !op.asked().deletes().isEmpty());
      Operation rival = any(op -> isModify(op) && op.isDone() && op.asked().writes().isEmpty());
      assertThat(findings(inDoubt(doubtful), deleting(rival, doubtful.asked().deletes())))
          .as("in doubt: %s, seed %d", doubtful, seed)
          .extracting(Finding::harm)
          .contains(Harm.DOUBLED);
    }
  }

  @Test
  void shouldMissWhatAnInsertWasToldWhenItsTaskIsGone() {
    // Whoever deletes it was told so as well; nothing else is known of the task.
    mutate(
        op -> op.isDone() && op.asked().deletes().size() == 1 && op.asked().writes().isEmpty(),
        op -> as(op, Outcome.NOT_DONE),
        Harm.LOST);
  }

  @Test
  void shouldNotLetARefusedModifyBeDone() {
    mutate(
        op -> isModify(op) && op.outcome() == Outcome.REFUSED && !op.asked().deletes().isEmpty(),
        op -> as(op, Outcome.DONE),
        Harm.DOUBLED,
        Harm.PHANTOM);
  }

  @Test
  void shouldNotLetWhatWasDoneBeRefused() {
    mutate(
        op -> isModify(op) && op.isDone() && !op.asked().writes().isEmpty(),
        op -> as(op, Outcome.REFUSED),
        Harm.PHANTOM);
  }

  @Test
  void shouldNotLetAnybodyElseHaveWhatWasClaimed() {
    mutate(
        op -> isClaim(op) && !tasks(op).isEmpty(),
        op -> {
          Told claim = op.told().orElseThrow();
          Operation other = any(each -> isClaim(each) && tasks(each).isEmpty());
          return with(other, claim.tasks());
        },
        Harm.DOUBLED);
  }

  @Test
  void shouldNotLetAnybodySeeAnotherVersion() {
    mutate(
        op -> isClaim(op) && !tasks(op).isEmpty(),
        op -> with(op, tasks(op).stream().map(MutatedHistoryTest::later).toList()),
        Harm.PHANTOM,
        Harm.DOUBLED);
  }

  @Test
  void shouldNotLetAnEndBeMissing() {
    mutate(op -> true, op -> new Operation(op.asked(), Optional.empty()), Harm.STUCK);
  }

  @Test
  void shouldNotLetACallerMissWhatIsThere() {
    mutate(
        op -> op.asked().kind() == Kind.AUDIT && !tasks(op).isEmpty(),
        op -> with(op, tasks(op).subList(1, tasks(op).size())),
        Harm.LOST);
  }

  private void mutate(
      Predicate<Operation> which, UnaryOperator<Operation> alteration, Harm... expected) {
    for (int i = 0; i < TRIES; i++) {
      Operation altered = alteration.apply(any(which));
      assertThat(findings(altered))
          .as("altered: %s, seed %d", altered, seed)
          .extracting(Finding::harm)
          .containsAnyOf(expected);
    }
  }

  /** What is found when some operations are not as they were. */
  private List<Finding> findings(Operation... altered) {
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
    return op.asked().kind() == Kind.MODIFY;
  }

  private static boolean isClaim(Operation op) {
    return op.asked().kind() == Kind.CLAIM;
  }

  private static List<Seen> tasks(Operation op) {
    return op.told().map(Told::tasks).orElse(List.of());
  }

  private static Seen later(Seen seen) {
    return new Seen(seen.id(), seen.version() + 1, seen.queue(), seen.writer(), seen.claims());
  }

  private static Operation as(Operation op, Outcome outcome) {
    Told told = op.told().orElseThrow();
    return new Operation(
        op.asked(),
        Optional.of(
            new Told(
                told.op(), told.atNs(), outcome, told.written(), told.tasks(), told.missing())));
  }

  private static Operation inDoubt(Operation op) {
    Told told = op.told().orElseThrow();
    return new Operation(
        op.asked(),
        Optional.of(
            new Told(told.op(), told.atNs(), Outcome.UNKNOWN, List.of(), List.of(), List.of())));
  }

  private static Operation deleting(Operation op, List<TaskVersion> deletes) {
    Asked asked = op.asked();
    return new Operation(
        new Asked(
            asked.op(),
            asked.caller(),
            asked.kind(),
            asked.atNs(),
            asked.writes(),
            deletes,
            asked.queues(),
            asked.leaseMs(),
            asked.patienceMs(),
            asked.ids()),
        op.told());
  }

  private static Operation with(Operation op, List<Seen> tasks) {
    Told told = op.told().orElseThrow();
    return new Operation(
        op.asked(),
        Optional.of(
            new Told(
                told.op(), told.atNs(), told.outcome(), told.written(), tasks, told.missing())));
  }
}
