package io.entroq.simulator.network;

import io.entroq.simulator.fault.FaultKind;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/**
 * Delays and faults of a network. Times are in nanoseconds.
 *
 * @param delayNsMin shortest normal delay
 * @param delayNsMax longest normal delay
 * @param lateNsMin shortest delay of a delayed message
 * @param lateNsMax longest delay of a delayed message
 * @param cutOffNsMin shortest time for which a client is cut off
 * @param cutOffNsMax longest time for which a client is cut off
 * @param perMillion how many of a million messages, 0 to 1,000,000, each kind of fault hits;
 *     missing kinds never occur. {@link FaultKind#CLIENT_CUT_OFF} counts the requests that a client
 *     sends
 */
public record NetworkConfig(
    long delayNsMin,
    long delayNsMax,
    long lateNsMin,
    long lateNsMax,
    long cutOffNsMin,
    long cutOffNsMax,
    Map<FaultKind, Integer> perMillion) {

  static final int MILLION = 1_000_000;

  private static final long MICROSECOND = 1_000;
  private static final long MILLISECOND = 1_000_000;

  public NetworkConfig {
    requireRange("delayNs", delayNsMin, delayNsMax);
    requireRange("lateNs", lateNsMin, lateNsMax);
    requireRange("cutOffNs", cutOffNsMin, cutOffNsMax);
    perMillion = Map.copyOf(perMillion);
    perMillion.forEach(NetworkConfig::requireShare);
  }

  private static void requireRange(String name, long least, long most) {
    if (least < 0 || most < least) {
      throw new IllegalArgumentException(
          name + " must be a range from 0 or more, but is " + least + " to " + most);
    }
  }

  private static void requireShare(FaultKind kind, int perMillion) {
    if (perMillion < 0 || perMillion > MILLION) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "perMillion of %s must be from 0 to %d, but is %d",
              kind.label(),
              MILLION,
              perMillion));
    }
  }

  /** A network that is mostly fast, with occasional faults of each kind. */
  public static NetworkConfig ordinary() {
    Map<FaultKind, Integer> perMillion = new EnumMap<>(FaultKind.class);
    perMillion.put(FaultKind.REQUEST_LOST, 2_000);
    perMillion.put(FaultKind.REPLY_LOST, 3_000);
    perMillion.put(FaultKind.REQUEST_DELAYED, 2_000);
    perMillion.put(FaultKind.REPLY_DELAYED, 2_000);
    perMillion.put(FaultKind.REQUEST_DOUBLED, 5_000);
    perMillion.put(FaultKind.REPLY_DOUBLED, 3_000);
    perMillion.put(FaultKind.CLIENT_CUT_OFF, 50);
    return new NetworkConfig(
        50 * MICROSECOND,
        2 * MILLISECOND,
        5 * MILLISECOND,
        20_000 * MILLISECOND,
        500 * MILLISECOND,
        30_000 * MILLISECOND,
        perMillion);
  }

  /** How many of a million messages this kind of fault hits; 0 or more. */
  int perMillion(FaultKind kind) {
    return perMillion.getOrDefault(kind, 0);
  }
}
