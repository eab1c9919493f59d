package io.entroq.simulator.call;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.entroq.codec.result.ResultDecoder;
import io.entroq.codec.wire.log.DocData;
import io.entroq.codec.wire.log.Genesis;
import io.entroq.codec.wire.log.Id;
import io.entroq.codec.wire.log.ListDocs;
import io.entroq.codec.wire.log.Modify;
import io.entroq.codec.wire.log.ValueKind;
import io.entroq.engine.state.Levels;
import io.entroq.engine.state.ResultSink;
import io.entroq.engine.state.StateMachine;
import io.entroq.engine.state.StateMachineConfig;
import io.entroq.simulator.check.LoggedRecord;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PagedReadTest {
  private static final long NOW_MS = 1_700_000_000_000L;
  private static final int DOCS = 300;

  private final StateMachine machine = new StateMachine(StateMachineConfig.DEFAULT);
  private int slices;
  private int pages;

  @BeforeEach
  void begin() {
    apply(LoggedRecord.of(Genesis.newBuilder().setLevel(Levels.MAX).build(), NOW_MS, 1));
    Modify.Builder insertion = Modify.newBuilder();
    for (int i = 0; i < DOCS; i++) {
      insertion.addDocInserts(
          DocData.newBuilder()
              .setNamespace("n")
              .setId(Id.newBuilder().setLow(1 + i))
              .setKey("k" + i)
              .setValueKind(ValueKind.VALUE_BYTES)
              .setValue(ByteString.copyFrom(new byte[100])));
    }
    apply(LoggedRecord.of(insertion.build(), NOW_MS, 2));
  }

  private void apply(LoggedRecord entry) {
    entry.applyTo(machine, ResultSink.DISCARDING);
  }

  @AfterEach
  void close() {
    machine.close();
  }

  private PagedRead read(ReadWatcher watcher) {
    UnsafeBuffer query =
        new UnsafeBuffer(ListDocs.newBuilder().setNamespace("n").build().toByteArray());
    return new PagedRead(new Request(0, Request.LIST_DOCS, query, null), watcher);
  }

  private static List<Long> ids(Reply reply) {
    ResultDecoder result = new ResultDecoder();
    result.wrap(reply.result(), 0, reply.result().capacity());
    List<Long> ids = new ArrayList<>();
    for (int i = 0; i < result.docCount(); i++) {
      ids.add(result.doc(i).idLow());
    }
    return ids;
  }

  @Test
  void shouldHoldAllPagesInOneReply() {
    assertThat(ids(read(ReadWatcher.NONE).readAll(machine, NOW_MS, Integer.MAX_VALUE)))
        .hasSize(DOCS)
        .doesNotHaveDuplicates();
  }

  @Test
  void shouldShowTheSameSliceBySlice() {
    assertThat(ids(read(watcher()).readAll(machine, NOW_MS, 60)))
        .isEqualTo(ids(read(ReadWatcher.NONE).readAll(machine, NOW_MS, Integer.MAX_VALUE)));
    assertThat(slices).isGreaterThan(10);
    assertThat(pages).isEqualTo(2);
  }

  private ReadWatcher watcher() {
    return new ReadWatcher() {
      @Override
      public void onSlice(ResultDecoder page) {
        slices++;
      }

      @Override
      public void onPageEnd() {
        pages++;
      }

      @Override
      public void onEnd() {
        pages++;
      }
    };
  }
}
