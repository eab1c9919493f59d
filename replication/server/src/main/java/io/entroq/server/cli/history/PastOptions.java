package io.entroq.server.cli.history;

import io.entroq.api.EntroQ;
import io.entroq.server.cli.queue.options.ServerOptions;
import java.nio.file.Path;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Whose past is read: of a directory, or of a server. */
final class PastOptions {
  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "Data directory, instead of a server. An engine may be running in it.")
  private Path data;

  @Mixin private ServerOptions server;

  /** Null if it is of a server. */
  Path data() {
    return data;
  }

  boolean isServer() {
    return data == null;
  }

  /**
   * Connects to the server.
   *
   * @throws io.entroq.api.EntroQException if that fails; the message says why
   */
  EntroQ connect() {
    return server.connect(server.address().orElseThrow());
  }

  /**
   * Checks that one was given.
   *
   * @param isDurabilityGiven whether the command says how to read a directory
   * @throws ParameterException if not, or if options contradict each other
   */
  void check(CommandLine command, boolean isDurabilityGiven) {
    if (!isServer() && server.named().isPresent()) {
      throw new ParameterException(command, "--data and -s cannot be combined");
    }
    if (isServer() && server.address().isEmpty()) {
      throw new ParameterException(
          command, "Missing required option: '--data=DIR' or '--svcaddr=HOST:PORT'");
    }
    if (isServer() && isDurabilityGiven) {
      throw new ParameterException(
          command, "--durability applies to --data; a server has its own setting");
    }
    server.check(command, isServer());
  }
}
