package io.entroq.simulator.check;

import com.google.protobuf.Message;
import io.entroq.codec.record.RecordType;
import io.entroq.codec.wire.log.Acknowledge;
import io.entroq.codec.wire.log.CallersGone;
import io.entroq.codec.wire.log.Cancel;
import io.entroq.codec.wire.log.Claim;
import io.entroq.codec.wire.log.ClaimDocs;
import io.entroq.codec.wire.log.Cut;
import io.entroq.codec.wire.log.Genesis;
import io.entroq.codec.wire.log.Modify;
import io.entroq.codec.wire.log.RaiseLevel;
import io.entroq.codec.wire.log.Tick;
import io.entroq.engine.state.ResultSink;
import io.entroq.engine.state.StateMachine;
import java.util.Map;
import java.util.zip.CRC32C;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A record as a log would hold it.
 *
 * @param type the record type
 * @param payload the encoded command
 * @param crc CRC32C of the payload
 * @param logTimeMs its time
 * @param sequence its place
 */
public record LoggedRecord(int type, DirectBuffer payload, int crc, long logTimeMs, long sequence) {
  private static final Map<Class<?>, Integer> TYPES =
      Map.of(
          Genesis.class, RecordType.GENESIS,
          Claim.class, RecordType.CLAIM,
          Modify.class, RecordType.MODIFY,
          Cancel.class, RecordType.CANCEL,
          Tick.class, RecordType.TICK,
          CallersGone.class, RecordType.CALLERS_GONE,
          Acknowledge.class, RecordType.ACKNOWLEDGE,
          RaiseLevel.class, RecordType.RAISE_LEVEL,
          Cut.class, RecordType.CUT,
          ClaimDocs.class, RecordType.CLAIM_DOCS);

  /** A record of a command. */
  public static LoggedRecord of(Message command, long logTimeMs, long sequence) {
    return of(command, command.toByteArray(), logTimeMs, sequence);
  }

  /** A record of the type of a command, with any payload. */
  public static LoggedRecord of(Message command, byte[] payload, long logTimeMs, long sequence) {
    CRC32C crc = new CRC32C();
    crc.update(payload);
    return new LoggedRecord(
        TYPES.get(command.getClass()),
        new UnsafeBuffer(payload),
        (int) crc.getValue(),
        logTimeMs,
        sequence);
  }

  /** Has a state machine apply the record. */
  public void applyTo(StateMachine machine, ResultSink sink) {
    machine.apply(type, payload, 0, payload.capacity(), crc, logTimeMs, sequence, sink);
  }
}
