package io.entroq.simulator.random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.ByteString;
import io.entroq.api.Durability;
import io.entroq.codec.wire.log.Doc;
import io.entroq.codec.wire.log.Failure;
import io.entroq.codec.wire.log.Id;
import io.entroq.codec.wire.log.Result;
import io.entroq.codec.wire.log.ResultCode;
import io.entroq.codec.wire.log.Task;
import io.entroq.codec.wire.log.ValueKind;
import io.entroq.engine.state.Levels;
import io.entroq.simulator.check.LedgerConfig;
import io.entroq.simulator.check.Violation;
import io.entroq.simulator.random.AnswerRecorder.Answer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The ledger detects each of these lies about an answer in the same step. */
class LedgerSensitivityTest {
  private static final int ACTIONS_MAX = 30_000;

  /** A name, and a false version of a step's answers; empty if the lie does not apply. */
  record Lie(String name, Function<List<Answer>, Optional<List<Answer>>> telling) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Lie> lies() {
    return Stream.of(
        aboutClaimed("version", task -> task.setVersion(task.getVersion() + 1)),
        aboutClaimed("arrival", task -> task.setArrivalMs(task.getArrivalMs() ^ 1)),
        aboutClaimed("claims", task -> task.setClaims(task.getClaims() - 1)),
        aboutClaimed("claimant", task -> task.setClaimant(Id.newBuilder().setLow(77))),
        aboutClaimed("modified time", task -> task.setModifiedMs(task.getModifiedMs() - 1)),
        aboutClaimed("created time", task -> task.setCreatedMs(task.getCreatedMs() - 1)),
        aboutClaimed("queue", task -> task.setQueue(task.getQueue() + "x")),
        aboutClaimed("id", task -> task.setId(Id.newBuilder().setHigh(1).setLow(1))),
        aboutClaimed(
            "value",
            task ->
                task.setValueKind(ValueKind.VALUE_BYTES)
                    .setValue(task.getValue().concat(ByteString.copyFromUtf8("x")))),
        aboutClaimed("attempt", task -> task.setAttempt(task.getAttempt() + 1)),
        aboutClaimed("err", task -> task.setErr(task.getErr() + "x")),
        aboutResult(
            "a task is claimed twice",
            result -> result.getClaimedCount() > 0,
            result -> result.addClaimed(result.getClaimed(0))),
        aboutResult(
            "a claim takes too few",
            result -> result.getClaimedCount() > 1,
            result -> result.removeClaimed(0)),
        aboutResult(
            "a claim finds nothing",
            result -> result.getClaimedCount() == 1 && result.getInsertedCount() == 0,
            result -> result.clearClaimed().setCode(ResultCode.RESULT_EMPTY)),
        aboutResult(
            "inserted tasks in another order",
            result -> result.getInsertedCount() > 1,
            result -> result.addInserted(result.getInserted(0)).removeInserted(0)),
        aboutResult(
            "the version of a changed task",
            result -> result.getChangedCount() > 0,
            result -> result.getChangedBuilder(0).setVersion(0)),
        aboutResult(
            "a failure is left out",
            result -> result.getFailuresCount() > 1,
            result -> result.removeFailures(0)),
        aboutResult(
            "whether a task is held by another",
            result -> result.getFailuresCount() > 0,
            result -> result.getFailuresBuilder(0).setClaimed(!result.getFailures(0).getClaimed())),
        aboutResult(
            "the index of a failure",
            result -> result.getFailuresCount() > 0,
            result -> result.getFailuresBuilder(0).setIndex(99)),
        aboutResult(
            "the version of a task that is in the way",
            result ->
                result.getFailuresCount() > 0 && !result.getFailures(0).getExistingName().isEmpty(),
            result -> result.getFailuresBuilder(0).setExistingVersion(1_000)),
        aboutResult(
            "the item that stands twice",
            result -> result.getCode() == ResultCode.RESULT_DUPLICATE_ITEM,
            result -> result.getItemBuilder().setIndex(99)),
        aboutResult(
            "how many tasks a full queue has",
            result -> result.getCode() == ResultCode.RESULT_QUEUE_FULL,
            result -> result.setQueueTasks(result.getQueueTasks() + 1)),
        aboutResult(
            "what never fits is to be tried again",
            result -> result.getCode() == ResultCode.RESULT_NEVER_FITS,
            result -> result.setCode(ResultCode.RESULT_QUEUE_FULL)),
        aboutResult(
            "a deadline cancels",
            result -> result.getCode() == ResultCode.RESULT_TIMED_OUT,
            result -> result.setCode(ResultCode.RESULT_CANCELLED)),
        aboutResult(
            "a reused number is stale",
            result -> result.getCode() == ResultCode.RESULT_IDENTITY_REUSED,
            result -> result.setCode(ResultCode.RESULT_IDENTITY_STALE)),
        aboutResult(
            "a lost claim is had",
            result -> result.getCode() == ResultCode.RESULT_CLAIM_LOST,
            result -> result.setCode(ResultCode.RESULT_OK)),
        aboutResult(
            "the log time",
            result -> true,
            result -> result.setLogTimeMs(result.getLogTimeMs() + 1)),
        aboutSet("version", set -> set.setVersion(set.getVersion() + 1)),
        aboutSet("arrival", set -> set.setArrivalMs(set.getArrivalMs() + 1)),
        aboutSet("claimant", set -> set.setClaimant(Id.newBuilder().setLow(77))),
        aboutSet("key", set -> set.setKey(set.getKey() + "x")),
        aboutSet("number of docs", set -> set.setDocs(set.getDocs() + 1)),
        aboutResult(
            "a claimed set is left out",
            result -> result.getSetsCount() > 1,
            result -> result.removeSets(1)),
        aboutResult(
            "a doc of a claimed set is left out",
            result -> result.getSetsCount() > 0 && result.getDocsCount() > 0,
            result -> result.removeDocs(0)),
        aboutResult(
            "the doc that has a place",
            result -> result.getFailuresList().stream().anyMatch(Failure::hasExistingId),
            result ->
                result.getFailuresBuilderList().stream()
                    .filter(Failure.Builder::hasExistingId)
                    .forEach(Failure.Builder::clearExistingId)),
        new Lie("an answer is missing", LedgerSensitivityTest::withoutFirst),
        new Lie("an answer too many", LedgerSensitivityTest::withAnother),
        new Lie("two waiters are mixed up", LedgerSensitivityTest::mixedUp));
  }

  @ParameterizedTest
  @MethodSource("lies")
  void shouldBreakAnInvariantWhenAnAnswerIsFalse(Lie lie) {
    long seed = Long.getLong("test.seed", 9);
    Liar liar = new Liar(lie);
    LedgerConfig config = LedgerConfig.of(Durability.OS, false);
    Violation violation = null;
    try (WatchedMachine machine = new WatchedMachine(config, false, liar)) {
      CommandGenerator generator = machine.begin(seed, Levels.MAX);
      for (int i = 0; i < ACTIONS_MAX && violation == null && !liar.hasLied; i++) {
        Action action = generator.next();
        violation = catchThrowableOfType(Violation.class, () -> machine.perform(action));
      }
    }
    assertThat(liar.hasLied).as("there was something to lie about").isTrue();
    assertThat(violation).isNotNull();
  }

  /** Reports correct answers, and once the lie when it applies. */
  private static final class Liar implements UnaryOperator<List<Answer>> {
    private final Lie lie;
    private boolean hasLied;

    Liar(Lie lie) {
      this.lie = lie;
    }

    @Override
    public List<Answer> apply(List<Answer> answers) {
      Optional<List<Answer>> told = hasLied ? Optional.empty() : lie.telling().apply(answers);
      hasLied |= told.isPresent();
      return told.orElse(answers);
    }
  }

  private static Lie aboutClaimed(String field, Consumer<Task.Builder> change) {
    return aboutResult(
        field + " of a claimed task",
        result -> result.getClaimedCount() > 0,
        result -> change.accept(result.getClaimedBuilder(0)));
  }

  private static Lie aboutSet(String field, Consumer<Doc.Builder> change) {
    return aboutResult(
        field + " of a claimed set",
        result -> result.getSetsCount() > 0,
        result -> change.accept(result.getSetsBuilder(0)));
  }

  private static Lie aboutResult(
      String name, Predicate<Result> canTell, Consumer<Result.Builder> change) {
    return new Lie(
        name,
        answers -> {
          List<Answer> told = new ArrayList<>(answers);
          for (int i = 0; i < told.size(); i++) {
            Answer answer = told.get(i);
            if (answer.waitsFor() == 0 && canTell.test(answer.result())) {
              Result.Builder result = answer.result().toBuilder();
              change.accept(result);
              told.set(i, new Answer(answer.request(), result.build()));
              return Optional.of(told);
            }
          }
          return Optional.empty();
        });
  }

  private static Optional<List<Answer>> withoutFirst(List<Answer> answers) {
    return results(answers).isEmpty()
        ? Optional.empty()
        : Optional.of(answers.stream().filter(each -> each != results(answers).get(0)).toList());
  }

  private static Optional<List<Answer>> withAnother(List<Answer> answers) {
    List<Answer> more = new ArrayList<>(answers);
    results(answers).stream()
        .findFirst()
        .ifPresent(first -> more.add(new Answer(Long.MAX_VALUE, first.result())));
    return more.size() > answers.size() ? Optional.of(more) : Optional.empty();
  }

  private static Optional<List<Answer>> mixedUp(List<Answer> answers) {
    List<Answer> told = results(answers);
    if (told.size() < 2 || told.get(0).result().equals(told.get(1).result())) {
      return Optional.empty();
    }
    Answer first = told.get(0);
    Answer second = told.get(1);
    told.set(0, new Answer(first.request(), second.result()));
    told.set(1, new Answer(second.request(), first.result()));
    return Optional.of(told);
  }

  /** Without the answers that only report a waiting claim. */
  private static List<Answer> results(List<Answer> answers) {
    return new ArrayList<>(answers.stream().filter(each -> each.waitsFor() == 0).toList());
  }
}
