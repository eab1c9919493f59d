package io.entroq.server.cli.queue.options;

import io.entroq.client.ClientConfig;
import io.entroq.client.transport.Api;
import io.entroq.server.settings.DurationConverter;
import io.entroq.tools.importing.source.SourceException;
import io.entroq.tools.importing.source.SourceException.Reason;
import io.entroq.tools.importing.source.SourceServer;
import io.entroq.tools.terminal.CommandException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** The options for the source of an import. */
public final class SourceOptions {
  /** EntroQ's server closes connections that send keep-alive pings more often. */
  private static final Duration KEEP_ALIVE = Duration.ofMinutes(6);

  private static final Duration KEEP_ALIVE_TIMEOUT = Duration.ofSeconds(20);

  private static final ConnectionHint HINT =
      new ConnectionHint("--from", "--from-secure", "--from-");

  @Option(
      names = "--from",
      paramLabel = "HOST:PORT",
      required = true,
      description = "Server to copy from.")
  private String address;

  @Option(
      names = "--api",
      paramLabel = "API",
      description =
          "API of the source: v0 (before EntroQ 1.0), v1, or auto, the newest it serves. Default:"
              + " auto.")
  private ApiChoice api = ApiChoice.AUTO;

  @Option(names = "--from-secure", description = "Use TLS for the source.")
  private boolean isSecure;

  @Option(
      names = "--from-tls-ca",
      paramLabel = "FILE",
      description =
          "Use TLS for the source and trust server certificates signed by these CAs (PEM). Default"
              + " with --from-secure: the JVM's CAs.")
  private Path certificateAuthority;

  @Option(
      names = "--from-tls-cert",
      paramLabel = "FILE",
      description = "Client certificate for the source (PEM). Requires --from-tls-key.")
  private Path certificate;

  @Option(
      names = "--from-tls-key",
      paramLabel = "FILE",
      description = "Private key of that certificate (PEM).")
  private Path key;

  @Option(
      names = "--from-token",
      paramLabel = "TOKEN",
      defaultValue = "${env:FROM_AUTHZ_TOKEN}",
      description = "Token for the source. Default: $FROM_AUTHZ_TOKEN.")
  private String token;

  @Option(
      names = "--from-max-msg-size-mb",
      paramLabel = "MB",
      description = "Maximum size of a response of the source in MiB. Default: 64.")
  private int messageMibMax = 64;

  @Option(
      names = "--from-connect-timeout",
      paramLabel = "TIME",
      converter = DurationConverter.class,
      description = "As --connect-timeout, for the source. Default: 5.")
  private Duration connectTimeout = ConnectionChoice.CONNECT_TIMEOUT;

  enum ApiChoice {
    AUTO(Optional.empty()),
    V0(Optional.of(Api.V0)),
    V1(Optional.of(Api.V1));

    private final Optional<Api> api;

    ApiChoice(Optional<Api> api) {
      this.api = api;
    }
  }

  /**
   * Checks the options.
   *
   * @throws picocli.CommandLine.ParameterException if they are invalid
   */
  public void check(CommandLine command) {
    choice().check(command, "--from-");
  }

  /**
   * The address, as {@code host:port}.
   *
   * @throws io.entroq.api.EntroQException.InvalidArgument if it is invalid
   */
  public String where() {
    return config().channels().addressText();
  }

  /**
   * Connects to the source.
   *
   * @throws CommandException if that fails; the message says why
   */
  public SourceServer open() {
    try {
      return SourceServer.open(config(), api.api);
    } catch (SourceException e) {
      throw new CommandException(message(e), e);
    }
  }

  private String message(SourceException e) {
    if (e.reason() == Reason.UNKNOWN_METHOD) {
      return api == ApiChoice.AUTO
          ? "%s serves neither API of EntroQ".formatted(where())
          : "%s does not serve the %s API; omit --api to detect it"
              .formatted(where(), api.name().toLowerCase(Locale.ROOT));
    }
    String failure =
        e.reason() == Reason.PASSING
            ? "no answer from %s: %s".formatted(where(), e.getMessage())
            : e.getMessage();
    return HINT.of(where(), choice().isEncrypted(), failure).orElse(failure);
  }

  private ClientConfig config() {
    return choice().to(address).keepAlive(KEEP_ALIVE, KEEP_ALIVE_TIMEOUT).build();
  }

  private ConnectionChoice choice() {
    return new ConnectionChoice(
        isSecure,
        Optional.ofNullable(certificateAuthority),
        Optional.ofNullable(certificate),
        Optional.ofNullable(key),
        Optional.ofNullable(token),
        messageMibMax,
        connectTimeout);
  }
}
