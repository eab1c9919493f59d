package io.entroq.simulator.client.worker;

/**
 * How many workers there are and how much they have to do.
 *
 * @param processes how many work, at least 1; half as many again bury what they leave
 * @param slots how many tasks each works on at once, at least 1
 * @param requestsPerSecond about what all of them together send in a simulated second, at least 1
 * @param firstClient the number of the first of them on the network; one follows the other
 * @param startMs what they take it to be when the world begins, milliseconds since the epoch
 */
public record WorkersConfig(
    int processes, int slots, int requestsPerSecond, int firstClient, long startMs) {
  static final int MAX_ATTEMPTS = 4;
  static final int MAX_CLAIMS = 6;

  /** About how many requests a task takes from its insert to its burial. */
  private static final int REQUESTS_PER_TASK = 8;

  private static final int CLIENTS_PER_PROCESS = 50;
  private static final int PROCESSES_MAX = 20;
  private static final int SLOTS = 3;
  private static final long NS_PER_SECOND = 1_000_000_000L;

  /** Checks the ranges. */
  public WorkersConfig {
    requireAtLeastOne("processes", processes);
    requireAtLeastOne("slots", slots);
    requireAtLeastOne("requestsPerSecond", requestsPerSecond);
  }

  private static void requireAtLeastOne(String name, int value) {
    if (value < 1) {
      throw new IllegalArgumentException(name + " must be at least 1, but is " + value);
    }
  }

  /** For a world with so many other clients, whose numbers come first. */
  public static WorkersConfig beside(int clients, int requestsPerSecond, long startMs) {
    int processes = 1 + Math.min(clients / CLIENTS_PER_PROCESS, PROCESSES_MAX - 1);
    return new WorkersConfig(processes, SLOTS, requestsPerSecond, clients, startMs);
  }

  int disposers() {
    return (processes + 1) / 2;
  }

  /** Most tasks that may be on their way at a time; past that no more are made. */
  int openMax() {
    return 4 * processes * slots;
  }

  long taskGapNs() {
    return NS_PER_SECOND * REQUESTS_PER_TASK / requestsPerSecond;
  }
}
