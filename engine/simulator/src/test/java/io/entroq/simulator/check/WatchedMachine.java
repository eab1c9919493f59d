package io.entroq.simulator.check;

import io.entroq.codec.command.CallersGoneEncoder;
import io.entroq.codec.command.GenesisEncoder;
import io.entroq.codec.record.Crc32c;
import io.entroq.codec.record.RecordType;
import io.entroq.codec.result.ResultDecoder;
import io.entroq.engine.state.DiscardingSink;
import io.entroq.engine.state.StateMachine;
import io.entroq.engine.state.StateMachineConfig;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** A state machine with its log, fed as an engine feeds it, and a ledger that watches. */
final class WatchedMachine implements ResultWriting.Taker, AutoCloseable {
  private record Entry(int type, DirectBuffer command, long timeMs) {}

  private static final DirectBuffer NOTHING = new UnsafeBuffer(new byte[0]);

  final Ledger ledger;
  private final ResultWriting sink;
  private final Companion companion;
  private final Crc32c crc = new Crc32c();
  private final boolean keepsLog;
  private final List<Entry> log = new ArrayList<>();
  private StateMachine machine = new StateMachine(StateMachineConfig.DEFAULT);
  private boolean isUnlogged;
  private int unloggedType;
  private DirectBuffer unlogged;
  private int unloggedLength;

  /** Hears everything too. */
  interface Companion extends ResultWriting.Taker {
    void onStepEnd(int type, DirectBuffer command, int length, long timeMs, long sequence);
  }

  /**
   * @param companion may be null
   */
  WatchedMachine(Ledger ledger, Companion companion, boolean keepsLog) {
    this.ledger = ledger;
    this.companion = companion;
    this.keepsLog = keepsLog;
    this.sink = new ResultWriting(this, companion != null);
  }

  void begin(long seed, int level, long timeMs) {
    ExpandableArrayBuffer genesis = new ExpandableArrayBuffer();
    int length =
        new GenesisEncoder()
            .wrap(genesis, 0)
            .logId(seed, ~seed)
            .seed(seed)
            .level(level)
            .createdMs(timeMs)
            .length();
    record(RecordType.GENESIS, genesis, length, timeMs);
    ledger.onOpened(machine);
  }

  StateMachine machine() {
    return machine;
  }

  /** Does all that is due by a time. */
  void tick(long timeMs) {
    while (machine.nextDeadlineMs() <= timeMs) {
      record(RecordType.TICK, NOTHING, 0, timeMs);
    }
  }

  /** Executes a command at a time and says whether it has a record. */
  boolean execute(int type, DirectBuffer command, int length, long timeMs) {
    tick(timeMs);
    if (machine.prepare(type, command, 0, length, timeMs) == StateMachine.ANSWER) {
      isUnlogged = true;
      unloggedType = type;
      unlogged = command;
      unloggedLength = length;
      machine.answer(sink);
      isUnlogged = false;
      return false;
    }
    long sequence = machine.sequence() + 1;
    append(type, command, length, timeMs);
    machine.commit(sequence, crc.of(command, 0, length), sink);
    endStep(type, command, length, timeMs);
    return true;
  }

  void record(int type, DirectBuffer command, int length, long timeMs) {
    long sequence = machine.sequence() + 1;
    append(type, command, length, timeMs);
    machine.apply(type, command, 0, length, crc.of(command, 0, length), timeMs, sequence, sink);
    endStep(type, command, length, timeMs);
  }

  private void endStep(int type, DirectBuffer command, int length, long timeMs) {
    ledger.onStepEnd(machine.sequence(), machine.historyDigest(), machine.contentDigest());
    if (companion != null) {
      companion.onStepEnd(type, command, length, timeMs, machine.sequence());
    }
  }

  private void append(int type, DirectBuffer command, int length, long timeMs) {
    if (keepsLog) {
      byte[] bytes = new byte[length];
      command.getBytes(0, bytes);
      log.add(new Entry(type, new UnsafeBuffer(bytes), timeMs));
    }
    ledger.onRecord(machine.sequence() + 1, timeMs, type, command, 0, length);
  }

  /** Loses power, so that nothing behind a record is left, and comes back; all is forced then. */
  long losePower(long sequence, long timeMs) {
    ledger.onDeath(Death.POWER);
    machine.close();
    machine = new StateMachine(StateMachineConfig.DEFAULT);
    log.subList((int) sequence, log.size()).clear();
    for (Entry entry : log) {
      DirectBuffer command = entry.command();
      machine.apply(
          entry.type(),
          command,
          0,
          command.capacity(),
          crc.of(command, 0, command.capacity()),
          entry.timeMs(),
          machine.sequence() + 1,
          DiscardingSink.INSTANCE);
    }
    ledger.onRecovered(
        machine.sequence(), machine.logTimeMs(), machine.historyDigest(), machine.contentDigest());
    ExpandableArrayBuffer gone = new ExpandableArrayBuffer();
    int length = new CallersGoneEncoder().wrap(gone, 0).all(true).length();
    record(RecordType.CALLERS_GONE, gone, length, timeMs);
    ledger.onOpened(machine);
    return sequence;
  }

  @Override
  public void onResult(
      long requestSequence, ResultDecoder result, DirectBuffer encoded, int length) {
    if (isUnlogged) {
      ledger.onUnlogged(unloggedType, unlogged, 0, unloggedLength, result);
    } else {
      ledger.onResult(requestSequence, result);
    }
    if (companion != null) {
      companion.onResult(requestSequence, result, encoded, length);
    }
  }

  @Override
  public void onWaiting(long requestSequence, long parkedSequence) {
    ledger.onParked(requestSequence);
    if (companion != null) {
      companion.onWaiting(requestSequence, parkedSequence);
    }
  }

  @Override
  public void close() {
    machine.close();
  }
}
