package io.entroq.cluster.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** Messages wait for room and do not displace each other. */
class ControlOutboxTest {
  private final ControlOutbox outbox = new ControlOutbox();
  private final List<Integer> sent = new ArrayList<>();
  private boolean hasRoom;

  private void add(int from, int to) {
    IntStream.range(from, to).forEach(i -> outbox.add(new UnsafeBuffer(new byte[] {(byte) i})));
  }

  private boolean offer(DirectBuffer word, int offset, int length) {
    if (hasRoom) {
      assertThat(length).isEqualTo(1);
      sent.add((int) word.getByte(offset));
    }
    return hasRoom;
  }

  private void sendAll() {
    while (outbox.send(this::offer) == 1) {
      assertThat(sent).isNotEmpty();
    }
  }

  @Test
  void shouldSendMessagesThatWaited() {
    add(0, 3);
    sendAll();
    assertThat(sent).isEmpty();
    hasRoom = true;
    sendAll();
    assertThat(sent).containsExactly(0, 1, 2);
  }

  @Test
  void shouldDropMessagesBeyondItsCapacity() {
    add(0, ControlOutbox.MAX + 2);
    hasRoom = true;
    sendAll();
    assertThat(sent).hasSize(ControlOutbox.MAX).endsWith(ControlOutbox.MAX - 1);
    add(ControlOutbox.MAX, ControlOutbox.MAX + 1);
    sendAll();
    assertThat(sent).endsWith(ControlOutbox.MAX - 1, ControlOutbox.MAX);
  }
}
