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
 * @param ticksGoFirst whether what is due has a record of its own before any command; if not, a
 *     command's record brings it about before it is executed itself, as in a cluster, whose log has
 *     its order before anybody executes it
 */
public record LedgerConfig(
    Durability durability, boolean losesPower, long recordsKept, boolean ticksGoFirst) {
  /** Checks what can be checked. */
  public LedgerConfig {
    Objects.requireNonNull(durability, "durability");
  }

  /** A world whose disks do not lie. */
  public static LedgerConfig of(Durability durability, boolean losesPower) {
    return new LedgerConfig(durability, losesPower, 0, true);
  }

  /** The same with so many records that can be undone though they were forced. */
  public LedgerConfig withRecordsKept(long records) {
    return new LedgerConfig(durability, losesPower, records, ticksGoFirst);
  }

  /** The same where time passes within records. */
  public LedgerConfig withTimePassingInRecords() {
    return new LedgerConfig(durability, losesPower, recordsKept, false);
  }
}
