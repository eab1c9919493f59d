package io.entroq.server.cli.queue;

import io.entroq.api.EntroQ;
import io.entroq.api.EntroQException;
import io.entroq.api.Policies;
import io.entroq.server.cli.queue.rules.RulesChange;
import io.entroq.server.cli.queue.rules.RulesFile;
import io.entroq.tools.terminal.CommandException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The {@code policy apply} command. */
@Command(
    name = "apply",
    header = "Make policies and limiters what a file says.",
    description = {
      "",
      "Reads YAML or JSON, and prints a line per policy with what changes. All changes are made in"
          + " one step, or none: also if somebody else changes one of the policies meanwhile."
          + " Policies that the file does not name stay.",
      "",
      "A policy in the file has all its rules: one that is left out is removed. Rules are named as"
          + " the options of policy set; limiters is a list. With a version, a policy changes only"
          + " if it has that version (0: if it does not exist). Pauses stay.",
      "",
      "policies:%n"
          + "  - queue: stripe%n"
          + "    rate: 100/1s%n"
          + "    limiters: [stripe-api]%n"
          + "  - prefix: inbox/%n"
          + "    retry-base: 1s%n"
          + "    retry-max: 1h%n"
          + "    attempts: 8%n"
          + "  - limiter: stripe-api%n"
          + "    in-flight: 20",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  entroq policy apply --data data policies.yaml --dry-run",
      "  entroq policy ls --data data -j > policies.json",
      "",
      "Exit status: 0 if the policies are as the file says, or it was a dry run; 1 if not, or if"
          + " the file is not valid; 2 if the command line is wrong."
    })
final class PolicyApplyCommand extends RulesCommand {
  @Parameters(paramLabel = "FILE", description = "YAML or JSON, in UTF-8.")
  private Path file;

  @Option(names = "--dry-run", description = "Write nothing; print what would change.")
  private boolean isDryRun;

  private List<RulesFile.Item> items;

  @Override
  void checkOptions() {
    items = new RulesFile(file).read();
  }

  @Override
  boolean isReading() {
    return isDryRun;
  }

  @Override
  int work(EntroQ queue) {
    Map<Policies.Target, Policies.Entry> entries = new HashMap<>();
    queue.policies().list(Policies.Query.all()).forEach(each -> entries.put(each.target(), each));
    List<RulesChange> changes = new ArrayList<>();
    for (RulesFile.Item item : items) {
      Policies.Entry before = entries.get(item.rules().target());
      RulesChange change = new RulesChange(Optional.ofNullable(before), item.rules());
      requireVersion(item, before == null ? 0 : before.version(), change);
      changes.add(change);
    }
    try {
      return put(queue, changes, isDryRun);
    } catch (EntroQException.InvalidArgument e) {
      throw new CommandException(file + ": " + e.getMessage(), e);
    }
  }

  private void requireVersion(RulesFile.Item item, int version, RulesChange change) {
    if (change.isChange() && item.version().orElse(version) != version) {
      throw new CommandException(
          "%s: %s has version %d, the file expects %d; nothing was written"
              .formatted(file, item.rules().target(), version, item.version().getAsInt()));
    }
  }
}
