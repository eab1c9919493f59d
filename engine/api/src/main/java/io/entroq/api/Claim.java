package io.entroq.api;

import io.entroq.codec.wire.Limits;
import io.entroq.codec.wire.Times;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;

/**
 * Asks for tasks under a lease. Immutable; the {@code with} methods return altered copies.
 *
 * <pre>{@code
 * Task task = queue.claim(Claim.from("inbox").withLease(Duration.ofMinutes(5)));
 * }</pre>
 *
 * <p>A queue is chosen evenly among those that have available work; inside it the choice prefers
 * older tasks, but every available one may be chosen.
 *
 * @param queues where to take tasks from: 1 to 1,024 bytes each; repetitions count once; 1 to 1,000
 *     of them
 * @param lease how long the tasks are the claimant's: zero or more, milliseconds are kept
 * @param limit how many tasks at most, 1 to 1,000
 * @param maxWait how long a claim that waits does so: zero or more, {@link #FOREVER} for no bound
 * @param claimant who asks; empty: the {@linkplain EntroQ#claimant() claimant of the EntroQ} that
 *     is asked
 */
public record Claim(
    List<String> queues, Duration lease, int limit, Duration maxWait, String claimant) {
  /** The lease of a claim that does not name one: 30 seconds. */
  public static final Duration DEFAULT_LEASE = Duration.ofSeconds(30);

  /** A wait without bound. */
  public static final Duration FOREVER = Duration.ofSeconds(Long.MAX_VALUE);

  /** The largest limit. */
  public static final int LIMIT_MAX = Limits.CLAIM_LIMIT_MAX;

  /**
   * Checks the components.
   *
   * @throws EntroQException.InvalidArgument if one is out of its range
   */
  public Claim {
    queues = List.copyOf(new LinkedHashSet<>(queues));
    Checks.queues(queues);
    Checks.notNegative("lease", lease);
    Checks.inRange("limit", limit, 1, LIMIT_MAX);
    Checks.notNegative("maxWait", maxWait);
    Checks.claimant(claimant);
  }

  /** Claims one task out of any of the given queues, for 30 seconds, and waits for it. */
  public static Claim from(String... queues) {
    return from(Arrays.asList(queues));
  }

  /** Claims one task out of any of the given queues, for 30 seconds, and waits for it. */
  public static Claim from(Collection<String> queues) {
    return new Claim(List.copyOf(queues), DEFAULT_LEASE, 1, FOREVER, "");
  }

  /** The same with another lease. */
  public Claim withLease(Duration newLease) {
    return new Claim(queues, newLease, limit, maxWait, claimant);
  }

  /**
   * The same for up to so many tasks; it is answered with what there is as soon as there is one.
   */
  public Claim withLimit(int newLimit) {
    return new Claim(queues, lease, newLimit, maxWait, claimant);
  }

  /** The same with a bound on the wait. */
  public Claim withMaxWait(Duration newMaxWait) {
    return new Claim(queues, lease, limit, newMaxWait, claimant);
  }

  /** The same in the name of another claimant. */
  public Claim withClaimant(String newClaimant) {
    return new Claim(queues, lease, limit, maxWait, newClaimant);
  }

  /** Whether a wait has no bound. */
  public boolean waitsForever() {
    return maxWait.equals(FOREVER);
  }

  /** The lease in milliseconds. */
  public long leaseMs() {
    return Times.toMs(lease);
  }
}
