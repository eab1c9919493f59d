package io.entroq.service.limit;

import java.io.IOException;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;

/** Reads an HTTP response up to a maximum length. One thread at a time. */
public final class LimitedBody implements BodySubscriber<byte[]> {
  private final BodySubscriber<byte[]> body = BodySubscribers.ofByteArray();
  private final int bytesMax;
  private Flow.Subscription subscription;
  private long bytes;

  /**
   * @param bytesMax a longer response fails with an {@link IOException}
   */
  public LimitedBody(int bytesMax) {
    this.bytesMax = bytesMax;
  }

  @Override
  public CompletionStage<byte[]> getBody() {
    return body.getBody();
  }

  @Override
  public void onSubscribe(Flow.Subscription started) {
    subscription = started;
    body.onSubscribe(started);
  }

  @Override
  public void onNext(List<ByteBuffer> pieces) {
    for (ByteBuffer piece : pieces) {
      bytes += piece.remaining();
    }
    if (bytes <= bytesMax) {
      body.onNext(pieces);
    } else {
      subscription.cancel();
      body.onError(new IOException("a response of more than %,d bytes".formatted(bytesMax)));
    }
  }

  @Override
  public void onError(Throwable failure) {
    body.onError(failure);
  }

  @Override
  public void onComplete() {
    body.onComplete();
  }
}
