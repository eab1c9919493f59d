package io.entroq.codec.effect;

/** What is true of an effect besides its kind. */
public final class EffectFlags {
  /** Somebody worked on the task before, or did until a lease ended that nobody had noticed yet. */
  public static final int WAS_IN_FLIGHT = 1;

  /** The change says that the work has failed. */
  public static final int FAILED = 1 << 1;

  /**
   * The command of the step did it, for which its claimant asked. Without this flag time did it, or
   * a parked claim got the task: then the claimant of the task asked.
   */
  public static final int REQUESTED = 1 << 2;

  /** Somebody works on the task now. */
  public static final int IN_FLIGHT = 1 << 3;

  private EffectFlags() {}
}
