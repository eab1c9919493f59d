package io.entroq.simulator.client.knowledge;

import io.entroq.simulator.check.Invariant;
import io.entroq.simulator.virtual.SeededRandom;
import java.util.List;

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

  /** Queues with policies. */
  public static final RuledNames RULED =
      new RuledNames(
          LASTING + PASSING,
          List.of("ruled/0", "ruled/1", "ruled/2", "ruled/3", "ruled/4", "ruled/5"),
          "ruled/6",
          "ruled/7",
          "ruled/",
          List.of("limiter-529", "limiter-530"));

  /** The names of groups that topics have. */
  public static final List<String> GROUPS = List.of("g", "h", "k");

  /** The queue that often is a topic. */
  public static final String TOPIC = "p/t";

  /**
   * Queues with policies that make some of them pools, one within another, and topics. All tasks
   * that may be copies are in these, dead or alive.
   */
  public static final RuledNames POOLED =
      new RuledNames(
          RULED.end(),
          List.of(
              "p/x", "p", "p/y", "p/x/1", "p/x/2", "p/x/1/z", TOPIC, "p/t/g", "p/t/h", "p/t/k",
              "p/t/g/1", "p/z"),
          "dead-of-p",
          "late-of-p",
          "p/",
          List.of("limiter-of-p", "limiter-of-p-2"));

  private QueueNames() {}

  public static NumberedTexts all() {
    return new NumberedTexts(POOLED.end(), QueueNames::name, Invariant.ANSWERS_EXACT);
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
    if (queue < RULED.first()) {
      return "visit/" + (queue - LASTING);
    }
    return isPooled(queue) ? POOLED.name(queue) : RULED.name(queue);
  }

  /** Whether a queue is one of {@link #POOLED}. */
  public static boolean isPooled(int queue) {
    return queue >= POOLED.first();
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
