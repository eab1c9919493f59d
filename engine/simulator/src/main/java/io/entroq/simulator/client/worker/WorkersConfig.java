package io.entroq.simulator.client.worker;

/**
 * Number and load of workers.
 *
 * @param processes number of working processes, at least 1; half as many more check results
 * @param slots how many tasks each works on at once, at least 1
 * @param requestsPerSecond approximate requests of all together per simulated second, at least 1
 * @param firstClient number of the first client on the network; the others follow
 * @param startMs log time for the workers when the world begins, milliseconds since the epoch
 */
public record WorkersConfig(
    int processes, int slots, int requestsPerSecond, int firstClient, long startMs) {
  static final int MAX_ATTEMPTS = 4;
  static final int MAX_CLAIMS = 6;

  /** Approximate number of requests from a task's insert to the deletion of its result. */
  private static final int REQUESTS_PER_TASK = 8;

  private static final int CLIENTS_PER_PROCESS = 50;
  private static final int PROCESSES_MAX = 20;
  private static final int SLOTS = 3;
  private static final long NS_PER_SECOND = 1_000_000_000L;

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

  /** For a world with so many other clients, which have the lower numbers. */
  public static WorkersConfig beside(int clients, int requestsPerSecond, long startMs) {
    int processes = 1 + Math.min(clients / CLIENTS_PER_PROCESS, PROCESSES_MAX - 1);
    return new WorkersConfig(processes, SLOTS, requestsPerSecond, clients, startMs);
  }

  int disposers() {
    return (processes + 1) / 2;
  }

  /** The most open tasks; beyond that, none are inserted. */
  int openMax() {
    return 4 * processes * slots;
  }

  long taskGapNs() {
    return NS_PER_SECOND * REQUESTS_PER_TASK / requestsPerSecond;
  }
}
