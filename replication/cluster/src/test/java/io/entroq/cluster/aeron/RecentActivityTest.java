package io.entroq.cluster.aeron;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RecentActivityTest {
  private final AtomicLong nowNs = new AtomicLong(Long.MAX_VALUE - 5);
  private final RecentActivity activity = new RecentActivity(nowNs::get);

  @Test
  void shouldNotBeActiveAtFirst() {
    assertThat(activity.isActive()).isFalse();
  }

  @Test
  void shouldStayActiveShortlyAfterTheLastCommand() {
    for (int i = 0; i < 100; i++) {
      activity.note();
      nowNs.addAndGet(TimeUnit.MILLISECONDS.toNanos(10));
      assertThat(activity.isActive()).isTrue();
    }
    nowNs.addAndGet(TimeUnit.MILLISECONDS.toNanos(100));
    assertThat(activity.isActive()).isFalse();
  }
}
