package io.entroq.engine.state;

/**
 * The behaviour levels that this build supports, and what each has changed.
 *
 * <p>A log must lead every build to the same state, so a build that behaves differently does so
 * only where the log says that it may: from Genesis, or from a RaiseLevel record on, the step of
 * which is the last one of the level before. The level is part of the state; there is no way back.
 * A build supports its newest level and at least the two before, and refuses others by name.
 *
 * <ol>
 *   <li>The first.
 *   <li>{@link #BYTES_PER_STEP}: a step gives parked claims no further task once the values and
 *       error texts of those before come to 8 MiB; before, only their number was bounded. The rest
 *       follows with the next tick.
 *   <li>{@link #QUEUE_LIMIT}: a Modify that says how many tasks a queue may have is refused if one
 *       of those that it puts tasks into would have more, with another code if that is so whatever
 *       else is in the queue; before, what it said was passed over.
 *   <li>{@link #DOCS}: docs in a Modify, and claims of docs; before, both are refused.
 *   <li>{@link #DELIVERED}: an Acknowledge may say that answers have left; what they gave is not
 *       given back any more when callers are gone. Before, what it said was passed over.
 *   <li>{@link #WHOLE_RECEIPTS}: a Modify that comes again is told all that it was told at first,
 *       but keys of docs that it does not give, also of tasks and docs that have moved on; before,
 *       of these no more than id, version and when they were written. Receipts that were kept
 *       before still tell no more.
 * </ol>
 *
 * <p>What adds fields to a command needs a level too, although older builds can read it: they skip
 * what they do not know, and would so do a part of what was asked. So a command with docs must not
 * even be logged below {@link #DOCS}, whatever identity it has.
 */
public final class Levels {
  /** The oldest behaviour level that this build supports. */
  public static final int MIN = 1;

  /** The newest behaviour level that this build supports; new logs begin with it. */
  public static final int MAX = 6;

  /**
   * From this level on a step is bounded by the bytes that it assigns, not only by their number.
   */
  static final int BYTES_PER_STEP = 2;

  /** From this level on a Modify may say how many tasks a queue may have. */
  public static final int QUEUE_LIMIT = 3;

  /** From this level on there are docs. */
  public static final int DOCS = 4;

  /** From this level on an Acknowledge may say that answers have left. */
  public static final int DELIVERED = 5;

  /** From this level on receipts of a Modify keep all that it does not say again. */
  static final int WHOLE_RECEIPTS = 6;

  private Levels() {}

  /** Throws if this build does not have the level that a log asks for. */
  static void requireSupported(int level) {
    if (level < MIN || level > MAX) {
      throw new UnsupportedLevelException(level, MIN, MAX);
    }
  }
}
