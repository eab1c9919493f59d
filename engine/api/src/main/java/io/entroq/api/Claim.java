package io.entroq.api;

import io.entroq.codec.wire.Limits;
import io.entroq.codec.wire.Times;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;

/**
 * A request for tasks under a lease. Immutable; the {@code with} methods return modified copies.
 *
 * <pre>{@code
 * Task task = queue.claim(Claim.from("inbox").withLease(Duration.ofMinutes(5)));
 * }</pre>
 *
 * <p>The engine picks a queue at random among those with available tasks, all equally likely.
 * Within the queue it prefers older tasks, but may pick any available one.
 *
 * @param queues queues to claim from: 1 to 1,000 names of 1 to 1,024 bytes of UTF-8; duplicates are
 *     ignored
 * @param lease how long the claimant holds the tasks: zero or more, in whole milliseconds. A server
 *     takes zero for its default, and bounds others; {@link Task#lease()} tells what was granted
 * @param limit how many tasks at most, 1 to 1,000
 * @param maxWait how long to wait for a task: zero or more, {@link #FOREVER} for no limit
 * @param claimant who claims; if empty, the {@linkplain EntroQ#claimant() claimant of the EntroQ}
 */
public record Claim(
    List<String> queues, Duration lease, int limit, Duration maxWait, String claimant) {
  /** The default lease, as in other clients of EntroQ: 45 seconds. */
  public static final Duration DEFAULT_LEASE = Duration.ofSeconds(45);

  /** A wait without limit. */
  public static final Duration FOREVER = Duration.ofSeconds(Long.MAX_VALUE);

  /** The largest {@link #limit()}. */
  public static final int LIMIT_MAX = Limits.CLAIM_LIMIT_MAX;

  /** Throws {@link EntroQException.InvalidArgument} if a component is out of range. */
  public Claim {
    queues = List.copyOf(new LinkedHashSet<>(queues));
    Checks.queues(queues);
    Checks.notNegative("lease", lease);
    Checks.inRange("limit", limit, 1, LIMIT_MAX);
    Checks.notNegative("maxWait", maxWait);
    Checks.claimant(claimant);
  }

  /** Claims one task from any of the queues for 45 seconds, waiting without limit. */
  public static Claim from(String... queues) {
    return from(Arrays.asList(queues));
  }

  /** Claims one task from any of the queues for 45 seconds, waiting without limit. */
  public static Claim from(Collection<String> queues) {
    return new Claim(List.copyOf(queues), DEFAULT_LEASE, 1, FOREVER, "");
  }

  public Claim withLease(Duration newLease) {
    return new Claim(queues, newLease, limit, maxWait, claimant);
  }

  /** Claims up to so many tasks. It does not wait for more than the first one. */
  public Claim withLimit(int newLimit) {
    return new Claim(queues, lease, newLimit, maxWait, claimant);
  }

  public Claim withMaxWait(Duration newMaxWait) {
    return new Claim(queues, lease, limit, newMaxWait, claimant);
  }

  public Claim withClaimant(String newClaimant) {
    return new Claim(queues, lease, limit, maxWait, newClaimant);
  }

  public boolean waitsForever() {
    return maxWait.equals(FOREVER);
  }

  public long leaseMs() {
    return Times.toMs(lease);
  }
}
