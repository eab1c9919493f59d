package io.entroq.engine.feed;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.engine.embedded.Await;
import io.entroq.engine.gateway.FeedEnd;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** One thread puts numbered entries, and the test takes them. */
class ReplayBufferTest {
  private static final int ENTRY_BYTES = 1 << 10;
  private static final int ENTRIES = 5_000;
  private static final int LARGE_BYTES = 3 << 20;
  private static final int BYTES_MAX = 1 << 20;

  private final AtomicLong nowNs = new AtomicLong();
  private final ReplayBuffer buffer = new ReplayBuffer(nowNs::get);
  private final AtomicInteger entries = new AtomicInteger();
  private final Thread thread = new Thread(this::put);

  /** Puts entries until they are not taken any more. */
  private void put() {
    UnsafeBuffer entry = new UnsafeBuffer(new byte[LARGE_BYTES]);
    for (int i = 0; i < ENTRIES; i++) {
      entry.putInt(0, i);
      if (!buffer.putFrame(entry, 0, i == ENTRIES / 2 ? LARGE_BYTES : ENTRY_BYTES)) {
        return;
      }
      entries.incrementAndGet();
    }
    buffer.end(new FeedEnd(FeedEnd.Reason.COMPLETE, "all"));
  }

  private void startAndFill() {
    thread.start();
    Await.until("it waits", () -> thread.getState() == Thread.State.TIMED_WAITING);
    assertThat(entries.get()).isPositive();
  }

  @Test
  void shouldWaitWhileThereAreManyBytesAndKeepTheOrder() throws InterruptedException {
    startAndFill();
    int taken = 0;
    while (taken < ENTRIES) {
      if (buffer.nextBytes() > 0) {
        assertThat(buffer.take()).isEqualTo(ReplayBuffer.FRAME);
        assertThat(buffer.buffer().getInt(buffer.offset())).isEqualTo(taken);
        taken++;
        // The entry that is put may not be counted yet, and the half that was taken not left.
        assertThat(entries.get() - taken).isLessThanOrEqualTo(BYTES_MAX / ENTRY_BYTES);
      } else {
        Thread.onSpinWait();
      }
    }
    thread.join();
    assertThat(buffer.nextBytes()).isZero();
    assertThat(buffer.ended().orElseThrow().reason()).isEqualTo(FeedEnd.Reason.COMPLETE);
  }

  @Test
  void shouldGiveUpWhenNothingIsTaken() throws InterruptedException {
    startAndFill();
    nowNs.addAndGet(ReplayBuffer.STALL_NS - 1);
    assertThat(buffer.nextBytes()).isPositive();
    buffer.take();
    nowNs.incrementAndGet();
    assertThat(buffer.isTaken()).isTrue();
    nowNs.addAndGet(ReplayBuffer.STALL_NS);
    thread.join();
    assertThat(buffer.isTaken()).isFalse();
    assertThat(buffer.ended()).isEmpty();
  }

  @Test
  void shouldGiveUpWhenItIsClosed() throws InterruptedException {
    startAndFill();
    buffer.close();
    thread.join();
    assertThat(entries.get()).isLessThan(ENTRIES);
    assertThat(buffer.nextBytes()).isZero();
    assertThat(buffer.await(() -> {})).isFalse();
  }
}
