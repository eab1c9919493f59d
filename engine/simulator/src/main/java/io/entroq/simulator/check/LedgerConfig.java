package io.entroq.simulator.check;

import io.entroq.api.Durability;
import java.util.Objects;

/**
 * What a ledger must know of the world of its engine.
 *
 * @param durability of the engine
 * @param losesPower whether power may fail; if not, nothing that was written is ever lost, and the
 *     ledger need not be able to go back
 * @param recordsKept how many records it can go back though they were forced, for disks that lie
 * @param queueTasksMax the engine's limit on the tasks of a queue; 0: none
 * @param ticksGoFirst whether what is due has a record of its own before any command; if not, a
 *     command's record brings it about before it is executed itself, as in a cluster, whose log has
 *     its order before anybody executes it
 */
public record LedgerConfig(
    Durability durability,
    boolean losesPower,
    long recordsKept,
    long queueTasksMax,
    boolean ticksGoFirst) {
  /** Checks what can be checked. */
  public LedgerConfig {
    Objects.requireNonNull(durability, "durability");
  }

  /** A world without a limit on queues, whose disks do not lie. */
  public static LedgerConfig of(Durability durability, boolean losesPower) {
    return new LedgerConfig(durability, losesPower, 0, 0, true);
  }

  /** The same with a limit on the tasks of a queue. */
  public LedgerConfig withQueueTasksMax(long tasks) {
    return new LedgerConfig(durability, losesPower, recordsKept, tasks, ticksGoFirst);
  }

  /** The same with so many records that can be undone though they were forced. */
  public LedgerConfig withRecordsKept(long records) {
    return new LedgerConfig(durability, losesPower, records, queueTasksMax, ticksGoFirst);
  }

  /** The same where time passes within records. */
  public LedgerConfig withTimePassingInRecords() {
    return new LedgerConfig(durability, losesPower, recordsKept, queueTasksMax, false);
  }
}
