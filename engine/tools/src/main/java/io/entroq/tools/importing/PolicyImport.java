package io.entroq.tools.importing;

import io.entroq.api.EntroQ;
import io.entroq.api.Policies;
import io.entroq.api.QueuePolicy;
import io.entroq.tools.importing.source.SourceServer;
import io.entroq.tools.terminal.CommandException;
import io.entroq.tools.terminal.Interruption;
import io.entroq.tools.terminal.Quantity;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Copies the policies, limiters and pauses of a source. They are compared with the target's before
 * tasks are copied, and written after the tasks: policies limit, expire and fan out what is
 * inserted, but what the source has was inserted before, and may even break a rule that is newer.
 */
public final class PolicyImport {
  /**
   * First what takes precedence, so that no queue has rules meanwhile that are not its own; topics
   * before pools, of which they may not be a part.
   */
  private static final Comparator<Policies.Entry> ORDER =
      Comparator.<Policies.Entry, Policies.Kind>comparing(entry -> entry.target().kind())
          .thenComparing(entry -> !isTopic(entry))
          .thenComparing(entry -> -entry.target().name().length())
          .thenComparing(entry -> entry.target().name());

  private final List<Policies.Entry> entries;
  private final Duration patience;

  private PolicyImport(List<Policies.Entry> entries, Duration patience) {
    this.entries = entries.stream().sorted(ORDER).toList();
    this.patience = patience;
  }

  /**
   * Rules of the source that the target does not have.
   *
   * @param there the target's entry; empty if it has none
   * @param rules those of the source
   */
  public record Difference(Optional<Policies.Entry> there, Policies.Rules rules) {
    /** Whether the target has other rules. */
    public boolean isConflict() {
      return there.flatMap(Policies.Entry::rules).isPresent();
    }
  }

  /**
   * What was written.
   *
   * @param rules number of policies and limiters
   * @param pauses number of pauses
   */
  public record Written(int rules, int pauses) {}

  /** Copies nothing. */
  public static PolicyImport none() {
    return new PolicyImport(List.of(), Duration.ZERO);
  }

  /**
   * Reads those of a source.
   *
   * @param patience how long a side may be unavailable
   * @throws ImportInterruptedException if it is interrupted
   * @throws CommandException if the source does not answer or refuses
   */
  public static PolicyImport of(SourceServer source, Duration patience, Interruption interruption) {
    List<Policies.Entry> entries =
        new RetryLoop(patience, interruption, "")
            .ofSource("which policies it has; --no-policies leaves them out", source::policies);
    return new PolicyImport(entries, patience);
  }

  private static boolean isTopic(Policies.Entry entry) {
    return entry.rules().orElse(null) instanceof QueuePolicy policy && !policy.groups().isEmpty();
  }

  /** Those of the source. */
  public List<Policies.Entry> entries() {
    return entries;
  }

  /** How many there are, in words. */
  public String count() {
    return Quantity.of(entries.size(), "policy, limiter or pause", "policies, limiters and pauses");
  }

  /**
   * Compares rules with the target's. Other entries of the target, and pauses, are ignored.
   *
   * @throws CommandException if the target cannot have such policies
   */
  public List<Difference> differences(ImportSides sides) {
    if (entries.isEmpty()) {
      return List.of();
    }
    requireLevel(sides);
    return differences(retry(sides).ofTarget(() -> entries(sides.target())));
  }

  private void requireLevel(ImportSides sides) {
    if (!sides.target().hasPolicies()) {
      throw levelTooLow(count(), "any", sides);
    }
    if (!sides.target().hasPools() && entries.stream().anyMatch(PolicyImport::needsPools)) {
      throw levelTooLow("pools or topics among its policies", "these", sides);
    }
  }

  private static CommandException levelTooLow(String what, String none, ImportSides sides) {
    return new CommandException(
        "the source has %s, but the target %s cannot have %s: raise its behavior level (entroq level --help), or leave all policies out with --no-policies"
            .formatted(what, sides.targetName(), none));
  }

  private static boolean needsPools(Policies.Entry entry) {
    return entry.rules().orElse(null) instanceof QueuePolicy policy
        && (policy.pool().isPresent()
            || !policy.groups().isEmpty()
            || policy.weight() != 1
            || policy.rank() != 0);
  }

  private RetryLoop retry(ImportSides sides) {
    return new RetryLoop(patience, sides.interruption(), sides.targetName());
  }

  /** Those of a target. */
  static Map<Policies.Target, Policies.Entry> entries(EntroQ target) {
    Map<Policies.Target, Policies.Entry> entries = new HashMap<>();
    target.policyEntries(Policies.Query.all()).forEach(entry -> entries.put(entry.target(), entry));
    return entries;
  }

  private List<Difference> differences(Map<Policies.Target, Policies.Entry> there) {
    List<Difference> differences = new ArrayList<>();
    entries.forEach(
        entry ->
            difference(entry, Optional.ofNullable(there.get(entry.target())))
                .ifPresent(differences::add));
    return differences;
  }

  /** What to put at the target, if anything. */
  static Optional<Difference> difference(Policies.Entry entry, Optional<Policies.Entry> there) {
    return entry
        .rules()
        .filter(rules -> !there.flatMap(Policies.Entry::rules).equals(entry.rules()))
        .map(rules -> new Difference(there, rules));
  }

  /**
   * Writes those that the target does not have, and replaces those that differ.
   *
   * @throws ImportInterruptedException if it is interrupted
   * @throws CommandException if it fails; some may be written
   */
  public Written run(ImportSides sides) {
    return new PolicyCopy(sides, retry(sides)).run(entries);
  }
}
