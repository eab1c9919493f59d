package io.entroq.server.cli;

import io.entroq.server.serving.DataDirectory;
import io.entroq.server.serving.EntroqServer;
import io.entroq.server.settings.Settings;
import io.entroq.tools.terminal.CommandException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/**
 * The {@code class-data} command: uses everything that servers and short commands load, for a JVM
 * that writes the loaded classes to a file when it ends. {@code bin/entroq} calls it.
 */
@Command(
    name = "class-data",
    header = "Load the classes of servers and short commands, for Java's class data sharing.",
    description = {
      "",
      "Starts a server with a log in a temporary directory on free ports of the loopback interface,"
          + " runs commands on it, and stops it.",
      ""
    },
    footer = {
      "",
      "Example:",
      "  java -XX:ArchiveClassesAtExit=entroq.jsa -jar entroq.jar class-data",
      "",
      "Exit status: 0 if all commands worked; 1 if not; 2 if the command line is wrong."
    },
    mixinStandardHelpOptions = true)
final class ClassDataCommand implements Callable<Integer> {
  private static final Map<String, String> ADDRESSES =
      Map.of("ENTROQ_HOST", "127.0.0.1", "ENTROQ_PORT", "0", "ENTROQ_HTTP_PORT", "0");

  private static final Duration DRAIN_TIMEOUT = Duration.ofSeconds(1);

  private static final List<String> ON_SERVER =
      List.of(
          "ins -q inbox -v {}",
          "ts -q inbox",
          "qs",
          "stats",
          "claim -q inbox --try --claimant me -d 1h",
          "clear -q inbox -f",
          "doc-put -n config -k key -v {}",
          "docs -n config",
          "ns",
          "time");

  @Override
  public Integer call() {
    DataDirectory scratch = DataDirectory.choose(Optional.empty(), "class-data");
    try {
      use(scratch.path());
    } finally {
      scratch.remove();
    }
    return 0;
  }

  private static void use(Path data) {
    Map<String, String> settings = new HashMap<>(ADDRESSES);
    settings.put("ENTROQ_DATA", data.toString());
    try (EntroqServer server =
        EntroqServer.start(Settings.of(List.of(), Optional.empty(), settings))) {
      for (String command : ON_SERVER) {
        run(command + " -s 127.0.0.1:" + server.port());
      }
      run("health --host 127.0.0.1 --http-port " + server.httpPort());
      run("--version");
      run("stats --help");
      server.drain(DRAIN_TIMEOUT);
    }
  }

  private static void run(String line) {
    String[] words = line.split(" ", 0);
    PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
    CommandLine command = Main.commandLine(words).setOut(nowhere);
    int status = command.execute(words);
    if (status != 0) {
      throw new CommandException("entroq %s ended with status %d".formatted(line, status));
    }
  }
}
