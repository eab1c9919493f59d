package io.entroq.simulator.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.codec.record.RecordType;
import io.entroq.codec.result.ResultDecoder;
import io.entroq.simulator.call.Reply;
import io.entroq.simulator.call.Request;
import io.entroq.simulator.call.Service;
import io.entroq.simulator.check.Violation;
import io.entroq.simulator.fault.FaultKind;
import io.entroq.simulator.fault.Faults;
import java.nio.ByteOrder;
import java.util.Collections;
import java.util.EnumSet;
import java.util.IdentityHashMap;
import java.util.Set;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** Lies of a wrong engine; some client soon detects each kind. */
class LiesTest {
  private static final int CLIENTS = 100;
  private static final int SECONDS = 600;
  private static final int SOME = 500;

  private int replies;
  private Reply kept;

  private static Faults on() {
    return new Faults(EnumSet.of(FaultKind.REPLY_LOST, FaultKind.REQUEST_DOUBLED));
  }

  private static void assertSeen(ClientWorld world, String... rules) {
    assertThatThrownBy(() -> world.run(SECONDS))
        .isInstanceOfSatisfying(
            Violation.class, seen -> assertThat(seen.rule()).isIn((Object[]) rules));
  }

  private ClientWorld replying(Replies replies) {
    return new ClientWorld(
        1,
        on(),
        CLIENTS,
        service ->
            (request, end) ->
                service.onRequest(request, (terms, reply) -> replies.reply(terms, reply, end)));
  }

  private interface Replies {
    void reply(Request request, Reply reply, Service.ReplyEnd end);
  }

  @Test
  void shouldSeeTheReplyOfAnother() {
    ClientWorld world =
        replying(
            (request, reply, end) -> {
              boolean isModify = request.type() == RecordType.MODIFY;
              end.reply(request, isModify && ++replies % SOME == 0 ? kept : reply);
              kept = isModify ? reply : kept;
            });
    assertSeen(world, "answers-exact");
  }

  @Test
  void shouldSeeAnotherValue() {
    ResultDecoder decoder = new ResultDecoder();
    ClientWorld world =
        replying(
            (request, reply, end) -> {
              decoder.wrap(reply.result(), 0, reply.result().capacity());
              if (decoder.claimedCount() > 0
                  && decoder.claimed(0).valueLength() > 60
                  && ++replies % SOME == 0) {
                int at = decoder.claimed(0).valueOffset() + 50;
                flip(reply, at, 4);
              }
              end.reply(request, reply);
            });
    assertSeen(world, "value-intact");
  }

  @Test
  void shouldSeeAnotherContentOfADoc() {
    ResultDecoder decoder = new ResultDecoder();
    ClientWorld world =
        replying(
            (request, reply, end) -> {
              decoder.wrap(reply.result(), 0, reply.result().capacity());
              if (decoder.docCount() > 0 && decoder.doc(0).valueLength() > 60) {
                flip(reply, decoder.doc(0).valueOffset() + 50, 4);
              }
              end.reply(request, reply);
            });
    assertSeen(world, "docs-as-written");
  }

  @Test
  void shouldSeeTheDocsOfAnotherKey() {
    ClientWorld world =
        replying(
            (request, reply, end) -> {
              boolean areDocs = request.type() == RecordType.CLAIM_DOCS;
              end.reply(request, areDocs && kept != null ? kept : reply);
              kept = areDocs ? reply : kept;
            });
    assertSeen(world, "claims-take-whole-sets", "one-holder");
  }

  @Test
  void shouldNameTheTaskWhoseIdHasAnotherText() {
    ResultDecoder decoder = new ResultDecoder();
    long[] flipped = new long[1];
    ClientWorld world =
        replying(
            (request, reply, end) -> {
              decoder.wrap(reply.result(), 0, reply.result().capacity());
              if (decoder.claimedCount() > 0 && ++replies == SOME) {
                flipped[0] = decoder.claimed(0).idHigh() ^ 1;
                flip(reply, lowestByteOf(decoder.claimed(0).idHigh(), reply), 1);
              }
              end.reply(request, reply);
            });

    assertThatThrownBy(() -> world.run(SECONDS))
        .isInstanceOfSatisfying(
            Violation.class,
            seen -> {
              assertThat(seen.rule()).isEqualTo("value-intact");
              assertThat(seen.subject()).startsWith("%016x".formatted(flipped[0]));
            });
  }

  private static int lowestByteOf(long value, Reply reply) {
    DirectBuffer buffer = reply.result();
    for (int at = 0; at < buffer.capacity() - Long.BYTES; at++) {
      if (buffer.getLong(at, ByteOrder.LITTLE_ENDIAN) == value) {
        return at;
      }
    }
    throw new IllegalArgumentException("there is no such value");
  }

  private static void flip(Reply reply, int at, int bits) {
    MutableDirectBuffer buffer = new UnsafeBuffer(reply.result().byteArray());
    buffer.putByte(at, (byte) (buffer.getByte(at) ^ bits));
  }

  @Test
  void shouldSeeThatEverythingIsForgotten() {
    ClientWorld world = new ClientWorld(2, on(), CLIENTS);
    world.run(60);
    world.service().forget();
    assertSeen(world, "answers-exact", "acknowledged-stays", "first-answer");
  }

  @Test
  void shouldSeeThatClaimsAreTakenBack() {
    ClientWorld world = new ClientWorld(3, on(), CLIENTS);
    world.run(60);
    world.service().reopen();
    assertSeen(world, "acknowledged-stays", "first-answer", "answers-exact");
  }

  @Test
  void shouldSeeThatARetryGetsAnotherAnswer() {
    Set<Request> answered = Collections.newSetFromMap(new IdentityHashMap<>());
    ClientWorld world =
        replying(
            (request, reply, end) -> {
              boolean isModify = request.type() == RecordType.MODIFY;
              boolean isRetry = isModify && !answered.add(request);
              end.reply(request, isRetry ? kept : reply);
              kept = isModify ? reply : kept;
            });
    assertSeen(world, "acknowledged-stays", "first-answer", "answers-exact");
  }
}
