package io.entroq.service.authentication;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.net.ssl.SSLContext;

/** Serves a JSON Web Key Set over HTTP, or does not. */
public final class KeyServer implements AutoCloseable {
  private final List<String> requests = new CopyOnWriteArrayList<>();

  private final HttpServer server;
  private final String scheme;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private volatile Handler handler;

  /** Answers a request. */
  @FunctionalInterface
  interface Handler {
    void handle(HttpExchange exchange) throws IOException;
  }

  public KeyServer(String document) {
    this(document, Optional.empty());
  }

  /** With TLS, if there is a context. */
  KeyServer(String document, Optional<SSLContext> tls) {
    serve(document);
    scheme = tls.isPresent() ? "https" : "http";
    InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    try {
      if (tls.isPresent()) {
        HttpsServer secure = HttpsServer.create(address, 0);
        secure.setHttpsConfigurator(new HttpsConfigurator(tls.get()));
        server = secure;
      } else {
        server = HttpServer.create(address, 0);
      }
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

  /** What requests had as Authorization, "none" if nothing; one for each request. */
  public List<String> requests() {
    return requests;
  }

  /** Where the keys are. */
  public URI url() {
    return URI.create(scheme + "://localhost:" + server.getAddress().getPort() + "/keys");
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
