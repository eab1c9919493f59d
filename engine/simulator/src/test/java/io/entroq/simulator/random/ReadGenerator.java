package io.entroq.simulator.random;

import com.google.protobuf.Message;
import io.entroq.codec.wire.log.Facade;
import io.entroq.codec.wire.log.Id;
import io.entroq.codec.wire.log.ListQueues;
import io.entroq.codec.wire.log.ListTasks;

/** Draws queries, which are never logged. */
final class ReadGenerator {
  private final Dice dice;
  private final RandomContents contents;
  private final IdPool ids;

  ReadGenerator(Dice dice, RandomContents contents, IdPool ids) {
    this.dice = dice;
    this.contents = contents;
    this.ids = ids;
  }

  Message next() {
    return dice.percent(60) ? listTasks() : listQueues();
  }

  private Message listTasks() {
    ListTasks.Builder list =
        ListTasks.newBuilder()
            .setLimit(dice.oneIntOf(0, 0, -1, 1, 3, 1_000))
            .setOmitValues(dice.percent(30));
    boolean isV0 = dice.percent(30);
    if (isV0) {
      list.setFacade(Facade.FACADE_V0);
    }
    if (dice.percent(70)) {
      list.setQueue(contents.queue());
    }
    if (dice.percent(50)) {
      for (int i = dice.between(0, 8); i > 0; i--) {
        list.addIds(id(isV0));
      }
    }
    if (dice.percent(40)) {
      list.setClaimant(contents.claimant());
    }
    return list.build();
  }

  private Id id(boolean isV0) {
    Id id = dice.oneIn(20) ? ids.impostor(ids.any()) : ids.any();
    return isV0 ? id.toBuilder().clearText().build() : id;
  }

  private Message listQueues() {
    ListQueues.Builder list =
        ListQueues.newBuilder()
            .setLimit(dice.oneIntOf(0, 0, -1, 1, 3))
            .setOmitStats(dice.percent(30));
    for (int i = dice.skewedBelow(3); i > 0; i--) {
      list.addMatchExact(contents.queue());
    }
    for (int i = dice.skewedBelow(3); i > 0; i--) {
      String queue = contents.queue();
      list.addMatchPrefix(queue.substring(0, dice.between(0, Math.min(3, queue.length()))));
    }
    return list.build();
  }
}
