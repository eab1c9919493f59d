package io.entroq.tools.importing.source;

import com.google.protobuf.Message;
import io.entroq.client.transport.Exchange;
import io.entroq.client.transport.FailedException;
import io.entroq.client.transport.Failure;
import io.entroq.client.transport.Method;
import io.entroq.client.transport.Receiver;
import io.entroq.client.transport.Transport;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * Waits for the response to a request.
 *
 * @param <A> the type of the response
 */
final class BlockingReceiver<A> implements Receiver<A> {
  private final CompletableFuture<A> future = new CompletableFuture<>();

  private BlockingReceiver() {}

  /**
   * Sends a request once.
   *
   * @throws FailedException if it fails
   */
  static <Q extends Message, A extends Message> A of(
      Transport transport, Method<Q, A> method, Q request, long timeoutMs) {
    BlockingReceiver<A> answer = new BlockingReceiver<>();
    Exchange unused = transport.send(method, request, timeoutMs, answer);
    try {
      return answer.future.join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof FailedException failed ? failed : e;
    }
  }

  @Override
  public void onAnswer(A answer) {
    boolean unused = future.complete(answer);
  }

  @Override
  public void onFailure(Failure failure) {
    boolean unused = future.completeExceptionally(new FailedException(failure));
  }
}
