package io.entroq.workers;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Messages to and from a program: one line of JSON each. The program answers requests, one at a
 * time, and sends nothing else. Thread-safe, except that there is one request at a time.
 */
final class GatewayConnection {
  private static final System.Logger LOGGER = System.getLogger(WorkGateway.class.getName());

  /** A longer line is no message. */
  private static final int LINE_BYTES_MAX = 64 << 20;

  /** The program has closed the connection, or sent what is no message. */
  static final class HangUpException extends Exception {
    private static final long serialVersionUID = 1L;

    HangUpException(String message) {
      super(message);
    }
  }

  private final InputStream in;
  private final OutputStream out;

  /** The request that was not answered yet; null if there is none. */
  private final AtomicReference<CompletableFuture<JsonNode>> asked = new AtomicReference<>();

  private volatile boolean isClosed;

  GatewayConnection(InputStream in, OutputStream out) {
    this.in = new BufferedInputStream(in);
    this.out = out;
  }

  /**
   * Starts to read, on a thread of its own.
   *
   * @param onHangUp the program has hung up
   * @param onUnasked it has sent a message that nobody asked for
   */
  void start(Runnable onHangUp, Runnable onUnasked) {
    Thread thread = new Thread(() -> read(onHangUp, onUnasked), "entroq-gateway");
    thread.setDaemon(true);
    thread.start();
  }

  private void read(Runnable onHangUp, Runnable onUnasked) {
    String reason = "the program has hung up";
    try {
      for (byte[] line = readLine(); line != null; line = readLine()) {
        JsonNode message = Json.MAPPER.readTree(line);
        CompletableFuture<JsonNode> request = asked.getAndSet(null);
        if (request == null) {
          onUnasked.run();
        } else {
          request.complete(message);
        }
      }
    } catch (JsonProcessingException e) {
      reason = "what the program sent is not JSON: " + Results.shorten(e.getOriginalMessage());
      LOGGER.log(System.Logger.Level.WARNING, reason);
    } catch (IOException e) {
      reason = "the program has hung up: " + e.getMessage();
      LOGGER.log(System.Logger.Level.WARNING, reason);
    }
    isClosed = true;
    endRequest(reason);
    onHangUp.run();
  }

  private void endRequest(String reason) {
    CompletableFuture<JsonNode> request = asked.getAndSet(null);
    if (request != null) {
      request.completeExceptionally(new HangUpException(reason));
    }
  }

  /** The next line that is not blank; null at the end. */
  private byte[] readLine() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int b = in.read(); b >= 0; b = in.read()) {
      if (b != '\n') {
        line.write(b);
      } else if (line.toString(StandardCharsets.UTF_8).isBlank()) {
        line.reset();
      } else {
        return line.toByteArray();
      }
      if (line.size() > LINE_BYTES_MAX) {
        throw new IOException("a line has more than %,d bytes".formatted(LINE_BYTES_MAX));
      }
    }
    return null;
  }

  /** Sends a message that asks for nothing. What cannot be sent is dropped. */
  void tell(ObjectNode message) {
    try {
      send(message);
    } catch (IOException e) {
      // The reader sees the end of the connection, too.
    }
  }

  /**
   * Sends a request.
   *
   * @return completes with the answer, or exceptionally with a {@link HangUpException}
   */
  CompletableFuture<JsonNode> ask(ObjectNode message) {
    CompletableFuture<JsonNode> answer = new CompletableFuture<>();
    asked.set(answer);
    try {
      send(message);
    } catch (IOException e) {
      endRequest("the program has hung up: " + e.getMessage());
    }
    if (isClosed) {
      endRequest("the program has hung up");
    }
    return answer;
  }

  private synchronized void send(ObjectNode message) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    line.write(Json.MAPPER.writeValueAsBytes(message));
    line.write('\n');
    out.write(line.toByteArray());
    out.flush();
  }
}
