package io.entroq.cluster.member;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Waiting for a member's end returns, whatever its components do. */
class MemberShutdownTest {
  private final Exception why = new MemberException("it was told to");

  @Test
  void shouldHappenOnce() throws Exception {
    MemberShutdown end = new MemberShutdown("member 0", Duration.ofSeconds(60));
    AtomicInteger ended = new AtomicInteger();

    end.begin(ended::incrementAndGet, () -> why);
    end.begin(ended::incrementAndGet, () -> null);

    assertThat(end.ended().get(60, TimeUnit.SECONDS)).isSameAs(why);
    assertThat(ended).hasValue(1);
  }

  @Test
  void shouldEndAlthoughAComponentThrows() throws Exception {
    MemberShutdown end = new MemberShutdown("member 0", Duration.ofSeconds(60));

    end.begin(
        () -> {
          throw new MemberException("planted");
        },
        () -> why);

    assertThat(end.ended().get(60, TimeUnit.SECONDS)).isSameAs(why);
  }

  @Test
  void shouldGiveUpIfAComponentHangs() throws Exception {
    MemberShutdown end = new MemberShutdown("member 0", Duration.ofMillis(50));
    CountDownLatch never = new CountDownLatch(1);

    end.begin(never::await, () -> why);

    Throwable told = end.ended().get(60, TimeUnit.SECONDS);
    never.countDown();
    assertThat(told).hasMessageContaining("member 0 has not ended").hasCause(why);
  }
}
