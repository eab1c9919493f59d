package io.entroq.simulator.model;

import io.entroq.codec.wire.log.Id;
import io.entroq.codec.wire.log.Identity;
import java.util.Locale;

/**
 * The 128 bits by which a task, a claimant or a client is known.
 *
 * @param high the upper half
 * @param low the lower half
 */
public record Key(long high, long low) {
  /** The key of a task or a claimant. */
  public static Key of(Id id) {
    return new Key(id.getHigh(), id.getLow());
  }

  /** The key of the client that asks. */
  public static Key of(Identity identity) {
    return new Key(identity.getClientHigh(), identity.getClientLow());
  }

  /** Zero stands for nobody (claimants only). */
  public boolean isNobody() {
    return high == 0 && low == 0;
  }

  @Override
  public String toString() {
    return String.format(Locale.ROOT, "%016x%016x", high, low);
  }
}
