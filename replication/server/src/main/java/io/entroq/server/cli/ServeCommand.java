package io.entroq.server.cli;

import io.entroq.api.Durability;
import io.entroq.api.EntroQException;
import io.entroq.codec.result.ResultDecoder;
import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.engine.gateway.Completion;
import io.entroq.engine.gateway.Gateway;
import io.entroq.server.service.grpc.GrpcServer;
import io.entroq.server.service.grpc.GrpcServerConfig;
import io.entroq.server.terminal.CommandException;
import io.entroq.server.terminal.Interruption;
import io.entroq.server.terminal.PlainLine;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The {@code serve} command. */
@Command(
    name = "serve",
    header = "Serves a queue over gRPC, for clients of both generations of EntroQ.",
    description = {
      "",
      "Both APIs are served on one port and work on the same tasks. There is no TLS and no"
          + " authentication: let only those come near who may do everything.",
      "",
      "Without --data the queue is kept in memory and gone when the process ends.",
      "",
      "When it is asked to end, by Ctrl-C or SIGTERM, it takes no more connections, asks callers"
          + " whose claims wait to come again, and finishes what is under way.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  entroq serve --data data",
      "  entroq serve --data data --port 4000",
      "",
      "Exit status: 0 if it was asked to end and did; 1 if it cannot serve, or cannot go on; 2 if the"
          + " command line is wrong; 128 and the number of the signal if a signal ended it."
    },
    mixinStandardHelpOptions = true)
final class ServeCommand implements Callable<Integer> {
  private static final int PORT_MAX = 65_535;

  /** How long calls may take that are under way when it ends. */
  private static final Duration PATIENCE = Duration.ofSeconds(15);

  /** How soon it is noticed that the engine has failed. */
  private static final Duration LOOK_INTERVAL = Duration.ofSeconds(1);

  private static final Completion UNHEARD =
      new Completion() {
        @Override
        public void onResult(ResultDecoder result) {}

        @Override
        public void onFailure(EntroQException failure) {}
      };

  @Spec private CommandSpec spec;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "The data directory, which is made if need be. Default: in memory.")
  private Path data;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      description =
          "Where to listen, on all interfaces; 0: any free port. Default: ${DEFAULT-VALUE}.")
  private int port = GrpcServerConfig.PORT_DEFAULT;

  @Option(
      names = "--durability",
      paramLabel = "LEVEL",
      description =
          "What has to be true before a caller is told that something is done: none, os (survives a"
              + " crash of the process), disk (survives loss of power). Default: disk with --data,"
              + " else none.")
  private Durability durability;

  @Override
  public Integer call() {
    if (port < 0 || port > PORT_MAX) {
      throw wrong("--port: " + port + ", from 0 to " + PORT_MAX);
    }
    if (data == null && durability != null && durability != Durability.NONE) {
      throw wrong("--durability: nothing lasts without --data");
    }
    try (Interruption interruption = new Interruption("server");
        EmbeddedEntroQ queue = open()) {
      return serve(queue, interruption);
    }
  }

  private ParameterException wrong(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  private EmbeddedEntroQ open() {
    EmbeddedConfig.Builder config =
        data == null
            ? EmbeddedConfig.inMemory()
            : EmbeddedConfig.in(data).durability(durability == null ? Durability.DISK : durability);
    try {
      return EmbeddedEntroQ.open(config.build());
    } catch (IllegalStateException e) {
      // What a JVM is told that was started without the flags that the engine needs.
      throw new CommandException(e.getMessage(), e);
    }
  }

  private int serve(EmbeddedEntroQ queue, Interruption interruption) {
    try (GrpcServer server = start(queue.gateway())) {
      // Whoever starts servers for clients of EntroQ waits for the first words.
      print("Starting EntroQ server %d -> %s", server.port(), describe());
      while (!interruption.isRequested()) {
        interruption.pause(LOOK_INTERVAL);
        requireOpen(queue.gateway());
      }
      if (!server.drain(PATIENCE)) {
        PlainLine.print(
            spec.commandLine().getErr(),
            "Calls were cut that did not end within " + PATIENCE.toSeconds() + " s.");
      }
      return 0;
    }
  }

  private GrpcServer start(Gateway gateway) {
    try {
      return GrpcServer.start(gateway, GrpcServerConfig.on(port));
    } catch (IOException e) {
      Throwable why = e.getCause() == null ? e : e.getCause();
      throw new CommandException(
          "cannot listen on port %d: %s".formatted(port, why.getMessage()), e);
    }
  }

  private String describe() {
    return data == null
        ? "memory; nothing is kept when it ends"
        : "%s, durability %s"
            .formatted(
                data.toAbsolutePath().normalize(),
                (durability == null ? Durability.DISK : durability)
                    .name()
                    .toLowerCase(Locale.ROOT));
  }

  /**
   * Returns if the engine takes requests.
   *
   * @throws EntroQException.Closed if it has failed; the message says why
   */
  private static void requireOpen(Gateway gateway) {
    try {
      gateway.time(UNHEARD);
    } catch (EntroQException.ResourceExhausted e) {
      // It is busy, and so it is open.
    }
  }

  private void print(String format, Object... args) {
    spec.commandLine().getOut().printf(format + "%n", args);
    spec.commandLine().getOut().flush();
  }
}
