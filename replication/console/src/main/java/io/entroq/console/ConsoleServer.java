package io.entroq.console;

import io.entroq.console.login.LoginException;
import io.entroq.console.web.PageUrls;
import io.entroq.engine.Closing;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.engine.gateway.Gateway;
import io.entroq.service.admin.NoMemberAdmin;
import io.entroq.service.call.Service;
import io.entroq.service.feed.Feeds;
import io.entroq.service.http.HttpServer;
import io.entroq.service.http.HttpServerConfig;
import io.entroq.service.insight.Insight;
import io.entroq.service.insight.InsightConfig;
import io.entroq.service.insight.ServerFigures;
import io.entroq.service.limit.Limit;
import io.entroq.service.queue.BlockedClaims;
import io.entroq.service.queue.QueueService;
import io.entroq.service.redrive.RedriveService;
import io.entroq.service.redrive.Redrives;
import io.entroq.service.translation.Facade;
import io.entroq.service.validation.ValidatedService;
import io.entroq.service.view.ViewService;
import java.io.IOException;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * The console of an embedded queue, on a port of its own that only this machine reaches. Nobody
 * logs in: whoever may use the machine may do everything. Any thread.
 *
 * <pre>{@code
 * try (EmbeddedEntroQ queue = EmbeddedEntroQ.open(directory);
 *     ConsoleServer console = ConsoleServer.start(queue)) {
 *   System.out.println(console.url());
 *   ...
 * }
 * }</pre>
 *
 * <p>Close it before the queue.
 */
public final class ConsoleServer implements AutoCloseable {
  private static final String LOOPBACK = "127.0.0.1";

  private final Feeds feeds;
  private final Insight insight;
  private final Console console;
  private final HttpServer server;

  private ConsoleServer(EmbeddedEntroQ queue, int port) throws IOException {
    feeds = new Feeds(queue.feed(), queue.gateway()::logId);
    insight =
        Insight.start(
            queue.gateway(),
            queue.feed(),
            () -> ServerFigures.NONE,
            InsightConfig.ofHeap(Runtime.getRuntime().maxMemory()));
    try {
      console = console(queue);
      server = listen(queue, port);
    } catch (Throwable t) {
      Closing.after(t, feeds);
      Closing.after(t, insight);
      throw t;
    }
  }

  /**
   * Starts a console on a free port.
   *
   * @throws IOException if it cannot listen
   */
  public static ConsoleServer start(EmbeddedEntroQ queue) throws IOException {
    return start(queue, 0);
  }

  /**
   * Starts a console.
   *
   * @param port 0 for any free port
   * @throws IOException if it cannot listen
   */
  public static ConsoleServer start(EmbeddedEntroQ queue, int port) throws IOException {
    return new ConsoleServer(queue, port);
  }

  private Console console(EmbeddedEntroQ queue) {
    Service views =
        new ViewService(
            insight.before(service(queue.gateway())),
            queue.views(),
            view -> insight.before(service(view.gateway()), view));
    Service complete = new ValidatedService(new RedriveService(views, new Redrives()));
    try {
      return Console.of(
          new ConsoleParts(complete, new NoMemberAdmin(), "an embedded queue"),
          ConsoleConfig.LOCAL);
    } catch (LoginException e) {
      throw new IllegalStateException("nobody logs in", e);
    }
  }

  private Service service(Gateway gateway) {
    return feeds.before(
        new QueueService(Facade.V1, gateway, new BlockedClaims(), Limit.MESSAGE_BYTES.standard()));
  }

  private HttpServer listen(EmbeddedEntroQ queue, int port) throws IOException {
    try {
      return HttpServer.start(
          queue.gateway(),
          HttpServerConfig.builder(port)
              .host(LOOPBACK)
              .withoutApi()
              .site(PageUrls.ROOT, console.site())
              .build(),
          UnaryOperator.identity(),
          Map.of());
    } catch (Throwable t) {
      Closing.after(t, console);
      throw t;
    }
  }

  /** Where the console is, such as {@code http://localhost:40123/console}. */
  public String url() {
    return "http://localhost:" + server.port() + PageUrls.ROOT;
  }

  @Override
  public void close() {
    server.close();
    console.close();
    insight.close();
    feeds.end();
    feeds.close();
  }
}
