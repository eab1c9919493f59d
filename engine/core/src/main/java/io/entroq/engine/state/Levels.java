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
  public static final int MAX = 11;

  /** From here on: policies and limiters of queues, attributes of tasks, and tasks in flight. */
  public static final int POLICIES = 8;

  /** From here on: pools of queues, and topics. */
  public static final int POOLS = 9;

  /**
   * From here on, the snapshots of a cluster are references to files of each member. The state
   * machine does nothing new: builds without this level could not read such a snapshot.
   */
  public static final int IMAGES = 10;

  /** From here on, a change may take a task back from whoever holds it. */
  public static final int TAKE_BACK = 11;

  /**
   * A level above the newest, to test raising the level. It halves the bytes that one step assigns,
   * and its images have another format number. Only tests can enable it: {@link #supportTestLevel}
   * is not public.
   */
  static final int TEST = MAX + 1;

  /** The format of level 7. Builds before the first release wrote format 1. */
  private static final int FIRST_FORMAT = 2;

  /** The format since {@link #POLICIES}. */
  private static final int POLICIES_FORMAT = 3;

  /** The format since {@link #POOLS}. */
  private static final int FORMAT = 4;

  private static final int TEST_FORMAT = FORMAT + 1;

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

  /**
   * The format of images and manifests at a level. It changes only with a level, never with a build
   * alone: after a member was updated, older builds can read what it writes until the level is
   * raised.
   *
   * @param level from 0, which is before the first record
   */
  public static int format(int level) {
    if (level < POLICIES) {
      return FIRST_FORMAT;
    }
    if (level < POOLS) {
      return POLICIES_FORMAT;
    }
    return level < TEST ? FORMAT : TEST_FORMAT;
  }

  /** The supported levels in words: {@code 7}, or {@code 7 to 11}. */
  public static String range() {
    return highest == MIN ? String.valueOf(MIN) : MIN + " to " + highest;
  }

  static void supportTestLevel(boolean isSupported) {
    highest = isSupported ? TEST : MAX;
  }

  /**
   * Checks that this build can load a state.
   *
   * @param level that of the state; 0 before the first record
   * @throws UnsupportedLevelException if it cannot
   */
  public static void requireReadable(int level) {
    if (level != 0) {
      requireSupported(level);
    }
  }

  static void requireSupported(int level) {
    if (!isSupported(level)) {
      throw new UnsupportedLevelException(level);
    }
  }
}
