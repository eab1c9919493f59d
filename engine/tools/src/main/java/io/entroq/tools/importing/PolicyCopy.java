package io.entroq.tools.importing;

import io.entroq.api.Claim;
import io.entroq.api.EntroQ;
import io.entroq.api.EntroQException;
import io.entroq.api.Modification;
import io.entroq.api.ModifyResult;
import io.entroq.api.Policies;
import io.entroq.tools.terminal.CommandException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Writes policies, limiters and pauses to the target, in batches. Single use. */
final class PolicyCopy {
  private final ImportSides sides;
  private final RetryLoop retry;

  /** What the target had; null until it is read, and after an attempt that may have written. */
  private Map<Policies.Target, Policies.Entry> there;

  PolicyCopy(ImportSides sides, RetryLoop retry) {
    this.sides = sides;
    this.retry = retry;
  }

  /**
   * Writes those that the target does not have, and replaces those that differ.
   *
   * @param entries those of the source, in the order in which to write them
   */
  PolicyImport.Written run(List<Policies.Entry> entries) {
    int rules = 0;
    int pauses = 0;
    for (int from = 0; from < entries.size(); from += Batch.ITEMS_MAX) {
      List<Policies.Entry> some =
          entries.subList(from, Math.min(entries.size(), from + Batch.ITEMS_MAX));
      List<Policies.Write> writes = write(some);
      int puts = (int) writes.stream().filter(Policies.Put.class::isInstance).count();
      rules += puts;
      pauses += writes.size() - puts;
    }
    return new PolicyImport.Written(rules, pauses);
  }

  private List<Policies.Write> write(List<Policies.Entry> some) {
    try {
      return retry.ofTarget(() -> attempt(some));
    } catch (EntroQException.InvalidArgument | EntroQException.Dependency e) {
      throw new CommandException(
          "the target %s does not take the policies: %s"
              .formatted(sides.targetName(), e.getMessage()),
          e);
    }
  }

  private List<Policies.Write> attempt(List<Policies.Entry> some) {
    if (sides.interruption().isRequested()) {
      throw new ImportInterruptedException();
    }
    EntroQ target = sides.target();
    Map<Policies.Target, Policies.Entry> known =
        there == null ? PolicyImport.entries(target) : there;
    there = null;
    List<Policies.Write> writes = writes(some, known, target.time());
    if (!writes.isEmpty()) {
      Modification.Builder modification = Modification.builder().claimant(sides.claimant());
      writes.forEach(modification::write);
      ModifyResult.Committed unused = target.modify(modification.build()).orThrow();
    }
    there = known;
    return writes;
  }

  private static List<Policies.Write> writes(
      List<Policies.Entry> some, Map<Policies.Target, Policies.Entry> there, Instant now) {
    List<Policies.Write> writes = new ArrayList<>();
    for (Policies.Entry entry : some) {
      Optional<Policies.Entry> other = Optional.ofNullable(there.get(entry.target()));
      int version = other.map(Policies.Entry::version).orElse(0);
      PolicyImport.difference(entry, other)
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
