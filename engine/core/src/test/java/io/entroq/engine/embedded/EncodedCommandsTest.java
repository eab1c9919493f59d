package io.entroq.engine.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.codec.command.AcknowledgeEncoder;
import io.entroq.codec.command.CancelEncoder;
import io.entroq.codec.command.ClaimDocsEncoder;
import io.entroq.codec.command.ClaimEncoder;
import io.entroq.codec.command.DocDataFields;
import io.entroq.codec.command.ModifyEncoder;
import io.entroq.codec.command.TaskDataFields;
import io.entroq.codec.message.IdFields;
import io.entroq.codec.message.Slice;
import io.entroq.codec.record.RecordType;
import io.entroq.codec.result.DocDecoder;
import io.entroq.codec.result.ResultCodes;
import io.entroq.engine.time.ManualClock;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.agrona.ExpandableArrayBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Commands that come encoded, at some offset of some buffer. */
class EncodedCommandsTest {
  private static final int OFFSET = 13;
  private static final Slice QUEUE = new Slice("q".getBytes(StandardCharsets.UTF_8));

  private final ManualClock clock = new ManualClock(TestEntroQ.START);
  private final List<String> heard = new ArrayList<>();
  private final DrivenEngine engine =
      DrivenEngine.open(
          EmbeddedConfig.inMemory().clock(clock).commandBytesMax(1 << 10).build(),
          (sequence, result) -> heard.add(sequence + " " + result.code()));
  private final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();

  @AfterEach
  void close() {
    engine.close();
  }

  private int insert(long low, long number, int valueBytes) {
    TaskDataFields data = new TaskDataFields();
    data.queue().wrap("q".getBytes(StandardCharsets.UTF_8));
    data.valueKind(1).value().wrap(new byte[valueBytes]);
    int length =
        new ModifyEncoder()
            .wrap(buffer, OFFSET)
            .identity(1, 1, number, number)
            .insert(new IdFields().set(9, low), data)
            .length();
    return engine.executeEncoded(RecordType.MODIFY, buffer, OFFSET, length);
  }

  private int claim(long client, boolean waits) {
    int length =
        new ClaimEncoder()
            .wrap(buffer, OFFSET)
            .identity(7, client, 1, 1)
            .queue(QUEUE)
            .leaseMs(1_000)
            .waits(waits)
            .length();
    return engine.executeEncoded(RecordType.CLAIM, buffer, OFFSET, length);
  }

  @Test
  void shouldExecuteThemAndTellTheirSequences() {
    assertThat(insert(5, 1, 10)).isEqualTo(ResultCodes.OK);
    assertThat(engine.commandSequence()).isEqualTo(2).isEqualTo(engine.sequence());
    assertThat(claim(1, false)).isEqualTo(ResultCodes.OK);
    assertThat(engine.result().claimed(0).idLow()).isEqualTo(5);
    assertThat(engine.commandSequence()).isEqualTo(3);
    assertThat(engine.waitingSequence()).isZero();
  }

  @Test
  void shouldTellUnderWhichSequenceAClaimAndItsRetryWait() {
    assertThat(claim(1, true)).isEqualTo(DrivenEngine.WAITS);
    long first = engine.commandSequence();
    assertThat(engine.waitingSequence()).isEqualTo(first);

    assertThat(claim(1, true)).isEqualTo(DrivenEngine.WAITS);
    assertThat(engine.commandSequence()).isEqualTo(first + 1);
    assertThat(engine.waitingSequence()).isEqualTo(first);

    assertThat(insert(5, 1, 10)).isEqualTo(ResultCodes.OK);
    assertThat(heard).containsExactly(first + " " + ResultCodes.OK);
    assertThat(engine.waitingSequence()).isZero();
  }

  @Test
  void shouldWriteAndClaimDocs() {
    DocDataFields doc = new DocDataFields();
    doc.namespace().wrap(utf8("users"));
    doc.id().set(0, 7);
    doc.key().wrap(utf8("k"));
    doc.valueKind(1).value().wrap(utf8("v"));
    int length = new ModifyEncoder().wrap(buffer, OFFSET).docInsert(doc).length();
    assertThat(engine.executeEncoded(RecordType.MODIFY, buffer, OFFSET, length))
        .isEqualTo(ResultCodes.OK);
    assertThat(engine.result().doc(0).version()).isZero();
    assertThat(engine.result().doc(0).valueLength()).as("the caller has it").isZero();

    assertThat(claimDocs(1)).isEqualTo(ResultCodes.OK);
    DocDecoder claimed = engine.result().doc(0);
    assertThat(claimed.claimantLow()).isEqualTo(1);
    assertThat(claimed.valueLength()).isEqualTo(1);
    assertThat(engine.result().set(0).docs()).isEqualTo(1);
    assertThat(claimDocs(2)).isEqualTo(ResultCodes.DEPENDENCY);
    assertThat(engine.result().doc(0).idLow()).isEqualTo(7);
    assertThat(engine.result().set(0).version()).isEqualTo(1);
    assertThat(engine.commandSequence()).as("nothing to log").isZero();
  }

  private int claimDocs(long claimant) {
    int length =
        new ClaimDocsEncoder()
            .wrap(buffer, OFFSET)
            .claimant(new IdFields().set(0, claimant))
            .set(new Slice(utf8("users")), new Slice(utf8("k")), false)
            .leaseMs(1_000)
            .length();
    return engine.executeEncoded(RecordType.CLAIM_DOCS, buffer, OFFSET, length);
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void shouldTellOfACommandWithoutARecord() {
    int length = new ClaimEncoder().wrap(buffer, OFFSET).queue(QUEUE).leaseMs(1_000).length();
    assertThat(engine.executeEncoded(RecordType.CLAIM, buffer, OFFSET, length))
        .isEqualTo(ResultCodes.EMPTY);
    assertThat(engine.commandSequence()).isZero();
    assertThat(engine.sequence()).isEqualTo(1);
  }

  @Test
  void shouldCancelAndAcknowledge() {
    claim(1, true);
    int length = new CancelEncoder().wrap(buffer, OFFSET).identity(7, 1, 1, 0).length();
    assertThat(engine.executeEncoded(RecordType.CANCEL, buffer, OFFSET, length))
        .isEqualTo(ResultCodes.OK);
    assertThat(heard).containsExactly("2 " + ResultCodes.CANCELLED);
    assertThat(engine.executeEncoded(RecordType.CANCEL, buffer, OFFSET, length))
        .isEqualTo(ResultCodes.EMPTY);

    length = new AcknowledgeEncoder().wrap(buffer, OFFSET).client(7, 1, 0, 2).length();
    assertThat(engine.executeEncoded(RecordType.ACKNOWLEDGE, buffer, OFFSET, length))
        .isEqualTo(ResultCodes.OK);
    assertThat(engine.commandSequence()).isEqualTo(5);
  }

  @Test
  void shouldLetDueThingsHappenFirst() {
    int length =
        new ClaimEncoder()
            .wrap(buffer, OFFSET)
            .identity(7, 1, 1, 1)
            .queue(QUEUE)
            .leaseMs(1_000)
            .deadlineMs(engine.nowMs() + 50)
            .waits(true)
            .length();
    engine.executeEncoded(RecordType.CLAIM, buffer, OFFSET, length);
    clock.advance(Duration.ofMillis(50));
    assertThat(insert(5, 1, 10)).isEqualTo(ResultCodes.OK);
    assertThat(heard).containsExactly("2 " + ResultCodes.TIMED_OUT);
    assertThat(engine.commandSequence()).isEqualTo(4);
  }

  @Test
  void shouldRefuseWhatIsTooLongOrNotACallers() {
    assertThatThrownBy(() -> insert(5, 1, 1_100))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("commandBytesMax");
    for (int type : new int[] {RecordType.TICK, RecordType.GENESIS, RecordType.RAISE_LEVEL, 99}) {
      assertThatThrownBy(() -> engine.executeEncoded(type, buffer, OFFSET, 0))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("is not a caller's command");
    }
    assertThat(insert(5, 1, 10)).isEqualTo(ResultCodes.OK);
  }
}
