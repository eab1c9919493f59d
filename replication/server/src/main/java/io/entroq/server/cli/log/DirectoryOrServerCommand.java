package io.entroq.server.cli.log;

import io.entroq.api.EntroQException;
import io.entroq.server.cli.queue.options.ServerOptions;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command that works on a data directory or, with -s, on a server. */
abstract class DirectoryOrServerCommand implements Callable<Integer> {
  @Spec CommandSpec spec;
  @Mixin DurabilityOption durability;
  @Mixin ServerOptions server;

  /**
   * Checks that the options select either a directory or a server.
   *
   * @param isLocal whether a directory was given
   * @param role what the command uses it as, for the message
   * @throws ParameterException if not
   */
  final void checkOptions(boolean isLocal, String role) {
    if (isLocal && server.named().isPresent()) {
      throw usageError("give either a data directory or -s, not both");
    }
    if (!isLocal && server.address().isEmpty()) {
      throw usageError("missing %s: give a data directory, or a server with -s".formatted(role));
    }
    if (!isLocal && durability.isGiven()) {
      throw usageError("--durability applies to a data directory, not to -s");
    }
    server.check(spec.commandLine(), !isLocal);
  }

  final List<String> addresses() {
    try {
      return server.addresses();
    } catch (EntroQException.InvalidArgument e) {
      throw usageError(e.getMessage());
    }
  }

  private ParameterException usageError(String why) {
    return new ParameterException(spec.commandLine(), why);
  }
}
