package io.entroq.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.Message;
import io.entroq.codec.command.AcknowledgeDecoder;
import io.entroq.codec.command.ClaimDecoder;
import io.entroq.codec.command.ClaimEncoder;
import io.entroq.codec.command.ModifyDecoder;
import io.entroq.codec.message.FieldLimits;
import io.entroq.codec.message.Slice;
import io.entroq.codec.wire.Limits;
import io.entroq.codec.wire.log.Acknowledge;
import io.entroq.codec.wire.log.Claim;
import io.entroq.codec.wire.log.Id;
import io.entroq.codec.wire.log.Identity;
import io.entroq.codec.wire.log.Modify;
import io.entroq.codec.wire.log.TaskRef;
import java.nio.ByteBuffer;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

class WireBoundsTest {
  private static final int MANY = 10_000;

  private final ClaimEncoder encoder = new ClaimEncoder();
  private final Slice queue = new Slice(new byte[] {'q'});

  @Test
  void shouldRefuseFieldsOutOfOrder() {
    encoder.wrap(new UnsafeBuffer(new byte[100]), 0).leaseMs(5);
    assertThatThrownBy(() -> encoder.queue(queue))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("field 4 after field 5");
    assertThatThrownBy(() -> encoder.leaseMs(6)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void shouldWriteNothingPastTheEndOfABuffer() {
    int size = encode(new UnsafeBuffer(new byte[100]), 0);
    for (int capacity = 0; capacity < size; capacity++) {
      byte[] bytes = new byte[100];
      UnsafeBuffer small = new UnsafeBuffer(bytes, 0, capacity);
      assertThatThrownBy(() -> encode(small, 0)).isInstanceOf(IndexOutOfBoundsException.class);
      for (int i = capacity; i < bytes.length; i++) {
        assertThat(bytes[i]).isZero();
      }
    }
    assertThat(encode(new UnsafeBuffer(new byte[size]), 0)).isEqualTo(size);
    assertThat(encode(new UnsafeBuffer(ByteBuffer.allocateDirect(size + 3)), 3)).isEqualTo(size);
  }

  private int encode(UnsafeBuffer buffer, int offset) {
    return encoder
        .wrap(buffer, offset)
        .identity(1, 2, 300, 1)
        .queue(queue)
        .leaseMs(30_000)
        .deadlineMs(9)
        .waits(true)
        .length();
  }

  @Test
  void shouldRefuseToReadOutsideOfTheSource() {
    ClaimDecoder decoder = new ClaimDecoder();
    UnsafeBuffer source = new UnsafeBuffer(new byte[10]);
    int[][] ranges = {{-1, 5}, {0, -1}, {0, 11}, {6, 5}, {11, 0}, {5, Integer.MAX_VALUE}};
    for (int[] range : ranges) {
      assertThatThrownBy(() -> decoder.wrap(source, range[0], range[1]))
          .isInstanceOf(IndexOutOfBoundsException.class);
    }
  }

  private interface Wrap {
    void wrap(DirectBuffer buffer, int offset, int length);
  }

  private static void wrap(Wrap decoder, Message message) {
    byte[] bytes = message.toByteArray();
    decoder.wrap(new UnsafeBuffer(bytes), 0, bytes.length);
  }

  @Test
  void shouldReadASmallMessageAfterALargeOne() {
    Claim.Builder queues = Claim.newBuilder();
    Modify.Builder items = Modify.newBuilder();
    Acknowledge.Builder clients = Acknowledge.newBuilder();
    for (int i = 1; i <= Limits.QUEUES_PER_CLAIM_MAX; i++) {
      queues.addQueues("queue" + i);
    }
    for (int i = 1; i <= MANY; i++) {
      items.addDeletes(TaskRef.newBuilder().setId(Id.newBuilder().setLow(i)).setVersion(i));
      clients.addClients(Identity.newBuilder().setClientLow(i).setAckedBelow(i));
    }
    ClaimDecoder claims = new ClaimDecoder();
    ModifyDecoder modifies = new ModifyDecoder();
    AcknowledgeDecoder acknowledges = new AcknowledgeDecoder();
    for (int round = 0; round < 2; round++) {
      wrap(claims::wrap, queues.build());
      wrap(modifies::wrap, items.build());
      wrap(acknowledges::wrap, clients.build());
      assertThat(claims.queueCount()).isEqualTo(Limits.QUEUES_PER_CLAIM_MAX);
      assertThat(modifies.delete(MANY - 1).version()).isEqualTo(MANY);
      assertThat(acknowledges.client(MANY - 1).ackedBelow()).isEqualTo(MANY);
      claims.wrap(new UnsafeBuffer(new byte[] {0x22, 1, 'q'}), 0, 3);
      modifies.wrap(new UnsafeBuffer(new byte[0]), 0, 0);
      acknowledges.wrap(new UnsafeBuffer(new byte[0]), 0, 0);
      assertThat(claims.queueCount()).isEqualTo(1);
      assertThat(modifies.deleteCount()).isZero();
      assertThat(acknowledges.clientCount()).isZero();
      assertThatThrownBy(() -> modifies.delete(0)).isInstanceOf(IndexOutOfBoundsException.class);
    }
  }

  @Test
  void shouldHoldTheLogToTheLimitsOfTheEdge() {
    assertThat(FieldLimits.TEXT_BYTES_MAX).isEqualTo(Limits.TEXT_BYTES_MAX);
    assertThat(ClaimDecoder.LIMIT_MAX).isEqualTo(Limits.CLAIM_LIMIT_MAX);
  }
}
