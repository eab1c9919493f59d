package io.entroq.simulator.check;

/**
 * Whether chance is fair: half of the choices in a queue take the oldest task, the others any; and
 * of several queues with work each is as likely. Looked at once in {@value #CHOICES_PER_LOOK}
 * choices. How seldom a fair engine fails is said where it is looked at: {@link Surprise}, {@link
 * UniformChoices}.
 */
final class Fairness {
  /** How many choices there are from one look to the next. */
  static final int CHOICES_PER_LOOK = 1_024;

  private final UniformChoices queues = new UniformChoices("queues");
  private final UniformChoices tails = new UniformChoices("places of tasks");
  private final Surprise coins = new Surprise();
  private final Surprise pairs = new Surprise();
  private final Surprise returned = new Surprise();
  private double lastSurprise;
  private int untilLook = CHOICES_PER_LOOK;

  /** One of several queues with work was chosen. */
  void queueChosen(int index, int count) {
    queues.add(index, count);
    chosen();
  }

  /**
   * One of several available tasks was chosen.
   *
   * @param isOldest whether it was the oldest
   * @param index its place among all but the oldest, if it is another
   * @param count how many were available, 2 or more
   */
  void taskChosen(boolean isOldest, int index, int count) {
    double expected = 0.5 + 0.5 / count;
    double surprise = (isOldest ? 1 : 0) - expected;
    double variance = expected * (1 - expected);
    coins.add(surprise, variance);
    pairs.add(surprise * lastSurprise, variance * lastSurprise * lastSurprise);
    lastSurprise = surprise;
    if (!isOldest && count > 2) {
      tails.add(index, count - 1);
    }
    chosen();
  }

  /**
   * The same choice once more: whether one of the tasks was chosen that had been claimed before.
   *
   * @param again how many of those are available, the oldest task apart
   */
  void returnedChosen(boolean isChosen, int again, int count) {
    returned.add(isChosen, 0.5 * again / count);
  }

  private void chosen() {
    if (--untilLook == 0) {
      untilLook = CHOICES_PER_LOOK;
      check();
    }
  }

  /** Throws if chance has been less fair than it can be believed. */
  void check() {
    returned.check(Invariant.POISON_DELAYS_ONCE, "claimed again");
    coins.check(Invariant.FAIR_CHOICE, "heads");
    pairs.check(Invariant.FAIR_CHOICE, "heads after heads");
    queues.check();
    tails.check();
  }
}
