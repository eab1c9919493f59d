package io.entroq.simulator.random;

import com.google.protobuf.Message;
import io.entroq.codec.wire.log.Claim;
import io.entroq.codec.wire.log.Identity;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** A client with an identity: its last number, its requests, and what it has acknowledged. */
final class IdentifiedClient {
  private static final int REMEMBERED_MAX = 20;
  private static final int WINDOW = 1024;

  /** Higher numbers must not overflow. */
  private static final long LEAP_MAX = Long.MAX_VALUE - 1_000_000;

  private final Dice dice;
  private final long high;
  private final long low;
  private final List<Message> sent = new ArrayList<>();
  private long nextNumber;
  private long ackedBelow = 1;

  IdentifiedClient(Dice dice) {
    this.dice = dice;
    this.high = dice.anyLong() | 1;
    this.low = dice.anyLong();
    this.nextNumber = dice.oneIn(30) ? dice.between(2, 5) : 1;
  }

  /** The identity of a new request; sometimes one that a correct client would not use. */
  Identity next(List<Long> parkedNumbers) {
    if (dice.oneIn(100)) {
      return identity(improperNumber(), 1);
    }
    if (dice.oneIn(500)) {
      leap();
    }
    long number = nextNumber;
    nextNumber = number == Long.MAX_VALUE ? number : number + 1;
    if (dice.percent(30) || number - ackedBelow > WINDOW - 100) {
      ackedBelow = Math.max(ackedBelow, acknowledgeable(number, parkedNumbers));
    }
    return identity(number, ackedBelow);
  }

  /** Skips to much higher numbers, sometimes to the last ones. */
  private void leap() {
    nextNumber =
        dice.percent(30)
            ? Long.MAX_VALUE - dice.below(12)
            : Math.min(nextNumber, LEAP_MAX) + dice.below(1_000_000);
    ackedBelow = nextNumber;
  }

  private long acknowledgeable(long number, List<Long> parkedNumbers) {
    long oldestParked = parkedNumbers.isEmpty() ? number : Collections.min(parkedNumbers);
    long upTo = dice.oneIn(25) ? number : Math.min(number, oldestParked);
    return Math.max(1, upTo - dice.skewedBelow(20));
  }

  private long improperNumber() {
    return switch (dice.below(4)) {
      case 0 -> Math.min(ackedBelow, LEAP_MAX) + dice.oneOf(WINDOW - 1, WINDOW, WINDOW + 1);
      case 1 -> dice.oneOf(Long.MAX_VALUE, Long.MAX_VALUE - 1, 1L << 32);
      default -> Math.max(1, ackedBelow - dice.between(0, 3));
    };
  }

  private Identity identity(long number, long acked) {
    return Identity.newBuilder()
        .setClientHigh(high)
        .setClientLow(low)
        .setNumber(number)
        .setAckedBelow(Math.min(acked, number))
        .build();
  }

  /** The identity for a Cancel of one of its requests. */
  Identity of(long number) {
    return Identity.newBuilder().setClientHigh(high).setClientLow(low).setNumber(number).build();
  }

  /** Its acknowledgement of replies, without a request. */
  Identity acknowledgement(List<Long> parkedNumbers) {
    List<Long> heeded = dice.percent(30) ? List.of() : parkedNumbers;
    ackedBelow = Math.max(ackedBelow, acknowledgeable(nextNumber, heeded));
    return of(0).toBuilder().setAckedBelow(ackedBelow).build();
  }

  void remember(Message command) {
    if (sent.size() < REMEMBERED_MAX) {
      sent.add(command);
    } else {
      sent.set(dice.below(REMEMBERED_MAX), command);
    }
  }

  /** One of its earlier requests, or null. */
  Message sentBefore() {
    return sent.isEmpty() ? null : sent.get(dice.below(sent.size()));
  }

  /** Its request with the number, or null. */
  Message sentAs(long number) {
    for (Message command : sent) {
      if (command instanceof Claim claim && claim.getIdentity().getNumber() == number) {
        return command;
      }
    }
    return null;
  }

  /** A recent number, or a close one. */
  long recentNumber() {
    return Math.max(1, nextNumber - dice.skewedBelow(12));
  }
}
