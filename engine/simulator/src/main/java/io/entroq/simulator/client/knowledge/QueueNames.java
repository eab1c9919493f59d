package io.entroq.simulator.client.knowledge;

import io.entroq.simulator.check.Invariant;
import io.entroq.simulator.virtual.SeededRandom;

/**
 * The queues of a world by number: stages that tasks pass through, some with a special purpose, and
 * many that come and go.
 */
public final class QueueNames {
  /** Stages are 0 to below this; a task goes from one to the next. */
  public static final int STAGES = 10;

  /** Tasks that have failed too often. */
  public static final int QUARANTINE = STAGES;

  /** A queue that its producers allow only a few tasks. */
  public static final int NARROW = STAGES + 1;

  /** The stages, QUARANTINE and NARROW: the queues that workers claim from. */
  public static final int LASTING = STAGES + 2;

  /** Queues that come and go. */
  public static final int PASSING = 500;

  private QueueNames() {}

  public static NumberedTexts all() {
    return new NumberedTexts(LASTING + PASSING, QueueNames::name, Invariant.ANSWERS_EXACT);
  }

  private static String name(int queue) {
    return switch (queue) {
      case 1 -> "/ns=orders/inbox";
      case 2 -> "with space";
      case 3 -> "ünïcödé-☃-𝄞";
      case STAGES - 1 -> "q".repeat(1_024);
      case QUARANTINE -> "quarantine";
      case NARROW -> "narrow";
      default -> queue < STAGES ? "stage-" + queue : "visit/" + (queue - LASTING);
    };
  }

  /** A random stage; the lower its number, the more likely. */
  public static int anyStage(SeededRandom random) {
    return Math.min(random.below(STAGES), random.below(STAGES));
  }

  /** The stage after this one, the first after the last. */
  public static int next(int queue) {
    return queue < STAGES ? (queue + 1) % STAGES : 0;
  }
}
