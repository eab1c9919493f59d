package io.entroq.simulator.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.api.Claim;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.TaskId;
import io.entroq.api.TaskQuery;
import io.entroq.codec.record.RecordType;
import io.entroq.codec.wire.Ids;
import io.entroq.engine.call.EncodedClient;
import io.entroq.simulator.call.Reply;
import io.entroq.simulator.call.Request;
import io.entroq.simulator.check.Invariant;
import io.entroq.simulator.check.Violation;
import io.entroq.simulator.host.HostClock;
import io.entroq.simulator.virtual.EventQueue;
import io.entroq.simulator.virtual.SeededRandom;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class MemberFrontendTest {
  private static final long SECOND = 1_000_000_000;
  private static final TaskId ID = TaskId.of(Ids.ofV1("5f7dcd6b-01ba-48b7-8280-2af026a26e8a"));

  private final EventQueue events = new EventQueue();
  private LoneMember lone;
  private final OrderedLog log =
      new OrderedLog(events, new SeededRandom(1), () -> HostClock.START_MS, this::onCommitted);
  private final EncodedClient caller = new EncodedClient(7, 8, "somebody");
  private final List<Reply> replies = new ArrayList<>();

  private void onCommitted(Entry entry) {
    if (entry.kind == Entry.Kind.OPEN) {
      entry.session.life().link().onOpened(entry.session);
    }
    lone.member().life().readSoon();
  }

  @AfterEach
  void close() {
    lone.close();
  }

  private MemberLife begin() {
    lone = new LoneMember(events, log);
    return lone.member().life();
  }

  private void run() {
    long endNs = events.nowNs() + SECOND / 2;
    while (events.nextNs() <= endNs) {
      events.step();
    }
  }

  private void awaitReplies(int count) {
    while (replies.size() < count) {
      assertThat(events.step() && events.nowNs() < 100 * SECOND).isTrue();
    }
  }

  private void onReply(Request asked, Reply reply) {
    replies.add(reply);
  }

  private static Request request(int type, DirectBuffer command) {
    return new Request(0, type, command, (sent, reply) -> {});
  }

  private DirectBuffer insert() {
    Modification insert = Modification.insert(Insert.into("q").withId(ID));
    return caller.modify(insert, List.of(ID));
  }

  private static void assertBreaks(Invariant rule, ThrowingCallable check) {
    assertThatThrownBy(check)
        .isInstanceOfSatisfying(
            Violation.class, found -> assertThat(found.rule()).isEqualTo(rule.label()));
  }

  @Test
  void shouldFindThatAMemberDoesNotAnswer() {
    MemberLife life = begin();
    life.take(request(RecordType.MODIFY, insert()), this::onReply);
    run();
    assertThat(replies).isEmpty();
    life.frontend().requireAnswered(events.nowNs() - SECOND);
    assertBreaks(Invariant.MEMBER_ANSWERS, () -> life.frontend().requireAnswered(events.nowNs()));
  }

  @Test
  void shouldFindThatTheLogDoesNotKnowWhatHasLeft() {
    MemberLife life = begin();
    log.resume();
    run();
    life.take(request(RecordType.MODIFY, insert()), this::onReply);
    awaitReplies(1);
    life.frontend().requireAnswered(events.nowNs());
    life.take(request(RecordType.CLAIM, caller.claim(Claim.from("q"), 0)), this::onReply);
    awaitReplies(2);
    assertBreaks(
        Invariant.LOG_KNOWS_WHAT_HAS_LEFT,
        () -> life.frontend().requireLogged(events.nowNs(), lone.records().observer()));
  }

  @Test
  void shouldFindThatAListingIsOld() {
    MemberLife life = begin();
    log.resume();
    run();
    Request list = request(Request.LIST_TASKS, caller.tasks(TaskQuery.in("q")));
    life.frontend().reading(list, replies::add, 1).beginFrom(1);
    assertThat(replies).hasSize(1);
    assertBreaks(
        Invariant.MEMBER_SHOWS_ITS_WRITES,
        () -> life.frontend().reading(list, replies::add, 1_000).begin());
    assertBreaks(
        Invariant.POSITION_IS_REACHED,
        () -> life.frontend().reading(list, replies::add, 1).beginFrom(1_000));
  }
}
