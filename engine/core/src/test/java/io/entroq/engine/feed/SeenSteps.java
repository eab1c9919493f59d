package io.entroq.engine.feed;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.codec.effect.EffectReader;
import io.entroq.codec.effect.StepFrame;
import io.entroq.engine.gateway.EffectConsumer;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * Writes down the position of each effect and a checksum of the frame of its step. Checks that each
 * step is shown once, whole, in order, and before its mark.
 */
final class SeenSteps implements EffectConsumer {
  final List<String> effects = new ArrayList<>();
  final FoldedEffects state = new FoldedEffects();
  private final CRC32C crc = new CRC32C();
  private long last;
  private int lastIndex = -1;
  private long marked = -1;
  private long snapshot = -1;

  @Override
  public void onEffect(EffectReader effect) {
    StepFrame step = effect.step();
    long sequence = step.sequence();
    if (sequence == last && !effects.isEmpty()) {
      assertThat(effect.index()).isEqualTo(lastIndex + 1);
    } else {
      assertThat(sequence).isGreaterThan(Math.max(last, marked));
    }
    last = sequence;
    lastIndex = effect.index();
    byte[] frame = new byte[step.length()];
    step.buffer().getBytes(step.offset(), frame);
    crc.reset();
    crc.update(frame);
    effects.add("%d.%d %x".formatted(sequence, effect.index(), crc.getValue()));
    state.add(effect);
  }

  @Override
  public void onMark(long sequence, long logTimeMs) {
    assertThat(sequence).isGreaterThanOrEqualTo(Math.max(last, marked));
    marked = sequence;
  }

  @Override
  public void onSnapshotEnd(long sequence, long logTimeMs) {
    assertThat(marked).as("none within a snapshot").isEqualTo(-1);
    assertThat(snapshot).isEqualTo(-1);
    snapshot = sequence;
    effects.clear();
    last = sequence;
  }

  /** The step of the last mark; -1 if there is none. */
  long marked() {
    return marked;
  }

  /** The step of the snapshot; -1 if there was none. */
  long snapshot() {
    return snapshot;
  }
}
