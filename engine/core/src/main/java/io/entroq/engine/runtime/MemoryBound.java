package io.entroq.engine.runtime;

import com.sun.management.HotSpotDiagnosticMXBean;
import io.entroq.api.EntroQException;
import io.entroq.codec.command.ModifyDecoder;
import io.entroq.codec.record.RecordType;
import io.entroq.engine.state.StateMachine;
import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.DirectBuffer;

/**
 * Refuses to take in more when the memory for tasks is used up, while there is still enough left to
 * hand out and delete what is there. The engine's thread.
 *
 * <p>Memory is not given back when small tasks go, but used again; so past the bound what fits into
 * the place of deleted tasks still gets in. Changes go on as far as can be, for work that is not
 * ended holds memory for ever: those that keep the size of a task, as renewals do, always; those
 * that need more, as for the reason of a failure, out of a reserve that inserts do not get.
 */
public final class MemoryBound {
  /** Commands that may go by between two looks, as long as they are small. */
  private static final int COMMANDS_UNLOOKED = 256;

  private static final long BYTES_UNLOOKED = 1 << 20;

  /** The part of what the JVM allows that is left to others: and to what grows by doubling. */
  private static final int PART_LEFT = 8;

  /** The part of the bound that changes may take beyond it; it is in what others are left. */
  private static final int PART_FOR_CHANGES = 32;

  /** So far past the bound may inserts have come before it was noticed. */
  private static final long OVERSHOOT_BYTES = 2 * BYTES_UNLOOKED;

  private static final String FLAG = "MaxDirectMemorySize";

  private final StateMachine machine;
  private final long bytesMax;
  private final String remedy;
  private final ModifyDecoder modify = new ModifyDecoder();
  private final AtomicLong bytesSeen = new AtomicLong();
  private final AtomicLong refused = new AtomicLong();
  private int commands;
  private long bytes = BYTES_UNLOOKED;
  private boolean isReached;
  private boolean hasReserve;

  /** For a state that one engine has. */
  public MemoryBound(StateMachine machine, long bytesMax) {
    this(machine, bytesMax, "open");
  }

  private MemoryBound(StateMachine machine, long bytesMax, String remedy) {
    this.machine = machine;
    this.bytesMax = bytesMax;
    this.remedy = remedy;
    bytesSeen.setRelease(machine.memoryBytes());
  }

  /** For a copy of a state that others have too. */
  public static MemoryBound ofReplica(StateMachine machine, long bytesMax) {
    return new MemoryBound(machine, bytesMax, "start all members");
  }

  /** What the JVM lets a process have outside the heap, less what is left to others. */
  public static long defaultBytes() {
    long allowed = flag();
    long bytes = allowed > 0 ? allowed : Runtime.getRuntime().maxMemory();
    return bytes - bytes / PART_LEFT;
  }

  private static long flag() {
    try {
      HotSpotDiagnosticMXBean jvm =
          ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
      return jvm == null ? 0 : Long.parseLong(jvm.getVMOption(FLAG).getValue());
    } catch (IllegalArgumentException | LinkageError e) {
      // A JVM that has no such flag, or no such bean.
      return 0;
    }
  }

  /**
   * Returns if there is room for a command.
   *
   * @throws EntroQException.ResourceExhausted if it inserts or changes and there is none
   * @throws io.entroq.codec.message.MalformedMessageException if it has to be read and cannot be
   */
  public void require(int type, DirectBuffer command, int offset, int length) {
    look(length);
    if (isReached && type == RecordType.MODIFY) {
      modify.wrap(command, offset, length);
      requireFit(hasReserve, 0);
    }
  }

  /**
   * Returns if there is room for a Modify that is to be done once others are.
   *
   * @param bytesAhead what the others may take
   * @param itemsAhead how many tasks and docs they may put where deleted ones have been
   * @return how many this one may put there
   * @throws EntroQException.ResourceExhausted if it inserts or changes and there is none
   * @throws io.entroq.codec.message.MalformedMessageException if it cannot be read
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

  /** Looks from time to time, while commands of such lengths go by. */
  public void look(int length) {
    commands++;
    bytes += length;
    if (isReached || commands >= COMMANDS_UNLOOKED || bytes >= BYTES_UNLOOKED) {
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

  /** What tasks and all about them took at the last look. Any thread. */
  long bytesSeen() {
    return bytesSeen.getAcquire();
  }

  /** Whether so much more would not have reached the bound at the last look. Any thread. */
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
      refused.setRelease(refused.getPlain() + 1);
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
