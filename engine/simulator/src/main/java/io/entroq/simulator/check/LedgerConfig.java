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
 */
public record LedgerConfig(Durability durability, boolean losesPower, long recordsKept) {
  /** Checks what can be checked. */
  public LedgerConfig {
    Objects.requireNonNull(durability, "durability");
  }

  /** A world whose disks do not lie. */
  public static LedgerConfig of(Durability durability, boolean losesPower) {
    return new LedgerConfig(durability, losesPower, 0);
  }

  /** The same with so many records that can be undone though they were forced. */
  public LedgerConfig withRecordsKept(long records) {
    return new LedgerConfig(durability, losesPower, records);
  }
}
