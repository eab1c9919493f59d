package io.entroq.server.cli;

import io.entroq.server.serving.Serving;
import io.entroq.server.serving.Snapshotting;
import io.entroq.server.settings.Settings;
import io.entroq.server.settings.StoreSettings;
import io.entroq.tools.terminal.Interruption;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The {@code serve} command. */
@Command(
    name = "serve",
    header = "Serves a queue over gRPC and HTTP, for clients of both generations of EntroQ.",
    synopsisHeading = "Usage: ",
    customSynopsis = "entroq serve [OPTION]...",
    description = {
      "",
      "Both APIs are served and work on the same tasks. Without --tls-cert there is no encryption,"
          + " and without --authz everybody who can connect may do everything.",
      "",
      "Without --data the queue is kept in memory and gone when the process ends.",
      "",
      "Each option NAME may also be given as the environment variable ENTROQ_NAME, with _ for -, or"
          + " as a line `NAME: VALUE` of a configuration file. An option goes before a variable,"
          + " and that before the file. Options may be written with _ for -, too.",
      "",
      "When it is asked to end, by Ctrl-C or SIGTERM, it takes no more connections, asks callers"
          + " whose claims wait to come again, and finishes what is under way.",
      ""
    },
    footer = {
      "",
      "BYTES are a number, or one with KiB, MiB, GiB or TiB. TIME is seconds, or as in 250ms,"
          + " 1m30s, 12h.",
      "",
      "Examples:",
      "  entroq serve --data data",
      "  entroq serve --data data --port 4000 --http-port 4001",
      "  entroq serve --config entroq.yml --print-config",
      "",
      "Exit status: 0 if it was asked to end and did; 1 if it cannot serve, or cannot go on; 2 if"
          + " the command line, the environment or the configuration file is wrong; 128 and the"
          + " number of the signal if a signal ended it."
    },
    sortOptions = false,
    modelTransformer = ServeOptions.class,
    mixinStandardHelpOptions = true)
final class ServeCommand implements Callable<Integer> {
  /** How soon it is noticed that the engine has failed. */
  private static final Duration LOOK_INTERVAL = Duration.ofSeconds(1);

  @Spec private CommandSpec spec;
  @Mixin private ConfigOptions config;

  @Override
  public Integer call() {
    Settings settings = ServeOptions.settings(spec.commandLine(), config.file());
    ServerRun run = new ServerRun(spec, settings);
    if (config.isPrinted()) {
      return run.printSettings();
    }
    try (Interruption interruption = run.begin()) {
      return settings.get(StoreSettings.SNAPSHOT_AND_QUIT)
          ? takeSnapshot(settings, run, interruption)
          : run.serve(interruption, Serving::start, LOOK_INTERVAL, serving -> {});
    }
  }

  private static int takeSnapshot(Settings settings, ServerRun run, Interruption interruption) {
    Snapshotting.take(settings, interruption)
        .ifPresent(
            snapshot ->
                run.print(
                    "The newest snapshot has all up to sequence %d, in %,d bytes",
                    snapshot.sequence(), snapshot.bytes()));
    return 0;
  }
}
