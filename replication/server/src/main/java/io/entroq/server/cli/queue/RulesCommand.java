package io.entroq.server.cli.queue;

import io.entroq.api.EntroQ;
import io.entroq.api.EntroQException;
import io.entroq.api.Modification;
import io.entroq.api.ModifyResult;
import io.entroq.api.Policies;
import io.entroq.server.cli.queue.action.LastingEffect;
import io.entroq.server.cli.queue.options.PolicyName;
import io.entroq.server.cli.queue.print.RulesJson;
import io.entroq.server.cli.queue.rules.RulesChange;
import io.entroq.tools.log.JsonLines;
import io.entroq.tools.terminal.CommandException;
import io.entroq.tools.terminal.Quantity;
import java.util.List;
import java.util.Optional;

/** A command on policies, limiters or pauses. */
abstract class RulesCommand extends TargetCommand implements LastingEffect {
  private String done;

  /** A command on one entry. */
  abstract static class OfOne extends RulesCommand {
    private Policies.Target target;

    /** The entry that the options name. */
    abstract Policies.Target named();

    @Override
    final void checkOptions() {
      target = named();
    }

    final Policies.Target target() {
      return target;
    }
  }

  /** The queue or prefix that must be named. */
  final Policies.Target require(PolicyName name) {
    return name.target(null)
        .orElseThrow(() -> usageError("Name one queue with -q, or one prefix with -p"));
  }

  @Override
  final int run(EntroQ queue) {
    requirePolicies(queue);
    return work(queue);
  }

  /** Refuses a queue without policies. */
  static void requirePolicies(EntroQ queue) {
    if (!queue.hasPolicies()) {
      throw new CommandException(
          "there are no policies here: they need a log of behavior level 8; see entroq level --help");
    }
  }

  /**
   * Runs the command on a queue that has policies.
   *
   * @return the exit status
   */
  abstract int work(EntroQ queue);

  /** Prints an entry as JSON. */
  final int show(EntroQ queue, Policies.Target target) {
    Policies.Entry entry = queue.policies().get(target).orElseThrow(() -> missing(target));
    try (JsonLines lines = json()) {
      lines.line(json -> RulesJson.write(json, entry));
    }
    return STATUS_OK;
  }

  /** Removes the rules and the pause of an entry. */
  final int remove(EntroQ queue, Policies.Target target) {
    int version = queue.policies().get(target).orElseThrow(() -> missing(target)).version();
    commit(queue, List.of(new Policies.Delete(target, Optional.of(version))));
    succeed(target + ": removed");
    return STATUS_OK;
  }

  private static CommandException missing(Policies.Target target) {
    return new CommandException(
        "there are no rules and no pause of %s; entroq policy ls and entroq limiter ls list them"
            .formatted(target));
  }

  /** Prints what changes, and makes the changes in one step unless it is a dry run. */
  final int put(EntroQ queue, List<RulesChange> changes, boolean isDryRun) {
    List<Policies.Write> writes =
        changes.stream()
            .filter(RulesChange::isChange)
            .<Policies.Write>map(RulesChange::write)
            .toList();
    if (!isDryRun && !writes.isEmpty()) {
      commit(queue, writes);
      done = Quantity.of(writes.size(), "policy was written", "policies were written");
    }
    changes.forEach(change -> print(change.line()));
    if (isDryRun) {
      noteNamed("dry run: nothing was written");
    }
    return STATUS_OK;
  }

  /** Makes all the writes in one step. */
  final ModifyResult.Committed commit(EntroQ queue, List<? extends Policies.Write> writes) {
    Modification.Builder modification = Modification.builder().claimant(claimant());
    writes.forEach(modification::write);
    try {
      return queue.modify(modification.build()).orThrow();
    } catch (EntroQException.Dependency e) {
      throw new CommandException(
          "nothing was written: somebody else has changed the rules since they were read; run it"
              + " again",
          e);
    }
  }

  /** Prints what was done. */
  final void succeed(String line) {
    done = line;
    print(line);
  }

  @Override
  public final Optional<String> done() {
    return Optional.ofNullable(done);
  }
}
