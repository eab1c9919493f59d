package io.entroq.simulator.host;

import io.entroq.engine.log.LogConfig;
import io.entroq.engine.log.LogDamagedException;
import io.entroq.engine.log.LogException;
import io.entroq.engine.log.LogException.Severity;
import io.entroq.simulator.check.Invariant;
import io.entroq.simulator.check.Violation;
import io.entroq.simulator.disk.DiskException;
import io.entroq.simulator.disk.SimulatedDeath;
import io.entroq.simulator.disk.SimulatedDisk;
import java.util.function.Predicate;

/**
 * Judges what an engine throws. An engine may end, or refuse to open, only as documented, and only
 * for a reason that occurred in the same life. One thread.
 */
final class FailureJudge {
  /** An engine checks the free space for every mebibyte that it writes. */
  private static final long ROOM_BYTES = LogConfig.RESERVE_BYTES_DEFAULT + (2 << 20);

  private static final String CLOCK = "The wall clock says ";

  private final SimulatedDisk disk;

  FailureJudge(SimulatedDisk disk) {
    this.disk = disk;
  }

  /** Why an engine has not opened its directory. */
  enum Refusal {
    /** Its process has died. */
    DEATH,
    /** The disk has failed or is full. */
    DISK,
    /** The wall clock is far behind the log. */
    CLOCK,
    /** The directory is damaged. */
    DAMAGE
  }

  /**
   * Judges the end of an open engine.
   *
   * @param isDead whether its process has died
   * @throws Violation if no fault explains it
   */
  void onEnd(Throwable thrown, boolean isDead) {
    throwIfViolation(thrown);
    if (isDead ? !isDeath(thrown) : !isDiskFailure(thrown)) {
      throw broken(Invariant.DOES_NOT_BREAK, "an engine that keeps running", thrown);
    }
  }

  /**
   * Judges what closing a failed engine throws.
   *
   * @throws Violation if no fault explains it
   */
  void onClosing(Throwable thrown) {
    throwIfViolation(thrown);
    if (!isDeath(thrown) && !involves(thrown, DiskException.class::isInstance)) {
      throw broken(Invariant.DOES_NOT_BREAK, "an engine that can be closed", thrown);
    }
  }

  /**
   * Judges why an engine has not opened.
   *
   * @param isDead whether its process has died
   * @param isClockBehind whether the wall clock is so far behind the log that opening must fail
   * @param mayBeRefused whether the directory may be damaged so that opening must fail
   * @param isReadFatal whether a failed read may make it look so
   * @throws Violation if no fault explains it
   */
  Refusal onRefusal(
      Throwable thrown,
      boolean isDead,
      boolean isClockBehind,
      boolean mayBeRefused,
      boolean isReadFatal) {
    throwIfViolation(thrown);
    if (isDead && isDeath(thrown)) {
      return Refusal.DEATH;
    } else if (isDead) {
      throw broken(Invariant.DOES_NOT_BREAK, "a process that dies", thrown);
    } else if (isDiskFailure(thrown)) {
      return Refusal.DISK;
    } else if (isClockBehind && isClockFailure(thrown)) {
      return Refusal.CLOCK;
    } else if (mayBeRefused && isDamageFailure(thrown)) {
      return Refusal.DAMAGE;
    } else if (isReadFatal && isDamageFailure(thrown)) {
      return Refusal.DISK;
    }
    throw broken(Invariant.OPENS_UNDAMAGED, "an engine that opens", thrown);
  }

  private static boolean isDeath(Throwable thrown) {
    return involves(thrown, SimulatedDeath.class::isInstance);
  }

  private boolean isDiskFailure(Throwable thrown) {
    return thrown instanceof LogException trouble
        && (involves(trouble, DiskException.class::isInstance) || isDiskFull(trouble));
  }

  /** An engine ends before the disk is full; only its exception shows that. */
  private boolean isDiskFull(LogException trouble) {
    return trouble.severity() == Severity.FATAL
        && trouble.getCause() == null
        && disk.usableBytes() < ROOM_BYTES;
  }

  private static boolean isClockFailure(Throwable thrown) {
    return thrown instanceof LogException && thrown.getMessage().startsWith(CLOCK);
  }

  /** The exception for a damaged directory must name the file. */
  private static boolean isDamageFailure(Throwable thrown) {
    return thrown instanceof LogDamagedException
        && thrown.getMessage().contains(EngineHost.DIRECTORY);
  }

  private static void throwIfViolation(Throwable thrown) {
    involves(
        thrown,
        each -> {
          if (each instanceof Violation violation) {
            throw violation;
          }
          return false;
        });
  }

  /** Whether an exception, its causes or suppressed exceptions match. */
  private static boolean involves(Throwable thrown, Predicate<Throwable> which) {
    for (Throwable each = thrown; each != null; each = each.getCause()) {
      if (which.test(each)) {
        return true;
      }
      for (Throwable beside : each.getSuppressed()) {
        if (involves(beside, which)) {
          return true;
        }
      }
    }
    return false;
  }

  private static Violation broken(Invariant invariant, String expected, Throwable cause) {
    Violation violation = invariant.broken(EngineHost.DIRECTORY, expected, cause);
    violation.initCause(cause);
    return violation;
  }
}
