package io.entroq.simulator.client;

import io.entroq.simulator.virtual.SeededRandom;
import java.util.ArrayList;
import java.util.List;

/** The idle clients of one kind. The next to act is chosen at random. */
final class IdlePool {
  static final int NOT_IN_POOL = -1;

  private final List<Actor> actors = new ArrayList<>();

  void add(Actor actor) {
    if (actor.poolIndex == NOT_IN_POOL) {
      actor.poolIndex = actors.size();
      actors.add(actor);
    }
  }

  void remove(Actor actor) {
    if (actor.poolIndex != NOT_IN_POOL) {
      Actor last = actors.remove(actors.size() - 1);
      if (last != actor) {
        actors.set(actor.poolIndex, last);
        last.poolIndex = actor.poolIndex;
      }
      actor.poolIndex = NOT_IN_POOL;
    }
  }

  boolean isEmpty() {
    return actors.isEmpty();
  }

  /** A random actor; there must be one. */
  Actor any(SeededRandom random) {
    return actors.get(random.below(actors.size()));
  }
}
