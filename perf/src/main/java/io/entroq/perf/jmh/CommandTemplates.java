package io.entroq.perf.jmh;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import io.entroq.codec.wire.log.Claim;
import io.entroq.codec.wire.log.Id;
import io.entroq.codec.wire.log.Insert;
import io.entroq.codec.wire.log.Modify;
import io.entroq.codec.wire.log.TaskData;
import io.entroq.codec.wire.log.TaskRef;
import io.entroq.codec.wire.log.ValueKind;
import java.nio.ByteOrder;
import org.agrona.concurrent.UnsafeBuffer;

/** Encoded commands whose ids are overwritten for each use, so that benchmarks exclude encoding. */
final class CommandTemplates {
  static final String QUEUE = "inbox";
  private static final long MARK = 0x5A5A_1234_5A5A_4321L;
  private static final Id CLAIMANT = Id.newBuilder().setLow(0x1234_5678_9ABCL).build();
  private static final long LEASE_MS = 30_000;

  private CommandTemplates() {}

  /** An insert of one task with a value of this many bytes, its id to be set. */
  static Template insert(int valueBytes) {
    return new Template(
        Modify.newBuilder()
            .setClaimant(CLAIMANT)
            .addInserts(
                Insert.newBuilder()
                    .setId(Id.newBuilder().setLow(MARK))
                    .setData(
                        TaskData.newBuilder()
                            .setQueue(QUEUE)
                            .setValueKind(ValueKind.VALUE_BYTES)
                            .setValue(ByteString.copyFrom(new byte[valueBytes]))))
            .build());
  }

  /** A claim that does not wait. */
  static Template claim() {
    return new Template(
        Claim.newBuilder().setClaimant(CLAIMANT).addQueues(QUEUE).setLeaseMs(LEASE_MS).build());
  }

  /** A delete of a task at version 1, its id to be set. */
  static Template delete() {
    return new Template(
        Modify.newBuilder()
            .setClaimant(CLAIMANT)
            .addDeletes(
                TaskRef.newBuilder()
                    .setId(Id.newBuilder().setLow(MARK))
                    .setVersion(1)
                    .setQueue(QUEUE))
            .build());
  }

  /** One encoded command. */
  static final class Template {
    final UnsafeBuffer buffer;
    final int length;
    private final int idOffset;

    private Template(Message command) {
      buffer = new UnsafeBuffer(command.toByteArray());
      length = buffer.capacity();
      idOffset = find();
    }

    private int find() {
      for (int i = 0; i + Long.BYTES <= length; i++) {
        if (buffer.getLong(i, ByteOrder.LITTLE_ENDIAN) == MARK) {
          return i;
        }
      }
      return -1;
    }

    /** Sets the lower half of the id; the upper one is zero. */
    void id(long low) {
      buffer.putLong(idOffset, low, ByteOrder.LITTLE_ENDIAN);
    }
  }
}
