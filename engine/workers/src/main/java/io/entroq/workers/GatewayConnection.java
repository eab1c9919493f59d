package io.entroq.workers;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.entroq.api.EntroQException;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Requests to a program and its answers. The program answers requests, one at a time, and sends
 * nothing else. Thread-safe, except that there is one request at a time.
 */
final class GatewayConnection implements GatewayTransport.Receiver {
  /** The program has closed the connection, or sent what is no message. */
  static final class HangUpException extends Exception {
    private static final long serialVersionUID = 1L;

    HangUpException() {
      super("the program has hung up");
    }
  }

  private final GatewayTransport transport;

  /** The request that was not answered yet; null if there is none. */
  private final AtomicReference<CompletableFuture<byte[]>> asked = new AtomicReference<>();

  /** Set before anything is asked. */
  private GatewayEnding ending;

  private volatile boolean isClosed;

  GatewayConnection(GatewayTransport transport) {
    this.transport = transport;
  }

  static ObjectNode message(String type) {
    return Json.MAPPER.createObjectNode().put("type", type);
  }

  /** Starts to receive. */
  void start(GatewayEnding theEnding) {
    ending = theEnding;
    transport.start(this);
  }

  @Override
  public void onMessage(byte[] json) {
    if (isClosed) {
      return;
    }
    CompletableFuture<byte[]> request = asked.getAndSet(null);
    if (request == null) {
      ending.fail(WorkGateway.End.CALLER, "the program sent a message that nobody asked for");
    } else {
      // Whoever asked reads it, because a long one takes a while.
      request.complete(json);
    }
  }

  @Override
  public void onHangUp(String reason) {
    isClosed = true;
    // First, so that the worker claims nothing more.
    ending.hangUp(reason);
    endRequest();
  }

  @Override
  public boolean isAnswerDue() {
    return asked.get() != null;
  }

  private void endRequest() {
    CompletableFuture<byte[]> request = asked.getAndSet(null);
    if (request != null) {
      request.completeExceptionally(new HangUpException());
    }
  }

  /** Sends a message that asks for nothing. What cannot be sent is dropped. */
  void tell(ObjectNode message) {
    try {
      send(message);
    } catch (IOException e) {
      // The receiver sees the end of the connection, too.
    }
  }

  /**
   * Sends a request.
   *
   * @return completes with the answer as it came, or exceptionally with a {@link HangUpException}
   */
  CompletableFuture<byte[]> ask(ObjectNode message) {
    CompletableFuture<byte[]> answer = new CompletableFuture<>();
    asked.set(answer);
    try {
      send(message);
    } catch (IOException e) {
      onHangUp(e.getMessage());
    }
    if (isClosed) {
      endRequest();
    }
    return answer;
  }

  /**
   * Waits for the answer to a request.
   *
   * @param type what it has to be
   * @throws EntroQException.InvalidArgument if it is something else
   * @throws ExecutionException if the program has hung up
   */
  JsonNode await(CompletableFuture<byte[]> answer, String type)
      throws InterruptedException, ExecutionException {
    JsonNode message = read(answer.get());
    String actual = GatewayJson.text(message, "type");
    if (!actual.equals(type)) {
      throw new EntroQException.InvalidArgument(
          "type '%s', not '%s'".formatted(Results.shorten(actual), type));
    }
    return message;
  }

  /**
   * Reads an answer. What is not JSON counts as hanging up.
   *
   * @throws ExecutionException if the program has hung up
   */
  JsonNode read(byte[] json) throws ExecutionException {
    String why = "it is blank";
    try {
      JsonNode message = Json.MAPPER.readTree(json);
      if (!message.isMissingNode()) {
        return message;
      }
    } catch (JsonProcessingException e) {
      why = Results.shorten(e.getOriginalMessage());
    } catch (IOException e) {
      why = e.getMessage();
    }
    onHangUp("what it sent is not JSON: " + why);
    throw new ExecutionException(new HangUpException());
  }

  private void send(ObjectNode message) throws IOException {
    transport.send(Json.MAPPER.writeValueAsBytes(message));
  }
}
