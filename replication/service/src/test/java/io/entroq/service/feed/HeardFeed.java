package io.entroq.service.feed;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.codec.wire.edge.TailResponse;
import io.entroq.service.call.Reply;
import io.entroq.service.testing.Await;
import io.entroq.service.translation.Refusal;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** What a feed sends to a caller that reads as much as the test says. */
public final class HeardFeed implements Reply<TailResponse> {
  private final AtomicInteger room = new AtomicInteger(Integer.MAX_VALUE);
  private final List<TailResponse> responses = new CopyOnWriteArrayList<>();
  private volatile Refusal refused;
  private volatile boolean isComplete;

  /** One that reads so many responses. */
  public static HeardFeed reading(int responses) {
    HeardFeed heard = new HeardFeed();
    heard.room.set(responses);
    return heard;
  }

  /** Makes room for more; the caller tells the call. */
  void read(int more) {
    room.addAndGet(more);
  }

  /** The responses, when there are so many. */
  public List<TailResponse> responses(int count) {
    Await.until(count + " responses", () -> responses.size() >= count);
    assertThat(responses).hasSize(count);
    return responses;
  }

  /** How many there are now. */
  int count() {
    return responses.size();
  }

  /** Its error, for which this waits. */
  public Refusal refused() {
    Await.until("the feed ends with an error", () -> refused != null);
    return refused;
  }

  boolean hasEnded() {
    return refused != null || isComplete;
  }

  void awaitComplete() {
    Await.until("the feed is complete", this::hasEnded);
    assertThat(refused).isNull();
  }

  @Override
  public boolean isReady() {
    return room.get() > 0;
  }

  @Override
  public void position(long position) {
    throw new AssertionError("positions are in the responses");
  }

  @Override
  public void send(TailResponse response) {
    assertThat(hasEnded()).isFalse();
    room.decrementAndGet();
    responses.add(response);
  }

  @Override
  public void complete() {
    isComplete = true;
  }

  @Override
  public void fail(Refusal refusal) {
    refused = refusal;
  }
}
