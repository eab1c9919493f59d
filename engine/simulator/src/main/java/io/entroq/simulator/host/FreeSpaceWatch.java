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

  /** An engine checks the free space for every mebibyte that it writes. */
  private static final long UNNOTICED_BYTES = 2 << 20;

  /** And every 20 milliseconds while it writes. */
  private static final long UNNOTICED_NS = SECOND_NS;

  private final EngineLimits limits;
  private final ModifyDecoder modify = new ModifyDecoder();
  private long changedNs = -UNNOTICED_NS;
  private long checkedNs;
  private long refused;

  /** Refusals of this life until the last check. */
  private long refusedForDisk;

  private long refusedForMemory;

  /** When space was last too short for a refused command. */
  private long shortNs = -UNNOTICED_NS;

  FreeSpaceWatch(EngineLimits limits) {
    this.limits = limits;
  }

  /** An engine is about to be opened. */
  void onOpening() {
    refusedForDisk = 0;
    refusedForMemory = 0;
  }

  /** The free space has changed. */
  void changed(long nowNs) {
    changedNs = nowNs;
  }

  /**
   * A record has been appended.
   *
   * @param record begins with the record
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
   * The engine has refused a command for lack of disk space or memory, which must really be short.
   *
   * @param counters of the engine, which give the reason
   * @param memoryBytes memory of its tasks
   * @param usableBytes free space on the disk
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
    // A shortage ends when slightly more than the floor is free.
    if (usableBytes < floor + floor / 16 + command.capacity() + UNNOTICED_BYTES) {
      shortNs = nowNs;
    }
    return nowNs - Math.max(shortNs, changedNs) < UNNOTICED_NS;
  }

  /**
   * Checks that the engine refuses nothing while there is space.
   *
   * @param isNew whether the engine has just been opened
   * @param refusedByNow commands refused for lack of disk space
   * @param usableBytes how much the disk has left
   */
  void check(boolean isNew, long refusedByNow, long nowNs, long usableBytes) {
    boolean hasRoom = usableBytes > 2 * limits.diskLowBytes();
    // The engine may be idle for long between two checks.
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
