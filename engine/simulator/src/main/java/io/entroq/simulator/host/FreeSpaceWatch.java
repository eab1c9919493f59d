package io.entroq.simulator.host;

import io.entroq.codec.command.ModifyDecoder;
import io.entroq.codec.record.RecordFrame;
import io.entroq.codec.record.RecordType;
import io.entroq.engine.gateway.EngineStats;
import io.entroq.simulator.call.Request;
import io.entroq.simulator.check.Invariant;
import java.util.Locale;
import org.agrona.DirectBuffer;

/**
 * Checks that an engine leaves the configured free space on the disk, refuses nothing while there
 * is space and memory, and continues when there is space again. One thread.
 */
final class FreeSpaceWatch {
  private static final long SECOND_NS = 1_000_000_000L;

  /** An engine looks at the disk each mebibyte that it writes. */
  private static final long UNNOTICED_BYTES = 2 << 20;

  /** And every 20 milliseconds in which it writes. */
  private static final long UNNOTICED_NS = SECOND_NS;

  private final EngineLimits limits;
  private final ModifyDecoder modify = new ModifyDecoder();
  private long changedNs = -UNNOTICED_NS;
  private long checkedNs;
  private long refused;

  /** How many this life had refused when it was told last. */
  private long refusedForDisk;

  private long refusedForMemory;

  /** When there was too little room for a command that was refused. */
  private long shortNs = -UNNOTICED_NS;

  FreeSpaceWatch(EngineLimits limits) {
    this.limits = limits;
  }

  /** An engine is about to be opened, which has refused nothing yet. */
  void onOpening() {
    refusedForDisk = 0;
    refusedForMemory = 0;
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
    boolean isOfCaller =
        frame.type() == RecordType.CLAIM
            || frame.type() == RecordType.MODIFY
            || frame.type() == RecordType.CLAIM_DOCS;
    boolean inserts =
        inserts(frame.type(), record, RecordFrame.HEADER_BYTES, frame.payloadLength());
    Invariant.LEAVES_ROOM.require(
        !isOfCaller || (left >= limits.diskFullBytes() && !inserts),
        "@" + frame.sequence(),
        "no record with so little room",
        usableBytes + " bytes left");
  }

  private boolean inserts(int type, DirectBuffer command, int offset, int length) {
    if (type != RecordType.MODIFY) {
      return false;
    }
    modify.wrap(command, offset, length);
    return modify.insertCount() + modify.docInsertCount() > 0;
  }

  /**
   * The engine has refused a command for want of room or memory. It has to be one that may be
   * refused, and the room or memory to be short in truth.
   *
   * @param counters of the engine, which say what it has refused for which reason
   * @param memoryBytes what its tasks take now
   * @param usableBytes how much the disk has left
   */
  void onRefused(
      Request request, EngineStats counters, long memoryBytes, long nowNs, long usableBytes) {
    boolean isForDisk = counters.writesRefusedForDisk() != refusedForDisk;
    boolean isForMemory = counters.writesRefusedForMemory() != refusedForMemory;
    refusedForDisk = counters.writesRefusedForDisk();
    refusedForMemory = counters.writesRefusedForMemory();
    boolean isDue =
        isForDisk
            ? isDiskShort(request, nowNs, usableBytes)
            : isForMemory && memoryBytes >= limits.memoryBytesMax();
    Invariant.REFUSED_FOR_A_REASON.require(
        isDue,
        request.type() == RecordType.MODIFY ? "a modify" : "a claim",
        String.format(
            Locale.ROOT,
            "done, with %d bytes left and %d bytes of memory",
            usableBytes,
            memoryBytes),
        isForDisk ? "refused for the disk" : isForMemory ? "refused for memory" : "refused");
  }

  private boolean isDiskShort(Request request, long nowNs, long usableBytes) {
    DirectBuffer command = request.command();
    boolean inserts = inserts(request.type(), command, 0, command.capacity());
    long floor = inserts ? limits.diskLowBytes() : limits.diskFullBytes();
    // A little more than the floor has to be free before a shortage is over.
    if (usableBytes < floor + floor / 16 + command.capacity() + UNNOTICED_BYTES) {
      shortNs = nowNs;
    }
    return nowNs - Math.max(shortNs, changedNs) < UNNOTICED_NS;
  }

  /**
   * Looks whether the engine refuses commands though there is room.
   *
   * @param isNew whether the engine has just been opened
   * @param refusedByNow how many it has refused for want of room on the disk
   * @param usableBytes how much the disk has left
   */
  void check(boolean isNew, long refusedByNow, long nowNs, long usableBytes) {
    boolean hasRoom = usableBytes > 2 * limits.diskLowBytes();
    // Between two looks there may be long whiles in which the engine does nothing.
    boolean isNoticed = checkedNs - changedNs >= UNNOTICED_NS;
    checkedNs = nowNs;
    Invariant.GOES_ON_WITH_ROOM.require(
        isNew || !hasRoom || !isNoticed || refusedByNow == refused,
        "the disk",
        "nothing refused with " + usableBytes + " bytes left",
        refusedByNow - refused);
    refused = refusedByNow;
  }
}
