package io.entroq.codec.evolution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import com.google.protobuf.UnknownFieldSet;
import com.sun.management.ThreadMXBean;
import io.entroq.codec.evolution.wire.After;
import io.entroq.codec.evolution.wire.Before;
import io.entroq.codec.evolution.wire.Part;
import io.entroq.codec.message.Facades;
import io.entroq.codec.message.IdFields;
import io.entroq.codec.message.MalformedMessageException;
import io.entroq.codec.message.Slice;
import io.entroq.codec.wire.log.Facade;
import io.entroq.codec.wire.log.Id;
import io.entroq.codec.wire.log.Identity;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** A field that is added to a schema is written and read, and skipped by readers without it. */
class SchemaEvolutionTest {
  private static final Id ID = Id.newBuilder().setHigh(1).setLow(2).setText("id").build();
  private static final Before BEFORE = Before.newBuilder().setId(ID).setQueue("queue").build();
  private static final After AFTER =
      After.newBuilder()
          .setId(ID)
          .setQueue("queue")
          .setPriority(9)
          .addLabels("red")
          .addLabels("")
          .setInt32Value(-1)
          .setInt64Value(Long.MIN_VALUE)
          .setUint64Value(Long.MAX_VALUE)
          .setFixed64Value(-2)
          .setSfixed64Value(-3)
          .setBoolValue(true)
          .setFacade(Facade.FACADE_V0)
          .setBytesValue(ByteString.copyFromUtf8("bytes"))
          .setClaimant(Id.newBuilder().setLow(7))
          .addParts(Part.newBuilder().setName("one").setCount(1))
          .addParts(Part.getDefaultInstance())
          .setIdentity(
              Identity.newBuilder().setClientHigh(1).setClientLow(2).setNumber(4).setAckedBelow(3))
          .setNote("n".repeat(2_000))
          .setLast(5)
          .build();

  private final BeforeDecoder before = new BeforeDecoder();
  private final AfterDecoder after = new AfterDecoder();
  private final AfterEncoder encoder = new AfterEncoder();
  private final ExpandableArrayBuffer target = new ExpandableArrayBuffer();
  private final IdFields id = new IdFields();
  private final PartFields part = new PartFields();
  private final Slice[] slices = new Slice[] {slice("queue"), slice("red"), slice(""), slice("id")};
  private final Slice bytesValue = slice("bytes");
  private final Slice partName = slice("one");
  private final Slice note = slice("n".repeat(2_000));

  private static Slice slice(String text) {
    return new Slice(text.getBytes(StandardCharsets.UTF_8));
  }

  private static UnsafeBuffer bytes(Message message) {
    return new UnsafeBuffer(message.toByteArray());
  }

  private void read(After message) {
    UnsafeBuffer bytes = bytes(message);
    after.wrap(bytes, 0, bytes.capacity());
  }

  private static String text(DirectBuffer buffer, int offset, int length) {
    return buffer.getStringWithoutLengthUtf8(offset, length);
  }

  /** Writes {@link #AFTER}. */
  private int write() {
    id.set(1, 2).text().wrap(slices[3].buffer(), 0, slices[3].length());
    encoder.wrap(target, 0).id(id).queue(slices[0]).priority(9).label(slices[1]).label(slices[2]);
    encoder.int32Value(-1).int64Value(Long.MIN_VALUE).uint64Value(Long.MAX_VALUE);
    encoder.fixed64Value(-2).sfixed64Value(-3).boolValue(true).facade(Facades.V0);
    encoder.bytesValue(bytesValue).claimant(id.set(0, 7));
    part.clear().count(1).name().wrap(partName.buffer(), 0, partName.length());
    encoder.part(part).part(part.clear());
    return encoder.identity(1, 2, 4, 3).note(note).last(5).length();
  }

  @Test
  void shouldWriteTheBytesOfTheProtobufClass() {
    byte[] written = new byte[write()];
    target.getBytes(0, written);
    assertThat(written).isEqualTo(AFTER.toByteArray());
  }

  @Test
  void shouldReadNewFields() {
    read(AFTER);
    assertThat(text(after.buffer(), after.idTextOffset(), after.idTextLength())).isEqualTo("id");
    assertThat(after.priority()).isEqualTo(9);
    assertThat(after.labelCount()).isEqualTo(2);
    assertThat(text(after.buffer(), after.labelOffset(0), after.labelLength(0))).isEqualTo("red");
    assertThat(after.labelLength(1)).isZero();
    assertThat(after.int32Value()).isEqualTo(-1);
    assertThat(after.int64Value()).isEqualTo(Long.MIN_VALUE);
    assertThat(after.uint64Value()).isEqualTo(Long.MAX_VALUE);
    assertThat(after.fixed64Value()).isEqualTo(-2);
    assertThat(after.sfixed64Value()).isEqualTo(-3);
    assertThat(after.boolValue()).isTrue();
    assertThat(after.facade()).isEqualTo(Facades.V0);
    assertThat(after.bytesValueLength()).isEqualTo(5);
    assertThat(after.claimantLow()).isEqualTo(7);
    assertThat(after.partCount()).isEqualTo(2);
    assertThat(after.part(0).count()).isEqualTo(1);
    assertThat(after.part(1).nameLength()).isZero();
    assertThat(after.hasIdentity()).isTrue();
    assertThat(after.identityRequestNumber()).isEqualTo(4);
    assertThat(after.noteLength()).isEqualTo(2_000);
    assertThat(after.last()).isEqualTo(5);
  }

  @Test
  void shouldReadAMessageWithoutTheNewFields() {
    read(AFTER);
    UnsafeBuffer old = bytes(BEFORE);
    after.wrap(old, 0, old.capacity());
    assertThat(text(after.buffer(), after.queueOffset(), after.queueLength())).isEqualTo("queue");
    assertThat(after.priority()).isZero();
    assertThat(after.labelCount()).isZero();
    assertThat(after.hasIdentity()).isFalse();
    assertThat(after.identityRequestNumber()).isZero();
    assertThat(after.noteLength()).isZero();
    assertThat(after.last()).isEqualTo(7);
  }

  @Test
  void shouldSkipFieldsOfALaterSchema() {
    UnsafeBuffer bytes = bytes(AFTER);
    before.wrap(bytes, 0, bytes.capacity());
    assertThat(before.idLow()).isEqualTo(2);
    assertThat(text(bytes, before.queueOffset(), before.queueLength())).isEqualTo("queue");
  }

  @Test
  void shouldRefuseAKnownFieldOfAnotherWireTypeAndGroups() {
    After bytesForANumber =
        After.newBuilder(AFTER).clearPriority().setUnknownFields(unknown(3, false)).build();
    assertThatThrownBy(() -> read(bytesForANumber)).hasMessageContaining("wrong wire type 2");
    After group = After.newBuilder(AFTER).setUnknownFields(unknown(99, true)).build();
    assertThatThrownBy(() -> read(group)).hasMessageContaining("wire type 3 of field 99");
  }

  private static UnknownFieldSet unknown(int number, boolean isGroup) {
    UnknownFieldSet.Field.Builder field = UnknownFieldSet.Field.newBuilder();
    if (isGroup) {
      field.addGroup(UnknownFieldSet.getDefaultInstance());
    } else {
      field.addLengthDelimited(ByteString.EMPTY);
    }
    return UnknownFieldSet.newBuilder().addField(number, field.build()).build();
  }

  @Test
  void shouldHoldNewFieldsToTheirOptions() {
    assertRefused(After.newBuilder(AFTER).setPriority(10), "After.priority");
    assertRefused(After.newBuilder(AFTER).setPriority(-1), "After.priority");
    assertRefused(After.newBuilder(AFTER).addLabels("blue"), "After.labels");
    assertRefused(After.newBuilder(AFTER).setLabels(0, "x".repeat(1_025)), "After.labels");
    assertRefused(After.newBuilder(AFTER).setUint64Value(-1), "After.uint64_value");
    assertRefused(After.newBuilder(AFTER).setFacadeValue(2), "After.facade");
    assertRefused(After.newBuilder(AFTER).clearId(), "After.id");
    assertRefused(After.newBuilder(AFTER).clearQueue(), "After.queue");
    assertRefused(After.newBuilder(AFTER).setClaimant(Id.newBuilder().setText("x")), "After.claim");
    assertRefused(After.newBuilder(AFTER).addParts(Part.newBuilder().setCount(-1)), "Part.count");
    assertRefused(After.newBuilder(AFTER).setIdentity(Identity.newBuilder()), "Identity.client");
    read(AFTER);
  }

  private void assertRefused(After.Builder message, String field) {
    assertThatThrownBy(() -> read(message.build()))
        .isInstanceOf(MalformedMessageException.class)
        .hasMessageStartingWith(field);
  }

  @Test
  void shouldAllocateNothing() {
    UnsafeBuffer bytes = bytes(AFTER);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    int sum = round(bytes, 50_000);
    long start = threads.getCurrentThreadAllocatedBytes();
    sum += round(bytes, 200_000);
    long allocated = threads.getCurrentThreadAllocatedBytes() - start;
    assertThat(allocated).as("bytes (%s)", sum).isLessThan(200_000);
  }

  private int round(UnsafeBuffer bytes, int rounds) {
    int sum = 0;
    for (int i = 0; i < rounds; i++) {
      after.wrap(bytes, 0, bytes.capacity());
      before.wrap(bytes, 0, bytes.capacity());
      sum += write() + after.priority() + before.queueLength();
    }
    return sum;
  }
}
