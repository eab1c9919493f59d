package io.entroq.engine.feed;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.engine.embedded.Await;
import io.entroq.engine.gateway.FeedReader;
import io.entroq.engine.gateway.FeedRequest;
import io.entroq.engine.state.StateMachine;
import io.entroq.engine.state.StateMachineConfig;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The thread of a feed, which exists only while somebody waits. */
class FeedThreadTest {
  private final StateMachine machine = new StateMachine(StateMachineConfig.DEFAULT);
  private final FeedSwitch feedSwitch = new FeedSwitch();
  private final AtomicLong visible = new AtomicLong(-1);
  private final FeedHub hub =
      new FeedHub(
          feedSwitch,
          new FeedSource(
              visible::get,
              time -> Long.MAX_VALUE,
              () -> null,
              System::nanoTime,
              () -> 0,
              () -> {}),
          RingMemory.BYTES_MIN,
          true);

  @AfterEach
  void close() {
    hub.close();
    Await.until("its thread has ended", () -> !hub.hasThread());
    machine.close();
  }

  @Test
  void shouldTellWhoWaitsAndEndWhenNobodyDoes() throws Exception {
    FeedReader reader = hub.open(FeedRequest.all(new FeedRequest.Start.Now()));
    feedSwitch.look(machine);
    assertThat(hub.hasThread()).isFalse();
    for (long sequence = 1; sequence <= 20; sequence++) {
      CountDownLatch told = new CountDownLatch(1);
      assertThat(reader.await(told::countDown)).isTrue();
      Steps.tell(hub.ring(), sequence, "a");
      visible.set(sequence);
      told.await();
      assertThat(Seen.all(reader).effects).containsExactly(sequence + ".0 a");
      // So that no mark is due while it waits.
      visible.set(-1);
    }
    Await.until("nobody has waited for a while", () -> !hub.hasThread());
    assertThat(reader.await(() -> {})).isTrue();
    assertThat(hub.hasThread()).isTrue();
  }
}
