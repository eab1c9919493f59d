package io.entroq.server.cli;

import io.entroq.server.logging.Logging;
import io.entroq.server.serving.Serving;
import io.entroq.server.serving.Snapshotting;
import io.entroq.server.settings.EndingSettings;
import io.entroq.server.settings.Settings;
import io.entroq.server.settings.SettingsRules;
import io.entroq.server.settings.SettingsText;
import io.entroq.server.settings.StoreSettings;
import io.entroq.server.settings.TellingSettings;
import io.entroq.server.terminal.Interruption;
import io.entroq.server.terminal.PlainLine;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
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
  private static final Logger LOG = LoggerFactory.getLogger(ServeCommand.class);

  static final String CONFIG_FLAG = "--config";

  /** How soon it is noticed that the engine has failed. */
  private static final Duration LOOK_INTERVAL = Duration.ofSeconds(1);

  /** What closing a log may take, besides what callers may. */
  private static final Duration CLOSING_PATIENCE = Duration.ofSeconds(15);

  @Spec private CommandSpec spec;

  @Option(
      names = CONFIG_FLAG,
      paramLabel = "FILE",
      description = "A configuration file, YAML. Default: $" + Settings.FILE_VARIABLE + ".")
  private Path config;

  @Option(
      names = "--print-config",
      description =
          "Prints what holds, as a configuration file, and where it comes from; serves nobody.")
  private boolean printConfig;

  @Override
  public Integer call() {
    Settings settings = ServeOptions.settings(spec.commandLine(), config);
    Logging.use(settings.get(TellingSettings.LOG_FORMAT), settings.get(TellingSettings.LOG_LEVEL));
    if (printConfig) {
      spec.commandLine().getOut().print(SettingsText.of(settings));
      spec.commandLine().getOut().flush();
      return 0;
    }
    SettingsRules.notes(settings)
        .forEach(note -> PlainLine.print(spec.commandLine().getErr(), note));
    Duration patience = settings.get(EndingSettings.DRAIN_TIMEOUT);
    try (Interruption interruption = new Interruption("server", patience.plus(CLOSING_PATIENCE))) {
      return settings.get(StoreSettings.SNAPSHOT_AND_QUIT)
          ? takeSnapshot(settings, interruption)
          : serve(settings, interruption);
    }
  }

  private int takeSnapshot(Settings settings, Interruption interruption) {
    Snapshotting.take(settings, interruption)
        .ifPresent(
            snapshot ->
                print(
                    "The newest snapshot has all up to sequence %d, in %,d bytes",
                    snapshot.sequence(), snapshot.bytes()));
    return 0;
  }

  private int serve(Settings settings, Interruption interruption) {
    Duration patience = settings.get(EndingSettings.DRAIN_TIMEOUT);
    try (Serving serving = Serving.start(settings)) {
      interruption.whenInsisted(serving::cut);
      // Whoever starts servers for clients of EntroQ waits for the first words.
      print("Starting EntroQ server %d -> %s", serving.port(), serving.store());
      print("HTTP on port %d; %s", serving.httpPort(), serving.access());
      LOG.info("Serving on port {}: {}", serving.port(), serving.store());
      while (!interruption.isRequested()) {
        interruption.pause(LOOK_INTERVAL);
        serving.requireOpen();
      }
      LOG.info("Asked to end: finishing what is under way.");
      if (!serving.drain(patience)) {
        PlainLine.print(spec.commandLine().getErr(), "Calls were cut that had not ended.");
      }
    }
    LOG.info("Ended.");
    return 0;
  }

  private void print(String format, Object... args) {
    spec.commandLine().getOut().printf(format + "%n", args);
    spec.commandLine().getOut().flush();
  }
}
