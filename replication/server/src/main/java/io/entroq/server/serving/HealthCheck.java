package io.entroq.server.serving;

import io.entroq.server.settings.ListeningSettings;
import io.entroq.server.settings.Settings;
import io.entroq.server.settings.TlsSettings;
import io.entroq.service.tls.SelfTls;
import io.entroq.service.tls.TlsException;
import io.entroq.service.tls.TlsFiles;
import io.entroq.tools.terminal.CommandException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Optional;

/** Checks whether the server with these settings on this machine is ready or alive. */
public final class HealthCheck {
  private static final String READY = "/healthz/ready";
  private static final String LIVE = "/healthz/live";
  private static final int OK = 200;
  private static final Duration ANSWER_MAX = Duration.ofSeconds(4);

  private HealthCheck() {}

  /**
   * Queries the server and waits up to four seconds for its answer.
   *
   * @param isLiveness whether to check liveness rather than readiness
   * @return the server's answer
   * @throws CommandException if it is not ready or alive, or does not answer; the message says why
   */
  public static String ask(Settings settings, boolean isLiveness) {
    URI page = page(settings, isLiveness ? LIVE : READY);
    try {
      HttpResponse<String> answer =
          client(settings)
              .send(
                  HttpRequest.newBuilder(page).timeout(ANSWER_MAX).build(),
                  BodyHandlers.ofString());
      String text = answer.body().strip();
      if (answer.statusCode() != OK) {
        throw new CommandException("%s: %d, %s".formatted(page, answer.statusCode(), text));
      }
      return text;
    } catch (IOException e) {
      throw new CommandException("%s does not answer: %s".formatted(page, e), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandException("interrupted while waiting for " + page, e);
    }
  }

  private static URI page(Settings settings, String path) {
    int port = settings.get(ListeningSettings.HTTP_PORT);
    if (port == 0) {
      throw new CommandException(
          "--http-port 0: the port is chosen at startup; give the actual port");
    }
    String scheme = settings.isSet(TlsSettings.TLS_CERT) ? "https" : "http";
    try {
      return new URI(scheme, null, host(settings), port, path, null, null);
    } catch (URISyntaxException | UnknownHostException e) {
      throw new CommandException("--host: " + e.getMessage(), e);
    }
  }

  /** The loopback address if the server listens on all addresses. */
  private static String host(Settings settings) throws UnknownHostException {
    Optional<String> host = settings.find(ListeningSettings.HOST);
    boolean isAny = host.isEmpty() || InetAddress.getByName(host.get()).isAnyLocalAddress();
    return isAny ? InetAddress.getLoopbackAddress().getHostAddress() : host.get();
  }

  private static HttpClient client(Settings settings) {
    HttpClient.Builder client = HttpClient.newBuilder().connectTimeout(ANSWER_MAX);
    try {
      Optional<TlsFiles> files = AccessControl.tlsFiles(settings);
      if (files.isPresent()) {
        client.sslContext(SelfTls.context(files.get()));
      }
    } catch (TlsException e) {
      throw new CommandException(e.getMessage(), e);
    }
    return client.build();
  }
}
