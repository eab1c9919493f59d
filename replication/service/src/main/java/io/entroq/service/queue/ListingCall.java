package io.entroq.service.queue;

import io.entroq.api.EntroQException;
import io.entroq.codec.result.ResultDecoder;
import io.entroq.engine.gateway.Completion;
import io.entroq.engine.gateway.Listing;
import io.entroq.engine.gateway.Submission;
import io.entroq.service.call.Call;
import io.entroq.service.call.Reply;
import io.entroq.service.limit.Limit;
import io.entroq.service.translation.Refusal;
import io.entroq.service.translation.RefusedException;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** A listing in one response, up to the size of the largest message. */
final class ListingCall<S> implements Call, Completion {
  private final Listing listing;
  private final int bytesMax;
  private final String advice;
  private final Consumer<ResultDecoder> pages;
  private final Supplier<S> answer;
  private final Reply<S> reply;
  private Submission page;
  private boolean isCancelled;
  private long bytes;

  /**
   * @param advice what to do about a listing that is too large
   * @param pages gets each page
   * @param answer makes the response from all pages
   */
  ListingCall(
      Listing listing,
      int bytesMax,
      String advice,
      Consumer<ResultDecoder> pages,
      Supplier<S> answer,
      Reply<S> reply) {
    this.listing = listing;
    this.bytesMax = bytesMax;
    this.advice = advice;
    this.pages = pages;
    this.answer = answer;
    this.reply = reply;
  }

  /** Asks for the next page. */
  synchronized ListingCall<S> next() {
    if (!isCancelled) {
      page = listing.next(this);
    }
    return this;
  }

  @Override
  public void onResult(ResultDecoder result) {
    try {
      take(result);
    } catch (RuntimeException e) {
      reply.fail(ResultReply.refusal(e));
    }
  }

  private void take(ResultDecoder result) {
    bytes += result.encodedLength();
    if (bytes > bytesMax) {
      throw new RefusedException(
          Limit.MESSAGE_BYTES.refusal(
              "the response has more than the %,d bytes of a message; %s"
                  .formatted(bytesMax, advice)));
    }
    pages.accept(result);
    if (listing.isComplete()) {
      reply.position(result.sequence());
      reply.send(answer.get());
    } else if (reply.holds(bytes)) {
      next();
    }
  }

  @Override
  public void onFailure(EntroQException failure) {
    reply.fail(Refusal.of(failure));
  }

  @Override
  public synchronized void cancel() {
    isCancelled = true;
    if (page != null) {
      page.cancel();
    }
  }
}
