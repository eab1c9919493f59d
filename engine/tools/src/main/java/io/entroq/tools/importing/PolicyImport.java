package io.entroq.tools.importing;

import io.entroq.api.Claim;
import io.entroq.api.EntroQ;
import io.entroq.api.EntroQException;
import io.entroq.api.Modification;
import io.entroq.api.ModifyResult;
import io.entroq.api.Policies;
import io.entroq.api.QueuePolicy;
import io.entroq.tools.importing.source.SourceServer;
import io.entroq.tools.terminal.CommandException;
import io.entroq.tools.terminal.Interruption;
import java.time.Duration;
import java.time.Instant;
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

  /**
   * Compares rules with the target's. Other entries of the target, and pauses, are ignored.
   *
   * @throws CommandException if the target cannot have policies
   */
  public List<Difference> differences(ImportSides sides) {
    if (entries.isEmpty()) {
      return List.of();
    }
    if (!sides.target().hasPolicies()) {
      throw new CommandException(
          "the source has %,d policies, limiters and pauses, but the target %s cannot have any: raise its behavior level (entroq level --help), or leave them out with --no-policies"
              .formatted(entries.size(), sides.targetName()));
    }
    return differences(retry(sides).ofTarget(() -> entries(sides.target())));
  }

  private RetryLoop retry(ImportSides sides) {
    return new RetryLoop(patience, sides.interruption(), sides.targetName());
  }

  private static Map<Policies.Target, Policies.Entry> entries(EntroQ target) {
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

  private static Optional<Difference> difference(
      Policies.Entry entry, Optional<Policies.Entry> there) {
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
    if (entries.isEmpty()) {
      return new Written(0, 0);
    }
    int rules = 0;
    int pauses = 0;
    RetryLoop retry = retry(sides);
    for (int from = 0; from < entries.size(); from += Batch.ITEMS_MAX) {
      List<Policies.Entry> some =
          entries.subList(from, Math.min(entries.size(), from + Batch.ITEMS_MAX));
      List<Policies.Write> writes = write(some, sides, retry);
      int puts = (int) writes.stream().filter(Policies.Put.class::isInstance).count();
      rules += puts;
      pauses += writes.size() - puts;
    }
    return new Written(rules, pauses);
  }

  private List<Policies.Write> write(
      List<Policies.Entry> some, ImportSides sides, RetryLoop retry) {
    try {
      return retry.ofTarget(
          () -> {
            if (sides.interruption().isRequested()) {
              throw new ImportInterruptedException();
            }
            List<Policies.Write> writes =
                writes(some, entries(sides.target()), sides.target().time());
            if (!writes.isEmpty()) {
              Modification.Builder modification = Modification.builder().claimant(sides.claimant());
              writes.forEach(modification::write);
              ModifyResult.Committed unused = sides.target().modify(modification.build()).orThrow();
            }
            return writes;
          });
    } catch (EntroQException.InvalidArgument | EntroQException.Dependency e) {
      throw new CommandException(
          "the target %s does not take the policies: %s"
              .formatted(sides.targetName(), e.getMessage()),
          e);
    }
  }

  private static List<Policies.Write> writes(
      List<Policies.Entry> some, Map<Policies.Target, Policies.Entry> there, Instant now) {
    List<Policies.Write> writes = new ArrayList<>();
    for (Policies.Entry entry : some) {
      Optional<Policies.Entry> other = Optional.ofNullable(there.get(entry.target()));
      int version = other.map(Policies.Entry::version).orElse(0);
      difference(entry, other)
          .ifPresent(
              changed -> writes.add(new Policies.Put(changed.rules(), Optional.of(version))));
      entry
          .pausedUntil()
          .filter(end -> end.isAfter(other.flatMap(Policies.Entry::pausedUntil).orElse(now)))
          .ifPresent(end -> writes.add(new Policies.Pause(entry.target(), length(now, end))));
    }
    return writes;
  }

  private static Duration length(Instant now, Instant end) {
    return end.equals(Instant.MAX) ? Claim.FOREVER : Duration.between(now, end);
  }
}
