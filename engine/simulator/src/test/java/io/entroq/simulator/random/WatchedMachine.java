package io.entroq.simulator.random;

import com.google.protobuf.Message;
import io.entroq.api.Durability;
import io.entroq.codec.message.MalformedMessageException;
import io.entroq.codec.result.ResultDecoder;
import io.entroq.codec.wire.log.CallersGone;
import io.entroq.codec.wire.log.Claim;
import io.entroq.codec.wire.log.Genesis;
import io.entroq.codec.wire.log.Identity;
import io.entroq.codec.wire.log.ListDocs;
import io.entroq.codec.wire.log.ListNamespaces;
import io.entroq.codec.wire.log.ListQueues;
import io.entroq.codec.wire.log.ListTasks;
import io.entroq.codec.wire.log.Tick;
import io.entroq.engine.state.ResultSink;
import io.entroq.engine.state.StateMachine;
import io.entroq.engine.state.StateMachineConfig;
import io.entroq.simulator.call.PagedRead;
import io.entroq.simulator.call.Request;
import io.entroq.simulator.check.Invariant;
import io.entroq.simulator.check.Ledger;
import io.entroq.simulator.check.LedgerConfig;
import io.entroq.simulator.check.LoggedRecord;
import io.entroq.simulator.random.AnswerRecorder.Answer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A state machine with its log, fed as an engine feeds it, and a ledger that checks every answer.
 */
public final class WatchedMachine implements AutoCloseable {
  private static final int ACTIONS_PER_COUNT = 500;
  private static final int ACTIONS_PER_QUESTION = 20;
  private static final int SLICE_EFFORT = 50;

  private final Ledger ledger;
  private final boolean isPrepared;
  private final UnaryOperator<List<Answer>> distortion;
  private final AnswerRecorder recorder = new AnswerRecorder();
  private final List<LoggedRecord> log = new ArrayList<>();

  /** The clients of waiting claims, by the sequence of the record. */
  private final Map<Long, Identity> parked = new TreeMap<>();

  private EffectWatch effects;
  private StateMachine machine;
  private int actions;

  /**
   * @param isPrepared whether each command is prepared first, so that one that changes nothing gets
   *     no record; otherwise each is logged and applied, as when a log is replayed
   * @param distortion replaces the answers of a step that are reported to the ledger
   */
  WatchedMachine(LedgerConfig config, boolean isPrepared, UnaryOperator<List<Answer>> distortion) {
    this.ledger = new Ledger(config);
    this.isPrepared = isPrepared;
    this.distortion = distortion;
    startMachine();
  }

  private void startMachine() {
    machine = new StateMachine(StateMachineConfig.DEFAULT);
    effects = new EffectWatch();
    machine.tellEffects(effects);
  }

  /** A machine that applies commands of odd seeds directly and prepares those of even ones. */
  public static WatchedMachine of(long seed) {
    LedgerConfig config = LedgerConfig.of(Durability.OS, false);
    return new WatchedMachine(config, seed % 2 == 0, UnaryOperator.identity());
  }

  /** The log of so many random actions. */
  static List<LoggedRecord> log(long seed, int level, int count) {
    try (WatchedMachine machine = of(seed)) {
      CommandGenerator generator = machine.begin(seed, level);
      for (int i = 0; i < count; i++) {
        machine.perform(generator.next());
      }
      return machine.log;
    }
  }

  /** Logs Genesis, and returns the command generator for a seed. */
  public CommandGenerator begin(long seed, int level) {
    CommandGenerator generator = new CommandGenerator(seed, this);
    begin(seed, level, generator.startMs());
    return generator;
  }

  void begin(long seed, int level, long startMs) {
    Genesis genesis =
        Genesis.newBuilder()
            .setLogIdHigh(seed)
            .setLogIdLow(~seed)
            .setSeed(seed)
            .setLevel(level)
            .setCreatedMs(startMs)
            .build();
    log(genesis, startMs, false);
    ledger.onOpened(machine);
  }

  /** Log time of the last record. */
  public long logTimeMs() {
    return machine.logTimeMs();
  }

  StateMachine machine() {
    return machine;
  }

  Ledger ledger() {
    return ledger;
  }

  MachineView view() {
    return new MachineView(machine);
  }

  /** The records so far. */
  public List<LoggedRecord> log() {
    return log;
  }

  /** The numbers of a client's waiting claims. */
  List<Long> parkedNumbers(Identity client) {
    return parked.values().stream()
        .filter(
            other ->
                other.getClientHigh() == client.getClientHigh()
                    && other.getClientLow() == client.getClientLow())
        .map(Identity::getNumber)
        .toList();
  }

  /** Performs an action and checks its visible effects. */
  public void perform(Action action) {
    if (action instanceof Action.Command command) {
      execute(command.payload(), command.timeMs());
    } else if (action instanceof Action.Read read) {
      look(read);
    } else if (action instanceof Action.Noise noise) {
      ignore(noise);
    }
    if (++actions % ACTIONS_PER_COUNT == 0) {
      ledger.full(machine, 0);
    } else if (actions % ACTIONS_PER_QUESTION == 0) {
      ledger.positions(machine);
    }
  }

  /** Compares the whole state. */
  public void end() {
    ledger.full(machine, 0);
    ledger.end();
  }

  // Commands.

  /** Executes a command as an engine does, with what is due before and after it. */
  public void execute(Message command, long timeMs) {
    tick(timeMs);
    LoggedRecord entry = next(command, timeMs);
    if (isPrepared && prepare(entry) == StateMachine.ANSWER) {
      machine.answer(recorder);
      for (Answer answer : distortion.apply(recorder.take())) {
        ledger.onUnlogged(
            entry.type(), entry.payload(), 0, entry.payload().capacity(), decoder(answer));
      }
    } else {
      log(command, timeMs, isPrepared);
      tick(timeMs);
    }
    ledger.onIdle(machine.logTimeMs(), machine.nextDeadlineMs());
  }

  /** Executes everything that is due. */
  private void tick(long timeMs) {
    while (machine.nextDeadlineMs() <= timeMs) {
      log(Tick.getDefaultInstance(), timeMs, false);
    }
  }

  private LoggedRecord next(Message command, long timeMs) {
    return LoggedRecord.of(command, timeMs, machine.sequence() + 1);
  }

  private int prepare(LoggedRecord entry) {
    return machine.prepare(
        entry.type(), entry.payload(), 0, entry.payload().capacity(), entry.logTimeMs());
  }

  private void log(Message command, long timeMs, boolean isReady) {
    LoggedRecord entry = next(command, timeMs);
    log.add(entry);
    ledger.onRecord(
        entry.sequence(), timeMs, entry.type(), entry.payload(), 0, entry.payload().capacity());
    if (isReady) {
      machine.commit(entry.sequence(), entry.crc(), recorder);
    } else {
      entry.applyTo(machine, recorder);
    }
    List<Answer> answers = recorder.take();
    for (Answer answer : distortion.apply(answers)) {
      if (answer.waitsFor() == 0) {
        ledger.onResult(answer.request(), decoder(answer));
      } else {
        ledger.onParked(answer.request());
      }
    }
    ledger.onStepEnd(entry.sequence(), machine.historyDigest(), machine.contentDigest());
    effects.check(machine.sequence(), machine.taskCount());
    follow(command, answers);
  }

  private void follow(Message command, List<Answer> answers) {
    for (Answer answer : answers) {
      if (answer.waitsFor() == 0) {
        parked.remove(answer.request());
      } else if (answer.waitsFor() == answer.request()) {
        parked.put(answer.request(), ((Claim) command).getIdentity());
      }
    }
  }

  private static ResultDecoder decoder(Answer answer) {
    ResultDecoder decoder = new ResultDecoder();
    UnsafeBuffer bytes = new UnsafeBuffer(answer.result().toByteArray());
    decoder.wrap(bytes, 0, bytes.capacity());
    return decoder;
  }

  /** Preparing a message, once everything due is done, changes nothing. */
  private void ignore(Action.Noise noise) {
    tick(noise.timeMs());
    List<Long> before = digests(machine);
    byte[] bytes = noise.bytes().toByteArray();
    try {
      prepare(LoggedRecord.of(noise.original(), bytes, noise.timeMs(), machine.sequence() + 1));
    } catch (MalformedMessageException e) {
      require("a reason", e.getMessage() == null ? "none" : "a reason");
    }
    require(before, digests(machine));
  }

  private static List<Long> digests(StateMachine machine) {
    return List.of(machine.historyDigest(), machine.contentDigest(), machine.nextDeadlineMs());
  }

  private static void require(Object expected, Object actual) {
    if (!expected.equals(actual)) {
      throw Invariant.DOES_NOT_BREAK.broken("a message that is not logged", expected, actual);
    }
  }

  // Reads.

  private void look(Action.Read read) {
    if (read.query() instanceof ListDocs) {
      read(read, Request.LIST_DOCS);
    } else if (read.query() instanceof ListNamespaces) {
      read(read, Request.LIST_NAMESPACES);
    } else if (read.query() instanceof ListTasks tasks) {
      ListingCheck.checkTasks(view(), tasks, read.timeMs());
    } else if (read.query() instanceof ListQueues queues) {
      ListingCheck.checkQueues(view(), queues, read.timeMs());
    }
  }

  private void read(Action.Read read, int type) {
    UnsafeBuffer query = new UnsafeBuffer(read.query().toByteArray());
    Request request = new Request(0, type, query, null);
    PagedRead paged = new PagedRead(request, ledger.onRead(request));
    while (!paged.slice(machine, read.timeMs(), SLICE_EFFORT)) {
      // Slice by slice.
    }
  }

  /** Goes on with what is loaded from an image of the state. */
  void reload() {
    Chunks image = new Chunks();
    machine.freeze().writeTo(image);
    machine.thaw();
    StateMachine loaded = image.load(StateMachineConfig.DEFAULT);
    if (!digests(loaded).equals(digests(machine))) {
      throw Invariant.REPLAY_SAME.broken("an image", digests(machine), digests(loaded));
    }
    machine.close();
    machine = loaded;
    machine.tellEffects(effects);
  }

  // Loss of power.

  /** Loses all records after one, and recovers. */
  void losePower(long sequence, long timeMs) {
    ledger.onDeath(Ledger.Death.POWER);
    machine.close();
    startMachine();
    log.subList((int) sequence, log.size()).clear();
    log.forEach(entry -> entry.applyTo(machine, ResultSink.DISCARDING));
    ledger.onRecovered(
        machine.sequence(), machine.logTimeMs(), machine.historyDigest(), machine.contentDigest());
    parked.clear();
    log(
        CallersGone.newBuilder().setAll(true).build(),
        Math.max(timeMs, machine.logTimeMs()),
        false);
    ledger.onOpened(machine);
  }

  @Override
  public void close() {
    machine.close();
  }
}
