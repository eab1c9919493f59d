package io.entroq.engine.space;

import io.entroq.api.EntroQException;
import io.entroq.engine.log.LogException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Checks before each record that the disk has space for it. As space runs out it refuses first
 * inserts, then everything that callers write, and finally it stops the engine: that is better than
 * a crash in a memory-mapped write after a reply was sent.
 *
 * <p>It asks the file system after each mebibyte of records or 20 milliseconds of log time. While
 * it refuses, it asks every few milliseconds, so that refusals end by themselves. In between, a
 * command costs a comparison or two.
 *
 * <p>For the engine's thread, unless a method says otherwise.
 */
public final class SpaceGuard {
  private static final long CHECK_BYTES = 1 << 20;

  /** Because others may write to the disk, too. */
  private static final long CHECK_MS = 20;

  private static final long REFUSING_CHECK_NS = 5_000_000;

  /** With so many times the bytes that inserts leave free, a disk still has room. */
  private static final int SCARCE_FACTOR = 4;

  private final Path directory;
  private final DiskSpace space;
  private final SpaceFloors floors;
  private final LongSupplier nanoClock;
  private final AtomicLong refused = new AtomicLong();
  private volatile SpaceLevel level = SpaceLevel.ENOUGH;

  /** Bytes that any record may use before the next check; 0 while something is refused. */
  private long budgetBytes;

  private long nextCheckMs = Long.MIN_VALUE;
  private long usableBytes;

  /** Bytes written since the last check, not counting those from the budget. */
  private long spentBytes;

  private long checkedNs;

  /**
   * A guard of the file system of a directory.
   *
   * @param directory must exist
   * @param nanoClock monotonic time, in nanoseconds from any origin
   */
  public SpaceGuard(Path directory, DiskSpace space, SpaceFloors floors, LongSupplier nanoClock) {
    this.directory = directory;
    this.space = space;
    this.floors = floors;
    this.nanoClock = nanoClock;
  }

  /** Refuses nothing, for an engine that writes to no disk. */
  public static SpaceGuard ofNothing() {
    return new SpaceGuard(
        Path.of(""), directory -> Long.MAX_VALUE, SpaceFloors.NONE, System::nanoTime);
  }

  /**
   * Returns if a caller's command may be logged.
   *
   * @param inserts whether it inserts tasks
   * @param bytes length of the record
   * @param nowMs log time
   * @throws EntroQException.ResourceExhausted if there is no space for it; nothing was done
   */
  public void requireForCaller(boolean inserts, int bytes, long nowMs) {
    if (takesFromBudget(bytes, nowMs)) {
      return;
    }
    checkIfDue(bytes, nowMs);
    SpaceLevel refusing = inserts ? SpaceLevel.LOW : SpaceLevel.FULL;
    long floor = inserts ? floors.insertFloor() : floors.fullBytes();
    if (level.compareTo(refusing) >= 0 || isBelow(floor, bytes)) {
      refused.setRelease(refused.getPlain() + 1);
      if (bytes <= CHECK_BYTES && level == SpaceLevel.ENOUGH) {
        // No space even for a small record: the disk is short. A large one proves nothing.
        enter(refusing);
      }
      throw new EntroQException.ResourceExhausted(refusal(inserts, bytes, floor));
    }
    spend(bytes);
  }

  /**
   * Returns if a record of the engine's own may be logged. There is no caller to refuse.
   *
   * @param bytes length of the record
   * @param nowMs log time
   * @throws LogException if there is no space for it; the engine must stop
   */
  public void requireForEngine(int bytes, long nowMs) {
    if (takesFromBudget(bytes, nowMs)) {
      return;
    }
    checkIfDue(bytes, nowMs);
    if (isBelow(floors.reserveBytes(), bytes)) {
      throw LogException.fatal(
          ("%s, and %,d are kept in reserve: the engine cannot write a record that it needs, and"
                  + " stops. Free some space, then open the directory again.")
              .formatted(SpaceWarning.free(directory, leftBytes()), floors.reserveBytes()),
          null);
    }
    spend(bytes);
  }

  /**
   * Whether there is space for an optional record of the engine's own. Asks the file system each
   * time.
   */
  public boolean hasRoomToSpare(int bytes) {
    return usableBytes() - bytes >= floorBytes();
  }

  /** Bytes that optional writes leave free. Any thread. */
  public long floorBytes() {
    return Math.max(floors.fullBytes(), floors.reserveBytes());
  }

  /**
   * Takes a record of any kind from the budget, without asking the file system.
   *
   * @return false if the budget does not cover it; then call one of the other methods
   */
  public boolean takesFromBudget(int bytes, long nowMs) {
    if (bytes > budgetBytes || nowMs >= nextCheckMs) {
      return false;
    }
    budgetBytes -= bytes;
    return true;
  }

  private void checkIfDue(int bytes, long nowMs) {
    boolean isDue =
        level == SpaceLevel.ENOUGH
            || spentBytes + bytes > CHECK_BYTES
            || nanoClock.getAsLong() - checkedNs >= REFUSING_CHECK_NS;
    if (isDue) {
      usableBytes = space.usableBytes(directory);
      spentBytes = 0;
      budgetBytes = 0;
      checkedNs = nanoClock.getAsLong();
      nextCheckMs = nowMs + CHECK_MS;
      enter(floors.level(level, usableBytes));
    }
  }

  private boolean isBelow(long floor, int bytes) {
    return floor > 0 && leftBytes() - bytes < floor;
  }

  private long leftBytes() {
    return usableBytes - spentBytes;
  }

  private void spend(int bytes) {
    spentBytes += bytes;
    if (level == SpaceLevel.ENOUGH) {
      long headroom = leftBytes() - Math.max(floors.insertFloor(), floors.reserveBytes());
      budgetBytes = Math.min(CHECK_BYTES, Math.max(0, headroom));
    }
  }

  private void enter(SpaceLevel now) {
    if (now != level) {
      level = now;
      budgetBytes = 0;
      SpaceWarning.log(directory, now, usableBytes, floors);
    }
  }

  private String refusal(boolean inserts, int bytes, long floor) {
    String bound = inserts && floor == floors.lowBytes() ? "diskLowBytes" : "diskFullBytes";
    return ("the disk is full: %s, %s takes %,d, and %s"
            + " keeps %,d free. Nothing was done. Free some space: with %,d bytes free it continues"
            + " by itself. Or open with a smaller %s")
        .formatted(
            SpaceWarning.free(directory, leftBytes()),
            inserts ? "this insert" : "this",
            bytes,
            bound,
            floor,
            floor + Math.max(floors.slack(floor), bytes),
            bound);
  }

  /** Whether space was short at the last check, so that freeing some is worthwhile. */
  public boolean isLow() {
    return level != SpaceLevel.ENOUGH;
  }

  /**
   * Whether inserts may soon be refused, so that what is kept without need should go. Asks the file
   * system each time. Any thread.
   */
  public boolean isScarce() {
    return usableBytes() < SCARCE_FACTOR * Math.max(floors.insertFloor(), floors.reserveBytes());
  }

  /** What would be refused with this many bytes free. Any thread. */
  public SpaceLevel level(long bytesFree) {
    return floors.level(level, bytesFree);
  }

  /** Asks the file system for the free bytes. Any thread. */
  public long usableBytes() {
    return space.usableBytes(directory);
  }

  /** How many commands were refused. Any thread. */
  public long refused() {
    return refused.getAcquire();
  }
}
