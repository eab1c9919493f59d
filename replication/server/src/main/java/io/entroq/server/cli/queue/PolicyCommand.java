package io.entroq.server.cli.queue;

import io.entroq.api.EntroQ;
import io.entroq.api.Policies;
import io.entroq.server.cli.queue.options.PolicyName;
import io.entroq.server.cli.queue.options.RuleOptions;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The commands that begin with {@code policy}. */
@Command(
    name = "policy",
    header = "Set, list and remove the rules of queues.",
    description = {
      "",
      "A policy says how fast and how many tasks of a queue start, what becomes of tasks that fail, lapse or expire, and how long the queue may grow. The engine enforces it for clients of all languages.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  entroq policy set --data data -q stripe --rate 100/1s --in-flight 20",
      "  entroq policy apply --data data policies.yaml --dry-run",
      "  entroq policy ls --data data",
      "",
      "Exit status: 0 if it succeeded; 1 if not; 2 if the command line is wrong."
    },
    mixinStandardHelpOptions = true,
    subcommands = {
      PolicyCommand.Set.class,
      PolicyCommand.Get.class,
      PolicyCommand.Ls.class,
      PolicyCommand.Rm.class,
      PolicyApplyCommand.class
    })
final class PolicyCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Missing command");
  }

  @Command(
      name = "set",
      header = "Set rules of a queue, or of all queues with a prefix.",
      customSynopsis = "entroq policy set [OPTION]... (-q QUEUE | -p PREFIX) RULE...",
      description = {
        "",
        "Sets the rules that are given. The others stay, unless --replace removes them; 0 removes a number, --unset any rule. Prints what changed. If somebody else changes the policy meanwhile, nothing is written.",
        "",
        "Of the policies of a queue, that of its exact name counts, else that of the longest prefix. Rules of different policies are not combined.",
        ""
      },
      footer = {
        "",
        "Examples:",
        "  entroq policy set --data data -q stripe --rate 100/1s --burst 10",
        "  entroq policy set --data data -p inbox/ --attempts 8 --lapses 3",
        "  entroq policy set --data data -q stripe --unset rate --dry-run",
        "",
        "Exit status: 0 if it was set; 1 if not; 2 if the command line is wrong."
      })
  static final class Set extends RulesSetCommand {
    @Mixin private PolicyName name;
    @Mixin private RuleOptions rules;

    @Override
    Policies.Target target() {
      return require(name);
    }

    @Override
    Map<String, List<String>> given() {
      return rules.texts();
    }
  }

  @Command(
      name = "get",
      header = "Print the policy of a queue or prefix as JSON.",
      description = {
        "",
        "Prints the policy of exactly this name, with its version and whether it is paused.",
        ""
      },
      footer = {
        "",
        "Examples:",
        "  entroq policy get --data data -q stripe",
        "  entroq policy get -s localhost:37706 -p inbox/",
        "",
        "Exit status: 0 if it was printed; 1 if there is none; 2 if the command line is wrong."
      })
  static final class Get extends RulesCommand.OfOne {
    @Mixin private PolicyName name;

    @Override
    Policies.Target named() {
      return require(name);
    }

    @Override
    boolean isReading() {
      return true;
    }

    @Override
    int work(EntroQ queue) {
      return show(queue, target());
    }
  }

  @Command(
      name = "ls",
      header = "List the policies of queues and prefixes.",
      description = {
        "",
        "Prints a table by kind and name, or with -j a file for policy apply.",
        ""
      },
      footer = {
        "",
        "Examples:",
        "  entroq policy ls --data data",
        "  entroq policy ls --data data --starting-with inbox/ -j",
        "",
        "Exit status: 0 if it succeeded; 1 if not; 2 if the command line is wrong."
      })
  static final class Ls extends RulesLsCommand {
    Ls() {
      super(List.of(Policies.Kind.QUEUE, Policies.Kind.PREFIX));
    }
  }

  @Command(
      name = "rm",
      header = "Remove the policy of a queue or prefix, and its pause.",
      description = {"", "Tasks stay where they are, and start without limits from then on.", ""},
      footer = {
        "",
        "Examples:",
        "  entroq policy rm --data data -q stripe",
        "",
        "Exit status: 0 if it was removed; 1 if there is none; 2 if the command line is wrong."
      })
  static final class Rm extends RulesCommand.OfOne {
    @Mixin private PolicyName name;

    @Override
    Policies.Target named() {
      return require(name);
    }

    @Override
    int work(EntroQ queue) {
      return remove(queue, target());
    }
  }
}
