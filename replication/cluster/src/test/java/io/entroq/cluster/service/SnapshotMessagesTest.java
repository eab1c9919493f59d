package io.entroq.cluster.service;

import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.entroq.cluster.image.ImageStore;
import io.entroq.engine.log.Forcer;
import io.entroq.engine.state.FrozenState;
import io.entroq.engine.state.StateMachine;
import io.entroq.engine.state.StateMachineConfig;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.agrona.concurrent.NoOpIdleStrategy;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** An incomplete or changed snapshot is damaged. */
class SnapshotMessagesTest {
  private static final int MESSAGE_BYTES = 256;
  private static final int HOLDER_BYTES = 24;
  private static final int HOLDERS = 20;

  @Test
  void shouldReadASentSnapshot() {
    List<UnsafeBuffer> sent = messages(HOLDERS);
    assertThat(sent.stream().filter(SnapshotMessagesTest::isOfHosts)).hasSizeGreaterThan(1);
    read(sent);
    read(messages(0));
  }

  @Test
  void shouldDetectAnyMissingMessage() {
    int count = messages(HOLDERS).size();
    for (int left = 0; left < count; left++) {
      List<UnsafeBuffer> some = messages(HOLDERS);
      some.remove(left);
      assertThat(fault(some).isDamage()).as("without message %d", left).isTrue();
    }
  }

  @Test
  void shouldTreatInvalidHostsAsDamage() {
    UnsafeBuffer twice = new UnsafeBuffer(new byte[2 * HOLDER_BYTES]);
    for (int i = 0; i < 2; i++) {
      putHolder(twice, i, 1);
    }
    SnapshotException fault = fault(messages(twice));
    assertThat(fault).hasMessageContaining("without a host, or listed twice");
    assertThat(fault.isDamage()).isTrue();
  }

  @Test
  void shouldNotTreatANewerFormatAsDamage() {
    List<UnsafeBuffer> other = messages(HOLDERS);
    other.get(0).putInt(Integer.BYTES, SnapshotFrame.REFERENCE_FORMAT + 1, LITTLE_ENDIAN);
    assertThatThrownBy(() -> read(other)).hasMessageContaining("a newer build has written it");
    assertThat(fault(other).isDamage()).isFalse();
    other.get(0).putInt(Integer.BYTES, SnapshotFrame.FORMAT - 1, LITTLE_ENDIAN);
    assertThat(fault(other).isDamage()).isTrue();
  }

  @Test
  void shouldNotReadAReferenceThatIsIncompleteOrHasNoImage() {
    List<UnsafeBuffer> sent = reference();
    assertThat(sent).hasSize(4);
    assertThat(fault(sent))
        .hasMessageContaining("the image of the state at record 0 is missing")
        .matches(SnapshotException::isDamage);
    for (int left = 0; left < sent.size(); left++) {
      List<UnsafeBuffer> some = reference();
      some.remove(left);
      assertThat(fault(some).isDamage()).as("without message %d", left).isTrue();
      assertThat(fault(some)).hasMessageNotContaining("is missing at record");
    }
    List<UnsafeBuffer> changed = reference();
    UnsafeBuffer text = changed.get(1);
    text.putByte(text.capacity() - 1, (byte) 0);
    assertThat(fault(changed)).hasMessageContaining("the checksum of a piece is wrong");
  }

  private static List<UnsafeBuffer> reference() {
    UnsafeBuffer holders = new UnsafeBuffer(new byte[HOLDER_BYTES]);
    putHolder(holders, 0, 1);
    return messages(holders, 1_024, SnapshotSender::refer);
  }

  private static boolean isOfHosts(UnsafeBuffer message) {
    return SnapshotFrame.kind(message, 0) == SnapshotFrame.HOSTS;
  }

  private static SnapshotException fault(List<UnsafeBuffer> messages) {
    return catchThrowableOfType(SnapshotException.class, () -> read(messages));
  }

  private static void read(List<UnsafeBuffer> messages) {
    SnapshotReceiver receiver =
        new SnapshotReceiver(ImageStore.open(Path.of("no-such-directory"), Forcer.DISK));
    try {
      messages.forEach(message -> receiver.onMessage(message, 0, message.capacity()));
      receiver.finish().close();
      assertThat(receiver.hosts()).isNotNull();
    } finally {
      receiver.close();
    }
  }

  private static List<UnsafeBuffer> messages(int holders) {
    UnsafeBuffer buffer = new UnsafeBuffer(new byte[holders * HOLDER_BYTES]);
    for (int i = 0; i < holders; i++) {
      putHolder(buffer, i, i + 1);
    }
    return messages(buffer);
  }

  private static void putHolder(UnsafeBuffer buffer, int index, long caller) {
    int at = index * HOLDER_BYTES;
    buffer.putLong(at, caller, LITTLE_ENDIAN);
    buffer.putLong(at + Long.BYTES, caller, LITTLE_ENDIAN);
    buffer.putLong(at + 2 * Long.BYTES, 7, LITTLE_ENDIAN);
  }

  private static List<UnsafeBuffer> messages(UnsafeBuffer holders) {
    return messages(holders, MESSAGE_BYTES, SnapshotSender::send);
  }

  private static List<UnsafeBuffer> messages(
      UnsafeBuffer holders, int bytesMax, Consumer<SnapshotSender> send) {
    List<UnsafeBuffer> messages = new ArrayList<>();
    try (StateMachine machine = new StateMachine(StateMachineConfig.DEFAULT)) {
      FrozenState frozen = machine.freeze();
      SnapshotSender sender =
          new SnapshotSender(
              (head, at, headBytes, rest, offset, length) -> {
                UnsafeBuffer message = new UnsafeBuffer(new byte[headBytes + length]);
                message.putBytes(0, head, at, headBytes);
                message.putBytes(headBytes, rest, offset, length);
                messages.add(message);
                return messages.size();
              },
              bytesMax,
              NoOpIdleStrategy.INSTANCE,
              frozen,
              holders,
              holders.capacity());
      send.accept(sender);
      frozen.release();
      machine.thaw();
    }
    return messages;
  }
}
