package io.entroq.simulator.network;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.codec.record.RecordType;
import io.entroq.simulator.call.Reply;
import io.entroq.simulator.call.Request;
import io.entroq.simulator.call.Service;
import io.entroq.simulator.fault.FaultKind;
import io.entroq.simulator.fault.Faults;
import io.entroq.simulator.virtual.EventQueue;
import io.entroq.simulator.virtual.SeededRandom;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class NetworkTest {
  private static final int REQUESTS = 2_000;
  private static final long GAP_NS = 5_000_000;
  private static final long USUAL_NS_MAX = 2_000_000;
  private static final long CUT_NS_MIN = 100_000_000;
  private static final long CUT_NS_MAX = 300_000_000;
  private static final int CLIENTS = 10;
  private static final Reply REPLY = new Reply(Reply.Status.UNAVAILABLE, null);

  private final EventQueue events = new EventQueue();
  private final List<Request> arrived = new ArrayList<>();
  private final List<Request> returned = new ArrayList<>();
  private final List<Long> arrivalNs = new ArrayList<>();
  private final List<Long> returnNs = new ArrayList<>();
  private final List<Request> sent = new ArrayList<>();
  private Faults faults;
  private int copies;

  /** Sends requests so far apart that those with normal delays keep their order. */
  private void run(Set<FaultKind> on) {
    faults = new Faults(on);
    Service service =
        (request, replies) -> {
          arrived.add(request);
          arrivalNs.add(events.nowNs());
          replies.reply(request, REPLY);
        };
    Network network = new Network(events, new SeededRandom(7), faults, config(), service);
    for (int i = 0; i < REQUESTS; i++) {
      Request request =
          new Request(i % CLIENTS, RecordType.CLAIM, new UnsafeBuffer(new byte[1]), this::onReply);
      sent.add(request);
      events.at(i * GAP_NS, () -> copies += network.send(request));
    }
    while (events.step()) {
      // Until everything has arrived.
    }
  }

  private void onReply(Request request, Reply reply) {
    assertThat(reply).isSameAs(REPLY);
    returned.add(request);
    returnNs.add(events.nowNs());
  }

  private static NetworkConfig config() {
    Map<FaultKind, Integer> perMillion = new EnumMap<>(FaultKind.class);
    for (FaultKind kind : FaultKind.values()) {
      perMillion.put(kind, kind == FaultKind.CLIENT_CUT_OFF ? 2_000 : 50_000);
    }
    return new NetworkConfig(
        50_000, USUAL_NS_MAX, 10_000_000, 1_000_000_000, CUT_NS_MIN, CUT_NS_MAX, perMillion);
  }

  private int count(FaultKind kind) {
    return Math.toIntExact(faults.counts().getOrDefault(kind, 0L));
  }

  private void assertNothingElseThan(FaultKind kind) {
    assertThat(faults.counts().keySet()).containsExactly(kind);
    assertThat(count(kind)).isPositive();
  }

  private boolean isInOrder(List<Request> messages) {
    int last = -1;
    for (Request message : messages) {
      int index = sent.indexOf(message);
      if (index < last) {
        return false;
      }
      last = index;
    }
    return true;
  }

  @Test
  void shouldCarryEverythingOnceAndQuicklyWhenNothingIsOn() {
    run(Set.of());

    assertThat(faults.counts()).isEmpty();
    assertThat(arrived).hasSize(REQUESTS);
    assertThat(returned).hasSize(REQUESTS);
    for (int i = 0; i < REQUESTS; i++) {
      assertThat(arrived.get(i)).isSameAs(sent.get(i));
      assertThat(arrivalNs.get(i) - i * GAP_NS).isBetween(50_000L, USUAL_NS_MAX);
      assertThat(returnNs.get(i) - arrivalNs.get(i)).isBetween(50_000L, USUAL_NS_MAX);
    }
  }

  @Test
  void shouldLoseRequests() {
    run(EnumSet.of(FaultKind.REQUEST_LOST));

    assertNothingElseThan(FaultKind.REQUEST_LOST);
    assertThat(arrived).hasSize(REQUESTS - count(FaultKind.REQUEST_LOST)).hasSize(copies);
    assertThat(returned).hasSameSizeAs(arrived);
  }

  @Test
  void shouldLoseReplies() {
    run(EnumSet.of(FaultKind.REPLY_LOST));

    assertNothingElseThan(FaultKind.REPLY_LOST);
    assertThat(arrived).hasSize(REQUESTS);
    assertThat(returned).hasSize(REQUESTS - count(FaultKind.REPLY_LOST));
  }

  @Test
  void shouldDelayRequestsBehindLaterOnes() {
    run(EnumSet.of(FaultKind.REQUEST_DELAYED));

    assertNothingElseThan(FaultKind.REQUEST_DELAYED);
    assertThat(arrived).hasSize(REQUESTS);
    assertThat(isInOrder(arrived)).isFalse();
  }

  @Test
  void shouldDelayRepliesBehindLaterOnes() {
    run(EnumSet.of(FaultKind.REPLY_DELAYED));

    assertNothingElseThan(FaultKind.REPLY_DELAYED);
    assertThat(isInOrder(arrived)).isTrue();
    assertThat(returned).hasSize(REQUESTS);
    assertThat(isInOrder(returned)).isFalse();
  }

  @Test
  void shouldDoubleRequests() {
    run(EnumSet.of(FaultKind.REQUEST_DOUBLED));

    assertNothingElseThan(FaultKind.REQUEST_DOUBLED);
    assertThat(arrived).hasSize(REQUESTS + count(FaultKind.REQUEST_DOUBLED)).hasSize(copies);
    assertThat(returned).hasSameSizeAs(arrived);
  }

  @Test
  void shouldDoubleReplies() {
    run(EnumSet.of(FaultKind.REPLY_DOUBLED));

    assertNothingElseThan(FaultKind.REPLY_DOUBLED);
    assertThat(arrived).hasSize(REQUESTS);
    assertThat(returned).hasSize(REQUESTS + count(FaultKind.REPLY_DOUBLED));
  }

  @Test
  void shouldCutClientsOffForAWhile() {
    run(EnumSet.of(FaultKind.CLIENT_CUT_OFF));

    assertNothingElseThan(FaultKind.CLIENT_CUT_OFF);
    assertThat(arrived.size()).isBetween(REQUESTS / 2, REQUESTS - count(FaultKind.CLIENT_CUT_OFF));
    assertThat(returned.size()).isBetween(REQUESTS / 2, arrived.size());
    Request firstLost =
        sent.stream().filter(request -> !arrived.contains(request)).findFirst().orElseThrow();
    Request nextHeard = arrived.get(firstArrivedBehind(firstLost));
    long silentNs = (sent.indexOf(nextHeard) - sent.indexOf(firstLost)) * GAP_NS;
    assertThat(silentNs).isBetween(CUT_NS_MIN, CUT_NS_MAX + CLIENTS * GAP_NS);
  }

  /** The next message of the same client that is not lost. */
  private int firstArrivedBehind(Request lost) {
    int from = sent.indexOf(lost);
    for (int i = 0; i < arrived.size(); i++) {
      Request message = arrived.get(i);
      if (message.client() == lost.client() && sent.indexOf(message) > from) {
        return i;
      }
    }
    throw new AssertionError("the client is not heard of again");
  }

  @ParameterizedTest
  @EnumSource(
      value = FaultKind.class,
      names = {"REPLY_LOST", "REQUEST_DOUBLED", "REPLY_DOUBLED"})
  void shouldLeaveOtherTroubleAloneWhenAnotherKindIsOn(FaultKind on) {
    run(EnumSet.of(FaultKind.REQUEST_DELAYED));
    NetworkTest other = new NetworkTest();
    other.run(EnumSet.of(FaultKind.REQUEST_DELAYED, on));

    assertThat(other.arrivalNs).containsAll(arrivalNs);
    assertThat(other.count(FaultKind.REQUEST_DELAYED)).isEqualTo(count(FaultKind.REQUEST_DELAYED));
  }

  @Test
  void shouldDelayWhatItWouldDelayWhereSomeRequestsAreLost() {
    run(EnumSet.of(FaultKind.REQUEST_LOST));
    List<Request> kept = List.copyOf(arrived);
    NetworkTest other = new NetworkTest();
    other.run(EnumSet.of(FaultKind.REQUEST_LOST, FaultKind.REQUEST_DELAYED));

    // The same ones are lost.
    assertThat(other.arrived.stream().map(other.sent::indexOf))
        .containsExactlyInAnyOrderElementsOf(kept.stream().map(sent::indexOf).toList());
  }

  @Test
  void shouldGoTheSameWayForTheSameSeed() {
    run(EnumSet.allOf(FaultKind.class));
    NetworkTest other = new NetworkTest();
    other.run(EnumSet.allOf(FaultKind.class));

    assertThat(other.arrivalNs).isEqualTo(arrivalNs);
    assertThat(other.returnNs).isEqualTo(returnNs);
    assertThat(other.faults.counts()).isEqualTo(faults.counts());
  }
}
