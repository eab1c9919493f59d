package io.entroq.engine.request;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ReplyThreadTest {
  private final ReplyThread thread = new ReplyThread(16);
  private Thread.UncaughtExceptionHandler before;

  @BeforeEach
  void expectErrors() {
    before = Thread.getDefaultUncaughtExceptionHandler();
    Thread.setDefaultUncaughtExceptionHandler((failed, error) -> {});
  }

  @AfterEach
  void end() throws InterruptedException {
    thread.stop();
    thread.awaitEnd();
    Thread.setDefaultUncaughtExceptionHandler(before);
  }

  @Test
  void shouldMakeOtherRepliesWhateverOneThrows() throws InterruptedException {
    thread.start();
    CountDownLatch heard = new CountDownLatch(2);
    for (int i = 0; i < 2; i++) {
      thread
          .replies()
          .add(
              slot(
                  () -> {
                    heard.countDown();
                    throw new AssertionError("on purpose");
                  }));
    }
    assertThat(heard.await(30, TimeUnit.SECONDS)).isTrue();
  }

  private static RequestSlot slot(Runnable completion) {
    RequestSlot slot = new RequestSlot();
    slot.completion = done -> completion.run();
    return slot;
  }
}
