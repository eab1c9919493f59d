package io.entroq.codec.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.entroq.codec.message.MalformedMessageException;
import io.entroq.codec.message.ValueKinds;
import io.entroq.codec.wire.log.Change;
import io.entroq.codec.wire.log.ChangeMode;
import io.entroq.codec.wire.log.Claim;
import io.entroq.codec.wire.log.DocData;
import io.entroq.codec.wire.log.Id;
import io.entroq.codec.wire.log.Identity;
import io.entroq.codec.wire.log.Insert;
import io.entroq.codec.wire.log.Modify;
import io.entroq.codec.wire.log.TaskData;
import io.entroq.codec.wire.log.TaskRef;
import io.entroq.codec.wire.log.ValueKind;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.zip.CRC32C;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

class ModifyDecoderTest {
  private static final Id ID = Id.newBuilder().setHigh(3).setLow(4).build();
  private static final TaskData DATA =
      TaskData.newBuilder()
          .setQueue("queue")
          .setArrivalMs(-5)
          .setValueKind(ValueKind.VALUE_BYTES)
          .setValue(ByteString.copyFromUtf8("payload"))
          .setAttempt(-2)
          .setErr("no luck")
          .build();

  private final ModifyDecoder decoder = new ModifyDecoder();

  private void wrap(Modify modify) {
    byte[] bytes = modify.toByteArray();
    decoder.wrap(new UnsafeBuffer(bytes), 0, bytes.length);
  }

  private String text(int offset, int length) {
    byte[] bytes = new byte[length];
    decoder.buffer().getBytes(offset, bytes);
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private void assertData(TaskItem item) {
    assertThat(text(item.queueOffset(), item.queueLength())).isEqualTo("queue");
    assertThat(item.arrivalMs()).isEqualTo(-5);
    assertThat(item.valueKind()).isEqualTo(ValueKinds.BYTES);
    assertThat(text(item.valueOffset(), item.valueLength())).isEqualTo("payload");
    assertThat(item.attempt()).isEqualTo(-2);
    assertThat(text(item.errOffset(), item.errLength())).isEqualTo("no luck");
  }

  @Test
  void shouldReadEveryKindOfItem() {
    wrap(
        Modify.newBuilder()
            .setClaimant(Id.newBuilder().setLow(8))
            .addInserts(Insert.newBuilder().setId(ID).setData(DATA))
            .addInserts(
                Insert.newBuilder()
                    .setId(ID.toBuilder().setText("odd"))
                    .setData(TaskData.newBuilder().setQueue("x")))
            .addChanges(Change.newBuilder().setId(ID).setVersion(6).setData(DATA))
            .addDeletes(TaskRef.newBuilder().setId(ID).setVersion(7))
            .addDepends(TaskRef.newBuilder().setId(ID).setVersion(8).setQueue("there"))
            .setThenClaim(Claim.newBuilder().addQueues("next").setLeaseMs(9).setLimit(2))
            .build());
    assertThat(decoder.insertCount()).isEqualTo(2);
    assertThat(decoder.insert(0).idHigh()).isEqualTo(3);
    assertThat(decoder.insert(0).idLow()).isEqualTo(4);
    assertThat(decoder.insert(0).idTextLength()).isZero();
    assertData(decoder.insert(0));
    InsertDecoder odd = decoder.insert(1);
    assertThat(text(odd.idTextOffset(), odd.idTextLength())).isEqualTo("odd");
    assertThat(odd.valueKind()).isEqualTo(ValueKinds.ABSENT);
    assertThat(decoder.changeCount()).isEqualTo(1);
    assertThat(decoder.change(0).version()).isEqualTo(6);
    assertData(decoder.change(0));
    assertThat(decoder.deleteCount()).isEqualTo(1);
    assertThat(decoder.delete(0).version()).isEqualTo(7);
    assertThat(decoder.delete(0).queueLength()).isZero();
    TaskRefDecoder depend = decoder.depend(0);
    assertThat(text(depend.queueOffset(), depend.queueLength())).isEqualTo("there");
    assertThat(decoder.hasThenClaim()).isTrue();
    assertThat(decoder.thenClaim().queueCount()).isEqualTo(1);
    assertThat(decoder.thenClaim().leaseMs()).isEqualTo(9);
    assertThat(decoder.thenClaim().limit()).isEqualTo(2);
    wrap(Modify.getDefaultInstance());
    assertThat(decoder.insertCount()).isZero();
    assertThat(decoder.hasThenClaim()).isFalse();
  }

  @Test
  void shouldGiveTheCrcOfWhatTheCallerHasSaid() {
    Modify body = Modify.newBuilder().addDeletes(TaskRef.newBuilder().setId(ID)).build();
    CRC32C crc = new CRC32C();
    crc.update(body.toByteArray());
    Identity identity = Identity.newBuilder().setClientLow(1).setNumber(1).setAckedBelow(1).build();

    wrap(body.toBuilder().setIdentity(identity).setQueueTasksMax(1_000).build());
    assertThat(decoder.queueTasksMax()).isEqualTo(1_000);
    assertThat(decoder.bodyCrc()).isEqualTo((int) crc.getValue());
    wrap(body.toBuilder().setIdentity(identity).setQueueTasksMax(5).build());
    assertThat(decoder.bodyCrc()).isEqualTo((int) crc.getValue());
    wrap(body);
    assertThat(decoder.queueTasksMax()).isZero();
    assertThat(decoder.bodyCrc()).isEqualTo((int) crc.getValue());
  }

  @Test
  void shouldRefuseWhatTheSchemaForbids() {
    Insert insert = Insert.newBuilder().setId(ID).setData(DATA).build();
    assertRefused(Modify.newBuilder().addInserts(insert.toBuilder().clearId()), "Insert.id");
    assertRefused(Modify.newBuilder().addInserts(insert.toBuilder().clearData()), "TaskData.queue");
    assertRefused(
        Modify.newBuilder()
            .addInserts(insert.toBuilder().setData(DATA.toBuilder().clearValueKind())),
        "TaskData.value");
    assertRefused(
        Modify.newBuilder()
            .addInserts(insert.toBuilder().setData(DATA.toBuilder().setValueKindValue(3))),
        "TaskData.value_kind");
    assertRefused(
        Modify.newBuilder().addChanges(Change.newBuilder().setId(ID).setVersion(-1).setData(DATA)),
        "Change.version");
    assertRefused(Modify.newBuilder().addDeletes(TaskRef.newBuilder()), "TaskRef.id");
    assertRefused(
        Modify.newBuilder().addDepends(TaskRef.newBuilder().setId(ID).setVersion(-1)),
        "TaskRef.version");
    assertRefused(Modify.newBuilder().setThenClaim(Claim.newBuilder()), "Claim.queues");
    assertRefused(
        Modify.newBuilder().setThenClaim(Claim.newBuilder().addQueues("q").setWait(true)),
        "Modify.then_claim");
    assertRefused(Modify.newBuilder().setQueueTasksMax(-1), "Modify.queue_tasks_max");
  }

  @Test
  void shouldRefuseToTakeBackWithAnythingElse() {
    TaskData queue = TaskData.newBuilder().setQueue("q").build();
    Change.Builder takeBack =
        Change.newBuilder()
            .setId(ID)
            .setFromQueue("q")
            .setMode(ChangeMode.CHANGE_TAKE_BACK)
            .setData(queue);
    wrap(Modify.newBuilder().addChanges(takeBack).build());
    TaskData unset = queue.toBuilder().setArrivalMs(-5).build();
    wrap(Modify.newBuilder().addChanges(takeBack.clone().setData(unset)).build());
    for (TaskData more :
        List.of(
            queue.toBuilder().setByMs(1).build(),
            queue.toBuilder().setByMs(-1).build(),
            queue.toBuilder().setArrivalMs(1).build(),
            queue.toBuilder().setValueKind(ValueKind.VALUE_BYTES).build(),
            queue.toBuilder().setAttempt(1).build(),
            queue.toBuilder().setErr("e").build(),
            queue.toBuilder().setTtlMs(1).build())) {
      assertRefused(
          Modify.newBuilder().addChanges(takeBack.clone().setData(more)), "Modify.changes");
    }
    assertRefused(
        Modify.newBuilder().addChanges(takeBack.clone().clearFromQueue()), "Modify.changes");
    assertRefused(
        Modify.newBuilder()
            .addDocChanges(
                DocData.newBuilder()
                    .setNamespace("n")
                    .setKey("k")
                    .setMode(ChangeMode.CHANGE_TAKE_BACK)),
        "Modify.doc_changes");
  }

  private void assertRefused(Modify.Builder modify, String field) {
    assertThatThrownBy(() -> wrap(modify.build()))
        .isInstanceOf(MalformedMessageException.class)
        .hasMessageStartingWith(field + " at byte ");
  }
}
