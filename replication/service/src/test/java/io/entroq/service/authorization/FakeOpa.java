package io.entroq.service.authorization;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;

/**
 * An Open Policy Agent as far as the server knows one: it is asked over HTTP, and answers what it
 * is told to.
 */
public final class FakeOpa implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();

  static {
    // Head and body of an answer leave one after the other; without this the body may wait 40 ms.
    System.setProperty("sun.net.httpserver.nodelay", "true");
  }

  /** What it was asked. */
  public record Asked(String path, String contentType, String authorization, JsonNode body) {}

  public final List<Asked> asked = new CopyOnWriteArrayList<>();
  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private volatile Answering answering;

  /** Answers a call. */
  @FunctionalInterface
  interface Answering {
    void answer(HttpExchange call, JsonNode input) throws IOException;
  }

  /** One that decides. */
  public FakeOpa(Function<JsonNode, JsonNode> policy) {
    decide(policy);
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.setExecutor(threads);
    server.createContext("/", this::handle);
    server.start();
  }

  /** Decides by a policy from now on. */
  public void decide(Function<JsonNode, JsonNode> policy) {
    answerBy(
        (call, input) ->
            send(call, 200, JSON.createObjectNode().set("result", policy.apply(input)).toString()));
  }

  void answerBy(Answering how) {
    answering = how;
  }

  static void send(HttpExchange call, int status, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    call.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
    call.getResponseBody().write(bytes);
    call.close();
  }

  private void handle(HttpExchange call) throws IOException {
    JsonNode body = JSON.readTree(call.getRequestBody());
    asked.add(
        new Asked(
            call.getRequestMethod() + " " + call.getRequestURI(),
            call.getRequestHeaders().getFirst("Content-Type"),
            call.getRequestHeaders().getFirst("Authorization"),
            body));
    answering.answer(call, body.path("input"));
  }

  /** Where it is. */
  public String url() {
    return "http://localhost:" + server.getAddress().getPort();
  }

  /** The last thing that it was asked. */
  public Asked last() {
    return asked.get(asked.size() - 1);
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
