package io.entroq.server.workgateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/** A program that works through a gateway, with the WebSocket of the JDK. */
final class Program implements WebSocket.Listener {
  static final long PATIENCE_SECONDS = 60;

  /** How a connection has ended. */
  record Closed(int code, String reason) {}

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  private final BlockingQueue<String> messages = new LinkedBlockingQueue<>();
  private final CompletableFuture<Closed> closed = new CompletableFuture<>();
  private final AtomicInteger pings = new AtomicInteger();
  private final StringBuilder text = new StringBuilder();
  private final WebSocket socket;

  private Program(URI url, String... headers) {
    WebSocket.Builder builder = CLIENT.newWebSocketBuilder();
    for (int i = 0; i < headers.length; i += 2) {
      builder.header(headers[i], headers[i + 1]);
    }
    socket = builder.buildAsync(url, this).join();
  }

  /**
   * Connects.
   *
   * @param headers names and values
   * @throws java.util.concurrent.CompletionException if it is refused
   */
  static Program connect(String url, String... headers) {
    return new Program(URI.create(url), headers);
  }

  @Override
  public CompletionStage<?> onText(WebSocket from, CharSequence part, boolean isLast) {
    text.append(part);
    if (isLast) {
      messages.add(text.toString());
      text.setLength(0);
    }
    from.request(1);
    return null;
  }

  @Override
  public CompletionStage<?> onPing(WebSocket from, ByteBuffer message) {
    pings.incrementAndGet();
    from.request(1);
    return null;
  }

  @Override
  public CompletionStage<?> onClose(WebSocket from, int code, String reason) {
    closed.complete(new Closed(code, reason));
    return null;
  }

  @Override
  public void onError(WebSocket from, Throwable failure) {
    closed.completeExceptionally(failure);
  }

  String receiveText() throws InterruptedException {
    String message = messages.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
    assertThat(message).as("a message, not %s", closed).isNotNull();
    return message;
  }

  JsonNode receive(String type) throws InterruptedException, IOException {
    JsonNode message = JSON.readTree(receiveText());
    assertThat(message.get("type").textValue()).as(message.toString()).isEqualTo(type);
    return message;
  }

  /** How many pings it has answered. */
  int pings() {
    return pings.get();
  }

  boolean hasMessage() {
    return !messages.isEmpty();
  }

  void send(String message) {
    socket.sendText(message, true).join();
  }

  void sendInPieces(String... pieces) {
    for (int i = 0; i < pieces.length; i++) {
      socket.sendText(pieces[i], i == pieces.length - 1).join();
    }
  }

  void sendBytes(byte[] message) {
    socket.sendBinary(ByteBuffer.wrap(message), true).join();
  }

  void acknowledge() {
    send("{\"type\":\"result\",\"outcome\":\"ok\",\"ack\":true}");
  }

  /** Hangs up as one should. */
  void close() {
    socket.sendClose(WebSocket.NORMAL_CLOSURE, "").join();
  }

  /** As if it was killed. */
  void vanish() {
    socket.abort();
  }

  Closed awaitClosed() throws Exception {
    try {
      return closed.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      throw new AssertionError("the gateway did not close the connection", e);
    }
  }
}
