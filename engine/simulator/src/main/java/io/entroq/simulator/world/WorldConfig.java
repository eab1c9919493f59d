package io.entroq.simulator.world;

import io.entroq.api.Durability;
import io.entroq.simulator.client.PopulationConfig;
import io.entroq.simulator.fault.FaultChoice;
import io.entroq.simulator.fault.FaultKind;
import io.entroq.simulator.virtual.SeededRandom;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/**
 * The configuration of a world. Two worlds with equal configurations run identically. Immutable.
 *
 * @param seed of all random numbers
 * @param hours simulated time, above 0
 * @param clients number of clients, from 1
 * @param requestsPerSecond requests of all clients together per simulated second
 * @param faults the kinds that may occur
 * @param durability {@code OS} or {@code DISK}; has no effect in a cluster
 * @param members size of the cluster, up to 7; 1: an engine with its own log
 */
public record WorldConfig(
    long seed,
    double hours,
    int clients,
    int requestsPerSecond,
    Set<FaultKind> faults,
    Durability durability,
    int members) {
  private static final int MEMBERS_MAX = 7;
  private static final int CLIENTS_MAX = 10_000;
  private static final int RATE_MAX = PopulationConfig.REQUESTS_PER_SECOND_MAX;
  private static final int HOURS_MAX = 1_000_000;
  private static final double NS_PER_HOUR = 3.6e12;

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException if a value is out of range
   */
  public WorldConfig {
    require(hours > 0 && hours <= HOURS_MAX, "hours", hours, "above 0 and up to " + HOURS_MAX);
    require(clients > 0 && clients <= CLIENTS_MAX, "clients", clients, "1 to " + CLIENTS_MAX);
    require(
        requestsPerSecond > 0 && requestsPerSecond <= RATE_MAX,
        "rate",
        requestsPerSecond,
        "1 to " + RATE_MAX);
    require(members > 0 && members <= MEMBERS_MAX, "members", members, "1 to " + MEMBERS_MAX);
    require(durability != Durability.NONE, "durability", durability, "os or disk");
    Set<FaultKind> copy = EnumSet.noneOf(FaultKind.class);
    copy.addAll(faults);
    faults = Collections.unmodifiableSet(copy);
  }

  private static void require(boolean fact, String name, Object value, String allowed) {
    if (!fact) {
      throw new IllegalArgumentException(
          String.format(Locale.ROOT, "%s is %s; allowed is %s", name, value, allowed));
    }
  }

  /** A busy hour with all faults. The seed decides the durability. */
  public static WorldConfig of(long seed) {
    boolean isForced = new SeededRandom(seed).fork("durability").oneIn(2);
    Durability durability = isForced ? Durability.DISK : Durability.OS;
    return new WorldConfig(seed, 1, 200, 100, EnumSet.allOf(FaultKind.class), durability, 1);
  }

  public WorldConfig withHours(double value) {
    return new WorldConfig(seed, value, clients, requestsPerSecond, faults, durability, members);
  }

  public WorldConfig withClients(int value) {
    return new WorldConfig(seed, hours, value, requestsPerSecond, faults, durability, members);
  }

  public WorldConfig withRequestsPerSecond(int value) {
    return new WorldConfig(seed, hours, clients, value, faults, durability, members);
  }

  public WorldConfig withFaults(Set<FaultKind> value) {
    return new WorldConfig(seed, hours, clients, requestsPerSecond, value, durability, members);
  }

  public WorldConfig withDurability(Durability value) {
    return new WorldConfig(seed, hours, clients, requestsPerSecond, faults, value, members);
  }

  public WorldConfig withMembers(int value) {
    return new WorldConfig(seed, hours, clients, requestsPerSecond, faults, durability, value);
  }

  /** The end of the world, in nanoseconds since it began. */
  long endNs() {
    return (long) (hours * NS_PER_HOUR);
  }

  /** The command-line options for this world. */
  public String flags() {
    String membersFlag = members == 1 ? "" : " --members " + members;
    return String.format(
            Locale.ROOT,
            "--seed %d --hours %s --clients %d --rate %d --faults %s --durability %s",
            seed,
            hours,
            clients,
            requestsPerSecond,
            FaultChoice.print(faults),
            durability.name().toLowerCase(Locale.ROOT))
        + membersFlag;
  }
}
