package io.entroq.simulator.random;

import com.google.protobuf.ByteString;
import com.google.protobuf.Value;
import io.entroq.codec.wire.log.Id;
import io.entroq.codec.wire.log.TaskData;
import io.entroq.codec.wire.log.ValueKind;
import java.util.ArrayList;
import java.util.List;

/** Queues, claimants, values and texts. */
final class RandomContents {
  private static final List<String> NAMES =
      List.of("a", "b", "c", "/ns=x/inbox", "with space", "ünïcödé-☃-𝄞", "a/", "Q".repeat(1_024));

  private static final int MIB = 1 << 20;
  private static final ByteString HEAVY = ByteString.copyFrom(new byte[4 * MIB]);

  private final Dice dice;
  private final Clockwork clock;
  private final List<String> queues = new ArrayList<>();
  private final List<Id> claimants = new ArrayList<>();

  /** The key of another claimant with a different text. */
  private final Id impostor;

  RandomContents(Dice dice, Clockwork clock, PoolGenerator pools) {
    this.dice = dice;
    this.clock = clock;
    int count = dice.oneIntOf(1, 2, 3, 8, 40);
    for (int i = 0; i < count; i++) {
      queues.add(i < NAMES.size() ? NAMES.get(i) : "queue-" + i);
    }
    if (pools.isUsed()) {
      queues.clear();
      queues.addAll(pools.names());
    }
    claimants.add(Id.getDefaultInstance());
    claimants.add(somebody().build());
    claimants.add(somebody().build());
    claimants.add(somebody().clearHigh().build());
    claimants.add(somebody().setText("worker#1").build());
    impostor = claimants.get(claimants.size() - 1).toBuilder().setText("worker#2").build();
    claimants.add(somebody().setText("w".repeat(1_024)).build());
  }

  private Id.Builder somebody() {
    return Id.newBuilder().setHigh(dice.anyLong() | 1).setLow(dice.anyLong() | 1);
  }

  String queue() {
    return dice.oneIn(60)
        ? "once-" + dice.below(10_000)
        : queues.get(dice.skewedBelow(queues.size()));
  }

  /** Queues of a claim; sometimes one twice, sometimes many. */
  List<String> queuesToClaimFrom() {
    int count = dice.oneIn(10) ? dice.between(3, 20) : dice.between(1, 3);
    List<String> chosen = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      chosen.add(queue());
    }
    return chosen;
  }

  Id claimant() {
    return dice.oneIn(60) ? impostor : claimants.get(dice.skewedBelow(claimants.size()));
  }

  TaskData data() {
    TaskData.Builder data =
        TaskData.newBuilder().setQueue(queue()).setAttempt(attempt()).setErr(err());
    if (dice.percent(40)) {
      data.setByMs(clock.duration());
    }
    if (data.getByMs() == 0 || dice.oneIn(10)) {
      data.setArrivalMs(clock.arrival());
    }
    switch (dice.below(3)) {
      case 0 -> data.setValueKind(ValueKind.VALUE_ABSENT);
      case 1 ->
          data.setValueKind(ValueKind.VALUE_BYTES)
              .setValue(ByteString.copyFrom(dice.bytes(valueBytes())));
      default -> data.setValueKind(ValueKind.VALUE_JSON).setValue(json());
    }
    return data.build();
  }

  /** A value so large that a few of them exceed what one step assigns. */
  TaskData heavy(String queue, long arrivalMs) {
    return TaskData.newBuilder()
        .setQueue(queue)
        .setArrivalMs(arrivalMs)
        .setValueKind(ValueKind.VALUE_BYTES)
        .setValue(HEAVY.substring(dice.oneIntOf(0, MIB, 2 * MIB, 2 * MIB + 1)))
        .build();
  }

  private ByteString json() {
    Value.Builder value = Value.newBuilder();
    return switch (dice.below(3)) {
      case 0 -> value.setNullValue(com.google.protobuf.NullValue.NULL_VALUE).build().toByteString();
      case 1 -> value.setNumberValue((double) dice.anyLong()).build().toByteString();
      default -> value.setStringValue("v".repeat(valueBytes())).build().toByteString();
    };
  }

  private int valueBytes() {
    int chance = dice.below(3_000);
    if (chance == 0) {
      return 1 << 20;
    }
    if (chance < 4) {
      return dice.between(10_000, 200_000);
    }
    if (chance < 40) {
      return dice.oneIntOf(255, 256, 257, 1_023, 1_024, 4_095, 4_096, 4_097);
    }
    return dice.skewedBelow(120);
  }

  private int attempt() {
    return dice.percent(80)
        ? dice.below(3)
        : dice.oneIntOf(Integer.MAX_VALUE, Integer.MIN_VALUE, -1);
  }

  private String err() {
    if (dice.percent(80)) {
      return "";
    }
    return dice.oneIn(200) ? "e".repeat(dice.between(1, 20_000)) : "failed: ☃" + dice.below(100);
  }
}
