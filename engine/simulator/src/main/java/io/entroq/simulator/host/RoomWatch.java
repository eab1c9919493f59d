package io.entroq.simulator.host;

import io.entroq.codec.command.ModifyDecoder;
import io.entroq.codec.record.RecordFrame;
import io.entroq.codec.record.RecordType;
import io.entroq.simulator.model.Violation;
import org.agrona.DirectBuffer;

/**
 * Sees to it that an engine leaves free of the disk what it is to leave free, and goes on when
 * there is room again. One thread.
 */
final class RoomWatch {
  private static final long SECOND_NS = 1_000_000_000L;

  /** An engine looks at the disk each mebibyte that it writes. */
  private static final long UNNOTICED_BYTES = 2 << 20;

  /** And every 20 milliseconds in which it writes. */
  private static final long UNNOTICED_NS = SECOND_NS;

  private final EngineLimits limits;
  private final ModifyDecoder modify = new ModifyDecoder();
  private long changedNs;
  private long lookedNs;
  private long refused;

  RoomWatch(EngineLimits limits) {
    this.limits = limits;
  }

  /** From now on there is less room, or more. */
  void changed(long nowNs) {
    changedNs = nowNs;
  }

  /**
   * A record has been appended.
   *
   * @param record in which it begins, at 0
   * @param usableBytes how much the disk has left
   */
  void onRecord(RecordFrame frame, DirectBuffer record, long nowNs, long usableBytes) {
    long left = usableBytes + UNNOTICED_BYTES;
    if (left >= limits.diskLowBytes() || nowNs - changedNs < UNNOTICED_NS) {
      return;
    }
    boolean isOfCaller = frame.type() == RecordType.CLAIM || frame.type() == RecordType.MODIFY;
    Violation.check(
        !isOfCaller || (left >= limits.diskFullBytes() && !inserts(frame, record)),
        "leaves-room",
        "@" + frame.sequence(),
        "no record with so little room",
        usableBytes + " bytes left");
  }

  private boolean inserts(RecordFrame frame, DirectBuffer record) {
    if (frame.type() != RecordType.MODIFY) {
      return false;
    }
    modify.wrap(record, RecordFrame.HEADER_BYTES, frame.payloadLength());
    return modify.insertCount() > 0;
  }

  /**
   * Looks whether the engine refuses commands though there is room.
   *
   * @param isNew whether the engine has just been opened
   * @param refusedByNow how many it has refused for want of room on the disk
   * @param usableBytes how much the disk has left
   */
  void look(boolean isNew, long refusedByNow, long nowNs, long usableBytes) {
    boolean hasRoom = usableBytes > 2 * limits.diskLowBytes();
    // Between two looks there may be long whiles in which the engine does nothing.
    boolean isNoticed = lookedNs - changedNs >= UNNOTICED_NS;
    lookedNs = nowNs;
    Violation.check(
        isNew || !hasRoom || !isNoticed || refusedByNow == refused,
        "goes-on-with-room",
        "the disk",
        "nothing refused with " + usableBytes + " bytes left",
        refusedByNow - refused);
    refused = refusedByNow;
  }
}
