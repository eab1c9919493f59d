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

  /** Queues with policies: some that tasks are inserted into, then those that tasks end up in. */
  public static final int RULED = LASTING + PASSING;

  private static final int RULED_TARGETS = 6;

  /** The queue for dead tasks that policies name. */
  public static final int DEAD = RULED + RULED_TARGETS;

  /** The queue for expired tasks. */
  public static final int LATE = DEAD + 1;

  /** So many have a name; as many more have it with the suffix of queues for dead tasks. */
  private static final int RULED_NAMES = RULED_TARGETS + 2;

  /** All queues that have to do with policies. */
  public static final int RULED_COUNT = 2 * RULED_NAMES;

  /** No queue: what the names of all of them begin with. */
  public static final int RULED_PREFIX = RULED + RULED_COUNT;

  private static final int LIMITERS = 2;

  private QueueNames() {}

  public static NumberedTexts all() {
    return new NumberedTexts(
        RULED_PREFIX + 1 + LIMITERS, QueueNames::name, Invariant.ANSWERS_EXACT);
  }

  private static String name(int queue) {
    return switch (queue) {
      case 1 -> "/ns=orders/inbox";
      case 2 -> "with space";
      case 3 -> "ünïcödé-☃-𝄞";
      case STAGES - 1 -> "q".repeat(1_024);
      case QUARANTINE -> "quarantine";
      case NARROW -> "narrow";
      default -> queue < STAGES ? "stage-" + queue : other(queue);
    };
  }

  private static String other(int queue) {
    if (queue < RULED) {
      return "visit/" + (queue - LASTING);
    }
    if (queue >= RULED_PREFIX) {
      return queue == RULED_PREFIX ? "ruled/" : "limiter-" + queue;
    }
    int which = queue - RULED;
    return "ruled/" + which % RULED_NAMES + (which < RULED_NAMES ? "" : "/err");
  }

  /** A queue with policies that tasks are inserted into. */
  public static int anyRuled(SeededRandom random) {
    return RULED + random.below(RULED_TARGETS);
  }

  /** A limiter; its name has a number, too. */
  public static int anyLimiter(SeededRandom random) {
    return RULED_PREFIX + 1 + random.below(LIMITERS);
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
