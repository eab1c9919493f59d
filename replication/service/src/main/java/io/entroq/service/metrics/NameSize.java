package io.entroq.service.metrics;

import io.entroq.codec.result.NamespaceStatsDecoder;
import io.entroq.codec.result.QueueStatsDecoder;
import io.entroq.codec.result.ResultDecoder;
import io.prometheus.metrics.model.snapshots.Labels;
import java.nio.charset.StandardCharsets;

/**
 * The statistics of a queue or a namespace, or the sum of several.
 *
 * @param oldestMs how long the oldest available task has been available, in milliseconds
 * @param work what the rules of a queue let happen
 */
record NameSize(
    String name,
    long total,
    long claimed,
    long available,
    long future,
    long maxClaims,
    long oldestMs,
    Work work) {
  /** Stands for each component of a name with a session. */
  static final char FOLDED = '*';

  private static final String SESSION = "sess=";

  private static final int LEVELS = 3;

  /**
   * What the rules of a queue let happen, or of several.
   *
   * @param inFlight tasks that somebody works on
   * @param claimable available tasks that a claim would get now
   * @param lapsed leases that ended without an outcome, since the queue exists
   * @param dead tasks that failed or lapsed too often, expired, or made room for others, since the
   *     queue exists
   * @param paused queues that are paused until somebody resumes them
   * @param resting queues that are paused for a time, or by their breaker
   * @param waitMs how long the rate lets the next task wait, in milliseconds
   */
  record Work(
      long inFlight, long claimable, long lapsed, long dead, int paused, int resting, long waitMs) {
    private static final Work NONE = new Work(0, 0, 0, 0, 0, 0, 0);

    static Work of(ResultDecoder result, QueueStatsDecoder queue) {
      long until = queue.pausedUntilMs();
      return new Work(
          queue.inFlight(),
          queue.claimable(),
          queue.lapsed(),
          queue.dead(),
          until == Long.MAX_VALUE ? 1 : 0,
          until != 0 && until != Long.MAX_VALUE ? 1 : 0,
          Math.max(0, queue.nextStartMs() - result.logTimeMs()));
    }

    private Work with(Work other) {
      return new Work(
          inFlight + other.inFlight,
          claimable + other.claimable,
          lapsed + other.lapsed,
          dead + other.dead,
          paused + other.paused,
          resting + other.resting,
          Math.max(waitMs, other.waitMs));
    }
  }

  /** One that is empty. */
  static NameSize none(String name) {
    return new NameSize(name, 0, 0, 0, 0, 0, 0, Work.NONE);
  }

  /** Reads the entry of a listing of queues. */
  static NameSize of(ResultDecoder result, QueueStatsDecoder queue) {
    return new NameSize(
        name(result, queue.nameOffset(), queue.nameLength()),
        queue.tasks(),
        queue.claimed(),
        queue.available(),
        queue.future(),
        queue.maxClaims(),
        queue.oldestAgeMs(),
        Work.of(result, queue));
  }

  /** Reads the entry of a listing of namespaces. */
  static NameSize of(ResultDecoder result, NamespaceStatsDecoder namespace) {
    return new NameSize(
        name(result, namespace.nameOffset(), namespace.nameLength()),
        namespace.docs(),
        namespace.claimed(),
        namespace.docs() - namespace.claimed(),
        0,
        0,
        0,
        Work.NONE);
  }

  private static String name(ResultDecoder result, int offset, int length) {
    byte[] name = new byte[length];
    result.buffer().getBytes(offset, name);
    return new String(name, StandardCharsets.UTF_8);
  }

  /**
   * A name as a path, with an asterisk for each component that has a parameter {@code sess=}. So
   * {@code /a/user=x;sess=1/b} and {@code /a/sess=2/b} become the same.
   */
  static String folded(String name) {
    if (!name.contains(SESSION)) {
      return name;
    }
    String[] components = name.split("/", -1);
    for (int i = 0; i < components.length; i++) {
      for (String parameter : components[i].split(";", -1)) {
        if (parameter.startsWith(SESSION)) {
          components[i] = String.valueOf(FOLDED);
        }
      }
    }
    return String.join("/", components);
  }

  /** The same under another name. */
  NameSize named(String newName) {
    return new NameSize(newName, total, claimed, available, future, maxClaims, oldestMs, work);
  }

  /** The sum of both, under this name. */
  NameSize with(NameSize other) {
    return new NameSize(
        name,
        total + other.total,
        claimed + other.claimed,
        available + other.available,
        future + other.future,
        Math.max(maxClaims, other.maxClaims),
        Math.max(oldestMs, other.oldestMs),
        work.with(other.work));
  }

  /**
   * The name, and its first three prefixes as if it were a path.
   *
   * @param label of the name
   */
  Labels labels(String label) {
    String[] parts = (name.startsWith("/") ? name.substring(1) : name).split("/", LEVELS + 1);
    StringBuilder path = new StringBuilder();
    String[] levels = new String[LEVELS];
    for (int i = 0; i < LEVELS; i++) {
      levels[i] = i < parts.length ? path.append('/').append(parts[i]).toString() : "";
    }
    return Labels.of(label, name, "l1", levels[0], "l2", levels[1], "l3", levels[2]);
  }
}
