package io.entroq.engine.state;

/**
 * The behavior levels that this build supports.
 *
 * <p>Every build must derive the same state from a log. New behavior therefore starts only where
 * the log permits it: at Genesis, or at the record after a RaiseLevel. The level is part of the
 * state and never decreases. A build refuses a log whose level it does not support.
 *
 * <p>To add a level: raise {@link #MAX}, add a constant for what it changes, compare the state's
 * level with it where behavior differs, and record a golden log (engine/simulator). A new field of
 * a command needs a level too: older builds can read the command, but skip unknown fields and would
 * execute only part of it.
 *
 * <p>Level 7 is the lowest that is supported. Levels 1 to 6 existed only in builds before the first
 * release.
 */
public final class Levels {
  /** The lowest behavior level that this build supports. */
  public static final int MIN = 7;

  /** The newest behavior level; new logs begin with it. */
  public static final int MAX = 7;

  /**
   * A level above the newest, to test raising the level. It halves the bytes that one step assigns.
   * Only tests can enable it: {@link #supportTestLevel} is not public.
   */
  static final int TEST = MAX + 1;

  private static volatile int highest = MAX;

  private Levels() {}

  /** The highest level that a log may be raised to: {@link #MAX}, except in tests of raising. */
  public static int highest() {
    return highest;
  }

  /** Whether this build can apply records of a level. */
  public static boolean isSupported(int level) {
    return level >= MIN && level <= highest;
  }

  /** The supported levels in words: {@code 7}, or {@code 7 to 9}. */
  public static String range() {
    return highest == MIN ? String.valueOf(MIN) : MIN + " to " + highest;
  }

  static void supportTestLevel(boolean isSupported) {
    highest = isSupported ? TEST : MAX;
  }

  static void requireSupported(int level) {
    if (!isSupported(level)) {
      throw new UnsupportedLevelException(level);
    }
  }
}
