package io.entroq.server.cli.queue;

import io.entroq.api.EntroQ;
import io.entroq.api.EntroQException;
import io.entroq.server.cli.queue.options.HelpOptions;
import io.entroq.server.cli.queue.options.SourceOptions;
import io.entroq.server.cli.queue.options.TargetOptions;
import io.entroq.server.cli.queue.print.ImportText;
import io.entroq.server.settings.DurationConverter;
import io.entroq.tools.importing.Copier;
import io.entroq.tools.importing.CopyStats;
import io.entroq.tools.importing.DocSelection;
import io.entroq.tools.importing.ImportInterruptedException;
import io.entroq.tools.importing.ImportSides;
import io.entroq.tools.importing.ImportState;
import io.entroq.tools.importing.ImportStateFile;
import io.entroq.tools.importing.ImportVerification;
import io.entroq.tools.importing.ImportView;
import io.entroq.tools.importing.ImportViews;
import io.entroq.tools.importing.Inventory;
import io.entroq.tools.importing.PolicyImport;
import io.entroq.tools.importing.UnitName.Kind;
import io.entroq.tools.importing.source.SourceServer;
import io.entroq.tools.terminal.CommandException;
import io.entroq.tools.terminal.Interruption;
import io.entroq.tools.terminal.PlainLine;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The {@code import} command: see {@link io.entroq.tools.importing}. */
@Command(
    name = "import",
    header = "Copy the tasks and docs of an EntroQ server, and verify the copy.",
    description = {
      "",
      "Reads all queues and namespaces of a server, either EntroQ's own or this one, and inserts"
          + " their content under the same ids. A task keeps its id, queue, arrival time, value,"
          + " attempt and error; a doc keeps its namespace, id, keys and content. Versions,"
          + " claimants, claim counts and creation times are reset. A claimed task becomes available"
          + " when its lease ends; docs are not claimed.",
      "",
      "From a source that has them, a task also keeps when it expires and its trace; and after the"
          + " tasks, policies, limiters and pauses are copied. If the target has one that differs,"
          + " nothing is copied, unless --replace-policies or --no-policies says what to do.",
      "",
      "First stop all producers and workers at the source, and start none at the target until the"
          + " import is done. At the end, both sides are read again and compared. You can interrupt"
          + " it at any time and run it again: nothing is copied twice. With --state, finished queues"
          + " and namespaces are skipped.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  entroq import --from old:37706 -s new:37706 --dry-run",
      "  entroq import --from old:37706 -s new:37706 --state import.state",
      "  entroq import --from old:37706 --api v0 --data data",
      "  entroq import --from old:37706 -s new:37706 --verify-only",
      "",
      "Exit status: 0 if the target has everything that the source has; 1 if not, or if it"
          + " failed; 2 if the command line is wrong; 130 if it was interrupted."
    })
final class ImportCommand implements Callable<Integer> {
  private static final int STATUS_OK = 0;

  /** Longer than the minute after which a request to a silent server fails. */
  private static final Duration SHUTDOWN_TIMEOUT = Duration.ofSeconds(90);

  @Spec private CommandSpec spec;
  @Mixin HelpOptions help;
  @Mixin private SourceOptions from;
  @Mixin private TargetOptions target;

  @Option(
      names = "--namespace",
      paramLabel = "NAME",
      description =
          "Copy the docs of this namespace only; repeatable. Required for EntroQ 1.0, which"
              + " cannot list them.")
  private List<String> namespaces = List.of();

  @Option(names = "--no-docs", description = "Copy no docs.")
  private boolean isWithoutDocs;

  @Option(names = "--no-policies", description = "Copy no policies, limiters and pauses.")
  private boolean isWithoutPolicies;

  @Option(
      names = "--replace-policies",
      description = "Replace policies and limiters of the target that differ from the source's.")
  private boolean isReplacingPolicies;

  @Option(
      names = "--state",
      paramLabel = "FILE",
      description =
          "File that records what is finished, so that a later run skips it. Deleted at the end.")
  private Path stateFile;

  @Option(
      names = "--patience",
      paramLabel = "TIME",
      converter = DurationConverter.class,
      description =
          "How long to retry while source or target is unavailable: "
              + DurationConverter.FORMS
              + ". Default: 60.")
  private Duration patience = Duration.ofSeconds(60);

  @Option(names = "--dry-run", description = "Copy nothing; print what would be copied.")
  private boolean isDryRun;

  @Option(names = "--verify-only", description = "Copy nothing; only compare.")
  private boolean isVerifyOnly;

  @Option(names = "--no-verify", description = "Copy without comparing.")
  private boolean isUnverified;

  @Option(
      names = "--differences",
      paramLabel = "N",
      description = "Maximum number of differences to list. Default: 20.")
  private int differencesMax = 20;

  @Option(names = "--no-progress", description = "Show no progress.")
  private boolean isQuiet;

  @Override
  public Integer call() {
    check();
    try (Interruption interruption = target.listen("import", SHUTDOWN_TIMEOUT, true);
        SourceServer source = from.open()) {
      return run(source, interruption);
    }
  }

  private void check() {
    target.check();
    from.check(spec.commandLine());
    if ((isDryRun ? 1 : 0) + (isVerifyOnly ? 1 : 0) + (isUnverified ? 1 : 0) > 1) {
      throw usageError("--dry-run, --verify-only and --no-verify cannot be combined");
    }
    if (stateFile != null && (isDryRun || isVerifyOnly)) {
      throw usageError("--state cannot be combined with --dry-run or --verify-only");
    }
    if (isWithoutDocs && !namespaces.isEmpty()) {
      throw usageError("--no-docs and --namespace cannot be combined");
    }
    if (isReplacingPolicies && (isWithoutPolicies || isDryRun || isVerifyOnly)) {
      throw usageError(
          "--replace-policies cannot be combined with --no-policies, --dry-run or --verify-only");
    }
    if (differencesMax < 0) {
      throw usageError("--differences %d must not be negative".formatted(differencesMax));
    }
    try {
      if (from.where().equals(target.where())) {
        throw usageError("%s is both the source and the target".formatted(from.where()));
      }
    } catch (EntroQException.InvalidArgument e) {
      throw usageError(e.getMessage());
    }
  }

  private ParameterException usageError(String why) {
    return new ParameterException(spec.commandLine(), why);
  }

  private int run(SourceServer source, Interruption interruption) {
    try {
      Inventory inventory = inventory(source, interruption);
      PolicyImport policies = policies(source, interruption);
      if (isDryRun) {
        print(ImportText.plan(inventory, policies, source.where(), target.where()));
        return STATUS_OK;
      }
      try (EntroQ queue = isVerifyOnly ? target.open() : target.openOrCreate(this::noteNamed);
          ImportView view = ImportViews.choose(!isQuiet, spec.commandLine().getErr())) {
        ImportSides sides =
            new ImportSides(source, queue, target.where(), target.claimant(), interruption);
        if (!isVerifyOnly) {
          requireNoConflicts(policies, sides);
          CopyStats stats = copy(sides, inventory, view);
          copy(policies, sides, stats);
        }
        if (!isUnverified) {
          compare(sides, policies, view);
        }
      }
      return STATUS_OK;
    } catch (ImportInterruptedException e) {
      return Interruption.STATUS;
    }
  }

  private Inventory inventory(SourceServer source, Interruption interruption) {
    return Inventory.of(
        source, new DocSelection(isWithoutDocs, namespaces), patience, interruption);
  }

  private PolicyImport policies(SourceServer source, Interruption interruption) {
    return isWithoutPolicies
        ? PolicyImport.none()
        : PolicyImport.of(source, patience, interruption);
  }

  /** Before anything is copied. */
  private void requireNoConflicts(PolicyImport policies, ImportSides sides) {
    List<PolicyImport.Difference> conflicts =
        policies.differences(sides).stream().filter(PolicyImport.Difference::isConflict).toList();
    if (!conflicts.isEmpty() && !isReplacingPolicies) {
      print(ImportText.differences(conflicts));
      throw new CommandException(
          "nothing was copied: the target differs from the source in %s; see the output, and choose --replace-policies or --no-policies"
              .formatted(ImportText.rules(conflicts.size())));
    }
  }

  private void copy(PolicyImport policies, ImportSides sides, CopyStats stats) {
    if (!policies.entries().isEmpty()) {
      print(ImportText.written(policies.run(sides)));
    }
    if (isUnverified && stats.refused() > 0) {
      throw new CommandException("the target refused some tasks or docs; see the output");
    }
  }

  private CopyStats copy(ImportSides sides, Inventory inventory, ImportView view) {
    if (stateFile == null) {
      return copy(sides, inventory, ImportState.NONE, view);
    }
    SourceServer source = sides.source();
    try (ImportStateFile state =
        ImportStateFile.open(stateFile, source.where(), source.api(), target.where())) {
      CopyStats stats = copy(sides, inventory, state, view);
      if (stats.refused() == 0) {
        state.remove();
      }
      return stats;
    }
  }

  private CopyStats copy(
      ImportSides sides, Inventory inventory, ImportState state, ImportView view) {
    Copier copier = new Copier(sides, state, patience, view);
    CopyStats stats = copier.stats();
    try {
      copier.run(inventory);
    } catch (ImportInterruptedException e) {
      view.close();
      noteNamed("interrupted; " + soFar(stats));
      throw e;
    } catch (CommandException e) {
      throw new CommandException("%s; %s".formatted(e.getMessage(), soFar(stats)), e);
    }
    view.close();
    print(ImportText.copied(stats, inventory));
    return stats;
  }

  private static String soFar(CopyStats stats) {
    return "%,d tasks and %,d docs were copied; run the same command to continue"
        .formatted(stats.inserted(Kind.QUEUE), stats.inserted(Kind.NAMESPACE));
  }

  /** Lists the source again, since producers and workers may still be running there. */
  private void compare(ImportSides sides, PolicyImport policies, ImportView view) {
    ImportVerification comparison = new ImportVerification(sides, patience, differencesMax, view);
    try {
      comparison.run(inventory(sides.source(), sides.interruption()));
    } catch (ImportInterruptedException e) {
      view.close();
      noteNamed("interrupted; run with --verify-only to compare again");
      throw e;
    }
    view.close();
    print(ImportText.compared(comparison));
    List<PolicyImport.Difference> different = policies.differences(sides);
    if (!different.isEmpty()) {
      print(ImportText.differences(different));
      throw new CommandException(
          "source and target differ in %,d of their policies and limiters, and in %,d of their queues and namespaces; see the output"
              .formatted(different.size(), comparison.differentUnits()));
    }
    if (!comparison.isEqual()) {
      throw new CommandException(
          "source and target differ in %,d of their queues and namespaces; see the output"
              .formatted(comparison.differentUnits()));
    }
  }

  private void print(List<String> lines) {
    lines.forEach(line -> PlainLine.print(spec.commandLine().getOut(), line));
  }

  private void noteNamed(String line) {
    PlainLine.print(spec.commandLine().getErr(), "%s: %s".formatted(spec.qualifiedName(), line));
  }
}
