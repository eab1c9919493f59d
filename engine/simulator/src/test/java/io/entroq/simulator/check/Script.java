package io.entroq.simulator.check;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import io.entroq.codec.result.ResultDecoder;
import io.entroq.codec.wire.log.Change;
import io.entroq.codec.wire.log.Claim;
import io.entroq.codec.wire.log.Genesis;
import io.entroq.codec.wire.log.Id;
import io.entroq.codec.wire.log.Identity;
import io.entroq.codec.wire.log.Insert;
import io.entroq.codec.wire.log.Modify;
import io.entroq.codec.wire.log.Result;
import io.entroq.codec.wire.log.ResultCode;
import io.entroq.codec.wire.log.Task;
import io.entroq.codec.wire.log.TaskData;
import io.entroq.codec.wire.log.TaskRef;
import io.entroq.codec.wire.log.ValueKind;
import io.entroq.engine.state.Levels;
import io.entroq.engine.state.ResultSink;
import io.entroq.engine.state.StateMachine;
import io.entroq.engine.state.StateMachineConfig;
import java.util.LinkedHashMap;
import java.util.Map;
import org.agrona.concurrent.UnsafeBuffer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** Scripted records and answers, of which one can be a lie. */
final class Script implements AutoCloseable {
  static final long START_MS = 1_700_000_000_000L;
  static final long LEASE_MS = 1_000;
  static final Id ME = id(77);

  final Ledger ledger;

  /** Applies the correct records; only for comparisons of a whole state. */
  final StateMachine machine = new StateMachine(StateMachineConfig.DEFAULT);

  long nowMs = START_MS;

  Script(LedgerConfig config) {
    ledger = new Ledger(config);
    Genesis genesis = Genesis.newBuilder().setSeed(1).setLevel(Levels.MAX).build();
    apply(machine, genesis);
    feed(genesis, Map.of());
    ledger.onOpened(machine);
  }

  static Id id(long low) {
    return Id.newBuilder().setHigh(1).setLow(low).build();
  }

  static String name(long low) {
    return Tasks.name(1, low);
  }

  void apply(StateMachine to, Message command) {
    LoggedRecord entry = LoggedRecord.of(command, nowMs, to.sequence() + 1);
    entry.applyTo(to, ResultSink.DISCARDING);
  }

  /** The sequence of the next record. */
  long next() {
    return ledger.sequence() + 1;
  }

  /** One record with its answers by the sequence of the request. */
  void feed(Message command, Map<Long, Result> answers) {
    LoggedRecord entry = LoggedRecord.of(command, nowMs, next());
    ledger.onRecord(
        entry.sequence(), nowMs, entry.type(), entry.payload(), 0, entry.payload().capacity());
    answers.forEach((request, result) -> ledger.onResult(request, decoded(result)));
    ledger.onStepEnd(entry.sequence(), digest(entry.sequence()), entry.sequence());
  }

  /** The reported history digest of a record; the content digest is its sequence. */
  static long digest(long sequence) {
    return 31 * sequence;
  }

  static ResultDecoder decoded(Result result) {
    ResultDecoder decoder = new ResultDecoder();
    UnsafeBuffer buffer = new UnsafeBuffer(result.toByteArray());
    decoder.wrap(buffer, 0, buffer.capacity());
    return decoder;
  }

  /** One record with an answer to its own request. */
  void feed(Message command, Result.Builder answer) {
    feed(command, Map.of(next(), answer.build()));
  }

  /** An answer of the next record. */
  Result.Builder answer(ResultCode code) {
    return Result.newBuilder().setCode(code).setSequence(next()).setLogTimeMs(nowMs);
  }

  Result.Builder ok() {
    return answer(ResultCode.RESULT_OK);
  }

  // Correct records and answers.

  Task insert(String queue, long low) {
    return insert(queue, low, nowMs);
  }

  Task insert(String queue, long low, long arrivalMs) {
    Task task = inserted(queue, low, arrivalMs);
    feed(insertion(queue, low, arrivalMs).build(), ok().addInserted(task));
    return task;
  }

  static Modify.Builder insertion(String queue, long low, long arrivalMs) {
    Insert.Builder insert = Insert.newBuilder().setId(id(low)).setData(data(queue, arrivalMs));
    return Modify.newBuilder().setClaimant(ME).addInserts(insert);
  }

  static TaskData data(String queue, long arrivalMs) {
    return TaskData.newBuilder()
        .setQueue(queue)
        .setArrivalMs(arrivalMs)
        .setValueKind(ValueKind.VALUE_BYTES)
        .setValue(ByteString.copyFromUtf8("what is to be done"))
        .build();
  }

  Task inserted(String queue, long low, long arrivalMs) {
    TaskData data = data(queue, arrivalMs);
    Task.Builder task = Task.newBuilder();
    return (arrivalMs > nowMs ? task.setClaimant(ME) : task)
        .setId(id(low))
        .setQueue(queue)
        .setArrivalMs(arrivalMs)
        .setValueKind(data.getValueKind())
        .setValue(data.getValue())
        .setCreatedMs(nowMs)
        .setModifiedMs(nowMs)
        .build();
  }

  static Claim.Builder claim(String... queues) {
    Claim.Builder claim = Claim.newBuilder().setClaimant(ME).setLeaseMs(LEASE_MS);
    for (String queue : queues) {
      claim.addQueues(queue);
    }
    return claim;
  }

  /** A waiting claim of another client. */
  static Claim.Builder waiting(long client, String queue, long deadlineMs) {
    return claim(queue).setIdentity(identity(client, 1)).setDeadlineMs(deadlineMs).setWait(true);
  }

  static Identity identity(long client, long number) {
    return Identity.newBuilder()
        .setClientHigh(client)
        .setClientLow(client)
        .setNumber(number)
        .setAckedBelow(1)
        .build();
  }

  /** The task after a claim. */
  Task claimed(Task before) {
    return before.toBuilder()
        .setVersion(before.getVersion() + 1)
        .setClaims(before.getClaims() + 1)
        .setClaimant(ME)
        .setArrivalMs(nowMs + LEASE_MS)
        .setInFlight(true)
        .setModifiedMs(nowMs)
        .build();
  }

  /** Claims the only task. */
  Task take(Task task) {
    Task after = claimed(task);
    feed(claim(task.getQueue()).build(), ok().addClaimed(after));
    return after;
  }

  static TaskRef ref(Task task) {
    return TaskRef.newBuilder()
        .setId(task.getId())
        .setVersion(task.getVersion())
        .setQueue(task.getQueue())
        .build();
  }

  static Modify.Builder deletion(Task task) {
    return Modify.newBuilder().setClaimant(ME).addDeletes(ref(task));
  }

  static Modify.Builder change(Task task, long arrivalMs) {
    Change.Builder change =
        Change.newBuilder()
            .setId(task.getId())
            .setVersion(task.getVersion())
            .setFromQueue(task.getQueue())
            .setData(data(task.getQueue(), arrivalMs));
    return Modify.newBuilder().setClaimant(ME).addChanges(change);
  }

  static Map<Long, Result> answers(long first, Result a, long second, Result b) {
    Map<Long, Result> answers = new LinkedHashMap<>();
    answers.put(first, a);
    answers.put(second, b);
    return answers;
  }

  // The lie is detected.

  static void assertBroken(Invariant invariant, String subject, ThrowingCallable lie) {
    assertThatThrownBy(lie)
        .isInstanceOfSatisfying(
            Violation.class,
            violation -> {
              org.assertj.core.api.Assertions.assertThat(violation.rule())
                  .as(violation.getMessage())
                  .isEqualTo(invariant.label());
              org.assertj.core.api.Assertions.assertThat(violation.subject()).isEqualTo(subject);
            });
  }

  @Override
  public void close() {
    machine.close();
  }
}
