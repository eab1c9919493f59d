package io.entroq.console.web;

import io.entroq.console.Console;
import io.entroq.console.ConsoleConfig;
import io.entroq.console.ConsoleParts;
import io.entroq.console.login.LoginException;
import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.service.admin.NoMemberAdmin;
import io.entroq.service.http.HttpServer;
import io.entroq.service.http.HttpServerConfig;
import io.entroq.service.queue.BlockedClaims;
import io.entroq.service.queue.QueueService;
import io.entroq.service.translation.Facade;
import io.entroq.service.validation.ValidatedService;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A queue in memory and its console on a real port, and a browser without scripts. */
public final class ConsoleFixture implements AutoCloseable {
  private static final Pattern TOKEN = Pattern.compile("name=\"csrf\" value=\"([^\"]+)\"");
  private static final int MESSAGE_BYTES_MAX = 1 << 20;

  public final EmbeddedEntroQ queue = EmbeddedEntroQ.open(EmbeddedConfig.inMemory().build());
  private final Console console;
  private final HttpServer server;
  private final HttpClient client = HttpClient.newHttpClient();

  /** Without a login. */
  public ConsoleFixture() {
    this(ConsoleConfig.LOCAL);
  }

  /** With a way to log in. */
  public ConsoleFixture(ConsoleConfig config) {
    this(config, HttpServerConfig.builder(0));
  }

  /** On a server that is configured otherwise, such as with TLS. */
  public ConsoleFixture(ConsoleConfig config, HttpServerConfig.Builder http) {
    console = open(config);
    try {
      server =
          HttpServer.start(
              queue.gateway(),
              http.host("localhost").withoutApi().site(PageUrls.ROOT, console.site()).build(),
              UnaryOperator.identity(),
              Map.of());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Console open(ConsoleConfig config) {
    try {
      return Console.of(
          new ConsoleParts(
              new ValidatedService(
                  new QueueService(
                      Facade.V1, queue.gateway(), new BlockedClaims(), MESSAGE_BYTES_MAX)),
              new NoMemberAdmin(),
              "a queue in memory"),
          config);
    } catch (LoginException e) {
      throw new IllegalArgumentException(e);
    }
  }

  /** Where the console is, without a slash at the end. */
  public String origin() {
    return "http://localhost:" + server.port();
  }

  /**
   * Gets a page.
   *
   * @param path such as {@code /console/queues}
   */
  public HttpResponse<String> get(String path) {
    return send(request(path).build());
  }

  /** Sends a form as a browser would, from a page of the console. */
  public HttpResponse<String> post(String path, String form) {
    return send(
        request(path)
            .header("content-type", "application/x-www-form-urlencoded")
            .header("sec-fetch-site", "same-origin")
            .POST(HttpRequest.BodyPublishers.ofString(form))
            .build());
  }

  /** The token of a page, which its forms send back. */
  public String token(String page) {
    Matcher token = TOKEN.matcher(get(page).body());
    if (!token.find()) {
      throw new AssertionError("no form on " + page);
    }
    return token.group(1);
  }

  /** A request to add to. */
  public HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(origin() + path));
  }

  /** Sends a request; redirects are not followed. */
  public HttpResponse<String> send(HttpRequest request) {
    try {
      return client.send(request, HttpResponse.BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  @Override
  public void close() {
    server.close();
    console.close();
    queue.close();
  }
}
