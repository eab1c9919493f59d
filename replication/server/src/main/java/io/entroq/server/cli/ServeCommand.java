package io.entroq.server.cli;

import io.entroq.server.serving.EntroqServer;
import io.entroq.server.serving.OfflineSnapshot;
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
    header = "Run a server: serve a queue over gRPC and HTTP.",
    synopsisHeading = "Usage: ",
    customSynopsis = "entroq serve [OPTION]...",
    description = {
      "",
      "Serves clients of EntroQ v0 and v1 on the same tasks. Without --tls-cert,"
          + " connections are not encrypted. Without --authz, anyone who can connect may do"
          + " anything.",
      "",
      "Without --data, the queue is in memory and is lost when the process ends.",
      "",
      "Every option NAME can also be set by the environment variable ENTROQ_NAME, with _ for -,"
          + " or by a line `NAME: VALUE` of the configuration file. Options take precedence over"
          + " variables, and variables over the file. Options may be written with _ for -.",
      "",
      "On SIGTERM or Ctrl-C it stops accepting connections, tells callers with waiting claims to"
          + " retry, and finishes running requests.",
      ""
    },
    footer = {
      "",
      "BYTES is a number, optionally with KiB, MiB, GiB or TiB. TIME is a number of seconds, or"
          + " a duration such as 250ms, 1m30s or 12h.",
      "",
      "Examples:",
      "  entroq serve --data data",
      "  entroq serve --data data --port 4000 --http-port 4001",
      "  entroq serve --config entroq.yml --print-config",
      "",
      "Exit status: 0 if a signal stopped it and it shut down cleanly; 1 if it cannot start or"
          + " cannot continue; 2 if the command line, the environment or the configuration file"
          + " is wrong; 128 plus the signal number if a signal killed it."
    },
    sortOptions = false,
    modelTransformer = SettingsOptions.OfServer.class,
    mixinStandardHelpOptions = true)
final class ServeCommand implements Callable<Integer> {
  private static final Duration FAILURE_POLL_INTERVAL = Duration.ofSeconds(1);

  @Spec private CommandSpec spec;
  @Mixin private ConfigOptions config;

  @Override
  public Integer call() {
    Settings settings = new SettingsOptions.OfServer().read(spec.commandLine(), config.file());
    ServerRun run = new ServerRun(spec, settings);
    if (config.isPrinted()) {
      return run.printSettings();
    }
    try (Interruption interruption = run.begin()) {
      return settings.get(StoreSettings.SNAPSHOT_AND_QUIT)
          ? takeSnapshot(settings, run, interruption)
          : run.serve(interruption, EntroqServer::startWarm, FAILURE_POLL_INTERVAL, serving -> {});
    }
  }

  private static int takeSnapshot(Settings settings, ServerRun run, Interruption interruption) {
    OfflineSnapshot.take(settings, interruption)
        .ifPresent(
            snapshot ->
                run.print(
                    "The newest snapshot includes sequence %d and has %,d bytes",
                    snapshot.sequence(), snapshot.bytes()));
    return 0;
  }
}
