package io.entroq.engine.request;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.codec.command.AcknowledgeDecoder;
import org.agrona.ExpandableArrayBuffer;
import org.junit.jupiter.api.Test;

/**
 * When it is time to look for answers that have left, and what is said then; by a clock by hand.
 */
class DeliveryAcksTest {
  private final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();
  private final AcknowledgeDecoder said = new AcknowledgeDecoder();
  private long nowNs = Long.MAX_VALUE - DeliveryAcks.QUIET_NS;
  private final DeliveryAcks arrived = new DeliveryAcks(lane -> false, () -> nowNs);

  @Test
  void shouldHaveNothingToLookForWhileClaimsWait() {
    for (int i = 1; i <= 10_000; i++) {
      arrived.add(claimed(new Lane(1, i)));
    }
    assertThat(arrived.nanosUntilDue()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void shouldSayOnceAndThenLookNoMore() {
    Lane lane = answered(new Lane(1, 2));
    lane.arrived();
    assertThat(arrived.nanosUntilDue()).isEqualTo(DeliveryAcks.QUIET_NS);
    assertThat(look()).as("it may be said yet by the next claim").isZero();
    assertThat(look()).isPositive();
    assertThat(said.clientCount()).isEqualTo(1);
    assertThat(said.client(0).clientHigh()).isEqualTo(1);
    assertThat(said.client(0).clientLow()).isEqualTo(2);
    assertThat(said.client(0).ackedBelow()).isEqualTo(2);
    assertThat(arrived.nanosUntilDue()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void shouldGoOnLookingForAnAnswerThatTakesLongToLeave() {
    Lane lane = answered(new Lane(1, 2));
    for (int i = 0; i < 100; i++) {
      assertThat(look()).isZero();
      assertThat(arrived.nanosUntilDue()).isEqualTo(DeliveryAcks.QUIET_NS);
    }
    lane.arrived();
    assertThat(look()).isZero();
    assertThat(look()).isPositive();
  }

  @Test
  void shouldLeaveItToTheNextClaim() {
    Lane lane = answered(new Lane(1, 2));
    lane.arrived();
    look();
    claimed(lane);
    assertThat(look()).isZero();
    assertThat(arrived.nanosUntilDue()).as("it waits").isEqualTo(Long.MAX_VALUE);

    arrived.answered(lane);
    lane.arrived();
    assertThat(look()).isZero();
    assertThat(look()).isPositive();
    assertThat(said.client(0).ackedBelow()).isEqualTo(3);
  }

  @Test
  void shouldNoteALaneOnceHoweverManyAnswersComeBetweenLooks() {
    Lane lane = new Lane(1, 2);
    for (int i = 0; i < 100; i++) {
      answered(lane).arrived();
    }
    look();
    assertThat(look()).isPositive();
    assertThat(said.clientCount()).isEqualTo(1);
    assertThat(said.client(0).ackedBelow()).isEqualTo(101);
  }

  @Test
  void shouldForgetAnAnswerThatNobodyTakes() {
    Lane lane = answered(Lane.ofCaller(1, 2, 5));
    lane.abandon();
    assertThat(look()).isZero();
    assertThat(arrived.isEmpty()).isTrue();
  }

  @Test
  void shouldSayNothingOfCallersWhoseTasksNobodyWouldGiveBack() {
    answered(Lane.ofCaller(1, 2, 5)).arrived();
    assertThat(look()).isZero();
    assertThat(arrived.isEmpty()).isTrue();
  }

  @Test
  void shouldComeToManyPieceByPiece() {
    int lanes = 10 * DeliveryAcks.PIECE_MAX;
    for (int i = 1; i <= lanes; i++) {
      answered(new Lane(1, i)).arrived();
    }
    nowNs += DeliveryAcks.QUIET_NS;
    for (int i = 0; i < 10; i++) {
      assertThat(arrived.nanosUntilDue()).isZero();
      assertThat(piece()).isZero();
      // One that has not left comes while it looks.
      answered(new Lane(2, 1 + i));
    }
    assertThat(arrived.isLooking()).isTrue();
    piece();
    assertThat(arrived.isLooking()).isFalse();
    assertThat(arrived.nanosUntilDue()).isEqualTo(DeliveryAcks.QUIET_NS);

    int clients = 0;
    for (int i = 0; i <= 10; i++) {
      piece();
      clients += said.clientCount();
    }
    assertThat(clients).isEqualTo(lanes);
    assertThat(arrived.isEmpty()).isFalse();
  }

  @Test
  void shouldNotWaitWhenThereAreVeryMany() {
    for (int i = 1; i < DeliveryAcks.MORE_MAX; i++) {
      answered(Lane.ofCaller(1, 2, i)).arrived();
    }
    assertThat(arrived.nanosUntilDue()).isPositive();
    answered(Lane.ofCaller(1, 2, DeliveryAcks.MORE_MAX)).arrived();
    while (arrived.nanosUntilDue() == 0) {
      piece();
    }
    assertThat(arrived.isEmpty()).isTrue();
  }

  @Test
  void shouldLookLaterWhenThereWasNoRoom() {
    answered(new Lane(1, 2)).arrived();
    nowNs += DeliveryAcks.QUIET_NS;
    arrived.putOff();
    assertThat(arrived.nanosUntilDue()).isEqualTo(DeliveryAcks.QUIET_NS);
  }

  @Test
  void shouldSayAllOfTheEnginesOwnWhenItCloses() {
    Lane told = new Lane(1, 2);
    arrived.add(claimed(told));
    arrived.answered(told);
    answered(Lane.ofCaller(7, 8, 9));
    read(arrived.encodeAll(buffer));
    assertThat(said.clientCount()).isEqualTo(1);
    assertThat(said.client(0).ackedBelow()).isEqualTo(2);

    assertThat(piece()).isZero();
    assertThat(arrived.isEmpty()).isTrue();
  }

  /** As the engine does: the number is logged, then the claim is answered. */
  private Lane answered(Lane lane) {
    claimed(lane);
    arrived.answered(lane);
    return lane;
  }

  private static Lane claimed(Lane lane) {
    if (!lane.isCallers()) {
      lane.next();
    }
    lane.logged(lane.number());
    return lane;
  }

  private int look() {
    nowNs += arrived.nanosUntilDue();
    return piece();
  }

  private int piece() {
    return read(arrived.encode(buffer));
  }

  private int read(int length) {
    said.wrap(buffer, 0, length);
    return length;
  }
}
