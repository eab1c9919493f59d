package io.entroq.server.cli.queue;

import io.entroq.api.EntroQ;
import io.entroq.api.Policies;
import io.entroq.api.QueuePolicy;
import io.entroq.api.QueueQuery;
import io.entroq.api.QueueStats;
import io.entroq.server.cli.queue.options.QueueNameConverter;
import io.entroq.server.cli.queue.print.TextTable;
import io.entroq.server.cli.queue.rules.RulesChange;
import io.entroq.server.settings.SpellingSuggestion;
import io.entroq.tools.terminal.CommandException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The commands that begin with {@code group}. */
@Command(
    name = "group",
    header = "Add, list and remove the groups of a topic.",
    description = {
      "",
      "An insert into a topic makes one task for each of its groups, in the queue TOPIC/GROUP. A"
          + " queue with groups is a topic.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  entroq group add --data data -q orders billing mail",
      "  entroq group ls --data data -q orders",
      "",
      "Exit status: 0 if it succeeded; 1 if not; 2 if the command line is wrong."
    },
    mixinStandardHelpOptions = true,
    subcommands = {GroupCommand.Add.class, GroupCommand.Ls.class, GroupCommand.Rm.class})
final class GroupCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Missing command");
  }

  /** A command on the groups of one topic. */
  abstract static class OfTopic extends RulesCommand.OfOne {
    @Option(
        names = {"-q", "--queue"},
        paramLabel = "TOPIC",
        required = true,
        converter = QueueNameConverter.class,
        description = "The topic.")
    private String topic;

    @Override
    final Policies.Target named() {
      return Policies.Target.queue(topic);
    }

    @Override
    final int work(EntroQ queue) {
      Optional<Policies.Entry> before = queue.policies().get(target());
      QueuePolicy policy =
          before
              .flatMap(Policies.Entry::rules)
              .map(QueuePolicy.class::cast)
              .orElse(QueuePolicy.of(topic));
      return work(queue, before, policy);
    }

    /**
     * Runs the command.
     *
     * @param before the entry of the topic; empty if it does not exist
     * @param policy its rules, which may be none
     * @return the exit status
     */
    abstract int work(EntroQ queue, Optional<Policies.Entry> before, QueuePolicy policy);
  }

  /** Changes the groups of a topic. */
  abstract static class Changing extends OfTopic {
    @Parameters(arity = "1..*", paramLabel = "NAME", description = "Groups.")
    private List<String> names;

    @Option(names = "--dry-run", description = "Write nothing; print what would change.")
    private boolean isDryRun;

    @Override
    final boolean isReading() {
      return isDryRun;
    }

    @Override
    final int work(EntroQ queue, Optional<Policies.Entry> before, QueuePolicy policy) {
      if (policy.pool().isPresent()) {
        throw new CommandException(target() + " is a pool, which cannot be a topic as well");
      }
      Set<String> groups = new LinkedHashSet<>(policy.groups());
      change(groups, names);
      RulesChange change = new RulesChange(before, policy.groups(groups.toArray(String[]::new)));
      int status = put(queue, List.of(change), isDryRun);
      if (groups.isEmpty()) {
        print(
            "%s %s: an insert makes one task in it, as in any queue"
                .formatted(target(), isDryRun ? "would have no group" : "has no group now"));
      }
      return status;
    }

    /** Changes the groups, in their order. */
    abstract void change(Set<String> groups, List<String> named);
  }

  @Command(
      name = "add",
      header = "Add groups to a topic, or make a queue a topic.",
      description = {
        "",
        "A new group gets what is inserted from then on. The other rules of the queue stay. Prints what changed; groups that the topic has already change nothing. If somebody else changes the policy meanwhile, nothing is written.",
        ""
      },
      footer = {
        "",
        "Examples:",
        "  entroq group add --data data -q orders billing mail",
        "  entroq group add -s localhost:37706 -q orders audit --dry-run",
        "",
        "Exit status: 0 if the topic has the groups, or it was a dry run; 1 if not; 2 if the command line is wrong."
      })
  static final class Add extends Changing {
    @Override
    void change(Set<String> groups, List<String> named) {
      groups.addAll(named);
    }
  }

  @Command(
      name = "rm",
      header = "Remove groups from a topic.",
      description = {
        "",
        "The tasks of a removed group stay in its queue, which is an ordinary queue from then on. Without its last group, the topic is an ordinary queue, too. If somebody else changes the policy meanwhile, nothing is written.",
        ""
      },
      footer = {
        "",
        "Examples:",
        "  entroq group rm --data data -q orders mail",
        "",
        "Exit status: 0 if they were removed, or it was a dry run; 1 if not, as for an unknown group; 2 if the command line is wrong."
      })
  static final class Rm extends Changing {
    @Override
    void change(Set<String> groups, List<String> named) {
      List<String> known = List.copyOf(groups);
      for (String name : named) {
        if (!known.contains(name)) {
          throw new CommandException(
              "%s has no group %s%s; nothing was written"
                  .formatted(target(), name, suggestion(name, known)));
        }
        groups.remove(name);
      }
    }

    private static String suggestion(String name, List<String> known) {
      return known.isEmpty()
          ? ", it is no topic"
          : SpellingSuggestion.closest(name, known)
              .map("; did you mean %s?"::formatted)
              .orElse("; entroq group ls lists them");
    }
  }

  @Command(
      name = "ls",
      header = "List the groups of a topic.",
      description = {
        "",
        "Prints a table of the groups, in their order, with the number of tasks in the queue of each.",
        ""
      },
      footer = {
        "",
        "Examples:",
        "  entroq group ls --data data -q orders",
        "",
        "Exit status: 0 if it succeeded, even if there is no group; 1 if not; 2 if the command line is wrong."
      })
  static final class Ls extends OfTopic {
    @Override
    boolean isReading() {
      return true;
    }

    @Override
    int work(EntroQ queue, Optional<Policies.Entry> before, QueuePolicy policy) {
      List<String> queues =
          policy.groups().stream().map(group -> policy.name() + "/" + group).toList();
      Map<String, QueueStats> stats =
          queues.isEmpty() ? Map.of() : queue.queueStats(new QueueQuery(List.of(), queues, 0));
      TextTable table = new TextTable("GROUP", "QUEUE", "TASKS");
      for (int i = 0; i < queues.size(); i++) {
        QueueStats figures = stats.get(queues.get(i));
        table.row(policy.groups().get(i), queues.get(i), figures == null ? 0 : figures.tasks());
      }
      table.lines().forEach(this::print);
      return STATUS_OK;
    }
  }
}
