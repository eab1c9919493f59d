package io.entroq.server.cli.queue;

import io.entroq.api.EntroQ;
import io.entroq.api.Policies;
import io.entroq.server.cli.queue.options.LimiterName;
import io.entroq.server.cli.queue.options.RateOptions;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The commands that begin with {@code limiter}. */
@Command(
    name = "limiter",
    header = "Set, list and remove limits that queues share.",
    description = {
      "",
      "A limiter bounds how fast and how many tasks of several queues start together, as for a service that they all call. Policies of queues name it.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  entroq limiter set --data data -n stripe-api --rate 100/1s",
      "  entroq limiter ls --data data",
      "",
      "Exit status: 0 if it succeeded; 1 if not; 2 if the command line is wrong."
    },
    mixinStandardHelpOptions = true,
    subcommands = {
      LimiterCommand.Set.class,
      LimiterCommand.Get.class,
      LimiterCommand.Ls.class,
      LimiterCommand.Rm.class
    })
final class LimiterCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Missing command");
  }

  @Command(
      name = "set",
      header = "Set limits that several queues share.",
      description = {
        "",
        "Sets the rules that are given. The others stay, unless --replace removes them. Prints what changed. Queues share the limiter once their policies name it.",
        ""
      },
      footer = {
        "",
        "Examples:",
        "  entroq limiter set --data data -n stripe-api --rate 100/1s --in-flight 20",
        "  entroq policy set --data data -p pay/ --limiter stripe-api",
        "",
        "Exit status: 0 if it was set; 1 if not; 2 if the command line is wrong."
      })
  static final class Set extends RulesSetCommand {
    @Mixin private LimiterName name;

    @Mixin private RateOptions rules;

    @Override
    Policies.Target target() {
      return name.target();
    }

    @Override
    Map<String, List<String>> given() {
      return rules.texts();
    }
  }

  @Command(
      name = "get",
      header = "Print a limiter as JSON.",
      description = {
        "",
        "Prints its limits, its version, and its state: whether it is paused, the tasks in flight, and when the next may start.",
        ""
      },
      footer = {
        "",
        "Examples:",
        "  entroq limiter get --data data -n stripe-api",
        "",
        "Exit status: 0 if it was printed; 1 if there is none; 2 if the command line is wrong."
      })
  static final class Get extends RulesCommand.OfOne {
    @Mixin private LimiterName name;

    @Override
    Policies.Target named() {
      return name.target();
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
      header = "List the limiters.",
      description = {"", "Prints a table by name, or with -j a file for policy apply.", ""},
      footer = {
        "",
        "Examples:",
        "  entroq limiter ls --data data",
        "",
        "Exit status: 0 if it succeeded; 1 if not; 2 if the command line is wrong."
      })
  static final class Ls extends RulesLsCommand {
    Ls() {
      super(List.of(Policies.Kind.LIMITER));
    }
  }

  @Command(
      name = "rm",
      header = "Remove a limiter, and its pause.",
      description = {
        "",
        "Policies may go on naming it: a limiter that does not exist limits nothing.",
        ""
      },
      footer = {
        "",
        "Examples:",
        "  entroq limiter rm --data data -n stripe-api",
        "",
        "Exit status: 0 if it was removed; 1 if there is none; 2 if the command line is wrong."
      })
  static final class Rm extends RulesCommand.OfOne {
    @Mixin private LimiterName name;

    @Override
    Policies.Target named() {
      return name.target();
    }

    @Override
    int work(EntroQ queue) {
      return remove(queue, target());
    }
  }
}
