package io.entroq.simulator.check;

import io.entroq.api.Durability;
import java.util.Objects;

/**
 * Configuration of a ledger.
 *
 * @param durability of the engine
 * @param losesPower whether power may fail; if not, nothing written is ever lost, and the ledger
 *     never goes back
 * @param recordsKept how many forced records the ledger can undo, for disks that lie
 */
public record LedgerConfig(Durability durability, boolean losesPower, long recordsKept) {
  public LedgerConfig {
    Objects.requireNonNull(durability, "durability");
  }

  /** For a disk that does not lie. */
  public static LedgerConfig of(Durability durability, boolean losesPower) {
    return new LedgerConfig(durability, losesPower, 0);
  }

  public LedgerConfig withRecordsKept(long records) {
    return new LedgerConfig(durability, losesPower, records);
  }
}
