package io.entroq.server.cli.work;

import io.entroq.api.EntroQException;
import io.entroq.server.workgateway.WorkGatewayConfig;
import io.entroq.tools.terminal.CommandException;
import io.entroq.workers.WorkGateway;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import picocli.CommandLine.Option;

/** The options of a work gateway that programs connect to. */
final class ListenOptions {
  private static final int PORT_MAX = 65_535;
  private static final int CONNECTIONS_MAX = 1_000;
  private static final int MESSAGE_BYTES_MIN = 1 << 10;
  private static final int MESSAGE_BYTES_MAX = 64 << 20;
  private static final int TOKEN_CHARS_MIN = 16;
  private static final String ORIGIN = "[a-z][a-z0-9+.-]*://[^/?#\\s]+";

  @Option(
      names = "--addr",
      paramLabel = "[HOST:]PORT",
      required = true,
      description =
          "Listen at ws://HOST:PORT/work, instead of standard input and output. Default of HOST:"
              + " 127.0.0.1, this machine alone; any other needs --token-file. Port 0: any.")
  private String address;

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description =
          "File with a token, of at least 16 characters, that programs have to send, as"
              + " \"Authorization: Bearer TOKEN\".")
  private Path tokenFile;

  @Option(
      names = "--allow-origin",
      paramLabel = "ORIGIN",
      description = "Let pages of this origin, such as https://example.com, connect; repeatable.")
  private List<String> origins = List.of();

  @Option(
      names = "--connections",
      paramLabel = "N",
      description =
          "How many programs may be connected, at most 1000; each takes three threads. Default: 100.")
  private int connectionsMax = WorkGatewayConfig.CONNECTIONS_DEFAULT;

  @Option(
      names = "--max-message",
      paramLabel = "BYTES",
      description = "Most bytes of a message of a program, at most 67108864. Default: 16777216.")
  private int messageBytesMax = WorkGatewayConfig.MESSAGE_BYTES_DEFAULT;

  /**
   * What they say.
   *
   * @throws EntroQException.InvalidArgument if one is wrong
   * @throws CommandException if the token cannot be read
   */
  WorkGatewayConfig config(
      List<String> queues, Function<List<String>, WorkGateway.Builder> defaults) {
    check("--connections", connectionsMax, 1, CONNECTIONS_MAX);
    check("--max-message", messageBytesMax, MESSAGE_BYTES_MIN, MESSAGE_BYTES_MAX);
    InetSocketAddress listening = listening();
    if (!listening.getAddress().isLoopbackAddress() && tokenFile == null) {
      throw new EntroQException.InvalidArgument(
          "--addr %s is not of this machine alone: give --token-file, or others could work with the"
                  .formatted(address)
              + " rights of this command");
    }
    return new WorkGatewayConfig(
        listening,
        List.copyOf(new LinkedHashSet<>(queues)),
        defaults,
        connectionsMax,
        messageBytesMax,
        token(),
        allowed(),
        WorkGatewayConfig.REQUEST_TIME,
        WorkGatewayConfig.PING_INTERVAL);
  }

  private static void check(String name, int value, int min, int max) {
    if (value < min || value > max) {
      throw new EntroQException.InvalidArgument(
          "%s must be from %,d to %,d, is %,d".formatted(name, min, max, value));
    }
  }

  private InetSocketAddress listening() {
    int colon = address.lastIndexOf(':');
    String host = colon < 0 ? "" : address.substring(0, colon).strip();
    try {
      int port = Integer.parseInt(address.substring(colon + 1));
      if (port < 0 || port > PORT_MAX || (host.indexOf(':') >= 0 && !host.startsWith("["))) {
        throw new NumberFormatException(address);
      }
      return new InetSocketAddress(
          InetAddress.getByName(host.isEmpty() ? "127.0.0.1" : host), port);
    } catch (NumberFormatException e) {
      throw new EntroQException.InvalidArgument(
          "--addr must be [HOST:]PORT, such as 8137, is '%s'".formatted(address), e);
    } catch (IOException e) {
      throw new EntroQException.InvalidArgument("--addr: host '%s' is unknown".formatted(host), e);
    }
  }

  private Optional<String> token() {
    if (tokenFile == null) {
      return Optional.empty();
    }
    String token;
    try {
      token = Files.readString(tokenFile).strip();
    } catch (IOException e) {
      throw new CommandException("--token-file: cannot read %s: %s".formatted(tokenFile, e), e);
    }
    if (!token.matches("[!-~]{%d,}".formatted(TOKEN_CHARS_MIN))) {
      throw new CommandException(
          "--token-file: %s must have one token of at least %d characters of ASCII, without spaces"
              .formatted(tokenFile, TOKEN_CHARS_MIN));
    }
    return Optional.of(token);
  }

  private Set<String> allowed() {
    Set<String> allowed = new LinkedHashSet<>();
    for (String origin : origins) {
      String lower = origin.toLowerCase(Locale.ROOT);
      if (!lower.matches(ORIGIN)) {
        throw new EntroQException.InvalidArgument(
            "--allow-origin must be as browsers send it, such as https://example.com, is '%s'"
                .formatted(origin));
      }
      allowed.add(lower);
    }
    return Set.copyOf(allowed);
  }
}
