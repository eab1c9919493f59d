package io.entroq.server.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.entroq.console.login.PasswordCheck;
import io.entroq.console.login.UserEntry;
import io.entroq.console.user.Role;
import io.entroq.tools.terminal.CommandException;
import io.entroq.tools.terminal.PlainLine;
import io.entroq.tools.terminal.SecretPrompt;
import io.entroq.tools.terminal.Terminal;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The {@code console-user} command. */
@Command(
    name = "console-user",
    header = "Print a line for the file of console users.",
    description = {
      "",
      "Asks for a password twice without showing it, or reads a line from standard input if that is"
          + " not a terminal, and prints NAME:HASH:ROLE, where the hash is of bcrypt. Append it to"
          + " the file that --console-users-file of the server names; the server notices.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  entroq console-user alice --role admin >> users",
      "  entroq console-user bob < password-of-bob >> users",
      "  entroq console-user alice@example.com --role operator --no-password >> users",
      "",
      "Exit status: 0 if the line was printed; 1 if there is no password; 2 if the command line is"
          + " wrong."
    },
    mixinStandardHelpOptions = true)
final class ConsoleUserCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "NAME", description = "The user. At most 64 characters, no colon.")
  private String name;

  @Option(
      names = "--role",
      paramLabel = "ROLE",
      description =
          "viewer: may look; operator: may also change tasks, pause queues and redrive; admin: may"
              + " also change policies and clear queues. Default: viewer.")
  private String role = Role.VIEWER.label();

  @Option(
      names = "--no-password",
      description = "The user logs in with a certificate, and only the role is in the file.")
  private boolean hasNoPassword;

  @Override
  public Integer call() {
    Role known =
        Role.named(role)
            .orElseThrow(
                () ->
                    new ParameterException(
                        spec.commandLine(),
                        "--role: expected viewer, operator or admin, got " + role));
    UserEntry user;
    try {
      user = new UserEntry(name, UserEntry.NO_PASSWORD, known);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), "NAME: " + e.getMessage(), e);
    }
    if (!hasNoPassword) {
      user = new UserEntry(name, PasswordCheck.hash(password()), known);
    }
    PlainLine.print(spec.commandLine().getOut(), user.line());
    return 0;
  }

  private static String password() {
    String password = Terminal.isInputAttached() ? readTwice() : readLine();
    if (password.isEmpty()) {
      throw new CommandException("no password was given");
    }
    if (password.getBytes(UTF_8).length > PasswordCheck.BYTES_MAX) {
      throw new CommandException("a password has at most 72 bytes");
    }
    return password;
  }

  private static String readTwice() {
    SecretPrompt prompt =
        new SecretPrompt("give the password on standard input: entroq console-user NAME < FILE");
    Optional<String> first = prompt.ask("Password: ");
    if (!first.equals(prompt.ask("Again: "))) {
      throw new CommandException("the passwords differ");
    }
    return first.orElse("");
  }

  private static String readLine() {
    try {
      String line = new BufferedReader(new InputStreamReader(System.in, UTF_8)).readLine();
      return line == null ? "" : line;
    } catch (IOException e) {
      throw new CommandException("cannot read standard input: " + e.getMessage(), e);
    }
  }
}
