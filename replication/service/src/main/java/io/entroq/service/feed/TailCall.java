package io.entroq.service.feed;

import io.entroq.codec.wire.edge.TailResponse;
import io.entroq.engine.gateway.FeedEnd;
import io.entroq.engine.gateway.FeedReader;
import io.entroq.service.call.Call;
import io.entroq.service.call.Method;
import io.entroq.service.call.Reply;
import io.entroq.service.translation.Refusal;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends the effects of one reader as fast as its caller reads. Takes nothing from the reader before
 * everything taken before is with the transport, so a slow caller holds no more than one poll.
 *
 * <p>Any thread wakes it; one thread at a time runs it.
 */
final class TailCall implements Call {
  private static final Logger LOG = LoggerFactory.getLogger(TailCall.class);

  /** Taken from the reader at a time, in bytes of frames. */
  private static final int POLL_BYTES = 64 << 10;

  private final Feeds feeds;
  private final FeedReader reader;
  private final TailResponses responses;
  private final Reply<TailResponse> reply;

  /** How often it was woken since the last run began; 0 if no run is due. */
  private final AtomicInteger wakes = new AtomicInteger();

  /** When the caller's token expires; null if it does not, or not yet. */
  private volatile Future<?> expiry;

  private volatile Refusal ending;
  private volatile boolean isOver;

  TailCall(Feeds feeds, FeedReader reader, TailResponses responses, Reply<TailResponse> reply) {
    this.feeds = feeds;
    this.reader = reader;
    this.responses = responses;
    this.reply = reply;
  }

  /** Runs soon. */
  void wake() {
    if (wakes.getAndIncrement() == 0) {
      feeds.execute(this::run);
    }
  }

  /** Ends with an error soon. */
  void end(Refusal refusal) {
    ending = refusal;
    wake();
  }

  /** Sets what is to be stopped when the call is over. */
  void expiry(Future<?> timer) {
    expiry = timer;
  }

  @Override
  public void withdraw() {
    end(Feeds.STOPPING);
  }

  @Override
  public void ready() {
    wake();
  }

  @Override
  public void cancel() {
    isOver = true;
    release();
  }

  private void release() {
    reader.close();
    feeds.remove(this);
    if (expiry != null) {
      expiry.cancel(false);
    }
  }

  private void run() {
    int seen = wakes.get();
    try {
      if (!isOver) {
        step();
      }
    } catch (RuntimeException e) {
      LOG.error("A feed failed because of an internal error.", e);
      finish(Refusal.FAULT);
    }
    // Later, so that others have their turn.
    if (wakes.addAndGet(-seen) != 0) {
      feeds.execute(this::run);
    }
  }

  private void step() {
    if (ending != null) {
      finish(ending);
      return;
    }
    while (!responses.isEmpty() && reply.isReady()) {
      reply.send(responses.poll());
    }
    if (!responses.isEmpty() || !reply.isReady()) {
      // Woken by ready().
      return;
    }
    if (reader.poll(responses, POLL_BYTES) > 0) {
      responses.cut();
      wake();
      return;
    }
    Optional<FeedEnd> end = reader.ended();
    if (end.isPresent()) {
      finish(end.get());
    } else if (!reader.await(this::wake)) {
      wake();
    }
  }

  private void finish(FeedEnd end) {
    if (end.reason() == FeedEnd.Reason.COMPLETE) {
      isOver = true;
      release();
      reply.complete();
    } else {
      finish(feeds.refusal(end).of(Method.TAIL.label()));
    }
  }

  private void finish(Refusal refusal) {
    isOver = true;
    release();
    reply.fail(refusal);
  }
}
