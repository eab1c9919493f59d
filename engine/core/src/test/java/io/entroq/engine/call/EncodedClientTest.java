package io.entroq.engine.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.api.Claim;
import io.entroq.api.Doc;
import io.entroq.api.DocInsert;
import io.entroq.api.DocQuery;
import io.entroq.api.EntroQException;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.ModifyResult;
import io.entroq.api.Task;
import io.entroq.api.TaskId;
import io.entroq.api.TaskQuery;
import io.entroq.codec.record.RecordType;
import io.entroq.codec.result.ResultDecoder;
import io.entroq.engine.embedded.DrivenEngine;
import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.engine.embedded.TestEntroQ;
import io.entroq.engine.result.DocsPage;
import io.entroq.engine.result.TasksPage;
import io.entroq.engine.time.ManualClock;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Requests of the API carried by hand to an engine, and its results back. */
class EncodedClientTest {
  private static final TaskId ID = TaskId.of("a");

  private final ManualClock clock = new ManualClock(TestEntroQ.START);
  private final DrivenEngine engine =
      DrivenEngine.open(EmbeddedConfig.inMemory().clock(clock).build(), (sequence, result) -> {});
  private final EncodedClient caller = new EncodedClient(1, 2, "me");

  @AfterEach
  void closeEngine() {
    engine.close();
  }

  private DirectBuffer send(int type, DirectBuffer command) {
    engine.executeEncoded(type, command, 0, command.capacity());
    ResultDecoder result = engine.result();
    return new UnsafeBuffer(result.buffer(), result.encodedOffset(), result.encodedLength());
  }

  private DirectBuffer insertCommand(EncodedClient by) {
    Insert insert = Insert.into("inbox").withValue("hello");
    return by.modify(Modification.insert(insert), List.of(ID));
  }

  @Test
  void shouldInsertClaimAndDelete() {
    ModifyResult inserted = caller.modified(send(RecordType.MODIFY, insertCommand(caller)));
    assertThat(inserted.orThrow().inserted()).extracting(Task::id).containsExactly(ID);

    Task task = caller.claimed(send(RecordType.CLAIM, caller.claim(Claim.from("inbox"), 0))).get(0);
    assertThat(task.text()).isEqualTo("hello");
    assertThat(task.claimant()).isEqualTo("me");

    DirectBuffer delete = caller.modify(Modification.delete(task), List.of());
    assertThat(caller.modified(send(RecordType.MODIFY, delete)).isCommitted()).isTrue();
    assertThat(engine.taskCount()).isZero();
  }

  @Test
  void shouldGetTheFirstAnswerWhenSentAgain() {
    DirectBuffer command = insertCommand(caller);
    ModifyResult first = caller.modified(send(RecordType.MODIFY, command));

    assertThat(caller.modified(send(RecordType.MODIFY, command))).isEqualTo(first);

    assertThat(engine.taskCount()).isEqualTo(1);
  }

  @Test
  void shouldNotKnowWhatBecameOfARequestOfACallerThatIsForgotten() {
    insertCommand(caller);
    DirectBuffer second = insertCommand(caller);
    assertThat(caller.modified(send(RecordType.MODIFY, second)))
        .isInstanceOf(ModifyResult.OutcomeUnknown.class);

    DirectBuffer claim = caller.claim(Claim.from("inbox"), 0);
    DirectBuffer result = send(RecordType.CLAIM, claim);
    assertThatThrownBy(() -> caller.claimed(result))
        .isInstanceOf(EntroQException.OutcomeUnknown.class);
  }

  @Test
  void shouldEndACancelledClaimWithoutTasks() {
    DirectBuffer claim = caller.claim(Claim.from("inbox"), 0);
    assertThat(engine.executeEncoded(RecordType.CLAIM, claim, 0, claim.capacity()))
        .isEqualTo(DrivenEngine.WAITS);

    send(RecordType.CANCEL, caller.cancel());

    assertThat(caller.claimed(send(RecordType.CLAIM, claim))).isEmpty();
  }

  @Test
  void shouldReadAListing() {
    send(RecordType.MODIFY, insertCommand(caller));
    DirectBuffer query = caller.tasks(TaskQuery.withIds(ID));
    TasksPage page = new TasksPage(query, 0, query.capacity());
    page.fill(engine.machine(), clock.nowMs(), 100);

    List<Task> tasks = caller.listed(new UnsafeBuffer(page.buffer(), 0, page.length()));

    assertThat(tasks).extracting(Task::id).containsExactly(ID);
  }

  @Test
  void shouldReadAListingOfDocs() {
    DocInsert insert = DocInsert.into("letters", "first").withId("1").withValue("dear");
    Modification modification = Modification.builder().insertDoc(insert).build();
    send(RecordType.MODIFY, caller.modify(modification, List.of()));
    DirectBuffer query = caller.docs(DocQuery.in("letters").withIds("1"));
    DocsPage page = new DocsPage(query, 0, query.capacity());
    page.fill(engine.machine(), clock.nowMs(), 100);

    List<Doc> docs = caller.listedDocs(new UnsafeBuffer(page.buffer(), 0, page.length()));

    assertThat(docs).extracting(Doc::text).containsExactly("dear");
  }
}
