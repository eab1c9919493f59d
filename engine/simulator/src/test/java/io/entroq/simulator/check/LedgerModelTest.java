package io.entroq.simulator.check;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import io.entroq.api.Durability;
import io.entroq.codec.record.RecordType;
import io.entroq.codec.result.ResultDecoder;
import io.entroq.codec.wire.log.Genesis;
import io.entroq.codec.wire.log.Id;
import io.entroq.codec.wire.log.ListDocs;
import io.entroq.codec.wire.log.ListNamespaces;
import io.entroq.codec.wire.log.Result;
import io.entroq.codec.wire.log.Task;
import io.entroq.codec.wire.log.Tick;
import io.entroq.engine.state.Levels;
import io.entroq.simulator.call.PagedRead;
import io.entroq.simulator.call.ReadWatcher;
import io.entroq.simulator.call.Request;
import io.entroq.simulator.hunt.LoggedRecord;
import io.entroq.simulator.model.ReferenceModel;
import io.entroq.simulator.model.StepAnswers;
import io.entroq.simulator.workload.Action;
import io.entroq.simulator.workload.CommandGenerator;
import java.nio.ByteBuffer;
import java.util.stream.LongStream;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The ledger says what the reference model says: it finds nothing to complain of in what the engine
 * does with commands that were made to be difficult.
 */
class LedgerModelTest {
  private static final int SEEDS = 12;
  private static final int ACTIONS = 6_000;
  private static final int ACTIONS_PER_COUNT = 500;
  private static final int SLICE_EFFORT = 50;

  static LongStream seeds() {
    Long seed = Long.getLong("test.seed");
    return seed == null ? LongStream.range(1, 1 + SEEDS) : LongStream.of(seed);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  @Timeout(120)
  void shouldAgreeWithTheEngineWhenFedWhatTheModelIsFed(long seed) {
    Modelled model = new Modelled();
    CommandGenerator generator = new CommandGenerator(seed, model.model.view());
    Ledger ledger = new Ledger(LedgerConfig.of(Durability.OS, false));
    try (WatchedMachine machine = new WatchedMachine(ledger, model, false)) {
      int levels = Levels.MAX - Levels.MIN + 1;
      machine.begin(seed, Levels.MIN + (int) (seed % levels), generator.startMs());
      for (int i = 0; i < ACTIONS; i++) {
        Action action = generator.next();
        if (action instanceof Action.Command command) {
          perform(machine, model, command);
        } else if (action instanceof Action.Read read) {
          look(machine, read);
        }
        if (i % ACTIONS_PER_COUNT == 0) {
          ledger.full(machine.machine(), 0);
        }
      }
      ledger.full(machine.machine(), 0);
      ledger.end();
    }
  }

  private static void perform(WatchedMachine machine, Modelled model, Action.Command command) {
    LoggedRecord entry = LoggedRecord.of(command.payload(), command.timeMs(), 1);
    DirectBuffer payload = entry.payload();
    model.command = command.payload();
    machine.execute(entry.type(), payload, payload.capacity(), command.timeMs());
    model.answers = new StepAnswers();
    machine.tick(machine.machine().logTimeMs());
    model.answers = new StepAnswers();
    machine.ledger.onIdle(machine.machine().logTimeMs(), machine.machine().nextDeadlineMs());
  }

  /** Tasks and queues are compared when everything is counted. */
  private static void look(WatchedMachine machine, Action.Read read) {
    UnsafeBuffer query = new UnsafeBuffer(read.query().toByteArray());
    int length = query.capacity();
    if (read.query() instanceof ListDocs) {
      read(machine, read, Request.LIST_DOCS, query, machine.ledger.listDocs(query, 0, length));
    } else if (read.query() instanceof ListNamespaces) {
      ReadWatcher watcher = machine.ledger.listNamespaces(query, 0, length);
      read(machine, read, Request.LIST_NAMESPACES, query, watcher);
    }
  }

  private static void read(
      WatchedMachine machine, Action.Read read, int type, DirectBuffer query, ReadWatcher watcher) {
    PagedRead paged = new PagedRead(new Request(0, type, query, null), watcher);
    while (!paged.slice(machine.machine(), read.timeMs(), SLICE_EFFORT)) {
      // Slice by slice.
    }
  }

  /** The model, which the generator aims at. */
  private static final class Modelled implements WatchedMachine.Companion {
    private final ReferenceModel model = new ReferenceModel();
    private StepAnswers answers = new StepAnswers();
    private Message command;

    @Override
    public void onResult(
        long requestSequence, ResultDecoder result, DirectBuffer encoded, int length) {
      byte[] bytes = new byte[length];
      encoded.getBytes(0, bytes);
      try {
        answers.answered(requestSequence, asModelled(Result.parseFrom(bytes)));
      } catch (InvalidProtocolBufferException e) {
        throw new AssertionError(e);
      }
    }

    /** What is encoded leaves out a claimant who is nobody. */
    private static Result asModelled(Result result) {
      Result.Builder builder = result.toBuilder();
      builder.getInsertedBuilderList().forEach(Modelled::showClaimant);
      builder.getChangedBuilderList().forEach(Modelled::showClaimant);
      builder.getClaimedBuilderList().forEach(Modelled::showClaimant);
      return builder.build();
    }

    private static void showClaimant(Task.Builder task) {
      task.mergeClaimant(Id.getDefaultInstance());
    }

    @Override
    public void onWaiting(long requestSequence, long parkedSequence) {
      if (requestSequence == parkedSequence) {
        answers.parked(requestSequence);
      } else {
        answers.attached(requestSequence, parkedSequence);
      }
    }

    @Override
    public void onStepEnd(int type, DirectBuffer payload, int length, long timeMs, long sequence) {
      model.apply(message(type, payload, length), sequence, timeMs, answers);
      answers = new StepAnswers();
    }

    private Message message(int type, DirectBuffer payload, int length) {
      if (type == RecordType.TICK) {
        return Tick.getDefaultInstance();
      }
      if (type != RecordType.GENESIS) {
        return command;
      }
      byte[] bytes = new byte[length];
      payload.getBytes(0, bytes);
      try {
        return Genesis.parseFrom(ByteBuffer.wrap(bytes));
      } catch (InvalidProtocolBufferException e) {
        throw new AssertionError(e);
      }
    }
  }
}
