package io.entroq.service.authentication;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Serves a JSON Web Key Set over HTTP, or does not. */
public final class KeyServer implements AutoCloseable {
  /** What requests had as Authorization, "none" if nothing; one for each request. */
  final List<String> requests = new CopyOnWriteArrayList<>();

  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private volatile Handler handler;

  /** Answers a request. */
  @FunctionalInterface
  interface Handler {
    void handle(HttpExchange exchange) throws IOException;
  }

  public KeyServer(String document) {
    serve(document);
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.setExecutor(threads);
    server.createContext(
        "/",
        exchange -> {
          String sent = exchange.getRequestHeaders().getFirst("Authorization");
          requests.add(sent == null ? "none" : sent);
          handler.handle(exchange);
        });
    server.start();
  }

  /** Serves this document from now on. */
  public void serve(String document) {
    answerBy(exchange -> send(exchange, 200, document));
  }

  void answerBy(Handler how) {
    handler = how;
  }

  static void send(HttpExchange exchange, int status, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  /** Where the keys are. */
  public URI url() {
    return URI.create("http://localhost:" + server.getAddress().getPort() + "/keys");
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
