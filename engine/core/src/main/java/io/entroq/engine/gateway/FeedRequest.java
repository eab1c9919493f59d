package io.entroq.engine.gateway;

import io.entroq.codec.effect.EffectKinds;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;

/**
 * What a reader wants to see.
 *
 * @param start where it begins
 * @param untilSequence the last step to show; {@link Long#MAX_VALUE}: it goes on for ever
 * @param untilTimeMs the last log time whose steps are shown, in milliseconds since the epoch;
 *     {@link Long#MAX_VALUE}: it goes on for ever
 * @param queues names of queues; with prefixes and namespaces empty: all
 * @param prefixes prefixes of names of queues
 * @param namespaces namespaces of docs, by name
 * @param kinds of {@link EffectKinds}; empty: all
 * @param taskIds ids of tasks as callers write them; empty: all
 * @param hasValues whether effects have values
 */
public record FeedRequest(
    Start start,
    long untilSequence,
    long untilTimeMs,
    Set<String> queues,
    List<String> prefixes,
    Set<String> namespaces,
    Set<Integer> kinds,
    Set<String> taskIds,
    boolean hasValues) {

  /** Where a reader begins. */
  public sealed interface Start {
    /** With the next step. */
    record Now() implements Start {}

    /**
     * As {@link Now}, but never from history: a reader that has fallen too far behind ends with
     * {@link FeedEnd.Reason#OUT_OF_RANGE}. For readers that rather miss something than take one of
     * the few places where history is read.
     */
    record Live() implements Start {}

    /**
     * With the state as it is, shown as effects that insert it, and then as {@link Now}. Those
     * effects have the step of the state; nobody can begin in between.
     */
    record Snapshot() implements Start {}

    /** With the first step at or after a log time, in milliseconds since the epoch. */
    record Time(long timeMs) implements Start {}

    /**
     * After an effect.
     *
     * @param sequence 0: from the first on
     * @param index of the last effect seen; {@link Integer#MAX_VALUE}: the whole step was seen
     * @param logId the log of the position; null if it is not known
     * @param timeMs the log time of the step, in milliseconds since the epoch; 0 if it is not
     *     known. If the step has another one now, the position is of a past that was lost
     */
    record After(long sequence, int index, UUID logId, long timeMs) implements Start {
      /** Without the log time. */
      public After(long sequence, int index, UUID logId) {
        this(sequence, index, logId, 0);
      }
    }
  }

  public FeedRequest {
    Objects.requireNonNull(start, "start");
    queues = Set.copyOf(queues);
    prefixes = List.copyOf(prefixes);
    namespaces = Set.copyOf(namespaces);
    kinds = Set.copyOf(kinds);
    taskIds = Set.copyOf(taskIds);
  }

  /** The same from another start on. */
  public FeedRequest withStart(Start other) {
    return new FeedRequest(
        other, untilSequence, untilTimeMs, queues, prefixes, namespaces, kinds, taskIds, hasValues);
  }

  /** Everything from a start on, for ever, without values. */
  public static FeedRequest all(Start start) {
    return new FeedRequest(
        start,
        Long.MAX_VALUE,
        Long.MAX_VALUE,
        Set.of(),
        List.of(),
        Set.of(),
        Set.of(),
        Set.of(),
        false);
  }
}
