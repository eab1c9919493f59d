package io.entroq.simulator.check;

import com.google.protobuf.InvalidProtocolBufferException;
import io.entroq.codec.record.RecordType;
import io.entroq.codec.wire.log.Acknowledge;
import io.entroq.codec.wire.log.CallersGone;
import io.entroq.codec.wire.log.Cancel;
import io.entroq.codec.wire.log.Claim;
import io.entroq.codec.wire.log.ClaimDocs;
import io.entroq.codec.wire.log.Modify;
import io.entroq.simulator.workload.CommandText;
import java.nio.ByteBuffer;

/** A record as text. Slow: for failures only. */
final class RecordText {
  private RecordText() {}

  static String of(int type, byte[] bytes, int length) {
    ByteBuffer command = ByteBuffer.wrap(bytes, 0, length);
    try {
      return switch (type) {
        case RecordType.CLAIM -> CommandText.of(Claim.parseFrom(command));
        case RecordType.MODIFY -> CommandText.of(Modify.parseFrom(command));
        case RecordType.CLAIM_DOCS -> CommandText.of(ClaimDocs.parseFrom(command));
        case RecordType.CANCEL -> CommandText.of(Cancel.parseFrom(command));
        case RecordType.CALLERS_GONE -> CommandText.of(CallersGone.parseFrom(command));
        case RecordType.ACKNOWLEDGE -> CommandText.of(Acknowledge.parseFrom(command));
        default -> RecordType.name(type);
      };
    } catch (InvalidProtocolBufferException e) {
      return RecordType.name(type) + " that cannot be read: " + e.getMessage();
    }
  }
}
