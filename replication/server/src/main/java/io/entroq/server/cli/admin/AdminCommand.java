package io.entroq.server.cli.admin;

import io.entroq.api.EntroQException;
import io.entroq.client.AdminClient;
import io.entroq.codec.wire.published.admin.StatusResponse;
import io.entroq.server.cli.queue.options.ConfirmOption;
import io.entroq.server.cli.queue.options.CopyOption;
import io.entroq.server.cli.queue.options.HelpOptions;
import io.entroq.server.cli.queue.options.ServerOptions;
import io.entroq.tools.log.JsonLines;
import io.entroq.tools.terminal.CommandException;
import io.entroq.tools.terminal.PlainLine;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command that calls individual members of a cluster. */
abstract class AdminCommand implements Callable<Integer> {
  static final int STATUS_OK = 0;
  static final int STATUS_FAILED = 1;

  /** The cluster works, but not all of its members do. */
  static final int STATUS_DEGRADED = 4;

  @Spec private CommandSpec spec;
  @Mixin HelpOptions help;
  @Mixin private ServerOptions server;

  @Override
  public final Integer call() {
    if (server.address().isEmpty()) {
      throw usageError("Missing required option: '--svcaddr=HOST:PORT'");
    }
    server.check(spec.commandLine(), true);
    List<String> addresses;
    try {
      addresses = server.addresses();
    } catch (EntroQException.InvalidArgument e) {
      throw usageError(e.getMessage());
    }
    return run(addresses);
  }

  /**
   * Runs the command.
   *
   * @param addresses the given members; at least one
   * @return the exit status
   */
  abstract int run(List<String> addresses);

  /** Refuses to copy all tasks where others can read them, unless an option allows it. */
  final void checkCopies(CopyOption copies, List<String> addresses) {
    copies.check(spec.commandLine(), server.isEncrypted(), addresses);
  }

  /** A client for the member at an address. */
  final AdminClient connect(String address) {
    return server.admin(address);
  }

  /**
   * The status of the member at an address.
   *
   * @throws EntroQException if it does not answer
   */
  final StatusResponse status(String address) {
    try (AdminClient client = connect(address)) {
      return client.status();
    } catch (EntroQException.Unavailable e) {
      throw server.explained(address, e);
    }
  }

  /**
   * The answers of those members that answer, by address.
   *
   * @param failures receives why the others do not
   */
  final Map<String, StatusResponse> answers(List<String> addresses, List<String> failures) {
    Map<String, StatusResponse> answers = new LinkedHashMap<>();
    for (String address : addresses) {
      try {
        answers.put(address, status(address));
      } catch (EntroQException.Unavailable e) {
        failures.add(e.getMessage());
      }
    }
    return answers;
  }

  /** The leader's address and answer. */
  static Map.Entry<String, StatusResponse> leader(
      Map<String, StatusResponse> answers, Agreement agreement) {
    return answers.entrySet().stream()
        .filter(answer -> answer.getValue().getMemberId() == agreement.leader())
        .findFirst()
        .orElseThrow(
            () ->
                new CommandException(
                    "member %d leads but was not given; add it to -s"
                        .formatted(agreement.leader())));
  }

  final JsonLines json() {
    return new JsonLines(spec.commandLine().getOut());
  }

  /** Prints a human-readable line to standard output. */
  final void print(String line) {
    PlainLine.print(spec.commandLine().getOut(), line);
  }

  /**
   * Explains a command that is not confirmed.
   *
   * @param effect of the command
   * @param what would be done, to complete "Add --yes to"
   * @return the exit status
   */
  final int refuse(ConfirmOption confirmation, String effect, String what) {
    PlainLine.print(spec.commandLine().getErr(), effect);
    return confirmation.refuse(spec, what);
  }

  final ParameterException usageError(String why) {
    return new ParameterException(spec.commandLine(), why);
  }
}
