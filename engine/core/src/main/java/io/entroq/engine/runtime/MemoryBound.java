package io.entroq.engine.runtime;

import com.sun.management.HotSpotDiagnosticMXBean;
import io.entroq.api.EntroQException;
import io.entroq.codec.command.ClaimDocsDecoder;
import io.entroq.codec.command.ModifyDecoder;
import io.entroq.codec.record.RecordType;
import io.entroq.engine.state.StateMachine;
import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.DirectBuffer;

/**
 * Refuses inserts and growing changes when the memory for tasks is used up, while enough is left to
 * claim and delete. The engine's thread.
 *
 * <p>Memory of small tasks is not freed but reused, so beyond the limit, tasks that fit in the
 * place of deleted ones are still accepted. Changes are accepted as long as possible, because work
 * that cannot finish holds its memory forever: changes that keep a task's size, such as renewals,
 * always, and growing ones from a reserve that inserts do not get. Claims of doc sets that are not
 * stored yet get the reserve too.
 */
public final class MemoryBound {
  /** Tasks that come between two measurements: those of a topic are many more than its inserts. */
  private static final int TASKS_UNLOOKED = 8_192;

  /** Small commands between two measurements. */
  private static final int COMMANDS_UNLOOKED = 256;

  private static final long BYTES_UNLOOKED = 1 << 20;

  /** The part of the limit by which changes may exceed it, at the expense of other code. */
  private static final int PART_FOR_CHANGES = 32;

  /** How far inserts may exceed the limit before that is noticed. */
  private static final long OVERSHOOT_BYTES = 2 * BYTES_UNLOOKED;

  private static final String FLAG = "MaxDirectMemorySize";

  private final StateMachine machine;
  private final long bytesMax;
  private final String remedy;
  private final ModifyDecoder modify = new ModifyDecoder();
  private final ClaimDocsDecoder claimDocs = new ClaimDocsDecoder();
  private final AtomicLong bytesSeen = new AtomicLong();
  private final AtomicLong refused = new AtomicLong();
  private int commands;
  private long tasksSeen;
  private long bytes = BYTES_UNLOOKED;
  private boolean isReached;
  private boolean hasReserve;

  /** For an embedded engine. */
  public MemoryBound(StateMachine machine, long bytesMax) {
    this(machine, bytesMax, "open");
  }

  private MemoryBound(StateMachine machine, long bytesMax, String remedy) {
    this.machine = machine;
    this.bytesMax = bytesMax;
    this.remedy = remedy;
    bytesSeen.setRelease(machine.memoryBytes());
  }

  /** For a replica. */
  public static MemoryBound ofReplica(StateMachine machine, long bytesMax) {
    return new MemoryBound(machine, bytesMax, "start all members");
  }

  /** The JVM's limit of direct memory. */
  public static long directBytes() {
    long allowed = flag();
    return allowed > 0 ? allowed : Runtime.getRuntime().maxMemory();
  }

  private static long flag() {
    try {
      HotSpotDiagnosticMXBean jvm =
          ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
      return jvm == null ? 0 : Long.parseLong(jvm.getVMOption(FLAG).getValue());
    } catch (IllegalArgumentException | LinkageError e) {
      // This JVM lacks the flag or the bean.
      return 0;
    }
  }

  /**
   * Returns if there is room for a command.
   *
   * @throws EntroQException.ResourceExhausted if it inserts, changes or adds doc sets, and there is
   *     no room
   * @throws io.entroq.codec.message.MalformedMessageException if it must be decoded but cannot be
   */
  public void require(int type, DirectBuffer command, int offset, int length) {
    look(length);
    if (isReached && type == RecordType.MODIFY) {
      modify.wrap(command, offset, length);
      requireFit(hasReserve, 0);
    } else if (isReached && !hasReserve && type == RecordType.CLAIM_DOCS) {
      claimDocs.wrap(command, offset, length);
      if (machine.addsDocSets(claimDocs)) {
        throw refusedDocSets();
      }
    }
  }

  /**
   * Returns if a claim may add doc sets. Any thread.
   *
   * @param bytesAhead what commands before it may take
   * @throws EntroQException.ResourceExhausted if the reserve is used up
   */
  public void requireReserve(long bytesAhead) {
    if (bytesSeen() + bytesAhead >= bytesMaxForChanges()) {
      throw refusedDocSets();
    }
  }

  private EntroQException.ResourceExhausted refusedDocSets() {
    refused.incrementAndGet();
    return new EntroQException.ResourceExhausted(
        ("limit memoryBytesMax: no memory for doc sets that this may add. %,d bytes outside the heap"
                + " are in use, and memoryBytesMax allows %,d. Nothing was done. Delete tasks or"
                + " docs, or %s with a larger memoryBytesMax and, if needed, a larger -XX:%s")
            .formatted(bytesSeen(), bytesMax, remedy, FLAG));
  }

  /**
   * Returns if there is room for a Modify that is applied after others.
   *
   * @param bytesAhead what the others may take
   * @param itemsAhead how many tasks and docs they may put in the place of deleted ones
   * @return how many this one may put there
   * @throws EntroQException.ResourceExhausted if it inserts or changes and there is no room
   * @throws io.entroq.codec.message.MalformedMessageException if it cannot be decoded
   */
  public int requireBehind(
      long bytesAhead, int itemsAhead, DirectBuffer command, int offset, int length) {
    modify.wrap(command, offset, length);
    long bytesHeld = machine.memoryBytes();
    bytesSeen.setRelease(bytesHeld);
    if (bytesHeld + bytesAhead >= bytesMax) {
      requireFit(bytesHeld + bytesAhead < bytesMaxForChanges(), itemsAhead);
    }
    return items(modify);
  }

  /** How many tasks and docs a Modify inserts and changes. */
  public static int items(ModifyDecoder modify) {
    return modify.insertCount()
        + modify.changeCount()
        + modify.docInsertCount()
        + modify.docChangeCount();
  }

  /** Counts a command of that length, and measures the memory now and then. */
  public void look(int length) {
    commands++;
    bytes += length;
    if (isReached
        || commands >= COMMANDS_UNLOOKED
        || bytes >= BYTES_UNLOOKED
        || machine.taskCount() - tasksSeen >= TASKS_UNLOOKED) {
      tasksSeen = machine.taskCount();
      commands = 0;
      bytes = 0;
      long taken = machine.memoryBytes();
      bytesSeen.setRelease(taken);
      isReached = taken >= bytesMax;
      hasReserve = taken < bytesMaxForChanges();
    }
  }

  private long bytesMaxForChanges() {
    return bytesMax + bytesMax / PART_FOR_CHANGES + OVERSHOOT_BYTES;
  }

  /** Bytes in use at the last measurement. Any thread. */
  long bytesSeen() {
    return bytesSeen.getAcquire();
  }

  /**
   * Whether this many more bytes would have been below the limit at the last measurement. Any
   * thread.
   */
  public boolean isBelow(long bytesMore) {
    return bytesSeen() + bytesMore < bytesMax;
  }

  /** How many commands were refused. Any thread. */
  long refused() {
    return refused.getAcquire();
  }

  private void requireFit(boolean hasReserve, int itemsAhead) {
    int inserts = modify.insertCount() + modify.docInsertCount();
    int changes = modify.changeCount() + modify.docChangeCount();
    boolean takesRoom = inserts > 0 || (changes > 0 && !hasReserve);
    if (takesRoom && !machine.fitsMemoryHeld(modify, itemsAhead)) {
      refused.incrementAndGet();
      throw new EntroQException.ResourceExhausted(
          ("limit memoryBytesMax: no memory for what this inserts or changes. %,d tasks and %,d docs"
                  + " take %,d bytes outside the heap, and memoryBytesMax allows %,d. Nothing was"
                  + " done. Delete tasks or docs, or %s with a larger memoryBytesMax and, if needed,"
                  + " a larger -XX:%s")
              .formatted(
                  machine.taskCount(),
                  machine.docCount(),
                  machine.memoryBytes(),
                  bytesMax,
                  remedy,
                  FLAG));
    }
  }
}
