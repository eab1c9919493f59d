package io.entroq.engine.state;

import com.sun.management.ThreadMXBean;
import io.entroq.codec.command.ClaimEncoder;
import io.entroq.codec.command.ModifyEncoder;
import io.entroq.codec.command.TaskDataFields;
import io.entroq.codec.message.IdFields;
import io.entroq.codec.message.Slice;
import io.entroq.codec.record.RecordType;
import io.entroq.engine.task.TaskView;
import java.lang.management.ManagementFactory;
import org.agrona.concurrent.UnsafeBuffer;

/** Inserts, claims and deletes tasks of a machine without making objects, to see who else does. */
final class ReusedCommands {
  private static final long LEASE_MS = 1_000;

  private final StateMachine machine;
  private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[2_048]);
  private final ModifyEncoder modify = new ModifyEncoder();
  private final ClaimEncoder claim = new ClaimEncoder();
  private final IdFields me = new IdFields().set(0, 42);
  private final IdFields id = new IdFields();
  private final Claimed claimed = new Claimed();
  private long nextId;

  /** What an insert inserts. */
  final TaskDataFields data = new TaskDataFields();

  ReusedCommands(StateMachine machine) {
    this.machine = machine;
  }

  private static final class Claimed extends ResultSink.Discarding {
    private long idHigh;
    private long idLow;
    private int version;
    private int count;

    @Override
    public void onTask(int role, TaskView task) {
      if (role == ROLE_CLAIMED) {
        idHigh = task.idHigh();
        idLow = task.idLow();
        version = task.version();
        count++;
      }
    }
  }

  /** The bytes that a run allocates on this thread. */
  static long allocatedBytes(Runnable run) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long thread = Thread.currentThread().getId();
    long before = threads.getThreadAllocatedBytes(thread);
    run.run();
    return threads.getThreadAllocatedBytes(thread) - before;
  }

  /** Applies the ticks that are due. */
  void tick(long nowMs) {
    while (machine.nextDeadlineMs() <= nowMs) {
      execute(RecordType.TICK, 0, nowMs);
    }
  }

  /** Inserts {@link #data} with the next id: 1, 2 and so on. */
  void insert(long nowMs) {
    execute(
        RecordType.MODIFY,
        modify.wrap(buffer, 0).claimant(me).insert(id.set(1, ++nextId), data).length(),
        nowMs);
  }

  /** How many inserts there were. */
  long inserts() {
    return nextId;
  }

  /** Claims a task; returns whether there was one. */
  boolean claim(Slice queue, long nowMs) {
    int before = claimed.count;
    execute(
        RecordType.CLAIM,
        claim.wrap(buffer, 0).claimant(me).queue(queue).leaseMs(LEASE_MS).length(),
        nowMs);
    return claimed.count > before;
  }

  /** How many tasks were claimed. */
  int claims() {
    return claimed.count;
  }

  /** The number of the id of the task that was claimed last. */
  long claimedId() {
    return claimed.idLow;
  }

  /** Deletes the task that was claimed last. */
  void deleteClaimed(Slice queue, long nowMs) {
    id.set(claimed.idHigh, claimed.idLow);
    execute(
        RecordType.MODIFY,
        modify.wrap(buffer, 0).claimant(me).delete(id, claimed.version, queue).length(),
        nowMs);
  }

  private void execute(int type, int length, long nowMs) {
    machine.prepare(type, buffer, 0, length, nowMs);
    machine.commit(machine.sequence() + 1, length, claimed);
  }
}
