package io.entroq.simulator.check;

import io.entroq.codec.command.AcknowledgeEncoder;
import io.entroq.codec.command.CallersGoneEncoder;
import io.entroq.codec.command.CancelEncoder;
import io.entroq.codec.command.ClaimEncoder;
import io.entroq.codec.command.IdFields;
import io.entroq.codec.command.ModifyEncoder;
import io.entroq.codec.command.Slice;
import io.entroq.codec.command.TaskFields;
import io.entroq.codec.command.ValueKinds;
import io.entroq.codec.record.RecordType;
import io.entroq.codec.result.ResultDecoder;
import io.entroq.simulator.virtual.Chance;
import java.nio.charset.StandardCharsets;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.collections.LongArrayList;
import org.agrona.concurrent.UnsafeBuffer;

/** A few clients that do everything clients do, fast, on one watched machine. */
final class Bustle implements WatchedMachine.Companion {
  private static final long START_MS = 1_700_000_000_000L;
  private static final int CLIENTS = 40;
  private static final int TASKS_MAX = 400;
  private static final int QUEUE_BYTES = 7;

  /** A client: its tasks are id (high, low) and version, one behind the other. */
  private static final class Caller {
    final LongArrayList held = new LongArrayList();
    final ExpandableArrayBuffer last = new ExpandableArrayBuffer();
    int lastType;
    int lastLength;
    long number;
    long ackedBelow = 1;
    long high;
  }

  private final Chance chance;
  private final Caller[] callers = new Caller[CLIENTS];
  private final Slice[] queues = new Slice[40];
  private final boolean reusesIds;
  private final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();
  private final ExpandableArrayBuffer inner = new ExpandableArrayBuffer();
  private final ClaimEncoder claim = new ClaimEncoder();
  private final ClaimEncoder thenClaim = new ClaimEncoder();
  private final ModifyEncoder modify = new ModifyEncoder();
  private final IdFields id = new IdFields();
  private final IdFields claimant = new IdFields();
  private final TaskFields data = new TaskFields();
  private final byte[] value = new byte[300];
  private final Slice noQueue = new Slice();
  private long nowMs = START_MS;
  private long ids;
  private long incarnations = 1;

  Bustle(long seed) {
    chance = new Chance(seed);
    reusesIds = chance.oneIn(2);
    for (int i = 0; i < CLIENTS; i++) {
      callers[i] = new Caller();
      begin(callers[i]);
    }
    for (int i = 0; i < queues.length; i++) {
      queues[i] = new Slice(("queue-" + (char) ('A' + i)).getBytes(StandardCharsets.UTF_8));
    }
  }

  private void begin(Caller caller) {
    caller.high = incarnations++;
    caller.number = 0;
    caller.ackedBelow = 1;
    caller.lastType = 0;
  }

  long nowMs() {
    return nowMs;
  }

  /** Every caller begins anew, as after a restart of everything. */
  void beginAnew() {
    for (Caller caller : callers) {
      begin(caller);
    }
  }

  /** Has one client do one thing. */
  void act(WatchedMachine machine) {
    nowMs += chance.below(20);
    Caller caller = callers[chance.below(CLIENTS)];
    claimant.clear().set(caller.high, 7);
    int what = chance.below(100);
    if (what < 6 && caller.lastType != 0) {
      execute(machine, caller.lastType, caller.last, caller.lastLength);
    } else if (what < 9) {
      int length =
          new CancelEncoder()
              .wrap(buffer, 0)
              .claim(caller.high, 1, Math.max(1, caller.number - chance.below(2)))
              .length();
      execute(machine, RecordType.CANCEL, buffer, length);
    } else if (what < 11) {
      leave(machine, caller);
    } else if (what < 13) {
      caller.ackedBelow = Math.max(1, caller.number);
      int length =
          new AcknowledgeEncoder()
              .wrap(buffer, 0)
              .client(caller.high, 1, caller.ackedBelow)
              .length();
      execute(machine, RecordType.ACKNOWLEDGE, buffer, length);
    } else if (what < (machine.machine().taskCount() < TASKS_MAX ? 55 : 30)) {
      write(machine, caller);
    } else {
      claim(machine, caller);
    }
  }

  private void leave(WatchedMachine machine, Caller caller) {
    int length = new CallersGoneEncoder().wrap(buffer, 0).client(caller.high, 1).length();
    execute(machine, RecordType.CALLERS_GONE, buffer, length);
    begin(caller);
  }

  private void claim(WatchedMachine machine, Caller caller) {
    boolean isIdentified = !chance.oneIn(4);
    claim.wrap(buffer, 0);
    if (isIdentified) {
      identify(caller);
      claim.identity(caller.high, 1, caller.number, caller.ackedBelow);
    }
    claim.claimant(claimant);
    for (int i = 1 + chance.below(3); i > 0; i--) {
      claim.queue(queue());
    }
    claim.leaseMs(chance.oneIn(20) ? 0 : 50 + chance.below(2_000));
    boolean waits = isIdentified && chance.oneIn(2);
    if (waits) {
      claim.deadlineMs(nowMs + chance.below(1_000));
    }
    claim.limit(chance.oneIn(3) ? 1 + chance.below(5) : 1);
    claim.waits(waits);
    ask(machine, caller, isIdentified, RecordType.CLAIM, claim.length());
  }

  /** Mostly one of a few. */
  private Slice queue() {
    return queues[chance.oneIn(8) ? chance.below(queues.length) : chance.below(5)];
  }

  private void identify(Caller caller) {
    if (chance.oneIn(60) && caller.number > 0) {
      // Something else under the same number.
      return;
    }
    caller.number++;
    if (!chance.oneIn(3)) {
      caller.ackedBelow = Math.max(caller.ackedBelow, caller.number - chance.below(3));
    }
  }

  private void ask(
      WatchedMachine machine, Caller caller, boolean isIdentified, int type, int length) {
    if (isIdentified) {
      caller.lastType = type;
      caller.lastLength = length;
      caller.last.putBytes(0, buffer, 0, length);
    }
    execute(machine, type, buffer, length);
  }

  private void execute(WatchedMachine machine, int type, DirectBuffer command, int length) {
    machine.execute(type, command, length, nowMs);
  }

  private void write(WatchedMachine machine, Caller caller) {
    boolean isIdentified = !chance.oneIn(4);
    modify.wrap(buffer, 0);
    if (isIdentified) {
      identify(caller);
      modify.identity(caller.high, 1, caller.number, caller.ackedBelow);
    }
    modify.claimant(claimant);
    int inserts = machine.machine().taskCount() > TASKS_MAX ? 0 : chance.below(3);
    for (int i = 0; i < inserts; i++) {
      id.clear().set(newId(), 9);
      modify.insert(id, data());
    }
    if (!caller.held.isEmpty() && chance.oneIn(4)) {
      int version = takeHeld(caller);
      modify.change(id, version, data());
    }
    for (int i = chance.below(4); i > 0 && !caller.held.isEmpty(); i--) {
      int version = takeHeld(caller);
      modify.delete(id, version, noQueue);
    }
    if (chance.oneIn(8)) {
      id.clear().set(chance.between(0, ids), 9);
      modify.depend(id, chance.below(3), noQueue);
    }
    if (chance.oneIn(6)) {
      int length =
          thenClaim.wrap(inner, 0).queue(queue()).leaseMs(500).limit(1 + chance.below(2)).length();
      modify.thenClaim(inner, 0, length);
    }
    if (chance.oneIn(4)) {
      modify.queueTasksMax(1 + chance.below(40));
    }
    ask(machine, caller, isIdentified, RecordType.MODIFY, modify.length());
  }

  private long newId() {
    if (reusesIds) {
      return chance.below(TASKS_MAX);
    }
    return chance.oneIn(50) ? chance.between(0, ids) : ++ids;
  }

  private TaskFields data() {
    data.clear();
    data.queue().wrap(queue().buffer(), 0, QUEUE_BYTES);
    data.arrivalMs(chance.oneIn(3) ? nowMs + chance.below(500) : 0);
    data.valueKind(ValueKinds.BYTES);
    for (int i = 0; i < 8; i++) {
      value[i] = (byte) chance.next();
    }
    data.value().wrap(new UnsafeBuffer(value), 0, chance.below(value.length));
    return data;
  }

  /** Takes one of the tasks that a caller holds, or held once: sets the id, tells the version. */
  private int takeHeld(Caller caller) {
    LongArrayList held = caller.held;
    int at = held.size() - 3;
    id.clear().set(held.getLong(at), held.getLong(at + 1));
    int version = (int) held.getLong(at + 2);
    for (int i = 0; i < 3; i++) {
      held.removeAt(held.size() - 1);
    }
    return version;
  }

  @Override
  public void onResult(
      long requestSequence, ResultDecoder result, DirectBuffer encoded, int length) {
    for (int i = 0; i < result.claimedCount(); i++) {
      Caller caller = callers[chance.below(CLIENTS)];
      for (Caller each : callers) {
        caller = each.high == result.claimed(i).claimantHigh() ? each : caller;
      }
      caller.held.addLong(result.claimed(i).idHigh());
      caller.held.addLong(result.claimed(i).idLow());
      caller.held.addLong(result.claimed(i).version());
    }
  }

  @Override
  public void onWaiting(long requestSequence, long parkedSequence) {}

  @Override
  public void onStepEnd(int type, DirectBuffer command, int length, long timeMs, long sequence) {}
}
