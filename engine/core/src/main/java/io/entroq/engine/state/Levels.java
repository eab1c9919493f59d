package io.entroq.engine.state;

/**
 * The behavior levels that this build supports.
 *
 * <p>A log must lead every build to the same state. A build that behaves differently therefore does
 * so only where the log says that it may: from Genesis on, or from the record after a RaiseLevel.
 * The level is part of the state and never goes down. A build refuses a log whose level it does not
 * support.
 *
 * <p>To add a level: raise {@link #MAX}, add a constant for what it changes, compare the state's
 * level with it where behavior differs, and record a golden log (engine/simulator). A new field of
 * a command needs a level too, although older builds can read the command: they skip fields that
 * they do not know, and would do only part of what was asked.
 *
 * <p>Level 6 is the lowest that is supported. Levels 1 to 5 existed during development only.
 */
public final class Levels {
  /** The lowest behavior level that this build supports. */
  public static final int MIN = 6;

  /** The newest behavior level; new logs begin with it. */
  public static final int MAX = 6;

  /**
   * A level above the newest, which exists to test how levels are raised. It halves the bytes that
   * one step assigns. Only tests can make it supported: {@link #supportTestLevel} is not public.
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

  /** The supported levels in words: {@code 6}, or {@code 6 to 8}. */
  public static String range() {
    return highest == MIN ? String.valueOf(MIN) : MIN + " to " + highest;
  }

  static void supportTestLevel(boolean isSupported) {
    highest = isSupported ? TEST : MAX;
  }

  /** Throws if this build does not have the level that a log asks for. */
  static void requireSupported(int level) {
    if (!isSupported(level)) {
      throw new UnsupportedLevelException(level);
    }
  }
}
