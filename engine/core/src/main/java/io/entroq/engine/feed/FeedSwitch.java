package io.entroq.engine.feed;

import io.entroq.engine.state.StateMachine;

/**
 * Where the applying thread learns whether somebody reads effects. Only that thread may change to
 * whom a state machine tells them, and only between commands. While nothing changes, that costs a
 * read.
 */
@SuppressWarnings("ReferenceEquality") // Two wishes for one ring are two.
public final class FeedSwitch {
  /**
   * What was asked for.
   *
   * @param ring where effects are to be written; null for nowhere
   */
  private record Wish(EffectRing ring) {}

  private static final Wish OFF = new Wish(null);

  private volatile Wish wanted = OFF;
  private volatile Wish done = OFF;

  /** As {@link #done}, for the applying thread alone. */
  private Wish told = OFF;

  /** Does what was asked for since the last call. On the applying thread, between commands. */
  public void look(StateMachine machine) {
    Wish wish = wanted;
    if (wish != told) {
      turn(machine, wish);
    }
  }

  /** Whether {@link #look} has something to do. On the applying thread. */
  public boolean isDue() {
    return wanted != told;
  }

  private void turn(StateMachine machine, Wish wish) {
    if (wish.ring != null) {
      wish.ring.start(machine.sequence(), machine.logTimeMs());
    }
    machine.tellEffects(wish.ring);
    told = wish;
    done = wish;
  }

  /** Asks for effects to be written to another ring; null for none. One thread at a time. */
  void want(EffectRing ring) {
    wanted = new Wish(ring);
  }

  /** Whether the last wish was fulfilled, so that no other ring is written to any more. */
  boolean isDone() {
    return done == wanted;
  }
}
