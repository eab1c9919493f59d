package io.entroq.simulator.hunt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import io.entroq.codec.wire.log.Id;
import io.entroq.codec.wire.log.Result;
import io.entroq.codec.wire.log.ResultCode;
import io.entroq.codec.wire.log.Task;
import io.entroq.codec.wire.log.Tick;
import io.entroq.codec.wire.log.ValueKind;
import io.entroq.simulator.check.Violation;
import io.entroq.simulator.model.ReferenceModel;
import io.entroq.simulator.model.StepAnswers;
import io.entroq.simulator.workload.Action;
import io.entroq.simulator.workload.CommandGenerator;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The model notices: each of these lies about an answer must break a rule in the same step. */
@Timeout(60)
class ModelSensitivityTest {
  private static final int ACTIONS_MAX = 30_000;

  /** A name, and what it makes of the answers of a step; empty: there is nothing to lie about. */
  record Lie(String name, Function<StepAnswers, Optional<StepAnswers>> telling) {
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
                result.getFailuresCount() > 0
                    && !result.getFailures(0).getExistingQueue().isEmpty(),
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
        new Lie("an answer is missing", ModelSensitivityTest::withoutFirst),
        new Lie("an answer too many", ModelSensitivityTest::withAnother),
        new Lie("two waiters are mixed up", ModelSensitivityTest::mixedUp),
        new Lie("a parked claim is not told of", ModelSensitivityTest::withoutParked),
        new Lie("a retry attaches to another claim", ModelSensitivityTest::attachedWrongly));
  }

  @ParameterizedTest
  @MethodSource("lies")
  void shouldBreakARuleWhenAnAnswerIsFalse(Lie lie) {
    long seed = Long.getLong("test.seed", 5);
    ReferenceModel model = new ReferenceModel();
    CommandGenerator generator = new CommandGenerator(seed, model.view());
    Liar liar = new Liar(lie);
    Beginning beginning = Beginning.of(seed, generator.startMs());
    World world = new World(model, beginning, Feeding.LOGGED, liar);
    Violation violation = null;
    for (int i = 0; i < ACTIONS_MAX && violation == null && !liar.hasLied; i++) {
      Action action = generator.next();
      violation = catchThrowableOfType(Violation.class, () -> world.perform(action));
    }
    assertThat(liar.hasLied).as("there was something to lie about").isTrue();
    assertThat(violation).isNotNull();
  }

  /** Tells the truth until the lie can be told, and then once that. */
  private static final class Liar implements Distortion {
    private final Lie lie;
    private boolean hasLied;

    Liar(Lie lie) {
      this.lie = lie;
    }

    @Override
    public StepAnswers distort(Message command, StepAnswers answers) {
      Optional<StepAnswers> told =
          hasLied || command instanceof Tick ? Optional.empty() : lie.telling().apply(answers);
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

  private static Lie aboutResult(
      String name, Predicate<Result> canTell, Consumer<Result.Builder> change) {
    return new Lie(
        name,
        answers -> {
          List<Map.Entry<Long, Result>> told = new ArrayList<>();
          boolean isTold = false;
          for (Map.Entry<Long, Result> answer : answers.answers().entrySet()) {
            Result.Builder result = answer.getValue().toBuilder();
            if (!isTold && canTell.test(answer.getValue())) {
              change.accept(result);
              isTold = true;
            }
            told.add(Map.entry(answer.getKey(), result.build()));
          }
          return isTold ? Optional.of(copy(told, answers, true)) : Optional.empty();
        });
  }

  private static Optional<StepAnswers> withoutFirst(StepAnswers answers) {
    List<Map.Entry<Long, Result>> rest = entries(answers);
    return rest.isEmpty()
        ? Optional.empty()
        : Optional.of(copy(rest.subList(1, rest.size()), answers, true));
  }

  private static Optional<StepAnswers> withAnother(StepAnswers answers) {
    List<Map.Entry<Long, Result>> more = entries(answers);
    if (more.isEmpty()) {
      return Optional.empty();
    }
    more.add(Map.entry(Long.MAX_VALUE, more.get(0).getValue()));
    return Optional.of(copy(more, answers, true));
  }

  private static Optional<StepAnswers> mixedUp(StepAnswers answers) {
    List<Map.Entry<Long, Result>> swapped = entries(answers);
    if (swapped.size() < 2 || swapped.get(0).getValue().equals(swapped.get(1).getValue())) {
      return Optional.empty();
    }
    Map.Entry<Long, Result> first = swapped.get(0);
    Map.Entry<Long, Result> second = swapped.get(1);
    swapped.set(0, Map.entry(first.getKey(), second.getValue()));
    swapped.set(1, Map.entry(second.getKey(), first.getValue()));
    return Optional.of(copy(swapped, answers, true));
  }

  private static Optional<StepAnswers> withoutParked(StepAnswers answers) {
    return answers.parkedSequences().iterator().hasNext()
        ? Optional.of(copy(entries(answers), answers, false))
        : Optional.empty();
  }

  private static Optional<StepAnswers> attachedWrongly(StepAnswers answers) {
    if (answers.attachedSequences().isEmpty()) {
      return Optional.empty();
    }
    StepAnswers told = new StepAnswers();
    entries(answers).forEach(answer -> told.answered(answer.getKey(), answer.getValue()));
    answers.attachedSequences().forEach((own, parked) -> told.attached(own, parked + 1));
    return Optional.of(told);
  }

  private static List<Map.Entry<Long, Result>> entries(StepAnswers answers) {
    return new ArrayList<>(answers.answers().entrySet());
  }

  private static StepAnswers copy(
      List<Map.Entry<Long, Result>> results, StepAnswers answers, boolean withParked) {
    StepAnswers copy = new StepAnswers();
    results.forEach(answer -> copy.answered(answer.getKey(), answer.getValue()));
    answers.attachedSequences().forEach(copy::attached);
    if (withParked) {
      answers.parkedSequences().forEach(copy::parked);
    }
    return copy;
  }
}
