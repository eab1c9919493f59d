package io.entroq.engine.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.api.EntroQ;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.Value;
import io.entroq.codec.effect.EffectKinds;
import io.entroq.codec.effect.EffectParts;
import io.entroq.codec.effect.EffectReader;
import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.engine.gateway.EffectConsumer;
import io.entroq.engine.gateway.HistoryPoint;
import io.entroq.engine.log.scan.HolePolicy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HistoryReaderTest {
  private static final int INSERTS = 1_500;
  private static final int LARGE_BYTES = 10_000;
  private static final int SMALL_FRAME_BYTES = 256;

  @TempDir private Path data;

  /** Remembers the effects as the lengths of their values. */
  private static final class Values implements EffectConsumer {
    private final List<Integer> lengths = new ArrayList<>();
    private long mark;

    @Override
    public void onEffect(EffectReader effect) {
      assertThat(effect.kind()).isEqualTo(EffectKinds.INSERTED);
      lengths.add(effect.length(EffectParts.VALUE));
    }

    @Override
    public void onMark(long sequence, long logTimeMs) {
      mark = sequence;
    }
  }

  /** Two small tasks, a large one, and many small ones. */
  @BeforeEach
  void fill() {
    try (EntroQ queue =
        EmbeddedEntroQ.open(EmbeddedConfig.in(data).snapshotLogBytes(1 << 20).build())) {
      insert(queue, 1);
      insert(queue, 2);
      insert(queue, LARGE_BYTES);
      for (int i = 0; i < INSERTS; i++) {
        insert(queue, 3);
      }
    }
  }

  private static void insert(EntroQ queue, int bytes) {
    Insert insert = Insert.into("inbox").withValue(Value.bytes(new byte[bytes]));
    queue.modify(Modification.builder().insert(insert).build()).orThrow();
  }

  private HistoryDirectory open() {
    return HistoryDirectory.open(data, HolePolicy.REFUSE, "test");
  }

  @Test
  void shouldShowStepsOnceThatAreLargerThanTheFrame() {
    Values values = new Values();
    try (HistoryDirectory history = open()) {
      StateAt states = new StateAt(history, 1L << 30, ReplayWatch.NONE);
      new HistoryReader(states, List.of(), true, SMALL_FRAME_BYTES)
          .read(HistoryPoint.at(0), HistoryPoint.END, values);
    }
    assertThat(values.lengths).hasSize(3 + INSERTS).startsWith(1, 2, LARGE_BYTES, 3);
    assertThat(values.mark).isGreaterThanOrEqualTo(3 + INSERTS);
  }

  @Test
  void shouldLeaveValuesOut() {
    Values values = new Values();
    try (HistoryDirectory history = open()) {
      new HistoryReader(new StateAt(history, 1L << 30, ReplayWatch.NONE), false)
          .read(HistoryPoint.at(0), HistoryPoint.END, values);
    }
    assertThat(values.lengths).hasSize(3 + INSERTS).containsOnly(0);
  }

  @Test
  void shouldEndWhenTheWatchDoesNotWantToGoOn() {
    try (HistoryDirectory history = open()) {
      StateAt states = new StateAt(history, 1L << 30, sequence -> sequence < 1_000);
      assertThatThrownBy(() -> states.open(HistoryPoint.END))
          .isInstanceOfSatisfying(
              HistoryException.class,
              e -> assertThat(e.reason()).isEqualTo(HistoryException.Reason.ABANDONED));
    }
  }

  @Test
  void shouldRefuseAStateThatNeedsTooMuchMemory() {
    try (HistoryDirectory history = open()) {
      StateAt states = new StateAt(history, 1_000, ReplayWatch.NONE);
      assertThatThrownBy(() -> states.open(HistoryPoint.END))
          .isInstanceOfSatisfying(
              HistoryException.class,
              e -> assertThat(e.reason()).isEqualTo(HistoryException.Reason.MEMORY))
          .hasMessageContaining("1,000 are allowed");
    }
  }
}
