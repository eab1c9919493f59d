package io.entroq.simulator.feed;

import io.entroq.codec.effect.EffectReader;
import io.entroq.codec.effect.StepFrame;
import io.entroq.engine.gateway.EffectConsumer;
import io.entroq.engine.gateway.FeedRequest;
import io.entroq.simulator.check.Invariant;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;
import java.util.zip.CRC32C;

/**
 * The steps that a feed has told, with checksums of their frames. Checks that each is told once,
 * whole and in order, and none that may not be shown yet. One thread.
 */
final class ToldSteps implements EffectConsumer {
  static final int STEPS_KEPT = 4_096;

  /** Does nothing. */
  static final EffectConsumer NOBODY =
      new EffectConsumer() {
        @Override
        public void onEffect(EffectReader effect) {}

        @Override
        public void onMark(long sequence, long logTimeMs) {}
      };

  private final EffectConsumer next;
  private final CRC32C crc = new CRC32C();
  private final int stepsMax;
  private final TreeMap<Long, Long> checksums = new TreeMap<>();

  /** The first step of which it knows whether it was told. */
  private long first;

  /** All up to this step was told. */
  private long position;

  /** The log time of that step; 0 if it was not told. */
  private long positionTimeMs;

  private long visible;
  private long step;
  private long stepTimeMs;
  private int nextIndex;

  /**
   * @param stepsMax as many checksums are kept, of the newest steps
   * @param next gets the effects, too
   */
  ToldSteps(int stepsMax, EffectConsumer next) {
    this.stepsMax = stepsMax;
    this.next = next;
  }

  /** Goes on after a step, without what was told before. */
  void restart(long after) {
    checksums.clear();
    first = after + 1;
    position = after;
    positionTimeMs = 0;
    step = after;
    stepTimeMs = 0;
  }

  /** Nothing after this step may be told now. */
  void bound(long lastVisible) {
    visible = lastVisible;
  }

  /** All up to this step was told. */
  long position() {
    return position;
  }

  @Override
  public void onEffect(EffectReader effect) {
    StepFrame frame = effect.step();
    if (frame.sequence() != step) {
      begin(frame);
    }
    String subject = "@" + step;
    Invariant.FEED_IS_HISTORY.require(
        effect.index() == nextIndex, subject, "effect " + nextIndex, "effect " + effect.index());
    nextIndex++;
    next.onEffect(effect);
  }

  private void begin(StepFrame frame) {
    long sequence = frame.sequence();
    Invariant.FEED_IS_HISTORY.require(
        sequence > Math.max(step, position),
        "@" + sequence,
        "steps in order, each once",
        "after @" + Math.max(step, position));
    requireVisible(sequence);
    step = sequence;
    stepTimeMs = frame.logTimeMs();
    nextIndex = 0;
    checksums.put(sequence, checksum(frame));
    if (checksums.size() > stepsMax) {
      first = checksums.pollFirstEntry().getKey() + 1;
    }
  }

  private long checksum(StepFrame frame) {
    byte[] bytes = new byte[frame.length()];
    frame.buffer().getBytes(frame.offset(), bytes);
    crc.reset();
    crc.update(bytes);
    return crc.getValue();
  }

  private void requireVisible(long sequence) {
    Invariant.NOTHING_UNFORCED_SHOWN.require(
        sequence <= visible, "@" + sequence, "nothing after @" + visible, "it is shown");
  }

  @Override
  public void onMark(long sequence, long logTimeMs) {
    requireVisible(sequence);
    Invariant.FEED_IS_HISTORY.require(
        sequence >= Math.max(step, position),
        "the mark @" + sequence,
        "not before @" + Math.max(step, position),
        "before it");
    Invariant.FEED_IS_HISTORY.require(
        sequence != step || stepTimeMs == 0 || logTimeMs == stepTimeMs,
        "the mark @" + sequence,
        stepTimeMs + " ms, as its effects",
        logTimeMs + " ms");
    position = sequence;
    positionTimeMs = logTimeMs;
  }

  /** Whether effects of a step were told, as far as it knows. */
  boolean hasTold(long sequence) {
    return checksums.containsKey(sequence);
  }

  /** The first step of which it knows what was told. */
  long first() {
    return first;
  }

  /** Where a reader resumes that was told so much. */
  FeedRequest.Start.After resume(UUID logId) {
    return isWithinStep()
        ? new FeedRequest.Start.After(step, nextIndex - 1, logId, stepTimeMs)
        : new FeedRequest.Start.After(position, Integer.MAX_VALUE, logId, positionTimeMs);
  }

  /** Whether effects of a step were told of which more may come. */
  boolean isWithinStep() {
    return step > position;
  }

  /** All up to this step was told; nothing was told of the steps after the next. */
  long wholeStep() {
    return isWithinStep() ? step - 1 : position;
  }

  /**
   * Fails unless another feed has told the same of the steps after one, up to another.
   *
   * @param invariant what is broken otherwise
   */
  void requireSame(Invariant invariant, ToldSteps other, long after, long until) {
    NavigableMap<Long, Long> here = checksums.subMap(after, false, until, true);
    NavigableMap<Long, Long> there = other.checksums.subMap(after, false, until, true);
    if (!here.equals(there)) {
      throw invariant.broken(
          "@" + firstDifference(here, there), "the same frame as elsewhere", "another");
    }
  }

  private static long firstDifference(Map<Long, Long> here, Map<Long, Long> there) {
    TreeMap<Long, Long> all = new TreeMap<>(here);
    all.putAll(there);
    all.keySet().removeIf(step -> Objects.equals(here.get(step), there.get(step)));
    return all.firstKey();
  }
}
