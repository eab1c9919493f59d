package io.entroq.simulator.network;

import io.entroq.simulator.fault.FaultKind;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/**
 * How slow and how bad a network is. Times are in nanoseconds.
 *
 * @param delayNsMin shortest time that a message usually takes
 * @param delayNsMax longest time that a message usually takes
 * @param lateNsMin shortest time that a message takes that is delayed
 * @param lateNsMax longest time that a message takes that is delayed
 * @param cutOffNsMin shortest time for which a client is cut off
 * @param cutOffNsMax longest time for which a client is cut off
 * @param perMillion how many of a million messages, 0 to 1,000,000, each kind of trouble befalls;
 *     kinds that are not there never happen. For {@link FaultKind#CLIENT_CUT_OFF}: how often a
 *     client is cut off when it sends something
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

  /** Checks the ranges. */
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
          name + " must be from 0 or more to no less, but is " + least + " to " + most);
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

  /** A network that is mostly quick, and now and then each kind of bad. */
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

  /** How many of a million messages this kind of trouble befalls; 0 or more. */
  int perMillion(FaultKind kind) {
    return perMillion.getOrDefault(kind, 0);
  }
}
