package io.entroq.simulator.random;

import io.entroq.codec.wire.log.Id;
import java.util.ArrayList;
import java.util.List;

/** Ids of tasks: a few that come up again and again, and the latest of those used once. */
final class IdPool {
  private static final int RECENT_MAX = 512;

  private final Dice dice;
  private final List<Id> known = new ArrayList<>();
  private final List<Id> recent = new ArrayList<>();

  IdPool(Dice dice, int size) {
    this.dice = dice;
    for (int i = 0; i < size; i++) {
      known.add(fresh());
    }
  }

  /** An id that was very likely used before. */
  Id any() {
    boolean isRecent = !recent.isEmpty() && dice.percent(30);
    return isRecent
        ? recent.get(dice.below(recent.size()))
        : known.get(dice.skewedBelow(known.size()));
  }

  /** An id to insert. */
  Id forInsert() {
    return dice.percent(50) ? known.get(dice.below(known.size())) : remembered(fresh());
  }

  private Id remembered(Id id) {
    if (recent.size() < RECENT_MAX) {
      recent.add(id);
    } else {
      recent.set(dice.below(RECENT_MAX), id);
    }
    return id;
  }

  /** A UUID, 16 hex digits, or another text. */
  Id fresh() {
    long high = dice.anyLong() | 1;
    long low = dice.anyLong() | 1;
    return switch (dice.below(4)) {
      case 0 -> Id.newBuilder().setLow(low).build();
      case 1 -> Id.newBuilder().setHigh(high).setLow(low).setText(text(low)).build();
      default -> Id.newBuilder().setHigh(high).setLow(low).build();
    };
  }

  private String text(long salt) {
    String text = "task/" + Long.toHexString(salt);
    return dice.oneIn(10) ? text + "é".repeat(dice.between(1, 500)) : text;
  }

  /** The same key with another text. */
  Id impostor(Id id) {
    boolean drops = !id.getText().isEmpty() && dice.percent(50);
    return drops
        ? id.toBuilder().clearText().build()
        : id.toBuilder().setText(id.getText() + "x").build();
  }
}
