package io.entroq.workers;

import java.io.ByteArrayOutputStream;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;

/** Keeps the beginning of a response's body, and ends the connection if there is more. */
final class BoundedBody implements HttpResponse.BodySubscriber<BoundedBody.Content> {
  /**
   * What was kept.
   *
   * @param isTruncated whether the body is longer
   */
  @SuppressWarnings("ArrayRecordComponent") // Compared by nobody.
  record Content(byte[] bytes, boolean isTruncated) {}

  private final CompletableFuture<Content> content = new CompletableFuture<>();
  private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
  private final int bytesMax;
  private Flow.Subscription subscription;

  BoundedBody(int bytesMax) {
    this.bytesMax = bytesMax;
  }

  @Override
  public CompletionStage<Content> getBody() {
    return content;
  }

  @Override
  public void onSubscribe(Flow.Subscription newSubscription) {
    subscription = newSubscription;
    subscription.request(Long.MAX_VALUE);
  }

  @Override
  public void onNext(List<ByteBuffer> buffers) {
    for (ByteBuffer buffer : buffers) {
      int room = bytesMax - kept.size();
      byte[] bytes = new byte[Math.min(room, buffer.remaining())];
      buffer.get(bytes);
      kept.writeBytes(bytes);
      if (buffer.hasRemaining()) {
        subscription.cancel();
        content.complete(new Content(kept.toByteArray(), true));
        return;
      }
    }
  }

  @Override
  public void onError(Throwable failure) {
    content.completeExceptionally(failure);
  }

  @Override
  public void onComplete() {
    content.complete(new Content(kept.toByteArray(), false));
  }
}
