package io.entroq.engine.space;

import io.entroq.api.EntroQException;
import io.entroq.engine.log.LogException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Asked before each record whether there is room on the disk for it. Refuses first what inserts,
 * then all that callers write, and last of all ends the engine, which is still better than a fault
 * of memory access after a reply has left.
 *
 * <p>Looks at the disk when the records since the last look come to a mebibyte, or 20 milliseconds
 * of log time have passed; while it refuses, every few milliseconds, so that it heals by itself. In
 * between a command costs a comparison or two.
 *
 * <p>For the engine's thread, but for what is said to be for any.
 */
public final class SpaceGuard {
  private static final long BYTES_UNLOOKED = 1 << 20;

  /** For what others write to the disk meanwhile. */
  private static final long MS_UNLOOKED = 20;

  private static final long NS_UNLOOKED_REFUSING = 5_000_000;

  private final Path directory;
  private final DiskSpace space;
  private final SpaceFloors floors;
  private final LongSupplier nanoClock;
  private final AtomicLong refused = new AtomicLong();
  private volatile SpaceLevel level = SpaceLevel.ENOUGH;

  /** What may still be written by anybody before the next look; nothing while some are refused. */
  private long budgetBytes;

  private long nextLookMs = Long.MIN_VALUE;
  private long usableBytes;

  /** Written since the last look, as far as it was not from the budget. */
  private long spentBytes;

  private long lookedNs;

  /**
   * A guard of the file system of a directory.
   *
   * @param directory which exists
   * @param nanoClock tells how long ago something was, in nanoseconds from any origin
   */
  public SpaceGuard(Path directory, DiskSpace space, SpaceFloors floors, LongSupplier nanoClock) {
    this.directory = directory;
    this.space = space;
    this.floors = floors;
    this.nanoClock = nanoClock;
  }

  /** A guard of nothing, for an engine that writes to no disk. */
  public static SpaceGuard ofNothing() {
    return new SpaceGuard(
        Path.of(""), directory -> Long.MAX_VALUE, SpaceFloors.NONE, System::nanoTime);
  }

  /**
   * Returns if a caller's command may have a record.
   *
   * @param inserts whether it inserts tasks
   * @param bytes of the record
   * @param nowMs log time
   * @throws EntroQException.ResourceExhausted if there is no room for it; nothing was done
   */
  public void requireForCaller(boolean inserts, int bytes, long nowMs) {
    if (takesFromBudget(bytes, nowMs)) {
      return;
    }
    lookIfDue(bytes, nowMs);
    SpaceLevel refusing = inserts ? SpaceLevel.LOW : SpaceLevel.FULL;
    long floor = inserts ? floors.insertFloor() : floors.fullBytes();
    if (level.compareTo(refusing) >= 0 || isPast(floor, bytes)) {
      refused.setRelease(refused.getPlain() + 1);
      if (bytes <= BYTES_UNLOOKED && level == SpaceLevel.ENOUGH) {
        // Where what is small finds no room, there is none; what is large is a case of its own.
        turn(refusing);
      }
      throw new EntroQException.ResourceExhausted(refusal(inserts, bytes, floor));
    }
    spend(bytes);
  }

  /**
   * Returns if the engine's own record may be written, which nobody could be told a refusal of.
   *
   * @param bytes of the record
   * @param nowMs log time
   * @throws LogException if there is no room for it; the engine has to end
   */
  public void requireForEngine(int bytes, long nowMs) {
    if (takesFromBudget(bytes, nowMs)) {
      return;
    }
    lookIfDue(bytes, nowMs);
    if (isPast(floors.reserveBytes(), bytes)) {
      throw LogException.fatal(
          ("%s, and %,d are kept in reserve: the engine cannot write what it has to, and ends."
                  + " Make room, then open the directory again.")
              .formatted(SpaceWarning.free(directory, leftBytes()), floors.reserveBytes()),
          null);
    }
    spend(bytes);
  }

  /**
   * Whether there is room for a record of the engine's own that it can do without. Looks at the
   * disk each time.
   */
  public boolean hasRoomToSpare(int bytes) {
    return usableBytes() - bytes >= floorBytes();
  }

  /** How much all leave free that can do without a record. Any thread. */
  public long floorBytes() {
    return Math.max(floors.fullBytes(), floors.reserveBytes());
  }

  /**
   * Whether there is room for a record, whatever it is of, without a look at the disk; then it
   * counts as written.
   *
   * @return false: one of the other methods has to be asked
   */
  public boolean takesFromBudget(int bytes, long nowMs) {
    if (bytes > budgetBytes || nowMs >= nextLookMs) {
      return false;
    }
    budgetBytes -= bytes;
    return true;
  }

  private void lookIfDue(int bytes, long nowMs) {
    boolean isDue =
        level == SpaceLevel.ENOUGH
            || spentBytes + bytes > BYTES_UNLOOKED
            || nanoClock.getAsLong() - lookedNs >= NS_UNLOOKED_REFUSING;
    if (isDue) {
      usableBytes = space.usableBytes(directory);
      spentBytes = 0;
      budgetBytes = 0;
      lookedNs = nanoClock.getAsLong();
      nextLookMs = nowMs + MS_UNLOOKED;
      turn(floors.level(level, usableBytes));
    }
  }

  private boolean isPast(long floor, int bytes) {
    return floor > 0 && leftBytes() - bytes < floor;
  }

  private long leftBytes() {
    return usableBytes - spentBytes;
  }

  private void spend(int bytes) {
    spentBytes += bytes;
    if (level == SpaceLevel.ENOUGH) {
      long headroom = leftBytes() - Math.max(floors.insertFloor(), floors.reserveBytes());
      budgetBytes = Math.min(BYTES_UNLOOKED, Math.max(0, headroom));
    }
  }

  private void turn(SpaceLevel now) {
    if (now != level) {
      level = now;
      budgetBytes = 0;
      SpaceWarning.log(directory, now, usableBytes, floors);
    }
  }

  private String refusal(boolean inserts, int bytes, long floor) {
    String bound = inserts && floor == floors.lowBytes() ? "diskLowBytes" : "diskFullBytes";
    return ("no room on the disk: %s, %s takes %,d, and %s"
            + " keeps %,d free. Nothing was done. Make room there: with %,d bytes free it goes on by"
            + " itself. Or open with a smaller %s")
        .formatted(
            SpaceWarning.free(directory, leftBytes()),
            inserts ? "this insert" : "this",
            bytes,
            bound,
            floor,
            floor + Math.max(floors.slack(floor), bytes),
            bound);
  }

  /** Whether room was short at the last look, so that it is worth the while to make some. */
  public boolean isLow() {
    return level != SpaceLevel.ENOUGH;
  }

  /** What is refused with so many bytes free. Any thread. */
  public SpaceLevel level(long bytesFree) {
    return floors.level(level, bytesFree);
  }

  /** Looks at the disk for somebody who wants to know. Any thread. */
  public long usableBytes() {
    return space.usableBytes(directory);
  }

  /** How many commands were refused. Any thread. */
  public long refused() {
    return refused.getAcquire();
  }
}
